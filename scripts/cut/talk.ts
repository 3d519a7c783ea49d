import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const Line = z.object({
  id: z.string(),
  memories: z.array(z.object({ id: z.string(), text: z.string() })),
  questions: z.array(z.object({ q: z.string(), needed: z.array(z.string()) })),
});

/** The memories of one user, and which of them each question needs. */
export type MemoryTalk = z.infer<typeof Line>;

/** The users of each author, by the name of the author's file. */
export async function readMemoryTalk(folder: string): Promise<Map<string, MemoryTalk[]>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const entries = files.map(async (file) => [path.basename(file, ".jsonl"), await readLines(path.join(folder, file))] as const);
  return new Map(await Promise.all(entries));
}

export async function readLines(file: string): Promise<MemoryTalk[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => Line.parse(JSON.parse(line)));
}
