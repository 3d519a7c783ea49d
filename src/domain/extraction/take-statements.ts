import { type Clause, readClauses } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { isStandingOrder, isSteering, namesAnybody, statesPreference } from "#core/language/frames";
import { isOneWish, saysOneThing } from "#core/language/one-thing";
import { alternatives, starts } from "#core/language/patterns";
import { SENTENCE_UNITS } from "#core/language/sentences";
import { sharedSubject } from "#core/language/shared-subject";
import { assistantSlotOf, speakerSlotOf, speakerSlotsIn } from "#core/language/slots";
import { classOf, hanClassAt, namesClass } from "#core/language/word-classes";
import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { fold } from "#core/text/normalize";
import { beginsList } from "#domain/facts";
import { type Judged, judge } from "./judge/judge.ts";
import { isForNow, kindOf } from "./judge/kind-of.ts";
import { type Span, spansAround } from "./judge/spans.ts";
import { isInstruction, overridesModel } from "./model/instruction.ts";
import { keysOfParts } from "./rules/keys-in.ts";
import { isOrder } from "./rules/orders.ts";
import { relativesIn } from "./rules/relationships.ts";
import type { NamedPerson, SpokenMessage, TakenMemory } from "./rules/rule.ts";
import { lastUnits, takeMemories } from "./rules/take-memories.ts";
import { splitAtSlots, wholeSlotStatement } from "./slot-statement.ts";

/** A statement that the rules or the judge took from a user's messages. */
export type Taken = Omit<TakenMemory, "category"> & {
  source: "rules" | "judge";
  category: string;
  portable: boolean;
  /** How long it holds; null: as long as its type says. */
  lasts: Judged["lasts"] | null;
  /** Whether it is about the speaker; null: its words decide. */
  aboutSpeaker: boolean | null;
  /** Keys of which it gives a value beside saying something else: it has none of them. Of `gives` it surely gives a new one. */
  states: readonly string[];
  gives: string | null;
  /** If it takes back an earlier wish of the speaker's for how the assistant behaves, it is one, with this key. */
  withdraws?: { key: string | null } | undefined;
};

/** Whether a text matters more here than elsewhere: it names somebody who takes part, or the tenant asks for it. */
export type Matters = (text: string) => boolean;

/** What one user stated in these messages, by the rules and the judge. The last 64 Ki units are read. */
export function takeStatements(spoken: readonly SpokenMessage[], matters: Matters = () => false): Taken[] {
  // A colon ends a clause. What stands for a secret stays whole, so that its statement is refused.
  const messages = spoken.map((message) => ({ ...message, text: message.text.replaceAll("[redacted:", "[redacted_") }));
  const byMessage = Map.groupBy(takeMemories(messages), ({ messageIndex }) => messageIndex);
  const taken = lastUnits(messages).flatMap(({ text, from, messageIndex }) =>
    readMessage(text, { from, messageIndex, ruled: byMessage.get(messageIndex) ?? [], matters }),
  );
  return withoutRepetition(taken);
}

type Reading = { from: number; messageIndex: number; ruled: readonly TakenMemory[]; matters: Matters };

/** Clauses that are read of one message, the last ones: prose of 64 Ki units has about 1,600. */
export const MAX_CLAUSES = 2_048;
/** Between two predicates of one subject. */
const JOIN_UNITS = 40;

/** A statement with a key is not taken where the judge sees play or a text of others. */
const LIKELY = 0.35;

/**
 * A statement with a key, or that was asked to be remembered, is the rules': replacing it later must replace nothing else. Of all others
 * the judge decides what is kept, and the rules add the persons.
 */
