import type { Features } from "#core/linear/features";
import { scoreOf } from "#core/linear/model";
import { sensitivityOf } from "#core/safety/sensitivity";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import { lowerCase } from "./folded.ts";
import { requestFeatures } from "./forget-features.ts";
import { FORGET_MODELS } from "./forget-models.ts";
import type { ForgetWords, Phrase } from "./forget-words.ts";
import type { LanguagePack } from "./pack.ts";
import { PACKS } from "./packs.ts";
import { inAnyLanguage } from "./patterns.ts";
import { QUOTED, stripQuotedText } from "./quoted-text.ts";
import { plainOf, sentencesOf } from "./sentences.ts";
import { tokensOf } from "./tokens.ts";
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
const HARMLESS = new RegExp(within("harmless").source, "g");
const MATERIAL = within("material");
const OF_EARLIER = within("ofEarlier");
const REFERS = within("refers");
const YET = inAnyLanguage(
  ({ forget }) => forget?.yet,
  (source) => `^(?:${source})`,
);
const KEPT = phrases("kept");
const REST = within("rest");
const WHOLE = within("whole");
const ALL = within("all");
const JOINTS = inAnyLanguage(({ forget, spaced }) => (spaced ? forget?.joints : undefined));
const UNSPACED = inAnyLanguage(({ forget, spaced }) => (spaced ? undefined : forget?.joints));
const JOINT = new RegExp(
  `(?:[,;:.!?，；：。、！？()（）…—–\\n]|[\\u2600-\\u27bf\\ufe0f\\ud83c-\\ud83e\\udc00-\\udfff])+(?=[^a-z0-9]|$)|[，；：。、！？]|\\s-+\\s|\\s(?=(?:${JOINTS.source})\\s)|(?=${UNSPACED.source})`,
  "g",
);

const ADDS = inAnyLanguage(
  ({ forget }) => forget?.adds,
  (source) => `^(?:${source})(?!\\p{L})`.replaceAll("\\p{L}", "[a-z]"),
);
const BARE = inAnyLanguage(
  ({ forget }) => forget?.itself,
  (source) => `^\\W*(?:(?:${source})\\W*)*$`,
);

/** "Delete that": it names nothing. */
function isBare(object: string): boolean {
  return BARE.test(object);
}

/** What a message asks to be forgotten. All texts are in lower case. */
export type ForgetRequest = {
  /** It is no order of another kind, whatever was said before it. */
  isSure: boolean;
  /** By the rules it surely is one, where what it names was stated before: "erase my address". */
  isPlain: boolean;
  /** It speaks of what was said or stored. If not, it counts only where what it names was said. */
  refers: boolean;
  /** It speaks of a text or a thing that can be cut, deleted or thrown away: "the second paragraph". */
  isOfMaterial: boolean;
  /** It points at something and names nothing: "forget that". */
  isBare: boolean;
  /** What it points at, if that is stated in the same message, in UTF-16 units: "my code is 4417, but don't remember that". */
  own: { start: number; end: number }[];
  /** What it names; empty for "forget that". */
  object: string;
  /** The rest of its sentence, and the rest of the message, which may say more of it. */
  beside: string;
  around: string;
  /** What may stay. */
  kept: string[];
  /** All that it does not name may stay. */
  keepsRest: boolean;
  /** It is of a matter ("the ring stuff") and not of certain words ("the gate code"). */
  isWhole: boolean;
  /** It is of all that was said about it, wherever. */
  isAll: boolean;
  /** The clauses that ask, in UTF-16 units of the message. */
  spans: { start: number; end: number }[];
  /** What the message states beside what it asks. */
  stated: Piece[];
  /** Its clauses, each with what the rules take it for. */
  parts: { text: string; role: "asks" | "keeps" | "states"; sentence: number }[];
  /** The log odds that it is one, by its words alone. */
  score: number;
  /** By which a classifier decides whether it is one. */
  features: Features;
};

type Clause = Piece;

/** Longer messages are texts to work on, not requests to forget. */
const MAX_UNITS = 2_000;

/** A clause of a message, in lower case, with its place in UTF-16 units. */
export type Piece = { text: string; start: number; end: number; sentence: number; isQuestion: boolean };

/** The clauses of a message as people type, which between them cover its words. */
export function piecesOf(message: string): Piece[] {
  return clausesOf(message, { isRequest: false });
}

/** The log odds at which a message may ask for it, and surely does. Measured on authors left out; see scripts/train-forget.ts. */
const MAY_ASK = -1.2;
const SURELY_ASKS = 0.2;
/** The same where the message speaks of a text or a thing that can be cut, deleted or thrown away; less surely it is no request. */
const LEAST_OF_MATERIAL = 3;

type Reading = {
  clauses: Clause[];
  asking: Asking[];
  keeping: Keeping[];
  isOfEarlier: boolean;
  refers: boolean;
  /** What the rules find, by names that mean something to the model only. */
  signs: string[];
};

