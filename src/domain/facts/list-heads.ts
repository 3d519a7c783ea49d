import { HEAD_PATTERNS, type Pattern } from "./head-patterns.ts";
import type { Language } from "./nouns.ts";
import { rankOf } from "./ordinals.ts";
import { isNounPhrase, ORDER_DE, ORDER_EN, ORDER_ES, ORDER_FR } from "./phrases.ts";
import { LETTERS } from "./plain-text.ts";

/** A place at which the speaker begins to say what they like best. Offsets are into the text (and its shadow). */
export type Head = {
  language: Language;
  /** `list`: values follow. `single`: one value of one rank follows. `backward`: the value stands before. */
  form: "list" | "single" | "backward";
  at: number;
  end: number;
  /** Null: the noun is understood from the statement before. */
  noun: string | null;
  /** No word says "favorite": only a known topic counts. */
  knownOnly: boolean;
  /** As it was said: an ordinal or a cardinal. */
  rank: string | null;
  /** Of "top 3": how many values follow. */
  top: number | null;
  ordered: boolean;
};

const COMPILED = HEAD_PATTERNS.map((pattern) => ({ ...pattern, regex: new RegExp(pattern.source, "gu") }));
/** What every head of a language has; a pattern that never runs is never compiled. */
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
const MAX_HEADS = 60;
/** "My favorites:", after which lines name a known topic each. */
const UMBRELLA =
  /(?<![\p{L}\p{N}'])my (?:all[- ]time |personal |current |top \d )?(?:favou?rites|favs|faves)(?: are| so far| list)? ?[:\n]/u;
const LABEL = /^(?:[-*•] ?)?(?<noun>[\p{L}][\p{L} -]{1,30}) ?: ?\n?/gmu;

/** All heads of a text, by where they begin; of those that overlap, the one that says a rank, then the longest. */
export function findHeads(shadow: string): Head[] {
  const found = [
    ...COMPILED.filter(({ language }) => CUES[language].test(shadow)).flatMap((pattern) => headsOf(pattern, shadow)),
    ...labelsOf(shadow),
  ].toSorted(
    (a, b) =>
      a.at - b.at || Number(b.rank !== null && b.noun !== null) - Number(a.rank !== null && a.noun !== null) || b.end - a.end,
  );
  const heads: Head[] = [];
  for (const head of found) {
    const last = heads.at(-1);
    if (last === undefined || head.at >= last.end) heads.push(head);
    else if (last.form === "backward" && last.rank === null && head.form === "list") heads[heads.length - 1] = head;
    if (heads.length === MAX_HEADS) break;
  }
  return heads;
}

function headsOf(pattern: Pattern & { regex: RegExp }, shadow: string): Head[] {
  const heads: Head[] = [];
  const { regex } = pattern;
  regex.lastIndex = 0;
  for (let match = regex.exec(shadow); match !== null && heads.length < MAX_HEADS; match = regex.exec(shadow)) {
    const noun = match.groups?.noun;
    if (pattern.language === "en" && noun !== undefined && !isNounPhrase(noun)) regex.lastIndex = match.index + 1;
    else heads.push(headOf(pattern, { match, shadow }));
  }
  return heads;
}

function headOf({ language, form, knownOnly }: Pattern, { match, shadow }: { match: RegExpExecArray; shadow: string }): Head {
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
    ordered: ORDERED.test(whole) || ORDERED_BEFORE.test(shadow.slice(Math.max(0, index - 60), index)),
  };
}

function labelsOf(shadow: string): Head[] {
  const from = UMBRELLA.exec(shadow)?.index;
  if (from === undefined) return [];
  return headsOf({ language: "en", form: "list", knownOnly: true, source: "", regex: LABEL }, shadow).filter(
    ({ at }) => at > from,
  );
}

function topOf(count: string | undefined): number | null {
  return count?.startsWith("top") === true ? rankOf(count.replace(/^top[ -]?/, "")) : null;
}