function readMessage(text: string, { from: first, messageIndex, ruled: all, matters }: Reading): Taken[] {
  const clauses = readClauses(text, first);
  const read = clauses.slice(-MAX_CLAUSES);
  const from = read.length < clauses.length ? (read[0]?.start ?? first) : first;
  const ruled = all.filter(({ start }) => start >= from);
  const seenIn = spansAround(ruled.some(({ key }) => key !== null) ? judge(text, { from }) : []);
  const isLikely = (one: TakenMemory) => seenIn(one).some((span) => span.isOwn && span.confidence >= LIKELY);
  const surely = ruled.filter(
    (one) =>
      one.category === "remember" || one.category === "task" || (one.key !== null && !isForNow(one.content) && isLikely(one)),
  );
  const [clausesIn, ruledIn, surelyIn] = [spansAround(read), spansAround(ruled), spansAround(surely)];
  const lists = listsIn(text, read);
  const listsAround = spansAround(lists);
  const isListed = (one: Span) => listsAround(one).some(({ start, end }) => start <= one.start && one.end <= end);
  const found = judge(text, { from, taken: [...surely.filter((one) => !isListed(one)), ...lists] })
    .filter((statement) => statement.isOwn)
    .map((statement) => {
      const beside = surelyIn(before(statement, JOIN_UNITS));
      const leader = beside.find((one) => one.key !== null && dependsOn(text, statement, one));
      return leader === undefined ? statement : { ...statement, start: leader.start };
    });
  const foundIn = spansAround(found);
  const sure = surely.filter((one) => foundIn(one).length === 0);
  const sureIn = spansAround(sure);
  const own = found
    .map((statement) => ({ ...statement, subject: sharedSubject(text, statement, sureIn(before(statement, JOIN_UNITS))) }))
    .filter((statement) => !isFragment(text, statement, sureIn))
    .flatMap((statement) => splitAtSlots(text, statement, clausesIn));
  const takenIn = spansAround<Span>([...own, ...sure]);
  const keys = new Set(sure.map(({ key }) => key));
  const overrides = overridesModel(text);
  const judged = own
    .map((statement) => wholeSlotStatement(text, statement, { clausesIn, takenIn }))
    .flatMap((statement) => fromJudge(text, statement, { messageIndex, ruled: ruledIn(statement), matters, overrides }))
    .map((statement) => (keys.has(statement.key) ? { ...statement, key: null } : statement));
  const judgedIn = spansAround(judged);
  const named = ruled.filter((one) => one.category === "relationship" && one.key === null && judgedIn(one).length === 0);
  const safe = [...sure, ...named].filter((one) => !isInstruction(one)).map(fromRules);
  return [...safe, ...judged].map(withPlainKey).sort((a, b) => a.start - b.start);
}

/** What stands so many units before a span. */
function before({ start }: Span, units: number): Span {
  return { start: start - units, end: start };
}

/** A statement that says more than the value of its key has none: what replaces the value would take the rest with it. */
function withPlainKey(taken: Taken): Taken {
  const { key, content, aboutSpeaker } = taken;
  const isWish = key?.startsWith("instruction:") === true;
  const isPlain = isWish ? isOneWish(content) : saysOneThing(content, [{ start: 0, end: 1 }, ...speakerSlotsIn(content)]);
  if (key !== null && isPlain) return taken;
  const stated = aboutSpeaker === true ? keysOfParts(content) : [];
  return { ...taken, key: null, gives: key, states: [...new Set([...(key === null ? [] : [key]), ...stated])] };
}

/** Persons of one statement; each may have to be created. */
const MAX_PEOPLE = 6;
const SINCE = starts(`(?:${alternatives(({ since }) => since)})(?= )`);

/** Whether a statement says since when or why the one right before it holds: the two are one ("I'm vegetarian | since my heart attack"). */
function dependsOn(text: string, { start, end }: Span, before: Span): boolean {
  return before.end <= start && text.slice(before.end, start).trim() === "" && SINCE.test(lowerCase(text.slice(start, end)));
}

/** What is left of a sentence of which the rules took a part, and is no statement alone. */
function isFragment(
  text: string,
  { start, end, subject }: Span & { subject: string },
  sureIn: (span: Span) => readonly Span[],
): boolean {
  const near = sureIn({ start: start - SENTENCE_UNITS, end: end + SENTENCE_UNITS });
  const beside = [near.findLast((one) => one.start < start), near.find((one) => one.start >= start)].some(
    (one) => one !== undefined && !SENTENCE_BORDER.test(text.slice(Math.min(one.end, end), Math.max(one.start, start))),
  );
  const words = `${subject}${text.slice(start, end)}`.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? [];
  if (!beside || words.length === 0) return false;
  return (words.length < FRAGMENT_WORDS && !states(words)) || RELATIVE.test(words[0] ?? "");
}

/** Whether so few words have a subject of their own and say something of it ("I love gardening"). */
function states(words: readonly string[]): boolean {
  return words.length >= STATED_WORDS && classOf(fold(words[0] ?? "")) === "me";
}

