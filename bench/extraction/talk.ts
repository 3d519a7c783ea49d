import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { ExtractionCase } from "../../test/corpora/extraction.ts";

const Message = z.object({
  id: z.string(),
  lang: z.enum(["en", "de", "es", "fr", "zh"]),
  text: z.string(),
  keep: z.boolean(),
  facts: z.array(z.object({ says: z.string().optional(), mustContain: z.array(z.union([z.string(), z.number()])).min(1) })),
});

/** A message by an outside author, and the words that the memories of it have to contain; no fact where nothing is worth keeping. */
export type TalkMessage = z.infer<typeof Message>;

/** Which half of a folder: the numbers at the ends of the ids are odd or even, so that one half can be tuned on. */
export type Half = "odd" | "even" | "all";

/** Reads `messages.jsonl` of a folder of talk: id, lang, text, keep, facts[].mustContain. */
export function readTalk(folder: string, half: Half): TalkMessage[] {
  const lines = readFileSync(path.join(folder, "messages.jsonl"), "utf8").trim().split("\n");
  const rows = lines.map((line) => Message.parse(JSON.parse(line)));
  return rows.filter(({ id }) => half === "all" || halfOf(id) === half);
}

export function halfOf(id: string): "odd" | "even" {
  return Number(/\d+$/.exec(id)?.[0] ?? 0) % 2 === 1 ? "odd" : "even";
}

/** A message as a conversation to ask a model about. */
export function toCase({ lang, text }: TalkMessage): ExtractionCase {
  return { language: lang, messages: [{ role: "user", text }], expected: [], reason: null };
}
