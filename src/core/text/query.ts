import { analyse } from "./analyse.ts";
import { STOP_WORDS, WEAK_WORDS } from "./stop-words.ts";

export type QueryTerm = { term: string; weight: number };

export type QueryAnalysis = {
  /** Distinct, without stop words unless nothing else is left, at most 64, in the order of the question. */
  terms: QueryTerm[];
  asksWhen: boolean;
  namesNow: boolean;
  firstPerson: boolean;
  /** Whether it asks for everything known about the asker. */
  aboutSelf: boolean;
  /** Every token of the question, stop words and names with it. */
  words: string[];
};

const MAX_TERMS = 64;
/** Against full weight +.004 recall at ten on LoCoMo; .3 and .7 give the same. */
const WEAK_WEIGHT = 0.5;

/** A Han character that is also inside a longer term of the question. */
const CHARACTER_WEIGHT = 0.3;
const HAN_CHARACTER = /^\p{Script=Han}$/u;

const ASKS_WHEN =
  /\b(?:when|(?:what|which) (?:date|day|month|year|time|season|week)|how long ago|wann|quand|cu[aá]ndo|quando)\b|什么时候|什麼時候|何时|何時|几点|いつ|เมื่อไ|متى|когда/iu;
const NAMES_NOW =
  /\b(?:now|nowadays|currently|current|today|tonight|latest|lately|these days|this (?:week|month|year)|at the moment|jetzt|heute|aktuell|maintenant|ahora|hoy)\b|现在|今天|最近|今日|ตอนนี้|วันนี้|الآن|اليوم|сейчас|сегодня/iu;
const FIRST_PERSON =
  /(?<!\p{L})(?:i|me|my|mine|myself|we|us|our|ich|mein\p{L}*|mir|mich|mon|mes|mi|mis|я|мой|моя|мне)(?!\p{L})|我|私|僕|ฉัน|ผม|أنا/iu;
const ABOUT_SELF =
  /\babout (?:me|myself)\b|\bknow(?:n)? of me\b|\bwho am i\b|\bdescribe me\b|über mich\b|\bsur moi\b|sobre m[íi](?:m)?(?!\p{L})|\bsu di me\b|\bover mij\b|\bom mig\b|(?<!\p{L})обо мне(?!\p{L})|关于我|關於我|了解我|私について|僕について|เกี่ยวกับฉัน|عني/iu;
/** The month, not the verb: capitalised inside a sentence, or beside a number or a preposition of time. */
const MAY_THE_MONTH =
  /(?<=\S\s)May\b|\b(?:in|since|until|by|last|next|this|early|mid|late|\d+(?:st|nd|rd|th)?)[\s-]+may\b|\bmay\s+\d/u;
const MAY = analyse("may").join();

/** What a question asks for, in the tokens of the index. */
export function queryTerms(question: string): QueryAnalysis {
  const words = analyse(question);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const mayIsMonth = MAY_THE_MONTH.test(question);
  const content = [...counts.keys()].filter((term) => !STOP_WORDS.has(term) || (mayIsMonth && term === MAY));
  const terms = content.length > 0 ? content : [...counts.keys()];
  return {
    terms: mostTelling(terms, counts).map((term) => ({ term, weight: weightOf(term, terms) })),
    asksWhen: ASKS_WHEN.test(question),
    namesNow: NAMES_NOW.test(question),
    firstPerson: FIRST_PERSON.test(question),
    aboutSelf: ABOUT_SELF.test(question) || (content.length === 0 && FIRST_PERSON.test(question)),
    words: [...words],
  };
}

function weightOf(term: string, terms: readonly string[]): number {
  if (WEAK_WORDS.has(term)) return WEAK_WEIGHT;
  const inLonger = HAN_CHARACTER.test(term) && terms.some((other) => other !== term && other.includes(term));
  return inLonger ? CHARACTER_WEIGHT : 1;
}

/** Of too many terms, keeps the repeated and the long, which are the rarer words of most languages. */
function mostTelling(terms: readonly string[], counts: ReadonlyMap<string, number>): string[] {
  if (terms.length <= MAX_TERMS) return [...terms];
  const value = (term: string) => (counts.get(term) ?? 0) * 2 + Math.min(term.length, 12);
  const kept = new Set([...terms].sort((a, b) => value(b) - value(a)).slice(0, MAX_TERMS));
  return terms.filter((term) => kept.has(term));
}
