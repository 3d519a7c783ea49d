import { isOtherLanguage, type LanguageProfile, languageProfile } from "#core/language/language-of";
import { nameKey } from "#core/text/normalize";
import { type ConversationMessage, containsWords, conversationMessages } from "./conversation.ts";
import { isInstruction } from "./instruction.ts";
import { isExcluded } from "./is-excluded.ts";
import { isOfSpeaker, isPersonName } from "./person-name.ts";
import { clausesQuoted, type MessageClause, messageClauses, partsOfQuote } from "./quoted-clauses.ts";
import { type ReadAnswer, type ReadEntity, type ReadMemory, type ReadPerson, SPEAKER } from "./read-answer.ts";
import { isContrary, isQuoteEnough, isSupported, type StatedWords, statedIn, supportingClauses } from "./support.ts";
import type { Dropped, DropReason, ModelAsk, ModelEntity, ModelMemory, ModelPerson } from "./types.ts";

export type Grounded = { memories: ModelMemory[]; people: ModelPerson[]; entities: ModelEntity[]; dropped: Dropped[] };

/**
 * Keeps what the transcript supports: a memory needs a quote of the speaker in a clause that they assert, its numbers and negation, and
 * words and names that were said. A model may still misunderstand words that were said.
 */
export function ground(answer: Extract<ReadAnswer, { kind: "read" }>, ask: ModelAsk): Grounded {
  const messages = conversationMessages(ask);
  const dropCounts: DropCounts = new Map();
  countDropped(dropCounts, "invalid", answer.invalid);
  countDropped(dropCounts, "too_many", answer.tooMany);
  const context = contextOf(messages, ask);
  const memories = keepOrCount(answer.memories, dropCounts, (memory) => groundMemory(memory, context));
  return {
    memories: keepOrCount(
      memories,
      dropCounts,
      dropDuplicates(({ type, content }) => `${type} ${nameKey(content)}`),
    ),
    people: keepOrCount(answer.people, dropCounts, (person) => groundPerson(person, context)),
    entities: ask.withEntities ? keepOrCount(answer.entities, dropCounts, (entity) => groundEntity(entity, context)) : [],
    dropped: [...dropCounts].map(([reason, count]) => ({ reason, count })),
  };
}

/** What was said, analysed. */
type Analysed = { stated: StatedWords; language: LanguageProfile };
type AnalysedMessage = { language: LanguageProfile; clauses: readonly MessageClause[] };

type Context = {
  messages: readonly ConversationMessage[];
  users: readonly ConversationMessage[];
  /** Those of them to extract from. */
  spoken: readonly ConversationMessage[];
  /** What all users said. */
  said: Analysed;
  /** Each message is analysed once for all statements. */
  analysed: (message: ConversationMessage) => AnalysedMessage;
  names: readonly string[];
  stated: StatedWords;
  known: ReadonlySet<string>;
  instructions: string;
};

function contextOf(messages: readonly ConversationMessage[], ask: ModelAsk): Context {
  const users = messages.filter(({ role }) => role === "user");
  const names = [...new Set([...ask.people, ...users.flatMap(({ speaker }) => speaker ?? [])])];
  const byMessage = new Map<ConversationMessage, AnalysedMessage>();
  return {
    messages,
    users,
    spoken: messages.filter(({ isSpoken }) => isSpoken),
    said: analyseText(users.map(({ text }) => text).join("\n")),
    analysed: (message) => {
      const { text } = message;
      const analysed = byMessage.get(message) ?? { language: languageProfile(text), clauses: messageClauses(text) };
      byMessage.set(message, analysed);
      return analysed;
    },
    names,
    stated: statedIn(names.join("\n")),
    known: new Set(ask.known.map(({ id }) => id)),
    instructions: ask.instructions ?? "",
  };
}

function analyseText(text: string): Analysed {
  return { stated: statedIn(text), language: languageProfile(text) };
}

function groundMemory(memory: ReadMemory, context: Context): ModelMemory | DropReason {
  if (isInstruction(memory)) return "instruction";
  const quote = findQuote(memory.quote, context.spoken);
  if (typeof quote === "string") return quote;
  const [message, { said }] = [context.analysed(quote), context];
  const quoted = clausesQuoted(memory.quote, message.clauses);
  const texts = quoted.map(({ text }) => text);
  if (!isQuoteEnough(memory.quote, { content: memory.content, clauses: texts })) return "not_said";
  if ([message, said].every(({ language }) => isOtherLanguage(memory.content, language))) return "other_language";
  const support = supportingClauses(memory.content, quoted).filter(({ isAsserted }) => isAsserted);
  if (support.length === 0) return "not_asserted";
  const grounds = { quoted: statedIn(sentencesOf(quoted, message)), said: said.stated, names: context.stated };
  if (!isSupported(memory.content, grounds)) return "invented";
  if (isContrary(memory.content, texts)) return "contrary";
  if (namesUnsaidPerson(memory, context)) return "invented";
  if ([memory.content, ...support.map(({ text }) => text)].some((text) => isExcluded(text, context.instructions)))
    return "excluded";
  return {
    ...memory,
    subjects: subjectsOf(memory.subjects, context),
    replaces: memory.replaces.filter((id) => context.known.has(id)),
    message: quote.index,
  };
}

