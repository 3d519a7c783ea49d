import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const Line = z.object({
  id: z.string(),
  lang: z.enum(["en", "de", "es", "fr", "zh"]),
  /** What the user said before, in order. */
  before: z.array(z.string()),
  text: z.string(),
  /** Whether `text` asks for something to be forgotten. */
  request: z.boolean(),
  /** The words that it means, and some that it does not mean, as they stand in `before` or `text`. */
  target: z.array(z.string()),
  keep: z.array(z.string()),
});

export type ForgetLine = z.infer<typeof Line>;

/** The lines of each author, by the name of their file. */
export async function readForgetTalk(folder: string): Promise<Map<string, ForgetLine[]>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const authors = new Map<string, ForgetLine[]>();
  for (const name of files) {
    const lines = (await readFile(path.join(folder, name), "utf8")).split("\n").filter((line) => line.trim() !== "");
    authors.set(
      name,
      lines.map((line) => Line.parse(JSON.parse(line))),
    );
  }
  return authors;
}
