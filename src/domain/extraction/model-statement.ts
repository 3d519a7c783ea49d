import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { nameKey } from "#core/text/normalize";
import type { Replaceable } from "./find-replaceable.ts";
import type { PeopleByName } from "./load-people.ts";
import { type ModelMemory, SPEAKER } from "./model/index.ts";
import type { Participant, Place } from "./read-episodes.ts";
import type { Statement } from "./to-memory-draft.ts";

type Said = {
  at: number;
  place: Place;
  speaker: Participant;
  peopleByName: PeopleByName;
  /** By the id under which the model was shown it. */
  known: ReadonlyMap<string, Replaceable>;
};

/** What a model took, as a statement of whoever said it. In a group, what is about nobody concerns the group. */
export function modelledStatement(memory: ModelMemory, said: Said): Statement {
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
    key: keyAbout(memory.key, { people, ofSelf, named: others.length }),
    ...linksOf(memory, said, isOfGroup),
    source: "model",
    category: type,
    at: said.at,
  };
}

/** A model may call public what is not, and says it in fewer words than were said: what the words tell holds too, and the stricter of all. */
export function strictestOf({ sensitivity, content, quote }: ModelMemory): Statement["sensitivity"] {
  return [sensitivityOf(content), sensitivityOf(quote)].reduce(stricter, sensitivity);
}

export function isSpeaker(name: string, speaker: Participant): boolean {
  return nameKey(name) === SPEAKER || speaker.keys.includes(nameKey(name));
}

/** A name holds one value about one person: what is said of somebody else is no value of the speaker's own. */
function keyAbout(key: string | null, of: { people: readonly string[]; ofSelf: boolean; named: number }): string | null {
  if (key === null || of.named === 0) return key;
  const [person] = of.people;
  return of.ofSelf || of.named > 1 || person === undefined ? null : `${key}:${person}`;
}

/** What is of the same home and older is replaced; what is another's is contradicted, and both stay. */
export function linksOf(
  { replaces }: ModelMemory,
  { known, at }: Pick<Said, "known" | "at">,
  isOfGroup: boolean,
): Pick<Statement, "supersedes" | "contradicts"> {
  const named = replaces.flatMap((id) => known.get(id) ?? []);
  const isHome = (row: Replaceable) => (isOfGroup ? row.inThisGroup === 1 : row.isOwn === 1);
  const isOthers = (row: Replaceable) => row.isOwn === 0 && row.inThisGroup === 0;
  return {
    supersedes: named.find((row) => isHome(row) && row.validFrom <= at)?.publicId,
    contradicts: named.find(isOthers)?.publicId,
  };
}
