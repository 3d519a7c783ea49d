import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { ExtractionCase } from "../../test/corpora/extraction.ts";

const Message = z.object({
  id: z.string(),
  lang: z.enum(["en", "de", "es", "fr", "zh"]),
  text: z.string(),
  keep: z.boolean(),
  facts: z.array(z.object({ says: z.string().optional(), mustContain: z.array(z.coerce.string()).min(1) })),
});

/** A message of a test round, and what a stored memory has to contain to keep each of its facts. */
export type RoundMessage = z.infer<typeof Message>;

/** The rounds of a folder by the names of their files; of files that hold something else beside messages, only `messages.jsonl` is read. */
export async function readRounds(folder: string): Promise<Map<string, RoundMessage[]>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const rounds = new Map<string, RoundMessage[]>();
  for (const name of names.includes("messages.jsonl") ? ["messages.jsonl"] : names)
    rounds.set(path.basename(name, ".jsonl"), parseRound(await readFile(path.join(folder, name), "utf8")));
  return rounds;
}

export function parseRound(lines: string): RoundMessage[] {
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => Message.parse(JSON.parse(line)));
}

/** Which half of a folder: the numbers at the ends of the ids are odd or even, so that one half can be tuned on. */
export type Half = "odd" | "even" | "all";

export function inHalf(messages: readonly RoundMessage[], half: Half): RoundMessage[] {
  return messages.filter(({ id }) => half === "all" || halfOf(id) === half);
}

export function halfOf(id: string): "odd" | "even" {
  return Number(/\d+$/.exec(id)?.[0] ?? 0) % 2 === 1 ? "odd" : "even";
}

/** A message as a conversation to ask a model about. */
export function toCase({ lang, text }: RoundMessage): ExtractionCase {
  return { language: lang, messages: [{ role: "user", text }], expected: [], reason: null };
}

const Figures = z.object({ recall: z.number(), precision: z.number(), storedFromNothing: z.string() });
const FirstContacts = z.record(z.string(), z.record(z.string(), Figures));

/** What the running service scored before anything was tuned on a round: by round, then by group of languages. */
export type FirstContacts = z.infer<typeof FirstContacts>;

const FIRST_CONTACT = "first-contact.json";

/** Nothing for a folder without a record. */
export async function readFirstContacts(folder: string): Promise<FirstContacts> {
  const names = await readdir(folder);
  return names.includes(FIRST_CONTACT)
    ? FirstContacts.parse(JSON.parse(await readFile(path.join(folder, FIRST_CONTACT), "utf8")))
    : {};
}
