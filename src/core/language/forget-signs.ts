import { lowerCase } from "./folded.ts";
import { clausesOf, type Piece } from "./forget-clauses.ts";
import type { ForgetWords, Phrase } from "./forget-words.ts";
import type { LanguagePack } from "./pack.ts";
import { PACKS } from "./packs.ts";
import { inAnyLanguage } from "./patterns.ts";
import { QUOTED, stripQuotedText } from "./quoted-text.ts";
import { plainOf } from "./sentences.ts";
import { classOf } from "./word-classes.ts";

type Sources = "harmless" | "material" | "ofEarlier" | "refers" | "rest" | "whole" | "all";
const within = (name: Sources) => inAnyLanguage(({ forget }) => forget?.[name]);
const inLanguage = (pack: LanguagePack, source: string) => inAnyLanguage((each) => (each === pack ? source : undefined));
const sticky = (pack: LanguagePack, source: string) => new RegExp(inLanguage(pack, source).source, "y");

const ordersOf = (pack: LanguagePack, { surely, plainly, perhaps, asks }: ForgetWords) => ({
  surely: sticky(pack, surely),
  plainly: sticky(pack, plainly),
  perhaps: sticky(pack, perhaps),
  asks: sticky(pack, asks),
});

/** What stands before an order, word by word, and the orders that may follow. */
const ORDERS = PACKS.flatMap((pack) => {
  const { forget } = pack;
  if (forget === undefined) return [];
  const lead = forget.lead.map((each) =>
    "often" in each
      ? { pattern: sticky(pack, each.often), isRepeated: true }
      : { pattern: sticky(pack, each.once), isRepeated: false },
  );
  return [{ lead, ...ordersOf(pack, forget) }];
});

type Compiled = { pattern: RegExp; isFromStart: boolean; unless: RegExp | null };

/** Each phrase is a pattern of its own: all in one would try them all at each letter. */
const phrases = (name: "behind" | "weakly" | "wishes" | "kept"): Compiled[] =>
  PACKS.flatMap((pack) =>
    (pack.forget?.[name] ?? []).map((phrase: Phrase) => ({
      pattern: inLanguage(pack, typeof phrase === "string" ? phrase : phrase.source),
      isFromStart: typeof phrase !== "string",
      unless: typeof phrase === "string" || phrase.unless === undefined ? null : inLanguage(pack, phrase.unless),
    })),
  );

const BEHIND = phrases("behind");
const WEAKLY = phrases("weakly");
const WISHES = phrases("wishes");
export const HARMLESS = new RegExp(within("harmless").source, "g");
const MATERIAL = within("material");
export const OF_EARLIER = within("ofEarlier");
const REFERS = within("refers");
export const YET = inAnyLanguage(
  ({ forget }) => forget?.yet,
  (source) => `^(?:${source})`,
);
const KEPT = phrases("kept");
export const REST = within("rest");
export const WHOLE = within("whole");
export const ALL = within("all");
const ADDS = inAnyLanguage(
  ({ forget }) => forget?.adds,
  (source) => `^(?:${source})(?!\\p{L})`.replaceAll("\\p{L}", "[a-z]"),
);
const BARE = inAnyLanguage(
  ({ forget }) => forget?.itself,
  (source) => `^\\W*(?:(?:${source})\\W*)*$`,
);

/** "Delete that": it names nothing. */
export function isBare(object: string): boolean {
  return BARE.test(object);
}

export type Reading = {
  clauses: Piece[];
  asking: Asking[];
  keeping: Keeping[];
  isOfEarlier: boolean;
  refers: boolean;
  /** What the rules find, by names that mean something to the model only. */
  signs: string[];
};

