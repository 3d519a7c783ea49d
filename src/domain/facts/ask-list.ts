import { toNormalizedText } from "#core/language/folded";
import { classOf } from "#core/language/word-classes";
import { type KeptItem, type KeptList, mentionsIn, nameStems, stemsOf } from "./kept-list.ts";
import { plainLine } from "./list-statement.ts";
import { rankOf } from "./ordinals.ts";
import { sentencesOf } from "./split-items.ts";
import { contentWords, type Span, sameStem, type Talk, type TalkClass, talkIn, type Word, wordsIn } from "./talk-words.ts";

/** What a question asks of a list, and the answer. `sure`: false if the list may have changed in a way that was not understood. */
export type ListAnswer = ValuesAnswer | { ask: "count"; count: number } | { ask: "member"; yes: boolean };

export type ValuesAnswer = { ask: "list" | "rank"; values: { rank: number; value: string }[]; rank: number | null };

const MAX_UNITS = 160;

export type Question = {
  text: string;
  asksByMark: boolean;
};

/** The one question of a message; null for a longer message, which asks more than a list knows. */
export function questionOf(message: string): Question | null {
  const plain = plainLine(message);
  if (plain.length > MAX_UNITS || plain.includes("\n")) return null;
  const sentences = sentencesOf(plain);
  const [text] = sentences;
  if (text === undefined || sentences.length > 2) return null;
  return {
    text: toNormalizedText(sentences.length === 1 ? plain.replace(/[?？!.。]+$/u, "") : plain),
    asksByMark: /[?？]/u.test(plain),
  };
}

/** Whether a message can be a question about a list at all, judged by its words alone. */
export function mayAskLists(message: string): boolean {
  const question = questionOf(message);
  if (question === null) return false;
  const { text } = question;
  const talk = talkIn(text);
  if (talk.leads("asksElse", text) > 0) return false;
  const named = (["howMany", "howMuch", "what", "who", "show", "left", "generic", "polarAnywhere"] as const).some((name) =>
    talk.has(name, text),
  );
  return named || question.asksByMark || talk.leads("polar", text) > 0 || rankSpans(text, talk).length > 0;
}

/** The words for what a question surely takes for a list of the speaker's ("did I give you a list of …"); null for any other question. */
export function namedList(message: string): string | null {
  const question = questionOf(message);
  if (question === null) return null;
  const talk = talkIn(question.text);
  if (!talk.has("listNamed", question.text) || !talk.has("kinds", question.text)) return null;
  const words = contentWords(question.text, talk, EXPLAINING).map(({ start, end }) => question.text.slice(start, end));
  return words.length === 0 ? null : words.join(" ");
}

const EXPLAINING: readonly TalkClass[] = [
  "empty",
  "generic",
  "howMany",
  "what",
  "who",
  "show",
  "left",
  "isDone",
  "onList",
  "next",
  "verbs",
  "polarAnywhere",
];

/** How a question fits a list: its words for the list's name, the items that it speaks of; null if it has words for something else. */
export type Fit = {
  /** Without verbs of its own. */ plain: boolean;
  topic: number;
  kin: number;
  mentions: { item: KeptItem; by: "label" | "value" | "both" }[];
};

export function fitOf(question: Question, list: KeptList): Fit | null {
  const found = fitting(question, list);
  return found.unknown.length <= spare(question, list, found) ? found : null;
}

/**
 * How many words a question may have that the list does not explain. What is left, or still on, is asked of a list; everything else needs all
 * its words explained.
 */
function spare({ text }: Question, { talk }: KeptList, { unknown, mentions, topic }: Fit & { unknown: string[] }): number {
  const asksRank = talk.has("me", text) && (talk.ordinals(text).length > 0 || text.search(NUMBERED) >= 0);
  if (!(talk.has("left", text) || asksRank) || unknown.some((word) => talk.has("kinds", word) || isTime(word))) return 0;
  const polar = talk.leads("polar", text) > 0;
  return polar
    ? mentions.length > 0
      ? 1
      : 0
    : mentions.length === 0 && (topic > 0 || talk.has("howMany", text) || talk.has("me", text))
      ? 1
      : 0;
}

function isTime(word: string): boolean {
  return classOf(word) === "time" || /^(?:last|ago|before)$/.test(word);
}

