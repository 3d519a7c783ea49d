import { toNormalizedText } from "#core/language/folded";
import { fold } from "#core/text/normalize";
import { type Language, nounForm } from "./nouns.ts";
import { rankOf } from "./ordinals.ts";
import { isNounPhrase } from "./phrases.ts";
import { plainText } from "./plain-text.ts";
import { FOLLOW_UPS, QUESTION_PATTERNS, type QuestionPattern } from "./question-patterns.ts";
import { type TopicIndex, topicOfPhrase } from "./topics.ts";

export type Route = { ask: "rank"; rank: number | "last"; topic: string | null } | { ask: "list"; topic: string | null };

/** A longer message says more than the question, and the model has to answer the rest. */
const MAX_QUESTION = 300;
const MAX_FOLLOW_UP = 60;
const PATTERNS = QUESTION_PATTERNS.map((pattern) => ({ ...pattern, regex: new RegExp(`^(?:${pattern.source})$`, "u") }));
const FOLLOWING = FOLLOW_UPS.map((pattern) => ({ ...pattern, regex: new RegExp(`^(?:${pattern.source})$`, "u") }));
const SENTENCE = /[^!?。\n]*?(?:(?<!\d|\b(?:no|nr|num))\.(?=\s|$)|[!?。\n]+|$)/gu;
const COURTESY =
  /^(?:thanks?(?: you)?(?: (?:so much|a lot|in advance))?|thx|ty|please|pls|hi|hey|hello|hi there|yo|ok|okay|cool|great|good (?:morning|evening)|danke|bitte|hallo|hola|gracias|por favor|salut|bonjour|merci|你好|谢谢)$/u;
/** Words before the question; those that ask make it a question without a question mark. */
const GREETING =
  /^(?:hey|hi|hello|yo|ok|okay|so|well|and|also|now|please|pls|plz|quick question|question|umm?|hmm|alright|actually|just|btw|by the way|i forgot|i forget|oh|cool|great|thanks|sorry|hallo|ok(?:ay)?|also|und|bitte|ubrigens|sag mal|hola|oye|y|por favor|una pregunta|salut|bonjour|dis|et|alors|svp|stp|s'il te plait|你好|请问?|那么?|嘿)(?: there)?(?![\p{L}\p{N}'-])[ ,:;]*|^(?:请问?|那么?)/u;
const ASKING =
  /^(?:(?:can|could|would|will) you(?: please| kindly)?|do you (?:still )?(?:remember|know|recall)|you remember|remember|(?:please )?(?:remind|tell) me(?: again)?|do you (?:still )?have|i want to know|i'd like to know|any idea|help me remember|any chance you remember|weißt du(?: noch)?|weisst du(?: noch)?|kannst du(?: mir)?(?: bitte)?(?: sagen)?|erinnerst du dich(?: noch)? an|sag mir|te acuerdas de|recuerdas|sabes|(?:puedes|podrias)(?: (?:decirme|recordarme|darme|listar(?:me)?|mostrarme|enumerar))?|me (?:dices|recuerdas)|tu te (?:souviens|rappelles)(?: de)?|te souviens-tu de|(?:peux-tu|tu peux|pourrais-tu|tu pourrais)(?: (?:me )?(?:dire|rappeler|donner|lister|montrer|citer|enumerer))?|tu sais|rappelle-moi)(?![\p{L}\p{N}'-])[ ,:;]*|^(?:你?还?记得|你知道|你能告诉我|告诉我|你?(?:能不能|可以|能))/u;
