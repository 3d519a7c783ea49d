import { readFile } from "node:fs/promises";
import { z } from "zod";
import { MEMORY_TYPES } from "../../src/db/schema/memories.ts";
import { markdown } from "../cost/table.ts";
import { type Statement, statementsOf } from "./stored.ts";
import { has, share } from "./talk-score.ts";

const Typed = z.object({ type: z.enum(MEMORY_TYPES), text: z.string() });
const First = z.object({ text: z.string(), must: z.array(z.coerce.string()).min(1) });

export type TypedSentence = z.infer<typeof Typed>;
export type FirstSentence = z.infer<typeof First>;

/** What may not be kept without an end. */
const EPHEMERAL: ReadonlySet<string> = new Set(["context", "event", "task", "observation"]);

/** What was made of a sentence: the type of the longest memory that is stored, if any, and whether any memory of it has no end. */
type TypedResult = TypedSentence & { stored: string | null; isEndless: boolean };

export function typedResult(sentence: TypedSentence, statements: readonly Statement[]): TypedResult {
  const stored = statements.filter(({ reason }) => reason === null);
  const [longest] = stored.toSorted((a, b) => b.content.length - a.content.length);
  return { ...sentence, stored: longest?.type ?? null, isEndless: stored.some(({ expiresAt }) => expiresAt === null) };
}

/** Sentences of known types: how many got theirs, were not stored, and, of ephemeral types, are kept for ever. */
export async function typesReport(file: string): Promise<string> {
  const results = (await readLines(file, Typed)).map((sentence) => typedResult(sentence, statementsOf(sentence.text)));
  const rows = [...MEMORY_TYPES, "all"].map((type) => {
    const its = results.filter((result) => type === "all" || result.type === type);
    const right = its.filter((result) => result.stored === result.type).length;
    const lost = its.filter(({ stored }) => stored === null).length;
    const endless = its.filter((result) => EPHEMERAL.has(result.type) && result.isEndless).length;
    return [type, its.length, right, share(right, its.length), lost, endless].map(String);
  });
  const heads = ["type", "sentences", "right", "", "not stored", "ephemeral without an end"];
  const misses = results.filter((result) => result.stored !== result.type || (EPHEMERAL.has(result.type) && result.isEndless));
  return [`### Types of plain sentences\n\n${markdown(heads, rows)}`, ...misses.map(missOf)].join("\n");
}

function missOf({ type, stored, isEndless, text }: TypedResult): string {
  return `- ${type} → ${stored ?? "not stored"}${isEndless ? ", without an end" : ""}: ${JSON.stringify(text)}`;
}

/** Whether one stored memory has all words that tell what the sentence says. */
export function isKept({ must }: FirstSentence, statements: readonly Statement[]): boolean {
  return statements.some(({ content, reason }) => reason === null && must.every((word) => has(content, word)));
}

/** Plain first sentences: how many are kept. */
export async function firstReport(file: string): Promise<string> {
  const results = (await readLines(file, First)).map((sentence) => {
    const statements = statementsOf(sentence.text);
    return { sentence, statements, kept: isKept(sentence, statements) };
  });
  const kept = results.filter((result) => result.kept).length;
  const rows = [[String(results.length), String(kept), share(kept, results.length)]];
  const misses = results
    .filter((result) => !result.kept)
    .map(({ sentence, statements }) => {
      const made = statements.map(({ content, reason }) => `${content} (${reason ?? "stored"})`).join(" | ");
      return `- ${JSON.stringify(sentence.text)}: ${made === "" ? "nothing" : made}`;
    });
  return [`### Plain first sentences\n\n${markdown(["sentences", "kept", ""], rows)}`, ...misses].join("\n");
}

async function readLines<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
