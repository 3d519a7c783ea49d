import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const Line = z.object({
  id: z.string(),
  lang: z.enum(["en", "de", "es", "fr", "zh"]),
  /** Said first, and said later by the same user. */
  old: z.string(),
  new: z.string(),
  /** What `new` does to `old` as a truth of today. */
  effect: z.enum(["replaces", "part", "none"]),
});

export type PairLine = z.infer<typeof Line>;

/** The lines of each author, by the name of their file. */
export async function readPairs(folder: string): Promise<Map<string, PairLine[]>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const authors = new Map<string, PairLine[]>();
  for (const name of files) {
    const lines = (await readFile(path.join(folder, name), "utf8")).split("\n").filter((line) => line.trim() !== "");
    authors.set(
      name.replace(".jsonl", ""),
      lines.map((line) => Line.parse(JSON.parse(line))),
    );
  }
  return authors;
}