/** As `fitOf`, with the words that the list does not explain. */
export function fitting(question: Question, list: KeptList): Fit & { unknown: string[] } {
  const { talk } = list;
  const { text } = question;
  const named = nameStems(list);
  const head = toNormalizedText(list.head);
  const kin = talk.themes.filter((theme) => head.search(theme) >= 0).flatMap((theme) => [...text.matchAll(theme)].map(spanOf));
  const plain = EXPLAINING.flatMap((name) => talk.find(name, text));
  const ranks = rankSpans(text, talk);
  const mentions = mentionsIn(text, list);
  const itemStems = mentions.flatMap(({ index }) => {
    const item = list.items[index];
    return item === undefined ? [] : [...stemsOf(item.value, talk), ...(item.label === null ? [] : stemsOf(item.label, talk))];
  });
  const words = wordsIn(text, talk);
  const isNamed = ({ stem }: Word) => named.some((each) => sameStem(each, stem));
  const unknown = words.filter(
    (word) =>
      !isNamed(word) &&
      !itemStems.some((stem) => sameStem(stem, word.stem)) &&
      ![...kin, ...plain, ...ranks].some((span) => covers(span, word)),
  );
  const about = mentions.filter(({ index, start, end }) => {
    const of = words.filter((word) => word.start >= start && word.end <= end);
    const item = list.items[index];
    return item !== undefined && !of.every((word) => isNamed(word));
  });
  const verbs = talk
    .find("verbs", text)
    .filter((span) => !talk.find("empty", text).some((each) => each.start <= span.start && span.end <= each.end));
  // In a text without spaces single characters explain nearly everything: a word of another errand is another question.
  if (
    !talk.spaced &&
    talk.themes.some((theme) => head.search(theme) < 0 && text.search(theme) >= 0) &&
    mentions.length === 0 &&
    kin.length === 0 &&
    talk.has("listNamed", text)
  )
    return { plain: false, topic: 0, kin: 0, mentions: [], unknown: [text] };
  return {
    unknown: unknown.map(({ start, end }) => text.slice(start, end)),
    plain: !verbs.some(
      (span) =>
        !kin.some((each) => each.start <= span.start && span.end <= each.end) &&
        !words.some((word) => covers(span, word) && isNamed(word)),
    ),
    topic: words.filter(isNamed).length,
    kin: kin.length,
    mentions: about.flatMap(({ index, by }) => {
      const item = list.items[index];
      return item === undefined ? [] : [{ item, by }];
    }),
  };
}

function spanOf({ index, 0: found }: RegExpMatchArray): Span {
  return { start: index ?? 0, end: (index ?? 0) + found.length };
}

function covers(span: Span, word: Span): boolean {
  return span.start <= word.start && word.end <= span.end;
}

const LAST =
  /(?<!\p{L})(?:last|bottom|letzt\w*|ultim[ao]|dernier\w*)(?!\p{L})(?! (?:year|week|month|time|night|summer|winter|one i|jahr|woche|monat|mal|ano|mes|semana|annee|mois|semaine|fois))|最后/gu;
