import { nameKey } from "#core/text/normalize";
import { clausesRound, isContrary, isQuoteEnough } from "./contrary.ts";
import { type ConversationMessage, conversationMessages, holds } from "./conversation.ts";
import { isInstruction } from "./instruction.ts";
import { isOtherLanguage, type Tongue, tongueOf } from "./language.ts";
import type { ReadAnswer, ReadEntity, ReadMemory, ReadPerson } from "./read-answer.ts";
import { isSupported, type StatedWords, statedIn } from "./support.ts";
import type { Dropped, DropReason, ModelAsk, ModelEntity, ModelMemory, ModelPerson } from "./types.ts";
import { SPEAKER } from "./types.ts";

export type Grounded = { memories: ModelMemory[]; people: ModelPerson[]; entities: ModelEntity[]; dropped: Dropped[] };

/**
 * Keeps what rests on words of the transcript: a quote of the speaker, most of its weight in words that were said, and the same turn, for or
 * against. It compares words and does not understand them: a model may still say of said words what was not meant by them.
 */
export function ground(answer: Extract<ReadAnswer, { kind: "read" }>, ask: ModelAsk): Grounded {
  const messages = conversationMessages(ask);
  const dropCounts = newDropCounts();
  dropCounts.add("invalid", answer.invalid);
  dropCounts.add("too_many", answer.tooMany);
  const context = contextOf(messages, ask);
  const memories = kept(answer.memories, dropCounts, (memory) => groundMemory(memory, context));
  return {
    memories: kept(
      memories,
      dropCounts,
      newOnce(({ type, content }) => `${type} ${nameKey(content)}`),
    ),
    people: kept(answer.people, dropCounts, (person) => groundPerson(person, context)),
    entities: ask.withEntities ? kept(answer.entities, dropCounts, (entity) => groundEntity(entity, context)) : [],
    dropped: dropCounts.list(),
  };
}

type Voice = { stated: StatedWords; tongue: Tongue };

type Context = {
  messages: readonly ConversationMessage[];
  users: readonly ConversationMessage[];
  /** Those of them that may be learned from. */
  spoken: readonly ConversationMessage[];
  /** What all users said. */
  said: Voice;
  /** What one said in a message; long talk is analysed once for all statements. */
  voiceOf: (message: ConversationMessage) => Voice;
  names: readonly string[];
  stated: StatedWords;
  known: ReadonlySet<string>;
};

function contextOf(messages: readonly ConversationMessage[], ask: ModelAsk): Context {
  const users = messages.filter(({ role }) => role === "user");
  const names = [...new Set([...ask.people, ...users.flatMap(({ speaker }) => speaker ?? [])])];
  const voices = new Map<ConversationMessage, Voice>();
  return {
    messages,
    users,
    spoken: messages.filter(({ isSpoken }) => isSpoken),
    said: voiceIn(users.map(({ text }) => text).join("\n")),
    voiceOf: (message) => {
      const voice = voices.get(message) ?? voiceIn(message.text);
      voices.set(message, voice);
      return voice;
    },
    names,
    stated: statedIn(names.join("\n")),
    known: new Set(ask.known.map(({ id }) => id)),
  };
}

function voiceIn(text: string): Voice {
  return { stated: statedIn(text), tongue: tongueOf(text) };
}

function groundMemory(memory: ReadMemory, context: Context): ModelMemory | DropReason {
  if (isInstruction(memory)) return "instruction";
  const quote = findQuote(memory.quote, context.spoken);
  if (typeof quote === "string") return quote;
  const clauses = clausesRound(memory.quote, quote.text);
  if (!isQuoteEnough(memory.quote, { content: memory.content, clauses })) return "not_said";
  const [voice, { said }] = [context.voiceOf(quote), context];
  if ([voice, said].every(({ tongue }) => isOtherLanguage(memory.content, tongue))) return "other_language";
  if (!isSupported(memory.content, { message: voice.stated, said: said.stated, names: context.stated })) return "invented";
  if (isContrary(memory.content, clauses)) return "contrary";
  return {
    ...memory,
    subjects: subjectsOf(memory.subjects, context),
    replaces: memory.replaces.filter((id) => context.known.has(id)),
    message: quote.index,
  };
}

