import { toNormalizedText } from "#core/language/folded";
import type { QuestionPattern } from "#core/language/list-words";
import { fold } from "#core/text/normalize";
import { LANGUAGES, type Language, wholeWords, words } from "./languages.ts";
import { isNounPhrase, nounForm } from "./nouns.ts";
import { rankOf } from "./ordinals.ts";
import { plainText } from "./plain-text.ts";
import { type TopicIndex, topicOfPhrase } from "./topics.ts";

export type Route = { ask: "rank"; rank: number | "last"; topic: string | null } | { ask: "list"; topic: string | null };

/** A longer message says more than the question, and the model has to answer the rest. */
const MAX_QUESTION = 300;
const MAX_FOLLOW_UP = 60;
type Pattern = QuestionPattern & { language: Language; regex: RegExp };

const compiled = (language: Language, patterns: readonly QuestionPattern[]) =>
  patterns.map((pattern): Pattern => ({ ...pattern, language, regex: new RegExp(`^(?:${pattern.source})$`, "u") }));
/** Patterns of languages whose cue a question lacks are not run, and so never compiled. */
const PATTERNS = LANGUAGES.map(({ code, lists }) => ({
  cue: new RegExp(lists.questionCue),
  patterns: compiled(code, lists.questions),
}));
const FOLLOWING = LANGUAGES.flatMap(({ code, lists }) => compiled(code, lists.followUps));
const SENTENCE = /[^!?。\n]*?(?:(?<!\d|\b(?:no|nr|num))\.(?=\s|$)|[!?。\n]+|$)/gu;
const COURTESY = new RegExp(`^(?:${words("courtesy")})$`, "u");
/** Words before the question; those that ask make it a question without a question mark. */
const before = (name: "greetings" | "asking", after: string) =>
  new RegExp(`^(?:${words(name, "spaced")})${after}(?![\\p{L}\\p{N}'-])[ ,:;]*|^(?:${words(name, "unspaced")})[ ,:;]*`, "u");
const GREETING = before("greetings", "(?: there)?");
const ASKING = before("asking", "");
const TRAILING = new RegExp(
  `(?<![ ,;:])[ ,;:]*(?:(?<![\\p{L}\\p{N}'])(?:${words("trailing", "spaced")})(?![\\p{L}\\p{N}'])|(?:${words("trailing", "unspaced")}))$`,
  "u",
);
const CHAT_WORDS = LANGUAGES.flatMap(({ lists }) => lists.chatWords ?? []).map(
  ([word, plain]) => [new RegExp(word, "gu"), plain] as const,
);
const PLEASE = new RegExp(wholeWords("please"), "u");
/** A word that every follow-up question has. */
const FOLLOW_UP = new RegExp(`${words("followUpCue")}|[#\\d]`);
const REQUEST = new RegExp(`^(?:${words("requests")})`, "u");
const OWN_VERB = new RegExp(`^(?:${words("ownVerb")})`, "u");
const LAST = new RegExp(`^(?:${words("last")})`);

type Question = { text: string; asks: boolean; polite: boolean; alone: boolean };

/** What a message asks of the stored facts, if it asks nothing else. A null topic is the topic of the last question. */
export function routeQuestion(text: string, topicIndex: TopicIndex): Route | null {
  if (text.length > MAX_QUESTION) return null;
  const question = questionOf(plainWords(toNormalizedText(plainText(text))));
  if (question === null) return null;
  for (const pattern of PATTERNS.filter(({ cue }) => cue.test(question.text)).flatMap(({ patterns }) => patterns)) {
    const route = matched(pattern, { question, topicIndex });
    if (route !== null) return route;
  }
  return question.alone && question.text.length <= MAX_FOLLOW_UP && FOLLOW_UP.test(question.text) ? followUp(question) : null;
}

/** Replaces chat spellings, and "what did I say my second … was" by "what my second … was". */
function plainWords(normalizedText: string): string {
  return CHAT_WORDS.reduce((text, [word, plain]) => text.replace(word, plain), normalizedText);
}

