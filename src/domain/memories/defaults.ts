import { type Sensitivity, sensitivityOf, stricter } from "#core/safety/sensitivity";
import { isOfTheMoment } from "#core/text/of-the-moment";
import { MEMORY_TYPES } from "#db/schema/memories";

export { MEMORY_TYPES };

/** A memory's type decides how long it lives. Its class groups types for the filters of lists and searches. */
export type MemoryType = (typeof MEMORY_TYPES)[number];

export const MEMORY_CLASSES = ["factual", "semantic", "procedural", "episodic"] as const;

export type MemoryClass = (typeof MEMORY_CLASSES)[number];

/** The type of a memory for which none is named. */
export const DEFAULT_TYPE: MemoryType = "knowledge";

const CLASS_OF: Record<MemoryType, MemoryClass> = {
  preference: "factual",
  identity: "factual",
  relationship: "factual",
  knowledge: "semantic",
  procedural: "procedural",
  context: "episodic",
  event: "episodic",
  task: "episodic",
  observation: "episodic",
};

/** Days that an ephemeral memory lives; null for the long-lived. */
const LIFETIME_DAYS: Record<MemoryType, number | null> = {
  preference: null,
  identity: null,
  relationship: null,
  knowledge: null,
  procedural: null,
  context: 7,
  event: 30,
  task: 14,
  observation: 3,
};

const DAY_MS = 86_400_000;

export function classOf(type: MemoryType): MemoryClass {
  return CLASS_OF[type];
}

export function typesOf(cls: MemoryClass): MemoryType[] {
  return MEMORY_TYPES.filter((type) => CLASS_OF[type] === cls);
}

/** Milliseconds after which a memory of this type expires; null for never. */
export function lifetimeMs(type: MemoryType): number | null {
  const days = LIFETIME_DAYS[type];
  return days === null ? null : days * DAY_MS;
}

export function isMemoryType(value: string): value is MemoryType {
  return MEMORY_TYPES.some((type) => type === value);
}

export type Privacy = { sensitivity: Sensitivity; portable: boolean };

/**
 * Where a memory is stored and was learned. `amongOthers`: in a group session with at least one other participant at that moment. Private
 * sessions, group sessions of one and no session at all count as private.
 */
export type Learned = { ownership: "personal" | "group" | "shared"; amongOthers: boolean };

/**
 * Default privacy of a memory. Learned in private: visible to its owner only. Learned in a group: visible to everybody who may see its
 * subject, unless its words are sensitive or it is ephemeral. Shared memories are public.
 */
export function defaultPrivacy(
  words: { content: string; type: string; beside?: readonly string[] },
  { ownership, amongOthers }: Learned,
): Privacy {
  if (ownership === "shared") return { sensitivity: "public", portable: true };
  const sensitivity = sensitivityOf([words.content, ...(words.beside ?? [])].join("\n"));
  if (amongOthers) return { sensitivity, portable: !isOfTheMoment(words) };
  // A group memory is for its group, wherever it was learned.
  return { sensitivity: ownership === "group" ? sensitivity : stricter(sensitivity, "personal"), portable: false };
}
/**
 * Words by which a speaker refers to themselves alone. Words with another meaning in another language are left out: a wrong subject could
 * see a memory that it must not see, while a missing subject only sees fewer memories. "I" is a numeral after a name ("World War I",
 * "Elizabeth I").
 */
const FIRST_PERSON = new RegExp(
  [
    "(?:^|[^\\p{L}\\p{N}.])I(?:['’](?:m|ve|ll|d))?(?=\\s+\\p{Ll})",
    "(?<![\\p{L}\\p{N}.@_-])(?:[Mm]e|[Mm]y|[Mm]yself)(?![\\p{L}\\p{N}_-])",
    "(?<!\\p{L})(?:[Ii]ch|[Mm]ich|[Mm]ir|[Mm]ein(?:e[mnrs]?)?|[Jj]e|[Jj]['’]\\p{Ll}+|[Yy]o|[Яя]|[Мм]еня|[Мм]не|[Мм]о[йяёи])(?![\\p{L}\\p{N}_-])",
    "我|私|僕|俺|ฉัน|ผม|أنا",
  ].join("|"),
  "u",
);
const NUMERAL = /\p{Lu}[\p{L}\p{M}]{0,40}\s{1,8}I(?=\s|$)/gu;

/** Whether the speaker refers to themselves. */
export function isFirstPerson(text: string): boolean {
  return FIRST_PERSON.test(text.replace(NUMERAL, " "));
}

/** The name in `metadata` of the keys of which a memory without a key gives a value, beside saying something else. */
export const STATES = "states";

/** The keys of which a memory gives a value: its own, or those that it states beside something else. */
export function statedKeys({ key, metadata }: { key: string | null; metadata: Readonly<Record<string, unknown>> }): string[] {
  const states = metadata[STATES];
  return [...(key === null ? [] : [key]), ...(Array.isArray(states) ? states.filter((one) => typeof one === "string") : [])];
}