/** What the rules say of a message: which clauses ask, which say what may stay, and whether it is of something said before. */
export function readRules(message: string): Reading {
  const stripped = stripQuotedText(message).replaceAll(QUOTED, " ");
  const clauses = clausesOf(stripped, HARMLESS);
  const asking: Asking[] = [];
  for (const [i, clause] of clauses.entries()) {
    const before = asking.at(-1);
    const asked = askedIn(clause);
    if (asked !== null) asking.push(asked);
    // "Forget my sister and the treatment".
    else if (before !== undefined && before.clause === clauses[i - 1] && continuesList(before.clause, clause))
      asking.push({ ...before, clause, object: clause.text });
  }
  const isAsking = new Set(asking.map(({ clause }) => clause));
  const keeping: Keeping[] = [];
  for (const clause of clauses) {
    if (isAsking.has(clause)) continue;
    const before = keeping.at(-1);
    const kept = keptIn(clause);
    if (kept !== null) keeping.push(kept);
    // "You can leave who he is and when it is due".
    else if (before?.clause === clauses[clauses.indexOf(clause) - 1] && ADDS.test(clause.text))
      keeping.push({ clause, object: clause.text });
  }
  const whole = lowerCase(plainOf(message, 0, message.length).text);
  const isOfEarlier = OF_EARLIER.test(whole);
  const refers = REFERS.test(whole);
  const kinds = new Set(asking.map(({ kind }) => kind));
  const signs = [
    ...kinds,
    ...(kinds.size === 0 ? ["none"] : []),
    ...(asking.some(({ object }) => isBare(object)) ? ["bare"] : []),
    ...(isOfEarlier ? ["ofEarlier"] : []),
    ...(refers ? ["refers"] : []),
    ...(MATERIAL.test(whole) ? ["material"] : []),
    ...(whole.search(HARMLESS) >= 0 ? ["harmless"] : []),
    ...(keeping.length > 0 ? ["keeping"] : []),
    ...(REST.test(whole) ? ["rest"] : []),
    ...(ALL.test(whole) ? ["all"] : []),
    ...(WHOLE.test(whole) ? ["whole"] : []),
    ...(clauses.at(-1)?.isQuestion === true ? ["asks at its end"] : []),
  ];
  return { clauses, asking, keeping, isOfEarlier, refers, signs };
}

export type Asking = { clause: Piece; object: string; isStrong: boolean; kind: AskedBy };
/** A clause that adds a thing to what the clause before it names, and states nothing itself. */
function continuesList(before: Piece, { text, sentence }: Piece): boolean {
  const words = text.split(" ");
  return (
    before.sentence === sentence &&
    words.length <= LISTED_WORDS &&
    ADDS.test(text) &&
    !words.some((word) => VERBAL.has(classOf(word)))
  );
}

const LISTED_WORDS = 4;
const VERBAL: ReadonlySet<string | null> = new Set(["me", "us", "you", "third", "be", "have", "order"]);

type AskedBy = "order" | "wish" | "perhaps" | "behind" | "weakly";

function askedIn(clause: Piece): Asking | null {
  const { text } = clause;
  // A question may wish for something only where it asks for it.
  const mayWish = !clause.isQuestion || orderedIn(text, "asks") !== null;
  const wished = (patterns: readonly Compiled[]) => {
    const found = mayWish ? phraseIn(text, patterns) : null;
    return found === null ? null : `${text.slice(0, found.index)} ${found.object}`;
  };
  const ways: readonly (readonly [AskedBy, () => string | null])[] = [
    ["order", () => orderedIn(text, "surely")],
    ["wish", () => wished(WISHES)],
    ["perhaps", () => orderedIn(text, "perhaps")],
    ["behind", () => phraseIn(text, BEHIND)?.object ?? null],
    ["weakly", () => wished(WEAKLY)],
  ];
  for (const [kind, find] of ways) {
    const object = find();
    if (object !== null) return { clause, kind, isStrong: kind === "order" || kind === "wish", object: object.trim() };
  }
  return null;
}

/** What an order at the beginning of a clause names, behind all that may stand before it; null without an order. */
export function orderedIn(text: string, kind: "surely" | "plainly" | "perhaps" | "asks"): string | null {
  for (const { lead, [kind]: order } of ORDERS) {
    const places = new Set([0]);
    for (const { pattern, isRepeated } of lead) {
      // A set is gone through with what is added to it meanwhile.
      for (const place of isRepeated ? places : [...places]) {
        pattern.lastIndex = place;
        if (pattern.test(text)) places.add(pattern.lastIndex);
      }
    }
    for (const place of [...places].toSorted((a, b) => b - a)) {
      order.lastIndex = place;
      const match = order.exec(text);
      if (match !== null) return match.groups?.object ?? "";
    }
  }
  return null;
}

/** The phrase that begins first, and what it names. */
function phraseIn(text: string, patterns: readonly Compiled[]): { index: number; object: string } | null {
  let first: { index: number; object: string } | null = null;
  for (const { pattern, isFromStart, unless } of patterns) {
    const match = pattern.exec(text);
    if (match === null || unless?.test(text)) continue;
    const index = isFromStart ? 0 : match.index;
    if (first !== null && first.index <= index) continue;
    first = { index, object: match.groups?.object ?? (isFromStart ? text.slice(0, match.index) : "") };
  }
  return first;
}

export type Keeping = { clause: Piece; object: string };

function keptIn(clause: Piece): Keeping | null {
  const found = phraseIn(clause.text, KEPT);
  return found === null ? null : { clause, object: found.object.trim() || clause.text };
}
