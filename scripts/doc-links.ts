import path from "node:path";

/** A broken link. */
export type BrokenLink = { file: string; line: number; link: string; reason: string };

const FENCE = /^\s*(```|~~~)/;

/**
 * Relative links of Markdown pages whose file or heading does not exist, and files that they name as code. `pages` are the pages by their path from the repository;
 * `exists` says whether another file or folder does.
 */
export function findBrokenLinks(pages: ReadonlyMap<string, string>, exists: (path: string) => boolean): BrokenLink[] {
  const anchors = new Map([...pages].map(([file, text]) => [file, anchorsOf(text)]));
  return [...pages].flatMap(([file, text]) =>
    linksOf(text).flatMap(({ line, link, isCode }) => {
      const [target = "", anchor] = link.split("#");
      const to = target === "" ? file : path.posix.normalize(path.posix.join(isCode ? "" : path.posix.dirname(file), target));
      if (!pages.has(to) && !exists(to)) return [{ file, line, link, reason: `There is no ${to}.` }];
      if (anchor === undefined || anchors.get(to)?.has(anchor) === true) return [];
      return [{ file, line, link, reason: `${to} has no heading for #${anchor}.` }];
    }),
  );
}

/** The relative links outside code, and as links from the repository's folder the files that code in a sentence names. */
function linksOf(text: string): { line: number; link: string; isCode: boolean }[] {
  return prose(text).flatMap(({ line, words }) => {
    const links = [...words.replace(/`[^`]*`/g, "").matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => link);
    const files = [...words.matchAll(/`((?:src|test|scripts|bench|docs|examples)\/[\w./-]+)`/g)].map(([, file = ""]) => file);
    return [
      ...links.filter((link) => !/^[a-z][a-z+.-]*:/i.test(link)).map((link) => ({ line, link, isCode: false })),
      ...files.map((link) => ({ line, link, isCode: true })),
    ];
  });
}

/** The anchors that GitHub makes of headings. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { words } of prose(text)) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(words)?.[1];
    if (heading === undefined) continue;
    const anchor = anchorOf(heading, anchors);
    anchors.add(anchor);
  }
  return anchors;
}

/** The anchor that GitHub makes of a heading, as Markdown, below those that have the other anchors. */
export function anchorOf(heading: string, others: ReadonlySet<string>): string {
  const slug = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
  let anchor = slug;
  for (let count = 1; others.has(anchor); count += 1) anchor = `${slug}-${count}`;
  return anchor;
}

/** The lines outside fenced code, numbered from 1. */
function prose(text: string): { line: number; words: string }[] {
  let isCode = false;
  return text.split("\n").flatMap((words, i) => {
    if (FENCE.test(words)) {
      isCode = !isCode;
      return [];
    }
    return isCode ? [] : [{ line: i + 1, words }];
  });
}
