import { rankAsked, rankSpans } from "./ask-rank.ts";
import { covers, type Fit } from "./fit-list.ts";
import { type KeptList, mentionsIn, stemsOf } from "./kept-list.ts";
import { EXPLAINING, type Question } from "./list-question.ts";
import type { QuestionForm } from "./question-forms.ts";
import { contentWords, sameStem, type Talk, wordsIn } from "./talk-words.ts";

/** What a question asks of a list, and the answer. */
export type ListAnswer = ValuesAnswer | { ask: "count"; count: number } | { ask: "member"; yes: boolean };

export type ValuesAnswer = { ask: "list" | "rank"; values: { rank: number; value: string }[]; rank: number | null };

/** The answer of a list to a question that fits it; null if it has none that is sure. */
export function answerOf(question: Question, list: KeptList, fit: Fit): ListAnswer | null {
  const { text } = question;
  const { talk } = list;
  const polar = text.split(/[,，] ?/u).some((part) => talk.leads("polar", part) > 0) || talk.has("polarAnywhere", text);
  const isBeside = talk.has("before", text) || talk.has("after", text);
  if (isBeside)
    return !polar && asksWhich(text, talk) && isSure(list) && !talk.has("left", text) ? placeOf(text, list, fit) : null;
  const group = labelled(list, fit);
  const rank = asksOnlyRank(text, list, fit) && !polar ? rankAsked(text, talk) : null;
  if (rank !== null) return isSure(list) ? rankOfList(list, rank) : null;
  if (talk.has("howMany", text)) return countOf(question, group ?? list, fit, group !== null);
  if (fit.mentions.length > 0 && group === null) return ofItems(question, list, { fit, polar });
  if (polar && !talk.has("what", text) && !talk.has("who", text))
    return fit.mentions.length > 0 ? memberOf(question, list, fit) : null;
  return isSure(group ?? list) ? unlessEmpty(ofAll(question, group ?? list), question, list) : null;
}

/** That nothing is on a list is said only where it is asked what is left: what took an item's place may be told in words that no reader knows. */
function unlessEmpty(answer: ListAnswer | null, { text }: Question, { talk }: KeptList): ListAnswer | null {
  const isEmpty = answer !== null && "values" in answer && answer.values.length === 0;
  return isEmpty && !talk.has("left", text) ? null : answer;
}

function isSure({ unsure, items }: KeptList): boolean {
  return !unsure && !items.some((item) => item.unsure);
}

/** Whether a question has nothing but a rank: then a rank's word that an item has too means the rank, unless the item has a figure. */
function asksOnlyRank(text: string, { talk }: KeptList, { mentions }: Fit): boolean {
  if (talk.has("howMany", text) || mentions.some(({ item }) => /\d/.test(item.value) || item.label !== null)) return false;
  return contentWords(text, talk, EXPLAINING).every((word) => rankSpans(text, talk).some((span) => covers(span, word)));
}

function ofItems(question: Question, list: KeptList, { fit, polar }: { fit: Fit; polar: boolean }): ListAnswer | null {
  const { text, asksByMark } = question;
  const { talk } = list;
  const who = talk.has("who", text);
  if (who && list.items.some(({ label }) => label !== null)) return fit.plain ? labelOf(fit) : null;
  const asks = who || talk.has("what", text) || talk.has("show", text);
  if (talk.has("howMuch", text) || (asks && !polar)) return oneOf(question, list, fit);
  return polar || (asksByMark && isWholeName(text, list, fit)) ? memberOf(question, list, fit) : null;
}

/** Whether a question without a verb for yes or no means an item itself: "tape still on?" and not "my favourite animal?" */
function isWholeName(text: string, { talk }: KeptList, { mentions }: Fit): boolean {
  if ((["left", "onList", "isDone"] as const).some((name) => talk.has(name, text))) return true;
  return mentions.every(({ item }) =>
    stemsOf(item.value, talk).every((stem) => wordsIn(text, talk).some((word) => sameStem(word.stem, stem))),
  );
}

/** A rank of the list, what is done, or what is left. */
function ofAll({ text, asksByMark }: Question, list: KeptList): ListAnswer | null {
  const { talk } = list;
  const rank = rankAsked(text, talk);
  if (rank !== null) return rankOfList(list, rank);
  if (!asksByMark && !(["what", "who", "show", "generic", "left"] as const).some((name) => talk.has(name, text))) return null;
  return inState(list, stateAsked(text, list));
}

function stateAsked(text: string, { talk }: KeptList): "done" | "open" {
  return talk.has("isDone", text) && !talk.has("left", text) ? "done" : "open";
}

/** The items with the label that a question names; null if it names none, or an item beside it. */
function labelled(list: KeptList, { mentions }: Fit): KeptList | null {
  const [first] = mentions;
  if (first === undefined || mentions.some(({ by, item }) => by !== "label" || item.label !== first.item.label)) return null;
  return { ...list, items: list.items.filter(({ label }) => label === first.item.label) };
}

