import { z } from "zod";
import { normalizeText } from "#core/text/normalize";
import { MEMORY_TYPES } from "#domain/memories";
import { findJson } from "./find-json.ts";

/** The subject that stands for the author of the message. */
export const SPEAKER = "speaker";

const SENSITIVITIES = ["public", "personal", "sensitive"] as const;

/** The quote comes first: what is written after it then rests on it. */
const MemoryFormat = z.strictObject({
  quote: z.string().describe("The words of one user message that it rests on, exactly as they stand there"),
  content: z
    .string()
    .describe("One statement in the language of the transcript that is understood on its own; at most 300 characters"),
  type: z.enum(MEMORY_TYPES),
  confidence: z.number().describe("0 to 1: how sure it is that this was meant and will hold"),
  sensitivity: z.enum(SENSITIVITIES),
  subjects: z.array(z.string()).describe(`Names of whom it is about; ${SPEAKER} for whoever said it`),
  key: z.string().nullable().describe("For what has one value at a time, such as identity:home; else null"),
  replaces: z.array(z.string()).describe("Ids of known memories that no longer hold, such as K1"),
});

const PersonFormat = z.strictObject({
  name: z.string(),
  aliases: z.array(z.string()).describe("Other names for the same person in the transcript"),
  relationship: z.string().nullable().describe("What they are to whoever speaks of them"),
});

const EntityFormat = z.strictObject({
  type: z.string().describe("project, tool, place, organisation, document, product or another one-word kind"),
  name: z.string(),
  notes: z.string().nullable().describe("What the transcript says it is, in one sentence"),
});

const Answer = z.strictObject({ memories: z.array(MemoryFormat), people: z.array(PersonFormat) });
const AnswerWithEntities = Answer.extend({ entities: z.array(EntityFormat) });

/**
 * The JSON Schema that a model is asked to follow: every field required and no others, as strict modes need. Limits are left out, since not
 * every server accepts them; they are checked when the answer is read.
 */
export function answerFormat(withEntities: boolean): { name: string; schema: Record<string, unknown> } {
  const { $schema: _, ...schema } = z.toJSONSchema(withEntities ? AnswerWithEntities : Answer);
  return { name: "memories", schema };
}

export const MAX_MEMORIES = 30;
const MAX_CONTENT = 500;
const MAX_QUOTE = 2_000;
const MAX_NAME = 100;
const MAX_NOTES = 300;
const MAX_RELATIONSHIP = 60;
const MAX_NAMES = 10;
const MAX_KEY = 80;
/** Memories that one statement may replace. */
const MAX_REPLACED = 3;
const MAX_COMPLAINTS = 5;

const collapsed = (text: string) => text.replace(/\s+/gu, " ").trim();
const words = (max: number) => z.string().transform(collapsed).pipe(z.string().min(1).max(max));
const optional = (max: number) =>
  words(max)
    .nullish()
    .catch(null)
    .transform((text) => text ?? null);

/** Also accepts one name in place of a list; what is no name is left out. */
const names = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value]).filter((name) => words(MAX_NAME).safeParse(name).success).slice(0, MAX_NAMES),
  z.array(words(MAX_NAME)),
);

/** 0.9, "0.9", "90%" and 90 are the same confidence. */
function asShare(value: unknown): unknown {
  const number = typeof value === "string" ? Number(value.trim().replace(/%$/, "") || Number.NaN) : value;
  return typeof number === "number" && number > 1 && number <= 100 ? number / 100 : number;
}

/** Without a value it is personal; any other word than the three is taken as sensitive. */
function asSensitivity(value: unknown): unknown {
  if (value === undefined || value === null) return "personal";
  const word = String(value).trim().toLowerCase();
  return SENSITIVITIES.some((known) => known === word) ? word : "sensitive";
}