const STATED_WORDS = 3;
const SENTENCE_BORDER = /[.!?。！？\n]/u;
const FRAGMENT_WORDS = 4;
const RELATIVE = /^(?:which|who|where|that|been|die|der|das|wo|que|qui|donde|où)$/iu;

const LIST_END = /(?<!\d)[.!?。！？](?=\s|$)|\n\s*\n/u;

/** Ranked lists, each to the end of its sentence or paragraph: they are stored as facts, and a memory would lose their ranks. */
function listsIn(text: string, clauses: readonly Clause[]): Span[] {
  const lists: Span[] = [];
  for (const { start, end } of clauses) {
    if (start < (lists.at(-1)?.end ?? 0) || !beginsList(text.slice(start))) continue;
    const stop = LIST_END.test(text.slice(end - 1, end)) ? 0 : LIST_END.exec(text.slice(end))?.index;
    lists.push({ start, end: stop === undefined ? text.length : end + stop });
  }
  return lists;
}

function fromRules(ruled: TakenMemory): Taken {
  const { category, type, key, content } = ruled;
  // What is asked to be remembered is kept in any case, as what it says.
  const said = category === "remember" && type === "knowledge" && key === null ? kindOf(content) : { type, lasts: null };
  // "Remember that …" may be about anything; whatever else the rules take is about the speaker.
  const aboutSpeaker = category === "remember" || ruled.isOfGroup ? null : true;
  const portable = said.lasts !== "days";
  return { ...ruled, type: said.type, source: "rules", portable, lasts: said.lasts, aboutSpeaker, states: [], gives: null };
}

function fromJudge(
  text: string,
  judged: Judged & { subject: string },
  { messageIndex, ruled: named, matters, overrides }: Omit<Reading, "from"> & { overrides: boolean },
): Taken[] {
  const { start, end, type, lasts, about, isSensitive } = judged;
  const content = `${judged.subject}${text.slice(start, end).replace(/\s+/gu, " ")}`;
  if (/^@\S+$/u.test(content)) return [];
  // Who somebody is to the speaker, the rules know surely.
  const relationships = named.filter(({ category, key }) => category === "relationship" && key === null);
  const read = orderIn(content, judged, overrides);
  if (read === "refused" || (overrides && judged.mayBeInstruction)) return [];
  const slot = speakerKeyOf(content, about);
  const order = isOfLife(content, slot) ? null : (read ?? (judged.mayBeInstruction ? "own" : null));
  const prefers = statesPreference(lowerCase(content));
  const isSure = matters(content) || prefers || (order === "own" && isStandingOrder(lowerCase(content)));
  const key = order === "own" ? wishKeyOf(content) : isForNow(content) ? null : slot;
  const own = raise(judged.confidence, isSure ? MATTERS_ODDS : order === "own" ? WISH_ODDS : slot === null ? 0 : SLOT_ODDS);
  const confidence = Math.max(own, ...relationships.map((one) => one.confidence));
  const sensitivity = [
    sensitivityOf(content),
    isSensitive || namesClass(content.replace(DIET, " "), "health")
      ? ("sensitive" as const)
      : order === "own"
        ? ("personal" as const)
        : ("public" as const),
  ].reduce(stricter);
  return [
    {
      ...{ start, end, confidence, content, lasts, messageIndex, sensitivity },
      source: "judge",
      category: order === "own" ? "instruction" : type,
      type: typeOf({ type, key, isOrder: order === "own" }),
      key,
      people: withRelatives(
        named.flatMap(({ people }) => people),
        content,
      ),
      isOfGroup: order === null && about === "us" && isOfUs(content),
      portable: order === null && lasts !== "days",
      aboutSpeaker: about === "me" || order === "own" ? true : null,
      withdraws: order === null && judged.mayWithdraw ? { key: wishKeyOf(content) } : undefined,
      states: [],
      gives: null,
    },
  ];
}

type Read = { type: Judged["type"]; key: string | null; isOrder: boolean };

/** Procedural memories are injected as instructions, so that of the judge's only the speaker's own orders are. */
function typeOf({ type, key, isOrder }: Read): Judged["type"] {
  if (isOrder) return "procedural";
  if (key === "identity:partner") return "relationship";
  return key === null ? type : "identity";
}

/** A longer statement says more than the value of one slot: it would be replaced with it. */
const MAX_SLOT_WORDS = 24;