/** The last message of a user that says so; a quote may leave words out with an ellipsis. */
function findQuote(quote: string, spoken: readonly ConversationMessage[]): ConversationMessage | "not_said" | "quoted" {
  const parts = quote
    .split(/\.{3,}|…/u)
    .map(nameKey)
    .filter((part) => part !== "");
  if (parts.length === 0) return "not_said";
  const all = (text: string) => parts.every((part) => holds(text, part));
  const own = spoken.findLast(({ ownKey }) => all(ownKey));
  if (own !== undefined) return own;
  const around = spoken.findLast(({ key, quotations }) => all(key) && !quotations.some(all));
  if (around !== undefined) return around;
  return spoken.some(({ key }) => all(key)) ? "quoted" : "not_said";
}

/** Names that users said, or that are known: a subject that nobody named may hear what is not theirs. */
function subjectsOf(subjects: readonly string[], { users, names }: Context): string[] {
  const known = new Set(names.map(nameKey));
  return [...new Set(subjects.map((name) => (nameKey(name) === SPEAKER ? SPEAKER : name)))].filter(
    (name) => name === SPEAKER || known.has(nameKey(name)) || users.some(({ key }) => holds(key, nameKey(name))),
  );
}

/** Somebody known may be spoken of by another name; somebody new has to be named. */
function groundPerson(person: ReadPerson, { spoken, names }: Context): ModelPerson | DropReason {
  if (isOrder(person.name)) return "instruction";
  const named = (name: string) => spoken.find(({ key }) => holds(key, nameKey(name)));
  const own = named(person.name);
  const aliases = person.aliases.filter((alias) => nameKey(alias) !== nameKey(person.name) && named(alias) !== undefined);
  const known = names.some((name) => nameKey(name) === nameKey(person.name));
  const message = own ?? (known ? aliases.map(named).find((found) => found !== undefined) : undefined);
  if (message === undefined || nameKey(person.name) === SPEAKER) return "not_said";
  const { relationship } = person;
  const meant = relationship !== null && !isOrder(relationship);
  return { name: person.name, aliases, relationship: meant ? relationship : null, message: message.index };
}

function groundEntity(entity: ReadEntity, { messages, said }: Context): ModelEntity | DropReason {
  if (isOrder(entity.name)) return "instruction";
  const message = messages.find(({ key }) => holds(key, nameKey(entity.name)));
  if (message === undefined) return "not_said";
  const { notes } = entity;
  const meant = notes !== null && !isOrder(notes) && !isOtherLanguage(notes, said.tongue);
  return { ...entity, notes: meant ? notes : null, message: message.index };
}

function isOrder(content: string): boolean {
  return isInstruction({ type: null, content });
}

type DropCounts = { add: (reason: DropReason, count?: number) => void; list: () => Dropped[] };

function newDropCounts(): DropCounts {
  const counts = new Map<DropReason, number>();
  return {
    add: (reason, count = 1) => counts.set(reason, (counts.get(reason) ?? 0) + count),
    list: () => [...counts].flatMap(([reason, count]) => (count > 0 ? [{ reason, count }] : [])),
  };
}

function kept<T, U extends object>(items: readonly T[], dropCounts: DropCounts, judge: (item: T) => U | DropReason): U[] {
  return items.flatMap((item) => {
    const verdict = judge(item);
    if (typeof verdict === "object") return [verdict];
    dropCounts.add(verdict);
    return [];
  });
}

function newOnce<T>(keyOf: (item: T) => string): (item: T) => T | DropReason {
  const seen = new Set<string>();
  return (item) => {
    const key = keyOf(item);
    if (seen.has(key)) return "duplicate";
    seen.add(key);
    return item;
  };
}
