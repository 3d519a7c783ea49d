import { type Features, hash, push, seedOf } from "#core/linear/features";
import { hasNumberedRank, rankSpans } from "./ask-rank.ts";
import type { Fit } from "./fit-list.ts";
import type { KeptList } from "./kept-list.ts";
import { type ListAnswer, stateOfMember } from "./list-answer.ts";
import type { Question } from "./list-question.ts";
import { type Talk, type TalkClass, wordsIn } from "./talk-words.ts";

/** What the rules make of a question; `unexplained` if it has words that nothing of the list explains. */
export type RuleAsk = ListAnswer["ask"] | "unexplained" | "none";

/** Classes by which a word of a question is known in every language, the most telling first. */
const CLASSES: readonly TalkClass[] = [
  "howMany",
  "howMuch",
  "asksElse",
  "what",
  "who",
  "left",
  "isDone",
  "onList",
  "polarAnywhere",
  "lastRank",
  "topRank",
  "numbered",
  "next",
  "show",
  "generic",
  "me",
  "polar",
  "kinds",
  "remove",
  "done",
  "add",
  "verbs",
  "empty",
];
const ASKED: readonly TalkClass[] = ["howMany", "howMuch", "asksElse", "what", "who"];

/** A verb in the past, in English. */
const PAST = /[a-z]{3}(?:ed|en)(?![a-z])/u;

/** Classes whose words are told apart; other words are known by what they are to the list. */
const TOLD_APART: readonly TalkClass[] = [
  "empty",
  "generic",
  "what",
  "who",
  "howMany",
  "left",
  "polar",
  "onList",
  "isDone",
  "show",
  "next",
];

/** The features of a question to a list: its words, those that the list knows by what they are to it, so that what is learned of one list holds for others. */
export function questionFeatures({ text, asksByMark }: Question, list: KeptList, of: { fit: Fit; rule: RuleAsk }): Features {
  const { talk, items } = list;
  const { fit, rule } = of;
  const { roles } = fit;
  const words = wordsIn(text, talk);
  const classes = classesOf(text, talk, CLASSES);
  const apart = classesOf(text, talk, TOLD_APART);
  const own = words.map(({ start, end }, i) => {
    const role = roles[i] ?? null;
    if (role !== null && role !== "foreign") return role;
    return apart[i] === null ? "?" : text.slice(start, end);
  });
  const general = words.map((_, i): string => roles[i] ?? classes[i] ?? "?");
  const merged = general.filter((name, i) => name !== general[i - 1]);
  const isMentioned = fit.mentions.length > 0;
  const strange = Math.min(4, fit.unknown.length);
  const others = Math.min(4, roles.filter((role, i) => role === null && apart[i] === null).length);
  const deed = deedIn(text, talk);
  const isTopic = fit.topic > 0;
  const isForeign = roles.includes("foreign");
  const shape = [
    `rule ${rule}`,
    `rule ${rule} ${strange}`,
    `mark ${asksByMark}`,
    `mentions ${Math.min(2, fit.mentions.length)}`,
    `strange ${strange}`,
    `others ${others}`,
    `topic ${isTopic} ${fit.kin > 0} ${isForeign}`,
    `said ${roles.includes("said")} ${isForeign}`,
    `words ${Math.min(12, words.length)}`,
    `strange ${strange} of ${Math.min(4, Math.ceil(words.length / 3))}`,
    `strange ${strange} mentions ${isMentioned}`,
    `strange ${strange} topic ${isTopic}`,
    `begins ${own[0]} ${isMentioned} ${strange}`,
    `begins ${general[0]} ${isMentioned} ${strange}`,
    `begins ${general[0]} ${general[1]}`,
    `ends ${general.at(-1)} ${isMentioned}`,
    `rank ${hasNumberedRank(text, talk)} ${rankSpans(text, talk).length > 0}`,
    `deed ${deed}`,
    `state ${stateOfMember(text, list)} ${isMentioned}`,
    `state ${stateOfMember(text, list)} ${deed}`,
    `past ${PAST.test(text)} ${isMentioned} ${general[0]}`,
    `deed ${deed} ${isMentioned}`,
    `empty ${items.length === 0}`,
    `asks ${ASKED.filter((name) => classes.includes(name)).join()} ${isMentioned}`,
  ];
  const features: Features = { hashes: [], values: [] };
  for (const length of [1, 2, 3]) add(features, runs(own, length), { seed: `own ${length}`, weight: 1 });
  for (const length of [1, 2, 3]) add(features, runs(merged, length), { seed: `class ${length}`, weight: 1 });
  add(features, words.map(stemOf), { seed: "word", weight: 0.7 });
  add(features, shape, { seed: "shape", weight: 3 });
  return features;
}

function stemOf({ stem }: { stem: string }): string {
  return stem;
}

/** Whether a question has words for what has been done, is written down, is done, and is left. */
function deedIn(text: string, talk: Talk): string {
  const isDone = talk.has("isDone", text) || talk.has("done", text);
  return [talk.leads("polarDone", text) > 0, talk.has("listing", text), isDone, talk.has("left", text)].join();
}

/** The first class of each word; null for a word of none of them. */
function classesOf(text: string, talk: Talk, names: readonly TalkClass[]): (TalkClass | null)[] {
  const found = names.map((name) => ({ name, spans: talk.find(name, text) }));
  return wordsIn(text, talk).map(
    (word) => found.find(({ spans }) => spans.some(({ start, end }) => start <= word.start && word.end <= end))?.name ?? null,
  );
}

/** All runs of so many names; of two or more, with the borders of the question. */
function runs(names: readonly string[], length: number): string[] {
  const from = length === 1 ? names : ["^", ...names, "$"];
  return from.flatMap((_, i) => (i + length <= from.length ? [from.slice(i, i + length).join(" ")] : []));
}

function add(features: Features, group: readonly string[], { seed, weight }: { seed: string; weight: number }): void {
  const from = seedOf(seed);
  push(
    features,
    [...new Set(group)].map((each) => hash(from, each)),
    weight,
  );
}
