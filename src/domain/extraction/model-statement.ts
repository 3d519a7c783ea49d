import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { isNegated } from "#core/text/negation";
import { nameKey } from "#core/text/normalize";
import { queryTerms } from "#core/text/query";
import type { MemoryType } from "#domain/memories";
import type { Part } from "./batch-episodes.ts";
import { mayBeReplaced, type Replaceable, saysOneWhole } from "./find-replaceable.ts";
import type { Named, PeopleByName } from "./load-people.ts";
import { containsWords } from "./model/conversation.ts";
import { SPEAKER } from "./model/read-answer.ts";
import { addsNothing } from "./model/support.ts";
import type { ModelMemory, ModelTaken } from "./model/types.ts";
import type { Participant, Place } from "./read-episodes.ts";
import { lifetimeOf, type Statement } from "./to-memory-draft.ts";

type From = {
  at: number;
  place: Place;
  speaker: Participant;
  peopleByName: PeopleByName;
  /** By the id under which the model was shown it. */
  known: ReadonlyMap<string, Replaceable>;
};

/** What a model extracted, as a statement of its speaker. In a group, a statement about nobody is about the group. */
export function modelStatement(memory: ModelMemory, said: From): Statement {
  const { speaker, place, peopleByName } = said;
  const { type, content, confidence, portable, subjects } = memory;
  const others = subjects.filter((name) => !isSpeaker(name, speaker));
  const people = [...new Set(others.flatMap((name) => peopleByName.get(nameKey(name)) ?? []))].filter(
    (person) => person !== speaker.personPublicId,
  );
  const ofSelf = others.length < subjects.length;
  const isOfGroup = place.kind === "group" && subjects.length === 0;
  const about = { people, speaker: subjects.length === 0 ? null : ofSelf };
  return {
    ...{ type, content, confidence, portable, isOfGroup, about },
    sensitivity: strictestOf(memory),
    ...plainKey(keyAbout(memory.key, { people, ofSelf, named: others.length }), memory, said.known),
    ...linksOf(memory, said, isOfGroup),
    source: "model",
    category: type,
    at: said.at,
  };
}

/** The strictest of what the model says, what its words say and what the quoted words say: a model may call public what is not. */
export function strictestOf({ sensitivity, content, quote }: ModelMemory): Statement["sensitivity"] {
  return [sensitivityOf(content), sensitivityOf(quote)].reduce(stricter, sensitivity);
}

export function isSpeaker(name: string, speaker: Participant): boolean {
  return nameKey(name) === SPEAKER || speaker.keys.includes(nameKey(name));
}

/** Persons that the speaker named in their own messages, in people and in subjects of memories. */
export function namesIn({ spoken, speaker }: Part, { people, memories }: ModelTaken): Named[] {
  const own = people.filter(({ message, name }) => spoken.has(message) && !isSpeaker(name, speaker));
  const relationships = new Map(own.map(({ name, relationship }) => [nameKey(name), relationship]));
  const subjects = memories.flatMap((memory) => (spoken.has(memory.message) ? memory.subjects : []));
  return [...own.map(({ name }) => name), ...subjects.filter((name) => !isSpeaker(name, speaker))].map((name) => ({
    name,
    relationship: relationships.get(nameKey(name)) ?? null,
  }));
}

/** A key holds one value about one person, so a statement about somebody else never takes the speaker's own key. */
function keyAbout(key: string | null, of: { people: readonly string[]; ofSelf: boolean; named: number }): string | null {
  if (key === null || of.named === 0) return key;
  const [person] = of.people;
  return of.ofSelf || of.named > 1 || person === undefined ? null : `${key}:${person}`;
}

/** What says more than the value of its key has none, and neither has what would take a memory of the key with it that does. */
function plainKey(
  key: string | null,
  memory: Pick<ModelMemory, "type" | "content">,
  known: From["known"],
): Pick<Statement, "key" | "states"> {
  const holder = [...known.values()].find((other) => key !== null && other.isOwn && other.key === key);
  const isPlain = saysOneWhole(memory) && (holder === undefined || saysOneWhole(holder));
  return key === null || isPlain ? { key } : { key: null, states: [key] };
}

/** An older memory of the same owner or group is superseded; another user's is contradicted, and both stay. */
export function linksOf(
  { replaces }: ModelMemory,
  { known, at }: Pick<From, "known" | "at">,
  isOfGroup: boolean,
): Pick<Statement, "supersedes" | "contradicts"> {
  const named = replaces.flatMap((id) => known.get(id) ?? []);
  return {
    supersedes: named.find((memory) => mayBeReplaced(memory, { at, isOfGroup }))?.publicId,
    contradicts: named.find(({ isOwn, inThisGroup }) => !isOwn && !inThisGroup)?.publicId,
  };
}

/** The share of the shorter statement's words that the other must repeat. */
const SHARED = 0.75;

type Taken = { type: string; content: string; source: string | null };
type Quoted = Pick<ModelMemory, "type" | "content" | "quote" | "key">;

/**
 * A memory of the same episode to which a model's memory adds nothing: the same in other words, or one that holds the quoted words and is of
 * its type or has all of its words. A key is something to add. The judge's type is a guess, so that of its memories another type is no
 * other statement; and what it keeps may hold several, of which the model's then is another.
 */
export function takenAlready<T extends Taken>(memory: Quoted, taken: readonly T[]): T | undefined {
  const quote = nameKey(memory.quote);
  return taken.find(({ type, content, source }) => {
    if (source === "judge" && !coversMost(content, [memory.content, memory.quote])) return false;
    if (saysTheSame(content, memory.content)) return true;
    const key = nameKey(content);
    const isAlike = type === memory.type || (source === "judge" && memory.key === null);
    if (containsWords(key, quote) && isAlike) return true;
    const isOfSameClause = containsWords(key, quote) || containsWords(quote, key);
    return isOfSameClause && memory.key === null && addsNothing(memory.content, content);
  });
}

type Typed = { type: MemoryType; expiresAt: number | null };

/** The type and the end that a memory of the rules has by the model's reading; null if it has them, or if that has ended by now. */
export function retyped(before: Typed, statement: Statement, now: number): Typed | null {
  const lifetime = lifetimeOf(statement);
  const expiresAt = lifetime === null ? null : Math.min(statement.at, now) + lifetime;
  if (expiresAt !== null && expiresAt <= now) return null;
  // An end of the same type is counted from the same words.
  return before.type === statement.type ? null : { type: statement.type, expiresAt };
}

/** The share of a statement's words from which others count as saying all of it. */
const MOST = 0.5;

function coversMost(statement: string, others: readonly string[]): boolean {
  const words = wordsOf(statement);
  const covered = wordsOf(others.join(" "));
  return [...words].filter((word) => covered.has(word)).length >= words.size * MOST;
}

/** Whether two statements of one episode say the same in other words. */
export function saysTheSame(a: string, b: string): boolean {
  if (isNegated(a) !== isNegated(b)) return false;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const fewer = Math.min(left.size, right.size);
  const shared = [...left].filter((word) => right.has(word)).length;
  return fewer > 0 && shared / fewer >= SHARED;
}

function wordsOf(text: string): Set<string> {
  return new Set(queryTerms(text).terms.map(({ term }) => term));
}