/** `identity:home town` and `Home-Town` of an identity are both `identity:home_town`. A key always has the memory's own type. */
function asKey(key: string | null, type: string): string | null {
  const own = key?.toLowerCase().replace(new RegExp(`^${type}\\s*:`), "") ?? "";
  const slug = (normalizeText(own, "NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join("_");
  return slug === "" || slug === "null" || slug === "none" || slug.length > MAX_KEY ? null : `${type}:${slug}`;
}

const Memory = z
  .object({
    type: z.preprocess((value) => (typeof value === "string" ? value.trim().toLowerCase() : value), z.enum(MEMORY_TYPES)),
    content: words(MAX_CONTENT),
    quote: words(MAX_QUOTE),
    confidence: z.preprocess(asShare, z.number().min(0).max(1)),
    sensitivity: z.preprocess(asSensitivity, z.enum(SENSITIVITIES)),
    portable: z.preprocess((value) => (value ?? true) === true || value === "true", z.boolean()),
    subjects: names,
    key: optional(MAX_KEY * 2),
    replaces: names.transform((ids) =>
      [...new Set(ids.map((id) => id.replace(/[[\]]/g, "").toUpperCase()))].slice(0, MAX_REPLACED),
    ),
  })
  .transform((memory) => ({ ...memory, key: asKey(memory.key, memory.type) }));

const Person = z.object({ name: words(MAX_NAME), aliases: names, relationship: optional(MAX_RELATIONSHIP) });

const Entity = z.object({
  type: words(40).transform((type) => type.toLowerCase()),
  name: words(MAX_NAME),
  notes: optional(MAX_NOTES),
});

/** What is sent back for a wrong field; it repeats nothing of the answer. */
const RULES: Record<string, string> = {
  type: `has to be one of ${MEMORY_TYPES.join(", ")}`,
  content: `has to be a text of 1 to ${MAX_CONTENT} characters`,
  quote: "has to be the words of a user message, as they stand there",
  confidence: "has to be a number from 0 to 1",
};

export type ReadMemory = z.infer<typeof Memory>;
export type ReadPerson = z.infer<typeof Person>;
export type ReadEntity = z.infer<typeof Entity>;

export type ReadAnswer =
  | {
      kind: "read";
      memories: ReadMemory[];
      people: ReadPerson[];
      entities: ReadEntity[];
      /** Entries that could not be read, and those beyond the limit. */
      invalid: number;
      tooMany: number;
    }
  | { kind: "no_json"; complaint: string }
  | { kind: "invalid"; complaint: string };

/**
 * Finds the JSON in a reply and checks it entry by entry. A wrong entry is left out and counted, because one memory is not worth a second
 * request. An answer without any valid entry is invalid as a whole.
 */
export function readAnswer(text: string): ReadAnswer {
  const json = findJson(text);
  if (json === undefined) return { kind: "no_json", complaint: "It holds no complete JSON object." };
  const answer: Record<string, unknown> = Array.isArray(json) ? { memories: json } : json;
  const listed = answer.memories === null ? [] : answer.memories;
  if (!Array.isArray(listed)) return { kind: "invalid", complaint: "The object has no list `memories`." };
  const memories = read(Memory, listed.slice(0, MAX_MEMORIES));
  if (memories.good.length === 0 && memories.complaints.length > 0)
    return { kind: "invalid", complaint: memories.complaints.slice(0, MAX_COMPLAINTS).join("\n") };
  const people = read(Person, listOf(answer.people));
  const entities = read(Entity, listOf(answer.entities));
  return {
    kind: "read",
    memories: memories.good,
    people: people.good,
    entities: entities.good,
    invalid: memories.bad + people.bad + entities.bad,
    tooMany: Math.max(0, listed.length - MAX_MEMORIES),
  };
}

function read<T>(schema: z.ZodType<T>, entries: readonly unknown[]) {
  const good: T[] = [];
  const complaints: string[] = [];
  let bad = 0;
  for (const [position, entry] of entries.entries()) {
    const parsed = schema.safeParse(entry);
    if (parsed.success) {
      good.push(parsed.data);
      continue;
    }
    bad += 1;
    const fields = [...new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? "")))];
    for (const field of fields)
      complaints.push(`memories[${position}]${field === "" ? "" : `.${field}`} ${RULES[field] ?? "has to follow the schema"}.`);
  }
  return { good, bad, complaints };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_MEMORIES) : [];
}
