import type { Features } from "#core/linear/features";
import { scoreOf } from "#core/linear/model";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import { lowerCase } from "./folded.ts";
import { LEAST_STATED, type Piece, tellingIn, textOf } from "./forget-clauses.ts";
import { requestFeatures } from "./forget-features.ts";
import { FORGET_MODELS } from "./forget-models.ts";
import { ownOf } from "./forget-own.ts";
import { ALL, type Asking, HARMLESS, isBare, orderedIn, REST, type Reading, readRules, WHOLE } from "./forget-signs.ts";
import { PACKS } from "./packs.ts";
import { tokensOf } from "./tokens.ts";

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

/** Longer messages are texts to work on, not requests to forget. */
const MAX_UNITS = 2_000;

/** The log odds at which a message may ask for it, and surely does. Measured on authors left out; see scripts/train-forget.ts. */
const MAY_ASK = -1.2;
const SURELY_ASKS = 0.2;
/** The same where the message speaks of a text or a thing that can be cut, deleted or thrown away; less surely it is no request. */
const LEAST_OF_MATERIAL = 3;

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
  { asking, others, signs }: Pick<Reading, "asking" | "signs"> & { others: readonly Piece[] },
): boolean {
  if (asking.length === 0 || signs.includes("material") || signs.includes("harmless")) return false;
  const isNamed = asking.every((one) => isName(message, one)) && tellingIn(others).size === 0;
  if (!isNamed && !asking.every(({ clause }) => isPlainClause(clause))) return false;
  return others.every(({ text, isQuestion }) => !isQuestion && !ORDERING.has(tokensOf(text)[0]?.name ?? ""));
}

const ORDERING: ReadonlySet<string> = new Set(["order", "ask"]);
const NAME_WORDS = 3;

function isPlainClause({ text, isQuestion }: Piece): boolean {
  return (!isQuestion || orderedIn(text, "asks") !== null) && orderedIn(text, "plainly") !== null;
}

/** "Forget Paul". */
function isName(message: string, { clause, kind, object }: Asking): boolean {
  const said = message.slice(clause.start, clause.end);
  const at = lowerCase(said).lastIndexOf(object);
  const words = at < 0 ? [] : said.slice(at).split(" ");
  return kind === "order" && object !== "" && words.length <= NAME_WORDS && words.every((word) => /^\p{Lu}/u.test(word));
}

/** Words of requests that name nothing, of all languages. */
export const VAGUE_WORDS: string = PACKS.flatMap(({ forget }) => forget?.vague ?? []).join(" ");
