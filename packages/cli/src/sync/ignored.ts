import { readFile } from "node:fs/promises";
import path from "node:path";
import ignore, { type Ignore } from "ignore";

/** In the folder that is synchronised; the same syntax as `.gitignore`. */
export const IGNORE_FILE = ".edgewiseignore";

/** Left out whatever the file says, unless it names them with "!". */
const ALWAYS = [".git/", "node_modules/", ".DS_Store", IGNORE_FILE];

/** Which paths, relative to the folder and with "/" between the parts, are left out. */
export type Ignored = { file: (path: string) => boolean; folder: (path: string) => boolean };

export async function readIgnored(folder: string): Promise<Ignored> {
  const rules = await readFile(path.join(folder, IGNORE_FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return ignoredBy(rules);
}

export function ignoredBy(rules: string): Ignored {
  const matcher: Ignore = ignore().add(ALWAYS).add(rules);
  return {
    file: (name) => matcher.ignores(name),
    folder: (name) => name !== "" && matcher.ignores(`${name}/`),
  };
}
