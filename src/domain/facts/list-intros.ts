import type { IntroPattern } from "#core/language/list-words";
import { LANGUAGES, type Language, words } from "./languages.ts";
import { isNounPhrase } from "./nouns.ts";
import { rankOf } from "./ordinals.ts";

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

type Pattern = IntroPattern & { language: Language; regex: RegExp };

/** Patterns of languages whose cue a text lacks are not run, and so never compiled. */
const COMPILED = LANGUAGES.map(({ code, lists }) => ({
  cue: new RegExp(lists.cue),
  patterns: lists.intros.map((pattern): Pattern => ({ ...pattern, language: code, regex: new RegExp(pattern.source, "gu") })),
}));
const ORDERED = new RegExp(`${words("order")}|${words("ordered")}`, "u");
const ORDERED_BEFORE = new RegExp(`(?:${words("order")}),? ?(?:${words("here")})?$`, "u");
const MAX_INTROS = 60;
/** "My favorites:", followed by lines that each name a known topic. */
const UMBRELLA = new RegExp(words("umbrella"), "u");
const LABEL = /^(?:[-*•] ?)?(?<noun>[\p{L}][\p{L} -]{1,30}) ?: ?\n?/gmu;

/** All list intros of a text, in order; of intros that overlap, the one with a rank, then the longest. */
export function findListIntros(normalizedText: string): ListIntro[] {
  const found = [
    ...COMPILED.filter(({ cue }) => cue.test(normalizedText)).flatMap(({ patterns }) =>
      patterns.flatMap((pattern) => introsOf(pattern, normalizedText)),
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

function introsOf(pattern: Pattern, normalizedText: string): ListIntro[] {
  const intros: ListIntro[] = [];
  const { regex } = pattern;
  regex.lastIndex = 0;
  for (let match = regex.exec(normalizedText); match !== null && intros.length < MAX_INTROS; match = regex.exec(normalizedText)) {
    const noun = match.groups?.noun;
    if (noun !== undefined && !isNounPhrase(noun, pattern.language)) regex.lastIndex = match.index + 1;
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
