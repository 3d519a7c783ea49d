import path from "node:path";

/** Guides under a heading, as files of the repository. */
export type Group = { heading: string; files: readonly string[] };

/**
 * The guides in the order of the table under "Documentation" in README.md, which is the only list of them. A page that is not in it comes last,
 * so that no link to it is broken.
 */
export function contentsOf(readme: string, files: readonly string[]): Group[] {
  const table = readme.split(/^## Documentation$/m)[1]?.split(/^## /m)[0] ?? "";
  const rows = [...table.matchAll(/^\| ([^|]+?) \| (.+) \|$/gm)].filter(([, heading = ""]) => !/^-+$/.test(heading));
  const groups = rows.map(([, heading = "", cells = ""]) => ({
    heading,
    files: [...cells.matchAll(/\]\(([^()#\s]+)[^()\s]*\)/g)]
      .map(([, link = ""]) => path.posix.normalize(link))
      .filter((file) => files.includes(file)),
  }));
  const listed = new Set(["README.md", ...groups.flatMap((group) => group.files)]);
  const others = files.filter((file) => !listed.has(file));
  return [{ heading: "Start", files: ["README.md"] }, ...groups, { heading: "Other", files: others }].filter(
    (group) => group.files.length > 0,
  );
}