/** What the rules say of a message: which clauses ask, which say what may stay, and whether it is of something said before. */
function readRules(message: string): Reading {
  const stripped = stripQuotedText(message).replaceAll(QUOTED, " ");
  const clauses = clausesOf(stripped, { isRequest: true });
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

/** The request to forget something that a user's message may make, or null. A learned classifier decides, to which the rules are features. */
export function readForgetRequest(message: string): ForgetRequest | null {
  if (message.length > MAX_UNITS) return null;
  const request = parseForgetRequest(message);
  const score = scoreOf(FORGET_MODELS.asks, request.features);
  if ((score < MAY_ASK && !request.isPlain) || score < leastFor(request) || isHarmless(message, request)) return null;
  const isSure = score >= SURELY_ASKS;
  // Where no rule says which clauses ask, all of a sure request may; what only may be one is a statement like any other.
  const spans = isSure && request.spans.length === 0 ? [{ start: 0, end: message.length }] : request.spans;
  return { ...request, score, isSure, spans };
}

/** Whether a message surely is a request to forget; what only may be one says what it says. */
export function asksSurely(message: string): boolean {
  const request = readForgetRequest(message);
  return request !== null && (request.isSure || request.isPlain);
}

/** "What have you stored about me?" asks for nothing to go, and "remove the part about my salary from the letter" means the letter. */
function leastFor({ spans, stated, isOfMaterial }: ForgetRequest): number {
  if (isOfMaterial) return LEAST_OF_MATERIAL;
  if (spans.length > 0) return Number.NEGATIVE_INFINITY;
  // One word, as "fine", says too little for the model alone.
  const onlyAsks = stated.length > 0 && stated.every(({ isQuestion }) => isQuestion);
  return onlyAsks || tellingIn(stated).size < LEAST_STATED ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** "I'll never forget that": it only looks like a request, and has no words beside. */
function isHarmless(message: string, { spans, stated }: ForgetRequest): boolean {
  const hasWords = analyse(textOf(stated)).some((word) => !STOP_WORDS.has(word));
  return spans.length === 0 && !hasWords && lowerCase(message).search(HARMLESS) >= 0;
}

/** What a message asks for, if it is taken for a request to forget. */
export function parseForgetRequest(message: string): ForgetRequest {
  return toRequest(message, readRules(message));
}

function toRequest(message: string, { clauses, asking, keeping, isOfEarlier, refers, signs }: Reading): ForgetRequest {
  const isAsking = new Set(asking.map(({ clause }) => clause));
  const kept = new Set(keeping.map(({ clause }) => clause));
  const sentences = new Set(asking.map(({ clause }) => clause.sentence));
  const others = clauses.filter((clause) => !isAsking.has(clause) && !kept.has(clause));
  const object = asking.map((one) => one.object).join(" ");
  const pointsOnly = asking.length > 0 && isBare(object);
  const isStrong = asking.some((one) => one.isStrong) || refers || (pointsOnly && isOfEarlier);
  const objects = keeping.map((one) => one.object);
  return {
    isSure: isStrong,
    isPlain: isPlain(message, { asking, others, signs }),
    refers,
    isOfMaterial: signs.includes("material"),
    isBare: pointsOnly,
    own: isStrong && pointsOnly ? ownOf(message, clauses, { isAsking, kept }) : [],
    object,
    beside: textOf(others.filter(({ sentence }) => sentences.has(sentence))),
    around: textOf(others.filter(({ sentence }) => !sentences.has(sentence))),
    kept: objects.filter((one) => !REST.test(one)),
    keepsRest: [...keeping.map(({ clause }) => clause), ...others].some(({ text }) => REST.test(text)),
    isWhole: pointsOnly || WHOLE.test(object),
    isAll: ALL.test(object),
    spans: asking.length === 0 ? [] : [...asking, ...keeping].map(({ clause: { start, end } }) => ({ start, end })),
    stated: others,
    parts: clauses.map((clause) => ({
      text: clause.text,
      sentence: clause.sentence,
      role: isAsking.has(clause) ? "asks" : kept.has(clause) ? "keeps" : "states",
    })),
    score: 0,
    features: requestFeatures({ clauses, signs }),
  };
}

/** An order by the rules that names something, in a message that orders nothing else and is not about a text or a thing. */
function isPlain(
  message: string,
  { asking, others, signs }: Pick<Reading, "asking" | "signs"> & { others: readonly Clause[] },
): boolean {
  if (asking.length === 0 || signs.includes("material") || signs.includes("harmless")) return false;
  const isNamed = asking.every((one) => isName(message, one)) && tellingIn(others).size === 0;
  if (!isNamed && !asking.every(({ clause }) => isPlainClause(clause))) return false;
  return others.every(({ text, isQuestion }) => !isQuestion && !ORDERING.has(tokensOf(text)[0]?.name ?? ""));
}

const ORDERING: ReadonlySet<string> = new Set(["order", "ask"]);
const NAME_WORDS = 3;

function isPlainClause({ text, isQuestion }: Clause): boolean {
  return (!isQuestion || orderedIn(text, "asks") !== null) && orderedIn(text, "plainly") !== null;
}

/** "Forget Paul". */
function isName(message: string, { clause, kind, object }: Asking): boolean {
  const said = message.slice(clause.start, clause.end);
  const at = lowerCase(said).lastIndexOf(object);
  const words = at < 0 ? [] : said.slice(at).split(" ");
  return kind === "order" && object !== "" && words.length <= NAME_WORDS && words.every((word) => /^\p{Lu}/u.test(word));
}

/**
 * The clauses of the message itself that a request without a name points at: those that it limits ("…, but forget that") or announces ("don't
 * keep this: …"); else what is stated last before it, if that looks private and not like the reason for the request.
 */
function ownOf(
  message: string,
  clauses: readonly Clause[],
  { isAsking, kept }: { isAsking: ReadonlySet<Clause>; kept: ReadonlySet<Clause> },
): { start: number; end: number }[] {
  const at = clauses.findIndex((clause) => isAsking.has(clause));
  const [asking, next] = [clauses[at], clauses[at + 1]];
  if (asking === undefined) return [];
  const mayBe = (clause: Clause) => !isAsking.has(clause) && !kept.has(clause) && !clause.isQuestion;
  const inSentence = (sentence: number, part: readonly Clause[]) =>
    part.filter((clause) => clause.sentence === sentence && mayBe(clause));
  const isAnnounced = next !== undefined && /^[\s"']*[:：]/u.test(message.slice(asking.end, next.start));
  const announced = isAnnounced ? inSentence(next.sentence, clauses.slice(at + 1)) : [];
  if (states(announced)) return spanOf(announced);
  const before = clauses.slice(0, at);
  const stated = [...new Set(before.map(({ sentence }) => sentence))]
    .toReversed()
    .map((sentence) => inSentence(sentence, before))
    .find(states);
  if (stated === undefined || OF_EARLIER.test(textOf(stated))) return [];
  const isLimited = stated[0]?.sentence === asking.sentence && YET.test(asking.text);
  return isLimited || looksPrivate(textOf(stated)) ? spanOf(stated) : [];
}

/** A clause of fewer words that mean something states nothing: "actually". */
const LEAST_STATED = 2;

function states(clauses: readonly Clause[]): boolean {
  return tellingIn(clauses).size >= LEAST_STATED;
}

function tellingIn(clauses: readonly Clause[]): Set<string> {
  return new Set(analyse(textOf(clauses)).filter((word) => !STOP_WORDS.has(word)));
}

function spanOf(clauses: readonly Clause[]): { start: number; end: number }[] {
  const [first, last] = [clauses[0], clauses.at(-1)];
  return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }];
}

/** By its words, or by a number of the length of a code. */
function looksPrivate(text: string): boolean {
  return sensitivityOf(text) === "sensitive" || /\d{3}/u.test(text);
}

function textOf(clauses: readonly Clause[]): string {
  return clauses.map(({ text }) => text).join(" ");
}

function clausesOf(message: string, { isRequest }: { isRequest: boolean }): Clause[] {
  return sentencesOf(message).flatMap(({ start, end, isQuestion }, sentence) => {
    const { text, at } = plainOf(message, start, end);
    // What only looks like a request is blanked in its place.
    const lower = isRequest ? lowerCase(text).replace(HARMLESS, (found) => " ".repeat(found.length)) : lowerCase(text);
    const clauses: Clause[] = [];
    let from = 0;
    const push = (until: number) => {
      const words = lower.slice(from, until);
      const clause = words.trim();
      if (!/[\p{L}\p{N}]/u.test(clause)) return;
      const first = from + words.indexOf(clause);
      const last = first + clause.length - 1;
      clauses.push({ text: clause, start: at[first] ?? 0, end: (at[last] ?? 0) + 1, sentence, isQuestion });
    };
    for (const { index, 0: joint } of lower.matchAll(JOINT)) {
      push(index);
      from = index + joint.length;
    }
    push(lower.length);
    return clauses;
  });
}

type Asking = { clause: Clause; object: string; isStrong: boolean; kind: AskedBy };
/** A clause that adds a thing to what the clause before it names, and states nothing itself. */
function continuesList(before: Clause, { text, sentence }: Clause): boolean {
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

function askedIn(clause: Clause): Asking | null {
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
function orderedIn(text: string, kind: "surely" | "plainly" | "perhaps" | "asks"): string | null {
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

type Keeping = { clause: Clause; object: string };

function keptIn(clause: Clause): Keeping | null {
  const found = phraseIn(clause.text, KEPT);
  return found === null ? null : { clause, object: found.object.trim() || clause.text };
}

/** Words of requests that name nothing, of all languages. */
export const VAGUE_WORDS: string = PACKS.flatMap(({ forget }) => forget?.vague ?? []).join(" ");
