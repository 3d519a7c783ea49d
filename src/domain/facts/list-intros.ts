import { INTRO_PATTERNS, type Pattern } from "./intro-patterns.ts";
import type { Language } from "./nouns.ts";
import { rankOf } from "./ordinals.ts";
import { isNounPhrase, ORDER_DE, ORDER_EN, ORDER_ES, ORDER_FR } from "./phrases.ts";
import { LETTERS } from "./plain-text.ts";

/** The beginning of a statement of favourites. Offsets are into the text and its normalized text, which have the same length. */
export type ListIntro = {
  language: Language;
  /** `list`: values follow. `single`: one value of one rank follows. `backward`: the value comes before. */
  form: "list" | "single" | "backward";
  at: number;
  end: number;
  /** Null: the noun is that of the intro before. */
  noun: string | null;
  /** Without the word "favorite" only a known topic counts. */
  knownOnly: boolean;
  /** The ordinal or cardinal as it was said. */
  rank: string | null;
  /** The number in "top 3": how many values follow. */
  top: number | null;
  ordered: boolean;
};

const COMPILED = INTRO_PATTERNS.map((pattern) => ({ ...pattern, regex: new RegExp(pattern.source, "gu") }));
/** A word that every intro of the language has. Patterns of other languages are not run, and so never compiled. */
export const CUES: Readonly<Record<Language, RegExp>> = {
  en: /\bmy |^(?:top \w+ |\w+ )?fav/,
  de: /lieb(?:ling|st)|\btop[ -]?\d/,
  es: /\bmis? /,
  fr: /\bm(?:on|a|es) /,
  zh: /我/,
};
const ORDERED = new RegExp(
  `${ORDER_EN}|${ORDER_DE}|${ORDER_ES}|${ORDER_FR}|依次|(?<![${LETTERS}])go(?:es)?(?: like this)?[ :,]*$|按顺序|按順序|从高到低|從高到低|排序|排名`,
  "u",
);
const ORDERED_BEFORE = new RegExp(
  `(?:${ORDER_EN}|${ORDER_DE}|${ORDER_ES}|${ORDER_FR}|按顺序),? ?(?:here are |these are |hier sind |voici )?$`,
  "u",
);
const MAX_INTROS = 60;
/** "My favorites:", followed by lines that each name a known topic. */
const UMBRELLA =
  /(?<![\p{L}\p{N}'])my (?:all[- ]time |personal |current |top \d )?(?:favou?rites|favs|faves)(?: are| so far| list)? ?[:\n]/u;
const LABEL = /^(?:[-*•] ?)?(?<noun>[\p{L}][\p{L} -]{1,30}) ?: ?\n?/gmu;

/** All list intros of a text, in order; of intros that overlap, the one with a rank, then the longest. */
export function findListIntros(normalizedText: string): ListIntro[] {
  const found = [
    ...COMPILED.filter(({ language }) => CUES[language].test(normalizedText)).flatMap((pattern) =>
      introsOf(pattern, normalizedText),
    ),
    ...labelsOf(normalizedText),
  ].toSorted(
    (a, b) =>
      a.at - b.at || Number(b.rank !== null && b.noun !== null) - Number(a.rank !== null && a.noun !== null) || b.end - a.end,
  );
  const intros: ListIntro[] = [];
  for (const intro of found) {
    const last = intros.at(-1);
    if (last === undefined || intro.at >= last.end) intros.push(intro);
    else if (last.form === "backward" && last.rank === null && intro.form === "list") intros[intros.length - 1] = intro;
    if (intros.length === MAX_INTROS) break;
  }
  return intros;
}

function introsOf(pattern: Pattern & { regex: RegExp }, normalizedText: string): ListIntro[] {
  const intros: ListIntro[] = [];
  const { regex } = pattern;
  regex.lastIndex = 0;
  for (let match = regex.exec(normalizedText); match !== null && intros.length < MAX_INTROS; match = regex.exec(normalizedText)) {
    const noun = match.groups?.noun;
    if (pattern.language === "en" && noun !== undefined && !isNounPhrase(noun)) regex.lastIndex = match.index + 1;
    else intros.push(introOf(pattern, { match, normalizedText }));
  }
  return intros;
}

function introOf(
  { language, form, knownOnly }: Pattern,
  { match, normalizedText }: { match: RegExpExecArray; normalizedText: string },
): ListIntro {
  const { index, 0: whole, groups = {} } = match;
  return {
    language,
    form,
    at: index,
    end: index + whole.length,
    noun: groups.noun ?? null,
    knownOnly: knownOnly === true,
    rank: groups.rank ?? null,
    top: topOf(groups.count),
    ordered: ORDERED.test(whole) || ORDERED_BEFORE.test(normalizedText.slice(Math.max(0, index - 60), index)),
  };
}

function labelsOf(normalizedText: string): ListIntro[] {
  const from = UMBRELLA.exec(normalizedText)?.index;
  if (from === undefined) return [];
  return introsOf({ language: "en", form: "list", knownOnly: true, source: "", regex: LABEL }, normalizedText).filter(
    ({ at }) => at > from,
  );
}

function topOf(count: string | undefined): number | null {
  return count?.startsWith("top") === true ? rankOf(count.replace(/^top[ -]?/, "")) : null;
}
