import { changesIn, type Reserve, reservesIn, signsIn } from "#core/language/changes";
import { readClauses, type Standing } from "#core/language/clause-reader";
import { tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import { analyse } from "#core/text/analyse";
import { rarityOf } from "./rarity.ts";
import { type ReadPart, type ReadStatement, readParts, readStatement } from "./read-statement.ts";
import { bareWord, personsIn, readSubject, type Subject } from "./read-subject.ts";

/** A name is rarer than what is said of it: two statements about one person are usually both true. */
const NAME_WEIGHT = 0.7;

type Clause = ReadPart & {
  standing: Standing;
  subject: Subject;
  reserves: readonly Reserve[];
  signs: readonly string[];
  /** Its stems without those of the signs. */
  about: ReadonlySet<string>;
  isNegated: boolean;
};

/** A statement as two are compared. */
export type Compared = ReadStatement & {
  clauses: readonly Clause[];
  words: ReadonlySet<string>;
  /** The classes of its words (`word-classes`). */
  classes: ReadonlySet<string>;
  days: ReadonlySet<string>;
  persons: ReadonlySet<string>;
  /** Numbers and clock times as written. */
  figures: ReadonlySet<string>;
  /** Separators between the items of an enumeration. */
  separators: number;
  happened: boolean;
};

/** Reads a statement for `updateFeatures`, once for all that it is compared with. */
export function readCompared(content: string): Compared {
  const tokens = tokensOf(content);
  const read = readClauses(content);
  return {
    ...readStatement(content),
    clauses: readParts(content).map((part, i) => readClause(part, read[i] ?? { text: "", standing: "own" })),
    words: new Set(tokens.map(bareWord)),
    classes: new Set(tokens.map(({ name }) => name)),
    days: new Set(tokens.flatMap(({ name, word }) => (name === "time" ? word : []))),
    persons: personsIn(tokens),
    figures: new Set([...content.matchAll(/\p{N}[\p{N}.,:]*/gu)].map(([figure]) => figure)),
    separators: tokens.filter(({ word }) => SEPARATORS.has(word)).length,
    happened: changesIn(content).happened,
  };
}

/** What stands between the items of an enumeration. */
const SEPARATORS: ReadonlySet<string> = new Set([",", ";", "and", "und", "y", "et", "、", "和"]);

function readClause(part: ReadPart, { text, standing }: { text: string; standing: Standing }): Clause {
  const tokens = tokensOf(text);
  const signs = signsIn(text);
  const ofSigns = new Set(signs.flatMap(analyse));
  return {
    ...part,
    standing,
    subject: readSubject(tokens),
    reserves: reservesIn(text),
    signs,
    about: new Set([...part.stems].filter((stem) => !ofSigns.has(stem))),
    isNegated: tokens.some(({ name }) => name === "not"),
  };
}

type Pair = {
  later: Compared;
  before: Compared;
  /** The clause of the later statement that a change is read from, and its sign. */
  clause: Clause | null;
  sign: "ended" | "renewed" | "none";
};
type Add = (name: string, value?: number | boolean) => void;

/**
 * How a later statement relates to an earlier one of the same speaker, by name, in values up to 1; null if nothing links a sign of change to
 * what the earlier one is about. `weightOf` says how much a stem says about which memory is meant.
 */
export function updateFeatures(later: Compared, before: Compared, weightOf: (stem: string) => number = rarityOf): Named | null {
  const shared = new Set([...before.stems].filter((stem) => later.stems.has(stem)));
  const weight = (stems: Iterable<string>) =>
    [...stems].reduce(
      (sum, stem) => sum + weightOf(stem) * (before.names.has(stem) || later.names.has(stem) ? NAME_WEIGHT : 1),
      0,
    );
  const clause = clauseOfChange(later, (stems) => weight([...stems].filter((stem) => shared.has(stem))));
  const sign = clause?.ended ? "ended" : clause?.renewed ? "renewed" : "none";
  const inClause = [...shared].filter((stem) => clause?.stems.has(stem));
  const near = later.clauses.filter(({ sentence }) => sentence === clause?.sentence);
  const isLinked = sign === "ended" ? inClause.length > 0 : near.some(({ stems }) => [...shared].some((stem) => stems.has(stem)));
  if (sign === "none" || clause === null || !isLinked) return null;
  const features: Named = { bias: 1, [`sign ${sign}`]: 1 };
  const add: Add = (name, value = true) => {
    if (Number(value) !== 0) features[name] = Number(value);
  };
  const pair: Pair = { later, before, clause, sign };
  const all = Math.max(0.5, weight(before.stems));
  const left = [...before.stems].filter((stem) => !shared.has(stem));
  for (const word of clause.signs) add(`sign word ${word}`);
  add("shared", Math.min(2, weight(shared)) / 2);
  add(`shared in clause ${sign}`, Math.min(2, weight(inClause)) / 2);
  add("share of earlier", weight(shared) / all);
  add(`share of earlier in clause ${sign}`, weight(inClause) / all);
  add("share of clause", weight(inClause) / Math.max(1, weight(clause.about)));
  add(`left of earlier ${Math.min(3, left.length)} ${sign}`);
  add("left of earlier", Math.min(6, left.length) / 6);
  add(`weight left of earlier ${sign}`, Math.min(4, weight(left)) / 4);
  const extra = [...clause.about].filter((stem) => !before.stems.has(stem));
  add(`more in clause ${Math.min(2, extra.length)} ${sign}`);
  // "Sold the red one" beside "I have a blue one": each says which of a kind it is.
  add(`each says which ${sign}`, extra.length > 0 && left.length > 0 && inClause.length > 0);
  add(
    `names differ in clause ${sign}`,
    left.some((stem) => before.names.has(stem)) && extra.some((stem) => later.names.has(stem)),
  );
  add(LEAVES_SOME, leavesSome(later, before, { shared, sign }));
  addReserves(add, pair);
  addPersons(add, pair);
  addValues(add, pair);
  addForm(add, pair);
  return features;
}

/** The feature of pairs of which a part of the earlier statement holds for sure. */
export const LEAVES_SOME = "leaves some";

/** Whether the later statement says nothing of one of the earlier one's clauses, or gives its days and figures again. */
function leavesSome(
  later: Compared,
  before: Compared,
  { shared, sign }: { shared: ReadonlySet<string>; sign: Pair["sign"] },
): boolean {
  const isUntouched = ({ stems }: Clause) => stems.size > 0 && ![...stems].some((stem) => shared.has(stem));
  const values = [...before.days, ...before.figures];
  const isAgain = values.length > 0 && values.every((value) => later.days.has(value) || later.figures.has(value));
  return before.clauses.some(isUntouched) || (sign === "renewed" && isAgain && !later.classes.has("not"));
}

/** The clause with the most of what the earlier statement is about, where one with a sign of change counts more. */
function clauseOfChange({ clauses }: Compared, sharedWeight: (stems: ReadonlySet<string>) => number): Clause | null {
  const scores = clauses.map(({ stems, ended, renewed }) => sharedWeight(stems) + (ended ? 1 : renewed ? 0.8 : 0));
  return clauses[scores.indexOf(Math.max(...scores))] ?? null;
}

const RESERVES: readonly Reserve[] = ["unreal", "once", "beside", "stays"];

/** What says that the change did not happen, is for once, or leaves something as it is. */
function addReserves(add: Add, { later, clause, sign }: Pair): void {
  const others = later.clauses.filter((one) => one !== clause);
  const inSentence = others.filter(({ sentence }) => sentence === clause?.sentence);
  const elsewhere = others.filter(({ sentence }) => sentence !== clause?.sentence);
  for (const name of RESERVES) {
    add(`${name} in clause`, clause?.reserves.includes(name) ?? false);
    add(`${name} in clause ${sign}`, clause?.reserves.includes(name) ?? false);
    add(
      `${name} in sentence`,
      inSentence.some(({ reserves }) => reserves.includes(name)),
    );
    add(
      `${name} elsewhere`,
      elsewhere.some(({ reserves }) => reserves.includes(name)),
    );
  }
  add(
    "stays",
    later.clauses.some(({ reserves }) => reserves.includes("stays")),
  );
  for (const standing of ["asked", "supposed", "reported", "elsewhere", "joke"] as const)
    add(
      `later has ${standing}`,
      later.clauses.some((one) => one.standing === standing),
    );
}

/** Whether both speak of the same persons. */
function addPersons(add: Add, { later, before, clause, sign }: Pair): void {
  const subject = clause?.subject.persons ?? new Set<string>();
  const first = later.clauses[0]?.subject.persons ?? new Set<string>();
  const own = [...(before.clauses[0]?.subject.persons ?? [])];
  const isNew = (person: string) => !before.words.has(person);
  const added = [...later.persons].filter(isNew);
  const gone = [...before.persons].filter((person) => !later.words.has(person));
  const strangers = [...subject].filter(isNew);
  add("subject of another", strangers.length > 0);
  add(`subject of another ${sign}`, strangers.length > 0);
  add("subject is in earlier", subject.size > 0 && strangers.length === 0);
  add("first speaks of another", first.size > 0 && [...first].every(isNew));
  add(
    "earlier subject stays",
    own.some((person) => later.words.has(person)),
  );
  add("earlier subject is gone", own.length > 0 && !own.some((person) => later.words.has(person)));
  add("persons added", Math.min(2, added.length) / 2);
  add("persons gone", Math.min(2, gone.length) / 2);
  add("persons differ", added.length > 0 && gone.length > 0);
  add("same persons", before.persons.size > 0 && gone.length === 0);
}

/** Which kinds of values both give. */
function addValues(add: Add, { later, before, sign }: Pair): void {
  const kept = [...before.values].filter((kind) => later.values.has(kind)).length;
  const haveFigures = before.figures.size > 0 && later.figures.size > 0;
  const figureStays = [...before.figures].some((figure) => later.figures.has(figure));
  const dayStays = [...before.days].some((day) => later.days.has(day));
  add("same kind of value", kept > 0);
  add(`same kind of value ${sign}`, kept > 0);
  add(`values ${sign}`, Math.min(3, before.values.size) / 3);
  add(`values left ${sign}`, Math.min(2, before.values.size - kept) / 2);
  add("figures stay", figureStays);
  add("figures differ", haveFigures && !figureStays);
  add("several figures", before.figures.size > 1);
  add("days stay", dayStays);
  add("days differ", before.days.size > 0 && later.days.size > 0 && !dayStays);
}

function addForm(add: Add, { later, before, clause, sign }: Pair): void {
  add("earlier lists", Math.min(3, before.separators) / 3);
  add(`earlier lists ${sign}`, before.separators > 0);
  add("earlier has amounts", before.values.has("amount"));
  add("earlier clauses", Math.min(3, before.clauses.length - 1) / 3);
  add("earlier is standing", before.classes.has("always"));
  add("earlier negated", before.classes.has("not"));
  add("later negated", later.classes.has("not"));
  add(`clause negated ${sign}`, clause?.isNegated ?? false);
  add("earlier tokens", Math.min(40, before.tokens) / 40);
  add("later tokens", Math.min(40, later.tokens) / 40);
  add("later happened", later.happened);
  add("earlier happened", before.happened);
}