/** The key of how the assistant answers. */
function wishKeyOf(content: string): string | null {
  const wish = isTooLong(content) ? null : assistantSlotOf(content);
  return wish === null ? null : `instruction:${wish}`;
}

/** The key of what a statement of the judge's changes, such as where the speaker lives. */
function speakerKeyOf(content: string, about: Judged["about"]): string | null {
  if (isTooLong(content) || (about === "other" && !beginsWithSpeaker(content) && !isOfUs(content))) return null;
  const slot = speakerSlotOf(content);
  return slot === null || readClauses(content).some(({ standing }) => standing === "past") ? null : `identity:${slot}`;
}

/** Whether a statement of where and how the speaker lives tells the assistant nothing to do. */
function isOfLife(content: string, slot: string | null): boolean {
  return slot !== null && wishKeyOf(content) === null && !isStandingOrder(lowerCase(content)) && !namesClass(content, "order");
}

function isTooLong(content: string): boolean {
  return content.split(/\s+/u).length > MAX_SLOT_WORDS;
}

/** Diets are told to everybody who cooks; what causes them is known by its own words. */
const DIET = new RegExp(
  `(?<!\\p{L})(?:${alternatives(({ spaced, diets }) => (spaced ? diets : undefined))})\\p{L}*|${alternatives(({ spaced, diets }) => (spaced ? undefined : diets))}`,
  "giu",
);

/**
 * The judge sees no more than a message: "Priya is off nuts" may be about anybody. Where Priya takes part in the conversation, it matters
 * to those who read it.
 */
const MATTERS_ODDS = 1.7;
/** How somebody wants to be answered matters whenever they are answered. */
const WISH_ODDS = 1.0;
/** So does a new value of what is known of them. */
const SLOT_ODDS = 1.0;

/** The confidence with these log odds added. */
export function raise(confidence: number, odds: number): number {
  return 1 / (1 + Math.exp(-(Math.log(confidence / (1 - confidence)) + odds)));
}

/**
 * Whether a statement is an order to the assistant. The speaker's own standing instruction is kept for the speaker alone; one that would
 * override the model's instructions or steer what others are told is refused.
 */
function orderIn(content: string, { type, isInstruction: isWish }: Judged, overrides: boolean): "own" | "refused" | null {
  const words = lowerCase(content);
  const isStanding = isStandingOrder(words);
  const steers = isInstruction({ type, content }) || isOrder({ category: "remember", content });
  // Beside "ignore all instructions", the rest of the message is no honest wish.
  if (overrides && (isWish || isStanding || steers)) return "refused";
  if (!isWish && isSteering(words) && !beginsWithSpeaker(content)) return "refused";
  // An order that speaks of others would steer the answers that they get.
  if (steers && (namesAnybody(words) || !(isWish || isStanding))) return "refused";
  return isWish || (steers && isStanding) ? "own" : null;
}

/** Behind so many words, "our" is part of what one says of oneself. */
const SUBJECT_WORDS = 3;
const HAN_SUBJECT = 4;

function subjectClasses(content: string): (string | null)[] {
  return (content.match(/[\p{L}']+/gu) ?? []).slice(0, SUBJECT_WORDS).map((word) => classOf(fold(word)));
}

function beginsWithSpeaker(content: string): boolean {
  return hanClassAt([...content.slice(0, HAN_SUBJECT)], 0)?.name === "me" || subjectClasses(content).includes("me");
}

/** The named persons, and relatives that are none of them. */
function withRelatives(named: readonly NamedPerson[], content: string): NamedPerson[] {
  const known = new Set(named.map(({ relationship }) => relationship));
  return [...named, ...relativesIn(content).filter(({ relationship }) => !known.has(relationship))].slice(0, MAX_PEOPLE);
}

function isOfUs(content: string): boolean {
  const words = subjectClasses(content);
  return hanClassAt([...content.slice(0, HAN_SUBJECT)], 0)?.name === "us" || (words.includes("us") && !words.includes("me"));
}

/** The first of those with the same words; white space, case and accents make no difference. */
function withoutRepetition(taken: readonly Taken[]): Taken[] {
  const seen = new Set<string>();
  return taken.filter(({ content }) => {
    const words = fold(content);
    if (seen.has(words)) return false;
    seen.add(words);
    return true;
  });
}