function countOf(question: Question, list: KeptList, fit: Fit, grouped: boolean): ListAnswer | null {
  if (!isSure(list) || (fit.mentions.length > 0 && !grouped)) return null;
  if (stateAsked(question.text, list) === "done" && list.items.some(({ state }) => state === "off")) return null;
  return { ask: "count", count: list.items.filter(({ state }) => state === stateAsked(question.text, list)).length };
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
function labelOf({ mentions }: Fit): ListAnswer | null {
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
function memberOf({ text }: Question, list: KeptList, fit: Fit): ListAnswer | null {
  const asked = stateOfMember(text, list);
  return asked === null ? null : memberIn(list, fit, asked);
}

function memberIn(list: KeptList, { mentions }: Fit, asked: "done" | "open"): ListAnswer | null {
  const states = new Set(mentions.map(({ item }) => item.state));
  const [state] = states;
  if (state === undefined || states.size > 1 || mentions.some(({ item }) => item.unsure)) return null;
  // What was not understood may have taken it off; what is off came back only by name.
  if (list.unsure && state === "open") return null;
  // What went may have been done: "the silicone is gone on this morning".
  const isOpenToDoubt = asked === "done" && (state === "gone" || state === "off");
  return isOpenToDoubt ? null : { ask: "member", yes: state === asked };
}

/** Which state of an item a question for yes or no asks for; null if it could be either. */
export function stateOfMember(text: string, { talk }: KeptList): "done" | "open" | null {
  if (talk.has("left", text)) return "open";
  const isPast = talk.leads("polarDone", text) > 0;
  const isDone = talk.has("isDone", text);
  if (isPast && talk.has("listing", text)) return isDone ? null : "open";
  if (isDone) return "done";
  if (!isPast) return "open";
  return talk.has("me", text) ? "done" : null;
}

/** The answer to a question of a known form, also where words of it are not known. */
export function answerTo(form: QuestionForm, question: Question, list: KeptList, fit: Fit): ListAnswer | null {
  const { text } = question;
  const group = labelled(list, fit);
  if (form === "member" || form === "deed") {
    const asked = form === "deed" ? "done" : "open";
    if (!asksOfItem(question, list, fit) || (asked === "open" && asksOfDeed(text, list.talk))) return null;
    return memberIn(list, fit, asked);
  }
  if (form === "nothing" || !isSure(group ?? list)) return null;
  if (form === "place") return placeOf(text, list, fit);
  // With an item in the question, not the whole list is meant.
  if (fit.mentions.length > 0 && group === null) return null;
  if (form === "count") return countOf(question, group ?? list, fit, group !== null);
  return rankAsked(text, list.talk) === null
    ? unlessEmpty(inState(group ?? list, form === "done" ? "done" : "open"), question, list)
    : null;
}

/** The items in a state; null if it is not known of one whether it is in it. */
function inState({ items }: KeptList, asked: "done" | "open"): ListAnswer | null {
  if (asked === "done" && items.some(({ state }) => state === "off")) return null;
  const values = items.filter(({ state }) => state === asked);
  return { ask: "list", rank: null, values: values.map(({ value }, i) => ({ rank: i + 1, value })) };
}

/** Whether a question is in the past, and has no word for what is written down: what is done is not "no" to "did Brightway pay". */
function asksOfDeed(text: string, talk: Talk): boolean {
  if (talk.has("left", text) || talk.has("onList", text) || talk.has("listing", text)) return false;
  return talk.leads("polarDone", text) > 0 || PAST_AT_END.test(text);
}

/** In English: "is Long Acre drilled". */
const PAST_AT_END = /^(?:is|are|was|were) .*[a-z]{3}ed$/u;

function asksWhich(text: string, talk: Talk): boolean {
  return talk.has("who", text) || talk.has("what", text);
}

/** Whether a question about an item asks for yes or no, and of one state. */
function asksOfItem({ text }: Question, list: KeptList, fit: Fit): boolean {
  const { talk } = list;
  if (fit.mentions.length === 0 || isOtherKind(text, list, fit)) return false;
  if (talk.has("listing", text) && talk.has("isDone", text)) return false;
  const polar = talk.leads("polar", text) > 0 || talk.has("polarAnywhere", text);
  return polar || (!asksWhich(text, talk) && isWholeName(text, list, fit));
}

/** "Is oat milk on the list" asks of no "milk". */
function isOtherKind(text: string, list: KeptList, { unknown }: Fit): boolean {
  return mentionsIn(text, list).some(({ start }) => unknown.some((word) => text.slice(0, start).trimEnd().endsWith(word)));
}

/** The item at a rank, or beside an item or a rank that the question names: "what is after the milk". */
function placeOf(text: string, list: KeptList, { mentions }: Fit): ListAnswer | null {
  const { talk } = list;
  const rank = rankAsked(text, talk);
  const step = Number(talk.has("after", text)) - Number(talk.has("before", text));
  if (step === 0) return mentions.length > 0 || rank === null ? null : rankOfList(list, rank);
  const open = list.items.filter(({ state }) => state === "open");
  const [mention, ...others] = mentions;
  if (mention !== undefined) return others.length === 0 ? beside(list, open.indexOf(mention.item) + 1, step) : null;
  return rank === null ? null : beside(list, rank === "last" ? open.length : rank, step);
}

function beside(list: KeptList, rank: number, step: number): ListAnswer | null {
  return rank < 1 || rank + step < 1 ? null : rankOfList(list, rank + step);
}