/** "My top flat", "favourite colour?": the first, where the noun is no plural. */
const TOP =
  /(?<!\p{L})(?:top|favou?rite|fave?|number one|no ?1|#1)(?!\p{L})(?! (?:\d|two|three|four|five|six|ten|of|one|list|ranking))/gu;
const TOP_PLURAL = /(?:top|favou?rite|fave?) (?:\p{L}+ )?\p{L}+s(?: list| ranking| in order)?$/u;

const NUMBERED = /(?:number|no\.?|#|nummer|numero|platz|第) ?(?<n>\d{1,2}|one|two|three|four|five|一|二|三|四|五)/gu;

function rankSpans(text: string, talk: Talk): Span[] {
  return [...talk.ordinals(text), ...[LAST, TOP, NUMBERED].flatMap((pattern) => [...text.matchAll(pattern)].map(spanOf))];
}

/** The rank that a question asks for. */
function rankAsked(text: string, talk: Talk): number | "last" | null {
  const [span] = talk.ordinals(text);
  if (span !== undefined) return rankOf(text.slice(span.start, span.end));
  const numbered = [...text.matchAll(NUMBERED)][0]?.groups?.n;
  if (numbered !== undefined) return rankOf(numbered);
  if (text.search(LAST) >= 0) return "last";
  if (talk.has("next", text)) return 1;
  return text.search(TOP) >= 0 && !TOP_PLURAL.test(text) && !talk.has("show", text.replace(/(?:ranking|order)$/, "")) ? 1 : null;
}

/** The answer of a list to a question that fits it; null if it has none that is sure. */
export function answerOf(question: Question, list: KeptList, fit: Fit): ListAnswer | null {
  const { text } = question;
  const { talk } = list;
  const polar = text.split(/[,，] ?/u).some((part) => talk.leads("polar", part) > 0) || talk.has("polarAnywhere", text);
  const who = talk.has("who", text);
  const asks = talk.has("what", text) || who || talk.has("show", text);
  const group = labelled(list, fit);
  const bare = contentWords(text, talk, EXPLAINING).every((word) => rankSpans(text, talk).some((span) => covers(span, word)));
  const byFigure = fit.mentions.some(({ item }) => /\d/.test(item.value) || item.label !== null);
  if (bare && !byFigure && rankAsked(text, talk) !== null && !talk.has("howMany", text) && !polar) {
    const rank = rankAsked(text, talk);
    return rank === null || list.unsure || list.items.some(({ unsure }) => unsure) ? null : rankOfList(list, rank);
  }
  if (talk.has("howMany", text)) return countOf(question, group ?? list, fit, group !== null);
  if (fit.mentions.length > 0 && group === null) {
    if (who && list.items.some(({ label }) => label !== null)) return fit.plain ? labelOf(list, fit) : null;
    if (talk.has("howMuch", text) || (asks && !polar)) return oneOf(question, list, fit);
    return polar || question.asksByMark ? memberOf(question, list, fit) : null;
  }
  if (polar && !talk.has("what", text) && !who) return fit.mentions.length > 0 ? memberOf(question, list, fit) : null;
  const from = group ?? list;
  if (from.items.some(({ unsure }) => unsure) || list.unsure) return null;
  const rank = rankAsked(text, talk);
  if (rank !== null) return rankOfList(from, rank);
  if (!asks && !question.asksByMark && !talk.has("generic", text) && !talk.has("left", text)) return null;
  const done = talk.has("isDone", text) && !talk.has("left", text);
  const values = from.items.filter(({ state }) => state === (done ? "done" : "open"));
  return { ask: "list", rank: null, values: values.map(({ value }, i) => ({ rank: i + 1, value })) };
}

/** The items with the label that a question names; null if it names none, or an item beside it. */
function labelled(list: KeptList, { mentions }: Fit): KeptList | null {
  const [first] = mentions;
  if (first === undefined || mentions.some(({ by, item }) => by !== "label" || item.label !== first.item.label)) return null;
  return { ...list, items: list.items.filter(({ label }) => label === first.item.label) };
}

function countOf(question: Question, list: KeptList, fit: Fit, grouped: boolean): ListAnswer | null {
  if (list.unsure || list.items.some(({ unsure }) => unsure)) return null;
  if (fit.mentions.length > 0 && !grouped) return null;
  const { talk } = list;
  const done = talk.has("isDone", question.text) && !talk.has("left", question.text);
  return { ask: "count", count: list.items.filter(({ state }) => state === (done ? "done" : "open")).length };
}

function rankOfList({ items }: KeptList, rank: number | "last"): ListAnswer | null {
  const open = items.filter(({ state }) => state === "open");
  const at = rank === "last" ? open.length : rank;
  const item = open[at - 1];
  return item === undefined ? null : { ask: "rank", rank: at, values: [{ rank: at, value: item.value }] };
}

/** "What is Jo bringing" of "Jo crisps": the item of which the question names a part. */
function oneOf({ text }: Question, { talk }: KeptList, { mentions }: Fit): ListAnswer | null {
  const [first, ...others] = mentions;
  if (first === undefined || others.length > 0 || first.item.unsure || first.item.state !== "open" || talk.has("left", text))
    return null;
  const stems = stemsOf(first.item.value, talk);
  const rest = stems.filter((stem) => !wordsIn(text, talk).some((word) => sameStem(word.stem, stem)));
  if (rest.length === 0 || (talk.has("howMuch", text) && !/\d/.test(first.item.value))) return null;
  return { ask: "list", rank: null, values: [{ rank: 1, value: first.item.value }] };
}

/** Who has an item. */
function labelOf(list: KeptList, { mentions }: Fit): ListAnswer | null {
  const labels = [...new Set(mentions.map(({ item }) => item.label))];
  const [label] = labels;
  if (
    labels.length !== 1 ||
    label === null ||
    label === undefined ||
    mentions.some(({ item }) => item.unsure || item.state !== "open")
  )
    return null;
  return { ask: "list", rank: null, values: [{ rank: 1, value: label }] };
}

/** Whether a question asks if something is on a list, by words that surely mean it. */
export function asksWhetherListed({ text }: Question, { talk }: KeptList): boolean {
  if (talk.leads("polar", text) === 0 || talk.has("what", text)) return false;
  return (
    (talk.leads("polarDone", text) > 0 && talk.has("listing", text)) || (talk.has("onList", text) && talk.has("listNamed", text))
  );
}

/** Whether an item is on the list, or done. */
function memberOf(question: Question, list: KeptList, { mentions }: Fit): ListAnswer | null {
  const states = new Set(mentions.map(({ item }) => item.state));
  const [state] = states;
  if (state === undefined || states.size > 1 || mentions.some(({ item }) => item.unsure)) return null;
  // What was not understood may have taken it off; what is off came back only by name.
  if (list.unsure && state === "open") return null;
  const { talk } = list;
  const open = talk.has("left", question.text);
  const past = talk.leads("polarDone", question.text) > 0 && !talk.has("listing", question.text);
  const asksDone = (past || talk.has("isDone", question.text)) && !open;
  return { ask: "member", yes: state === (asksDone ? "done" : "open") };
}