const TRAILING =
  /(?<![ ,;:])[ ,;:]*(?:(?<![\p{L}\p{N}'])(?:again|please|pls|plz|thanks|thank you|thx|now|currently|right now|is|was|are|were|so far|from memory|in order|in the right order|in (?:this|that) order|ranked|of all time|all|once more|one more time|for me|if you remember|do you (?:remember|know|recall)|(?:that )?i (?:told|gave|mentioned|listed|shared)(?: to| with)?(?: you)?(?: about)?(?: before| earlier)?|(?:that )?you have(?: (?:stored|saved|on file|for me))?|stored|saved|on file|then|lol|haha|mate|bro|dude|buddy|nochmal|noch mal|bitte|ist|war|sind|waren|denn|auf|nennen|sagen|zeigen|auflisten|aufzahlen|verraten|geben|der reihe nach|por favor|gracias|ahora|en orden|deja|svp|stp|s'il te plait|s'il vous plait|merci|dans l'ordre|maintenant)(?![\p{L}\p{N}'])|(?:[吗嗎呢吧啊]|来着))$/u;

const CHAT_WORDS: readonly (readonly [word: RegExp, plain: string])[] = [
  [/(?<![\p{L}'])u(?![\p{L}'])/gu, "you"],
  [/(?<![\p{L}'])(?:gimme|gimmie)(?![\p{L}'])/gu, "give me"],
  [/(?<![\p{L}'])(?:lemme)(?![\p{L}'])/gu, "let me"],
  [/(?<![\p{L}'])(?:wat|wut|wot)(?=s?(?![\p{L}']))/gu, "what"],
  [/(?<![\p{L}'])list (?:out|off)(?![\p{L}'])/gu, "list"],
  [/ (?:did|have) i (?:say|said|tell you|told you|mention|mentioned|list|give you)(?: that)?(?= )| would you say(?= )/gu, ""],
];

const PLEASE = /(?<!\p{L})(?:please|pls|plz|bitte|por favor|stp|svp)(?!\p{L})/u;

/** A word that every question of the language has. Patterns of other languages are not run, and so never compiled. */
const CUES: Readonly<Record<Language, RegExp>> = {
  en: /\bmy |fav|\bi (?:like|love|prefer)/,
  de: /lieb(?:ling|st)|\bmeine? (?:nummer|top|#)/,
  es: /favorit|preferid|\bmi /,
  fr: /prefere|favori|\bmon /,
  zh: /我/,
};
/** A word that every follow-up question has. */
const FOLLOW_UP =
  /\b(?:the|my|them|'?em|der|die|das|mein|sie|el|la|le|l[oa]s|les)\b|l[oa]s$|[#\d]|\bn(?:umber|um|o|r|ummer|umero)\b|\bone$|[第最列]/;

type Question = { text: string; asks: boolean; polite: boolean; alone: boolean };

/** What a message asks of the stored facts, if it asks nothing else. A null topic is the topic of the last question. */
export function routeQuestion(text: string, topicIndex: TopicIndex): Route | null {
  if (text.length > MAX_QUESTION) return null;
  const question = questionOf(plainWords(toNormalizedText(plainText(text))));
  if (question === null) return null;
  for (const pattern of PATTERNS.filter(({ language }) => CUES[language].test(question.text))) {
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

const REQUEST =
  /^(?:please |can you |could you )?(?:write|make|give|show|tell|list|explain|find|recommend|suggest|create|compare|translate|imagine|suppose|pretend|if|schreib|stell|erklar|escribe|explica|imagina|ecris|explique|imagine|写|假设|想象)/u;

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
  return /^(?:tell me|remind me|remind me of) (?:all |the |my )|^sag mir |^告诉我/u.test(text);
}

function matched(
  { regex, ...pattern }: QuestionPattern & { regex: RegExp },
  { question, topicIndex }: { question: Question; topicIndex: TopicIndex },
): Route | null {
  if (pattern.bare === true && !question.asks && !question.polite) return null;
  for (const text of trimmings(question.text)) {
    const groups = regex.exec(text)?.groups;
    if (groups === undefined) continue;
    const noun = groups.noun ?? groups.noun2 ?? "";
    if (pattern.language === "en" && !isNounPhrase(noun)) continue;
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

function isPlural(noun: string, { language }: QuestionPattern): boolean {
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
  if (/^(?:last|letzt|ultim|derni|最[后後])/.test(word)) return "last";
  if (word === "top") return 1;
  return rankOf(word);
}