/** The only question of a message. Statements may come before it, courtesies after it. */
function questionOf(normalizedText: string): Question | null {
  const sentences = [...normalizedText.matchAll(SENTENCE)]
    .map(([sentence]) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const said = sentences.filter((sentence) => !COURTESY.test(bare(sentence)));
  const last = said.at(-1);
  if (last === undefined || sentences.slice(sentences.indexOf(last) + 1).length > 1) return null;
  const before = said.slice(0, -1);
  if (before.some((sentence) => sentence.includes("?") || isRequest(sentence)) || before.length > 2) return null;
  const { text, asks } = withoutAsking(bare(last));
  return {
    text,
    asks: asks || last.includes("?"),
    polite: PLEASE.test(last),
    alone: before.length === 0,
  };
}

function bare(sentence: string): string {
  return sentence.replace(/(?<![\s.!?¿¡。,;:"])[\s.!?¿¡。,;:"]+$|^[\s¿¡"]+/gu, "");
}

function isRequest(sentence: string): boolean {
  return REQUEST.test(sentence);
}

function withoutAsking(sentence: string): { text: string; asks: boolean } {
  let [text, asks] = [sentence, false];
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(GREETING, "");
    const asking = ASKING.exec(text)?.[0] ?? "";
    asks ||= asking !== "";
    if (!isOwnVerb(text)) text = text.slice(asking.length);
  }
  return { text, asks };
}

/** "Tell me my top three colors" is matched with its verb. */
function isOwnVerb(text: string): boolean {
  return OWN_VERB.test(text);
}

function matched(
  { regex, ...pattern }: Pattern,
  { question, topicIndex }: { question: Question; topicIndex: TopicIndex },
): Route | null {
  if (pattern.bare === true && !question.asks && !question.polite) return null;
  for (const text of trimmings(question.text)) {
    const groups = regex.exec(text)?.groups;
    if (groups === undefined) continue;
    const noun = groups.noun ?? groups.noun2 ?? "";
    if (!isNounPhrase(noun, pattern.language)) continue;
    const topic = topicOfPhrase(noun, { topicIndex, language: pattern.language, knownOnly: pattern.knownOnly === true });
    if (topic === null || !agrees(groups.same, { topic, topicIndex })) continue;
    if (pattern.singularVerb === true && !isPlural(noun, pattern)) continue;
    const route = routeOf(pattern, { topic, rank: groups.rank });
    if (route !== null) return route;
  }
  return null;
}

function followUp(question: Question): Route | null {
  for (const { regex, ...pattern } of FOLLOWING)
    for (const text of trimmings(question.text)) {
      const match = regex.exec(text);
      if (match === null || (pattern.bare === true && !question.asks)) continue;
      const route = routeOf(pattern, { topic: null, rank: match.groups?.rank });
      if (route !== null) return route;
    }
  return null;
}

/** The question, and the question with ever more trailing filler words removed. */
function trimmings(text: string): string[] {
  const all = [text];
  for (let next = text.replace(TRAILING, ""); next !== all.at(-1) && all.length < 6; next = next.replace(TRAILING, ""))
    all.push(next);
  return all;
}

/** "The second color of my favorite colors" asks for a color, "the second season of my favorite show" for no show. */
function agrees(noun: string | undefined, { topic, topicIndex }: { topic: string; topicIndex: TopicIndex }): boolean {
  return noun === undefined || topicOfPhrase(noun, { topicIndex, language: "en", knownOnly: false }) === topic;
}

function isPlural(noun: string, { language }: { language: Language }): boolean {
  if (language === "de") return nounForm(noun, "de") !== fold(noun);
  return nounForm(noun, language) === fold(noun) || /s$/.test(noun);
}

function routeOf(
  { ask }: { ask: "rank" | "list" },
  { topic, rank }: { topic: string | null; rank: string | undefined },
): Route | null {
  if (ask === "list") return { ask, topic };
  const at = rank === undefined ? null : rankNamed(rank);
  return at === null ? null : { ask, rank: at, topic };
}

function rankNamed(word: string): number | "last" | null {
  if (LAST.test(word)) return "last";
  if (word === "top") return 1;
  return rankOf(word);
}