/** What the speaker asserts in the sentences that were quoted. */
function sentencesOf(quoted: readonly MessageClause[], { clauses }: AnalysedMessage): string {
  const sentences = new Set(quoted.map(({ sentence }) => sentence));
  const own = clauses.filter(({ sentence, isAsserted }) => isAsserted && sentences.has(sentence));
  return own.map(({ text }) => text).join("\n");
}

/** Whether the statement names a subject whom nobody named. */
function namesUnsaidPerson({ content, subjects }: ReadMemory, context: Context): boolean {
  return subjects.some(
    (name) => isPersonName(name) && subjectsOf([name], context).length === 0 && containsWords(nameKey(content), nameKey(name)),
  );
}

/** The last message that has the quoted words; a quote may omit words with an ellipsis. */
function findQuote(quote: string, spoken: readonly ConversationMessage[]): ConversationMessage | "not_said" | "quoted" {
  const parts = partsOfQuote(quote);
  if (parts.length === 0) return "not_said";
  const all = (text: string) => parts.every((part) => containsWords(text, part));
  const own = spoken.findLast(({ ownKey }) => all(ownKey));
  if (own !== undefined) return own;
  const around = spoken.findLast(({ key, quotations }) => all(key) && !quotations.some(all));
  if (around !== undefined) return around;
  return spoken.some(({ key }) => all(key)) ? "quoted" : "not_said";
}

/**
 * Subjects that users named or that are known: an invented subject could see what is not about them. Who is known by their relationship
 * to the speaker only ("my mum") is no person of that name: it is said of the speaker.
 */
function subjectsOf(subjects: readonly string[], { users, names }: Context): string[] {
  const known = new Set(names.map(nameKey));
  const persons = subjects.filter((name) => known.has(nameKey(name)) || isOfSpeaker(name) || isPersonName(name));
  return [...new Set(persons.map((name) => (isOfSpeaker(name) && !known.has(nameKey(name)) ? SPEAKER : name)))].filter(
    (name) => name === SPEAKER || known.has(nameKey(name)) || users.some(({ key }) => containsWords(key, nameKey(name))),
  );
}

/** A known person may be named by an alias; a new one must be named. */
function groundPerson(person: ReadPerson, { spoken, names }: Context): ModelPerson | DropReason {
  if (isInstructionText(person.name)) return "instruction";
  const named = (name: string) => spoken.find(({ key }) => containsWords(key, nameKey(name)));
  const own = named(person.name);
  const aliases = person.aliases.filter((alias) => nameKey(alias) !== nameKey(person.name) && named(alias) !== undefined);
  const known = names.some((name) => nameKey(name) === nameKey(person.name));
  const message = own ?? (known ? aliases.map(named).find((found) => found !== undefined) : undefined);
  if (message === undefined || nameKey(person.name) === SPEAKER) return "not_said";
  if (!known && !isPersonName(person.name)) return "no_name";
  const { relationship } = person;
  const meant = relationship !== null && !isInstructionText(relationship);
  return { name: person.name, aliases, relationship: meant ? relationship : null, message: message.index };
}

function groundEntity(entity: ReadEntity, { messages, said }: Context): ModelEntity | DropReason {
  if (isInstructionText(entity.name)) return "instruction";
  const message = messages.find(({ key }) => containsWords(key, nameKey(entity.name)));
  if (message === undefined) return "not_said";
  const { notes } = entity;
  const meant = notes !== null && !isInstructionText(notes) && !isOtherLanguage(notes, said.language);
  return { ...entity, notes: meant ? notes : null, message: message.index };
}

function isInstructionText(content: string): boolean {
  return isInstruction({ type: null, content });
}

type DropCounts = Map<DropReason, number>;

function countDropped(counts: DropCounts, reason: DropReason, count = 1): void {
  if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
}

function keepOrCount<T, U extends object>(items: readonly T[], dropCounts: DropCounts, judge: (item: T) => U | DropReason): U[] {
  return items.flatMap((item) => {
    const verdict = judge(item);
    if (typeof verdict === "object") return [verdict];
    countDropped(dropCounts, verdict);
    return [];
  });
}

function dropDuplicates<T>(keyOf: (item: T) => string): (item: T) => T | DropReason {
  const seen = new Set<string>();
  return (item) => {
    const key = keyOf(item);
    if (seen.has(key)) return "duplicate";
    seen.add(key);
    return item;
  };
}
