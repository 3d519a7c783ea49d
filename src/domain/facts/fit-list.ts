import { toNormalizedText } from "#core/language/folded";
import { classOf } from "#core/language/word-classes";
import { hasNumberedRank, rankSpans } from "./ask-rank.ts";
import { type KeptItem, type KeptList, type Mention, mentionsIn, nameStems, stemsOf } from "./kept-list.ts";
import { EXPLAINING, type Question } from "./list-question.ts";
import { type Span, sameStem, type Word, wordsIn } from "./talk-words.ts";

/** How a question fits a list. */
export type Fit = {
  /** How many of its words are words of the list's name, and of the same errand. */
  topic: number;
  kin: number;
  mentions: { item: KeptItem; by: Mention["by"] }[];
  /** Whether it has no verb but those of the list's name or errand. */
  plain: boolean;
  /** Its words that nothing of the list explains. */
  unknown: string[];
  /** What each of its words is to the list; null for a word that has to do with no list in particular. */
  roles: (WordRole | null)[];
};

/** A word of an item, of the list's name, of its errand, of a rank, of something else that was said of it, or of another errand. */
export type WordRole = "item" | "name" | "kin" | "rank" | "said" | "foreign";

/** Whether nothing of a question is left unexplained but what `spare` allows. */
export function isExplained(question: Question, list: KeptList, fit: Fit): boolean {
  return fit.unknown.length <= spare(question, list, fit);
}

/**
 * How many words a question may have that the list does not explain. What is left, or still on, is asked of a list; everything else needs all
 * its words explained.
 */
function spare({ text, asksByMark }: Question, { talk }: KeptList, { unknown, mentions, topic }: Fit): number {
  const asksRank = talk.has("me", text) && hasNumberedRank(text, talk);
  if (!(talk.has("left", text) || asksRank) || unknown.some((word) => talk.has("kinds", word) || isTime(word))) return 0;
  if (talk.leads("polar", text) > 0 || asksByMark) return mentions.length > 0 || topic > 0 ? 1 : 0;
  return mentions.length === 0 && (topic > 0 || talk.has("howMany", text) || talk.has("me", text)) ? 1 : 0;
}

function isTime(word: string): boolean {
  return classOf(word) === "time" || /^(?:last|ago|before)$/.test(word);
}

/** How a question fits a list. `said`: the stems of what was said in the list's chat. */
export function fitting({ text }: Question, list: KeptList, said: ReadonlySet<string> = NOTHING_SAID): Fit {
  const { talk } = list;
  const names = nameStems(list);
  const head = toNormalizedText(list.head);
  const errands = (own: boolean) =>
    talk.themes.filter((theme) => head.search(theme) >= 0 === own).flatMap((theme) => [...text.matchAll(theme)].map(spanOf));
  const [kin, foreign] = [errands(true), errands(false)];
  const ranks = rankSpans(text, talk);
  const empty = talk.find("empty", text);
  const within = (spans: readonly Span[], word: Span) => spans.some((span) => covers(span, word));
  const explaining = EXPLAINING.flatMap((name) => talk.find(name, text));
  const known = [...kin, ...explaining, ...ranks];
  const ofAny = EXPLAINING.filter((name) => name !== "verbs").flatMap((name) => talk.find(name, text));
  const mentions = mentionsIn(text, list);
  const items = mentions.flatMap(({ index }) => itemStems(list.items[index], list));
  const words = wordsIn(text, talk);
  const isName = ({ stem }: Word) => names.some((each) => sameStem(each, stem));
  const isKnown = (word: Word) =>
    isName(word) || items.some((stem) => sameStem(stem, word.stem)) || known.some((span) => covers(span, word));
  const verbs = talk
    .find("verbs", text)
    .filter((span) => ![...talk.find("empty", text), ...kin].some((each) => covers(each, span)));
  const meant = mentions.flatMap(({ index, by, start, end }) => {
    const item = list.items[index];
    // Words of the list's name or without content speak of no item in particular: "what was i going to …".
    const isNone = words.filter((word) => covers({ start, end }, word)).every((word) => isName(word) || within(empty, word));
    return item === undefined || isNone ? [] : [{ item, by }];
  });
  const meantStems = meant.flatMap(({ item }) => itemStems(item, list));
  const roleOf = (word: Word): WordRole | null => {
    if (meantStems.some((stem) => sameStem(stem, word.stem))) return "item";
    if (isName(word)) return "name";
    if (within(ranks, word)) return "rank";
    if (within(kin, word) && !within(empty, word)) return "kin";
    if (said.has(word.stem) && !within(explaining, word)) return "said";
    return within(foreign, word) && !within(ofAny, word) && !within(kin, word) ? "foreign" : null;
  };
  return {
    topic: words.filter(isName).length,
    kin: kin.length,
    mentions: meant,
    roles: words.map(roleOf),
    plain: verbs.every((span) => words.some((word) => covers(span, word) && isName(word))),
    unknown: isOtherErrand(text, list, mentions.length + kin.length)
      ? [text]
      : words.filter((word) => !isKnown(word)).map(({ start, end }) => text.slice(start, end)),
  };
}

const NOTHING_SAID: ReadonlySet<string> = new Set();

/** In a text without spaces single characters explain nearly everything: a word of another errand is another question. */
function isOtherErrand(text: string, { talk, head }: KeptList, own: number): boolean {
  if (talk.spaced || own > 0 || !talk.has("listNamed", text)) return false;
  return talk.themes.some((theme) => head.search(theme) < 0 && text.search(theme) >= 0);
}

function itemStems(item: KeptItem | undefined, { talk }: KeptList): string[] {
  if (item === undefined) return [];
  return [...stemsOf(item.value, talk), ...(item.label === null ? [] : stemsOf(item.label, talk))];
}

function spanOf({ index, 0: found }: RegExpExecArray): Span {
  return { start: index, end: index + found.length };
}

export function covers(span: Span, word: Span): boolean {
  return span.start <= word.start && word.end <= span.end;
}
