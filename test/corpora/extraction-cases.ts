export type Language = "en" | "de" | "es" | "fr" | "zh";

export type ExtractionMessage = { role: "user" | "assistant" | "system" | "tool"; text: string };

/** Why nothing may be taken from a message, or from the part of it that sounds like a memory. */
export type Reason =
  | "question"
  | "quotation"
  | "hypothetical"
  | "negated"
  | "other people"
  | "assistant"
  | "injected"
  | "fiction"
  | "instruction"
  | "joke"
  | "conversation"
  | "past"
  | "hedged"
  | "idle";

export type ExpectedMemory = {
  category: "preference" | "identity" | "relationship" | "task" | "remember";
  type: "preference" | "identity" | "relationship" | "knowledge" | "task";
  content: string;
  key: string | null;
  people: readonly { name: string; relationship: string | null }[];
  isOfGroup: boolean;
  sensitivity: "public" | "personal" | "sensitive";
};

export type ExtractionCase = {
  language: Language;
  messages: readonly ExtractionMessage[];
  expected: readonly ExpectedMemory[];
  /** Null where everything that sounds like a memory is one. */
  reason: Reason | null;
};

type More = Partial<Pick<ExpectedMemory, "type" | "key" | "people" | "isOfGroup" | "sensitivity">>;

const TYPE_OF = {
  preference: "preference",
  identity: "identity",
  relationship: "relationship",
  task: "task",
  remember: "knowledge",
} as const;

function expecting(category: ExpectedMemory["category"]): (content: string, more?: More) => ExpectedMemory {
  return (content, more = {}) => ({
    category,
    type: TYPE_OF[category],
    content,
    key: null,
    people: [],
    isOfGroup: false,
    sensitivity: "public",
    ...more,
  });
}

export const preference = expecting("preference");
export const identity = expecting("identity");
export const relationship = expecting("relationship");
export const task = expecting("task");
export const remember = expecting("remember");

export function person(name: string, role: string | null = null): { name: string; relationship: string | null } {
  return { name, relationship: role };
}

/** What a user says, and what is learned from it. */
export function saying(language: Language): (text: string, ...expected: ExpectedMemory[]) => ExtractionCase {
  return (text, ...expected) => ({ language, messages: [{ role: "user", text }], expected, reason: null });
}

/** Messages of a user, each alone, from which nothing is learned but what is named. */
export function notTaking(language: Language): (reason: Reason, texts: readonly string[]) => ExtractionCase[] {
  return (reason, texts) => texts.map((text) => ({ language, messages: [{ role: "user", text }], expected: [], reason }));
}

/** A message of which one part is learned and another must not be. */
export function onlyTaking(language: Language, reason: Reason, text: string, ...expected: ExpectedMemory[]): ExtractionCase {
  return { language, messages: [{ role: "user", text }], expected, reason };
}

export function talk(
  reason: Reason | null,
  messages: readonly ExtractionMessage[],
  ...expected: ExpectedMemory[]
): ExtractionCase {
  return { language: "en", messages, expected, reason };
}
