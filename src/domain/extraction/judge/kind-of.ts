import { withdrawalIn } from "#core/language/changes";
import { lowerCase } from "#core/language/folded";
import { statesPreference } from "#core/language/frames";
import type { Sign } from "#core/language/pack";
import { alternatives, starts } from "#core/language/patterns";
import { signsOfKind } from "#core/language/signs";
import { type Token, tokensOf } from "#core/language/tokens";
import { classOf } from "#core/language/word-classes";
import type { Features } from "#core/linear/features";
import { bestOf, type LinearModel, scoreOf } from "#core/linear/model";
import type { MEMORY_TYPES } from "#db/schema/memories";
import { spanFeatures } from "./features.ts";
import type { Kind } from "./kinds.ts";
import { MODELS } from "./models.ts";

/**
 * A clause is a standing wish from `least` log odds on, the sum of those of its sentence and its own; from `may` on where its type says so
 * too; from `beside` on next to a wish in its sentence. From `withdrawal` on it may take a wish back, where there is one. Chosen on authors
 * that the judge was not trained on (`npm run bench:extraction -- --authors`): of what is stored as a wish, three in four are right.
 */
export const WISH = { least: -1.3, may: -3.5, beside: -4, withdrawal: -6.5 };

type Type = (typeof MEMORY_TYPES)[number];
type Lasting = "preference" | "identity" | "relationship" | "knowledge";

/** What kind of statement these words are, the whole of it; `wish`: the log odds that it is a standing wish. */
export function kindOf(words: string, wish = Number.NEGATIVE_INFINITY): Kind {
  const features = spanFeatures(words);
  const about = bestOf(MODELS.about, features);
  const isRule = bestOf(MODELS.type, features) === "procedural" && about === "me";
  return {
    ...typeAndEnd(words, features),
    about,
    isSensitive: scoreOf(MODELS.sensitive, features) > 0,
    isInstruction: wish >= WISH.least,
    mayWithdraw: wish >= WISH.withdrawal && withdrawalIn(words) !== null,
    mayBeInstruction: wish >= WISH.may && isRule,
  };
}

/**
 * Words of time decide where there are any, and then the type says when it ends; else the judge does. What it takes for of the moment,
 * and for true for years, is of a lasting type, unless it happened once.
 */
function typeAndEnd(words: string, features: Features): Pick<Kind, "type" | "lasts"> {
  const signs = signsOfKind(words);
  const lasts = bestOf(MODELS.lasts, features);
  const isStanding = signs.has("lasting") || statesPreference(lowerCase(words));
  const ofTime = isStanding ? null : typeByTime(signs, isAboutSpeaker(tokensOf(words)));
  const isForYears = lasts === "years" || lasts === "always";
  // What an event changed may hold for long ("we adopted a cat yesterday").
  if (ofTime !== null) return { type: ofTime, lasts: ofTime === "event" && isForYears ? lasts : "days" };
  const type = bestOf(MODELS.type, features);
  const isLasting = signs.has("lasting") || signs.has("likes") || LASTING.has(type);
  if (!isLasting && signs.has("done")) return { type: "event", lasts };
  if (!isLasting && !isForYears) return { type, lasts };
  const lasting = lastingType(words, features, signs);
  // "I went with Hono" says what happened, "I'm a baker" who somebody is.
  return { type: lasting === "identity" && signs.has("done") && !signs.has("lasting") ? "event" : lasting, lasts };
}

const TIMES = ["now", "current", "until"] as const;

/** Of what type words of time say that a statement is; null where there are none. */
function typeByTime(
  signs: ReadonlySet<Sign>,
  isOfSpeaker: boolean,
): Extract<Type, "task" | "observation" | "event" | "context"> | null {
  if (signs.has("duty")) return "task";
  if (signs.has("feeling")) return "observation";
  if (signs.has("until") && !signs.has("done")) return "context";
  if (signs.has("past") || signs.has("future") || signs.has("day")) return "event";
  if (signs.has("doing")) return "context";
  if (signs.has("done") && TIMES.some((time) => signs.has(time))) return "event";
  if (signs.has("current")) return "context";
  if (!signs.has("now")) return null;
  return isOfSpeaker ? "context" : "observation";
}

const LASTING: ReadonlySet<Type> = new Set(["preference", "identity", "relationship", "knowledge", "procedural"]);

/** By how much the words of a statement make a lasting type more likely, in log odds. */
const SAYS_SO = 4;

function lastingType(words: string, features: Features, signs: ReadonlySet<Sign>): Lasting {
  const says = saysOf(words, signs);
  const score = (type: Lasting, model: LinearModel) => scoreOf(model, features) + (type === says ? SAYS_SO : 0);
  const { preference, identity, relationship, knowledge, procedural } = MODELS.type;
  const scores: [Lasting, number][] = [
    ["preference", score("preference", preference)],
    ["identity", score("identity", identity)],
    ["relationship", score("relationship", relationship)],
    ["knowledge", Math.max(score("knowledge", knowledge), scoreOf(procedural, features))],
  ];
  return scores.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Behind so many words, whoever is named is not what the statement is about. */
const SUBJECT_TOKENS = 4;

/** The lasting type that the statement's subject and verb say: who is close to the speaker, the speaker, or something else. */
function saysOf(words: string, signs: ReadonlySet<Sign>): Lasting {
  if (signs.has("likes")) return "preference";
  const tokens = tokensOf(words);
  const close = tokens.findIndex(isClose);
  const isOwn = (at: number) => tokens.slice(Math.max(0, at - OWNER_TOKENS), at).some(isSpeaker);
  const has = tokens.findIndex(({ name }) => name === "have");
  if (close >= 0 && (isOwn(close) || (has >= 0 && has < close && isOwn(has)))) return "relationship";
  return isAboutSpeaker(tokens) ? "identity" : "knowledge";
}

function isAboutSpeaker(tokens: readonly Token[]): boolean {
  return tokens.slice(0, SUBJECT_TOKENS).some(({ name }) => name === "me");
}

/** So many words before a relative, "my" says whose it is. */
const OWNER_TOKENS = 3;
const CLOSE: ReadonlySet<string | null> = new Set(["kin", "pet"]);
/** "Mon" is a day in another language. */
const POSSESSIVE = starts(`(?:${alternatives(({ possessive }) => possessive)})(?=$)`);

function isClose({ word, name }: Token): boolean {
  return CLOSE.has(name) || CLOSE.has(classOf(word.replace(/'?s$/u, "")));
}

function isSpeaker({ word, name }: Token): boolean {
  return name === "me" || name === "us" || POSSESSIVE.test(word);
}

/** Whether a statement says itself that it holds for some time only ("for now", "until March", "today"). */
export function isForNow(words: string): boolean {
  const signs = signsOfKind(words);
  return !signs.has("lasting") && (signs.has("until") || (signs.has("now") && !signs.has("done")));
}
