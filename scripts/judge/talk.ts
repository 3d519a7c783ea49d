import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { MEMORY_TYPES } from "#db/schema/memories";
import { type ABOUT, LASTS } from "../../src/domain/extraction/judge/kinds.ts";

const Kept = z.object({
  span: z.string(),
  about: z.string(),
  type: z.enum(MEMORY_TYPES),
  lasts: z.enum(LASTS),
  sensitive: z.boolean(),
  instruction: z.boolean(),
  /** What a stored memory has to contain. */
  must: z.array(z.string()).min(1),
});
const Message = z.object({
  lang: z.enum(["en", "de", "es", "fr", "zh"]),
  text: z.string(),
  keep: z.array(Kept),
  /** Takes back an earlier wish for how the assistant is to behave. */
  withdraws: z.boolean().optional(),
});

export type TalkMessage = z.infer<typeof Message>;
export type Kept = z.infer<typeof Kept>;

/** The messages of each author, by the name of their file. */
export async function readTalk(folder: string): Promise<Map<string, TalkMessage[]>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const authors = new Map<string, TalkMessage[]>();
  for (const name of files) {
    const lines = (await readFile(path.join(folder, name), "utf8")).split("\n").filter((line) => line.trim() !== "");
    authors.set(
      name,
      lines.map((line) => Message.parse(JSON.parse(line))),
    );
  }
  return authors;
}

/** Of whom a statement is, as authors name it in their own words. */
export function aboutOf({ about }: Kept): (typeof ABOUT)[number] {
  if (/^(?:me|i|speaker|myself)$/iu.test(about)) return "me";
  return /^(?:us|we|our|the .*|our (?:family|house|home|flat|team|company|office|shop|club|school|band|group|choir|church|firm|crew|business|project)\b.*)$/iu.test(
    about,
  )
    ? "us"
    : "other";
}
