import type { Piece } from "#core/language/forget-clauses";
import type { ForgetRequest } from "#core/language/forget-requests";
import { tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import { sensitivityOf } from "#core/safety/sensitivity";
import type { WordMeanings } from "#ports/embedder";
import { isNear, isVague, topicOf } from "./match-topic.ts";
import { tellingWords } from "./words-of.ts";

/** A message that a request may mean, or the statements of the message that asks. */
export type Candidate = {
  text: string;
  pieces: readonly Piece[];
  /** 0 for the message that asks, 1 for the latest before it. */
  back: number;
  isHere: boolean;
};

/** How each text resembles a query by what its words mean, from -1 to 1. */
export type Similarity = (query: string, texts: readonly string[]) => readonly number[];

export const ROLES = ["named", "beside", "around", "kept"] as const;
export type Role = (typeof ROLES)[number];

/** The words of a request by what they say of it, and their weights: rare among the candidates is telling. */
export type Asked = {
  request: ForgetRequest;
  parts: Part[];
  words: Record<Role, string[]>;
  weight: (word: string) => number;
  classes: Set<string>;
  /** How many messages before it may be meant. */
  candidates: number;
} & Likeness;

/** Missing where the embedder needs a server. */
export type Likeness = {
  similarity: Similarity | undefined;
  /** What single words of the text index mean. */
  meanings: WordMeanings | undefined;
};

/** `about` is what the part shows of itself, `beside` what follows it in its sentence. */
export type Part = {
  words: string[];
  about: string[];
  beside: string[];
  role: ForgetRequest["parts"][number]["role"];
  text: string;
};

/** What each part of a request says of the text that has words of it. */
function partsOf({ parts }: ForgetRequest): Part[] {
  const firstAsking = parts.findIndex(({ role }) => role === "asks");
  const next = (i: number) => parts[i + 1];
  return parts.map(({ text, role, sentence }, i) => ({
    text,
    words: [...tellingWords(text)].filter((word) => !isVague(word)),
    role,
    beside: [
      `next ${next(i)?.role}`,
      `prev ${parts[i - 1]?.role}`,
      ...(next(i)?.sentence === sentence ? tokensOf(next(i)?.text ?? "").map(({ word }) => `next w ${word}`) : []),
    ],
    about: [
      role,
      ...(firstAsking < 0 ? [`at ${Math.min(2, i)}`] : [`${role} ${Math.sign(i - firstAsking)}`]),
      ...(i === parts.length - 1 && i > 0 ? ["last"] : []),
      ...new Set(tokensOf(text).map(({ word }) => `w ${word}`)),
    ],
  }));
}

export function askedOf(
  request: ForgetRequest,
  candidates: readonly { text: string }[],
  { similarity, meanings }: Likeness,
): Asked {
  const { named, beside, around, kept } = topicOf(request);
  const texts = candidates.map(({ text }) => tellingWords(text));
  const weights = new Map<string, number>();
  const weight = (word: string) => {
    const known = weights.get(word);
    if (known !== undefined) return known;
    const found = texts.filter((text) => isIn(word, text)).length;
    const made = found === 0 ? 0.5 : 1 / found;
    weights.set(word, made);
    return made;
  };
  return {
    request,
    parts: partsOf(request),
    words: { named, beside, around, kept: kept.flat() },
    weight,
    classes: classesOf(`${request.object} ${request.beside} ${request.around}`),
    candidates: candidates.length,
    similarity,
    meanings,
  };
}

export function isIn(word: string, text: ReadonlySet<string>): boolean {
  return text.has(word) || [...text].some((other) => isNear(word, other));
}

/** Words for a place among what was said, with the word for what is counted. */
export const WEIGHT_OF_COUNT = 4;
const COUNTED =
  "(?:things?|ones?|bits?|parts?|messages?|msgs?|sentences?|lines?|halves|half|satz|sache|nachricht|cosa|mensaje|frase|chose|phrase|message)";
const ORDINALS = [
  ["first|1st|erste[ns]?|primer[oa]?|première|premier", "一"],
  ["second|2nd|zweite[ns]?|segund[oa]|deuxième|seconde", "二"],
  ["third|3rd|dritte[ns]?|tercer[oa]?|troisième", "三"],
].map(([spaced, han]) => new RegExp(`(?<!\\p{L})(?:${spaced}) ${COUNTED}(?!\\p{L})|第${han}[条句个件段]`, "u"));

/** The place, from 0, of what a request counts: "the second thing I wrote"; -1 if it counts nothing. */
export function ordinalIn({ parts }: ForgetRequest): number {
  return ORDINALS.findIndex((pattern) => parts.some(({ text }) => pattern.test(text)));
}

/** A clause that neither asks nor orders anything. */
export function isStatement({ text, isQuestion }: Piece): boolean {
  const first = tokensOf(text)[0]?.name;
  return !isQuestion && first !== "ask" && first !== "order";
}

export type Match = Record<Role, number>;

/** How much of the request's words a text has, by role. */
export function matchOf({ words, weight }: Asked, text: string): Match {
  const said = tellingWords(text);
  const of = (role: Role) => words[role].reduce((sum, word) => sum + (isIn(word, said) ? weight(word) : 0), 0);
  return { named: of("named"), beside: of("beside"), around: of("around"), kept: of("kept") };
}

/** Classes of words that say what something is about. */
const SUBJECTS: ReadonlySet<string> = new Set(["kin", "pet", "health", "work", "home", "time", "number", "text"]);

export function classesOf(text: string): Set<string> {
  return new Set(tokensOf(text).flatMap(({ name }) => (SUBJECTS.has(name) ? [name] : [])));
}

export function kindFeatures(text: string): Named {
  const tokens = tokensOf(text);
  const names = new Set(tokens.map(({ name }) => name));
  const first = tokens[0]?.name ?? "";
  const features: Named = { [`is ${sensitivityOf(text)}`]: 1 };
  if (first === "ask" || first === "order") features[`begins ${first}`] = 1;
  for (const name of [
    "me",
    "us",
    "you",
    "third",
    "kin",
    "health",
    "work",
    "ask",
    "order",
    "text",
    "number",
    "like",
    "Name",
    "be",
    "have",
  ])
    if (names.has(name)) features[`has ${name}`] = 1;
  return features;
}

/** A clause without a subject of its own. */
const CONTINUING_WORDS = 6;
const SUBJECT: ReadonlySet<string> = new Set(["me", "us", "you", "third", "be", "have", "kin"]);

export function isContinuing(clause: string): boolean {
  // Without spaces between words, a comma ends a sentence as often as not.
  if (/\p{Script=Han}/u.test(clause)) return false;
  const tokens = tokensOf(clause);
  return tokens.length <= CONTINUING_WORDS && !tokens.some(({ name }) => SUBJECT.has(name));
}
