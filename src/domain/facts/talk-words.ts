import type { ListTalk } from "#core/language/list-talk";
import { ordinal } from "#core/language/list-words";
import { PACKS } from "#core/language/packs";
import { anyScript } from "#core/language/patterns";
import { stemEnglish, stemGerman } from "#core/text/analyse";
import { fold } from "#core/text/normalize";
import { listsOf } from "./languages.ts";
import { rankOf } from "./ordinals.ts";

/** A class of words of a language. */
export type TalkClass = { [K in keyof ListTalk]-?: Exclude<ListTalk[K], undefined> extends string ? K : never }[keyof ListTalk];

/** What one language says of lists, ready to be looked for in normalized text. */
export type Talk = {
  code: string;
  spaced: boolean;
  /** All places of a class in a text. */
  find: (name: TalkClass, text: string) => Span[];
  has: (name: TalkClass, text: string) => boolean;
  /** The length of the class's words at the beginning of a text; 0 for none. */
  leads: (name: TalkClass, text: string) => number;
  themes: readonly RegExp[];
  /** The places of ordinals in a text, and the rank with which it begins. */
  ordinals: (text: string) => Span[];
  rankAtStart: (text: string) => { rank: number; end: number } | null;
};

export type Span = { start: number; end: number };

const HAN = "\\u3005-\\u3007\\u3400-\\u9fff";
const NOTHING = /(?!)/gu;

function compile(source: string | undefined, spaced: boolean): RegExp {
  if (source === undefined || source === "") return NOTHING;
  const alternatives = source.includes("(") ? source : longestFirst(source);
  const bounded = spaced ? `(?<![\\p{L}\\p{N}'’])(?:${alternatives})(?![\\p{L}\\p{N}]|'\\p{L}{3})` : `(?:${alternatives})`;
  return new RegExp(anyScript(bounded).replaceAll("\\p{N}", "0-9"), "gu");
}

function ordinalPattern(code: string, spaced: boolean): RegExp {
  const words = listsOf(code);
  if (words === undefined) return NOTHING;
  const source = ordinal(words.ordinals, words.figures);
  return new RegExp(spaced ? `(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])` : source, "gu");
}

function longestFirst(source: string): string {
  return source
    .split("|")
    .toSorted((a, b) => b.length - a.length)
    .join("|");
}

const TALKS: readonly Talk[] = PACKS.flatMap(({ code, spaced, listTalk }) =>
  listTalk === undefined ? [] : [talkOf(code, spaced, listTalk)],
);

function firstTalk(): Talk {
  const [first] = TALKS;
  if (first === undefined) throw new Error("No language has words of lists.");
  return first;
}

const DEFAULT = { talk: firstTalk() };

function talkOf(code: string, spaced: boolean, words: ListTalk): Talk {
  const compiled = new Map<TalkClass, RegExp>();
  const pattern = (name: TalkClass): RegExp => {
    const known = compiled.get(name) ?? compile(words[name], spaced);
    compiled.set(name, known);
    return known;
  };
  const find = (name: TalkClass, text: string): Span[] =>
    cached(`find\n${code}\n${name}\n${text}`, () =>
      [...text.matchAll(pattern(name))].map(({ index, 0: found }) => ({ start: index, end: index + found.length })),
    );
  const rank = ordinalPattern(code, spaced);
  const ordinals = (text: string): Span[] =>
    [...text.matchAll(rank)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
  return {
    code,
    spaced,
    find,
    ordinals,
    rankAtStart: (text) => {
      const [first] = ordinals(text);
      const said = first?.start === 0 ? rankOf(text.slice(0, first.end)) : null;
      if (first === undefined || said === null) return null;
      const rest = text.slice(first.end);
      const [verb] = find("rankVerb", rest).filter(({ start }) => start === 1);
      const from = verb?.end ?? 0;
      return { rank: said, end: first.end + from + (/^[ :,=-]*/.exec(rest.slice(from))?.[0].length ?? 0) };
    },
    has: (name, text) => text.search(pattern(name)) >= 0,
    leads: (name, text) => {
      const [first] = find(name, text);
      return first?.start === 0 ? first.end : 0;
    },
    themes: words.themes.map((theme) => compile(theme, spaced)),
  };
}

/** The language of which a text has the most different words that talk of lists has; of several, `like` or the first. */
export function talkIn(text: string, like?: Talk): Talk {
  const han = new RegExp(`[${HAN}]`, "u").test(text);
  const [first = DEFAULT] = TALKS.filter(({ spaced }) => spaced !== han)
    .map((talk) => ({ talk, words: hitsOf(talk, text) + (talk === like ? FEW_WORDS : 0) }))
    .toSorted((a, b) => b.words - a.words);
  return first.talk;
}

/** So many more words another language needs to be taken for that of a message. */
const FEW_WORDS = 1.5;

function hitsOf({ find }: Talk, text: string): number {
  const spans = [...find("empty", text), ...find("kinds", text)];
  return new Set(spans.map(({ start, end }) => text.slice(start, end))).size;
}

/** A word, or one Chinese character. `stem` is equal for its forms. */
export type Word = Span & { stem: string };

const WORD = new RegExp(`[${HAN}]|[a-z\\u00c0-\\u1fff0-9]+(?:[-'’][a-z\\u00c0-\\u1fff0-9]+)*`, "gu");

/** What was read of texts during one `cachingWords`; null outside it, so that no text of a user outlives the call that read it. */
let known: Map<string, unknown> | null = null;

/** Runs a synchronous function in which what is read of a text is read once: each message is compared with each item of each list. */
export function cachingWords<T>(run: () => T): T {
  known = new Map();
  try {
    return run();
  } finally {
    known = null;
  }
}

/** What `make` reads, kept under its name during `cachingWords`. */
export function cached<T>(name: string, make: () => T): T {
  const before = known?.get(name);
  if (before !== undefined) return before as T;
  const made = make();
  known?.set(name, made);
  return made;
}

export function wordsIn(text: string, { code }: Pick<Talk, "code">): readonly Word[] {
  return cached(`words\n${code}\n${text}`, () => readWords(text, code));
}

function readWords(text: string, code: string): Word[] {
  return [...text.matchAll(WORD)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    stem: stemOf(word.replace(/['’](?:s|re|ve|ll|d|m)$/, "").replace(/^(?:[ldjmnstc]|qu)['’]/, ""), code),
  }));
}

function stemOf(word: string, code: string): string {
  const folded = fold(word);
  if (/^[a-z]+$/.test(folded)) return stemEnglish(code === "de" ? stemGerman(folded) : folded);
  return folded.replace(/^(\d+)(?:st|nd|rd|th)$/, "$1");
}

/** The words of a text that are in none of the classes. */
export function contentWords(text: string, talk: Talk, classes: readonly TalkClass[] = ["empty", "generic"]): Word[] {
  const spans = classes.flatMap((name) => talk.find(name, text));
  return wordsIn(text, talk).filter((word) => !spans.some(({ start, end }) => start <= word.start && word.end <= end));
}

/** Whether two stems are one word: equal, or one goes on a little after five letters. */
export function sameStem(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 5 && long.length - short.length <= 2 && long.startsWith(short);
}
