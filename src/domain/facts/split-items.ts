import { toNormalizedText } from "#core/language/folded";
import { trimEnds } from "#core/text/trim-ends";
import type { Talk } from "./talk-words.ts";

/** An item as it was said: a label ("Josh", "table 2") if it has one, and the value. */
export type SaidItem = { label: string | null; value: string };

const MAX_WORDS = 11;
const MAX_CHARACTERS = 90;
const SENTENCE = /(?<=[\p{L}\p{N})"'])(?:[.!?]{1,9}(?=\s|$)|\.{2,9}|…)|[。！？]|\n/gu;
const COMMA = /(?<!\d)[,;]|,(?!\d)|[、，；•]|\n| \/ | > | -> /u;
const PAIR = /^(?<label>[^=:–—]{1,28}?) ?(?: [-–—] | ?= ?|: ?|：)(?<value>\S.*)$/u;
/** A remark; a few words without a comma may say which one is meant. */
const BRACKETS = /\s?\((?![^(),]{1,24}\))[^()]{0,120}\)|（[^（）]{0,60}）/gu;
const START: ReadonlySet<string> = new Set(' \t\n\r\u00a0,.;:!?"“”•*_=…–—-');
const END: ReadonlySet<string> = new Set(' \t\n\r\u00a0,.;:!?"“”*_=…–—-');
const PICTURES = /(?:\p{Extended_Pictographic}|\ufe0f|\u200d){1,12}$|\s[:;=][-']?[)(DPp/]{1,6}$|\s?<3{1,4}$/u;

export function sentencesOf(text: string): string[] {
  return text.split(SENTENCE).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Sentences with the question marks that end them. */
export function sentencesWithMarks(text: string): string[] {
  return sentencesOf(text).map((sentence) => {
    const rest = text.slice(text.indexOf(sentence) + sentence.length);
    return sentence + (/^[^\p{L}\p{N}]*/u.exec(rest)?.[0].replace(/[^?？]/gu, "") ?? "");
  });
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return sentencesOf(text)[0] ?? "";
}

/** The items of an enumeration: by commas and the last "and", else sentence by sentence. Null if something in it is no short item. */
export function splitItems(body: string, talk: Talk): SaidItem[] | null {
  const plain = body.replace(BRACKETS, "");
  const sentences = sentencesOf(plain);
  const [first = "", ...rest] = sentences;
  const inFirst = parts(first, talk);
  const pairs = sentences.flatMap((sentence) => parts(sentence, talk)).filter((part) => PAIR.test(part));
  if (pairs.length > 1 && sentences.length > 1 && rest.every((sentence) => PAIR.test(sentence.trim())))
    return asItems(
      sentences.flatMap((sentence) => parts(sentence, talk)),
      talk,
    );
  if (inFirst.length > 1) return asItems(inFirst, talk);
  if (sentences.length > 1 && sentences.some((sentence) => parts(sentence, talk).length > 2)) return null;
  return sentences.length > 1 ? asItems(sentences, talk) : asItems(inFirst, talk);
}

/** The parts of a sentence between commas, and of the last one between the words for "and". */
function parts(sentence: string, talk: Talk): string[] {
  const steps = cutAt(sentence, talk.find("andThen", toNormalizedText(sentence)));
  const all = steps.flatMap((step) => step.split(COMMA)).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const last = all.at(-1);
  if (last === undefined) return [];
  return [...all.slice(0, -1), ...cutAt(last, talk.find("and", toNormalizedText(last)))].filter((part) =>
    /[\p{L}\p{N}]/u.test(part),
  );
}

function cutAt(text: string, spans: readonly { start: number; end: number }[]): string[] {
  const starts = [0, ...spans.map(({ end }) => end)];
  return starts.map((start, i) => text.slice(start, spans[i]?.start ?? text.length));
}

function asItems(raw: readonly string[], talk: Talk): SaidItem[] | null {
  const paired = raw.filter((part) => PAIR.test(part.trim())).length >= Math.max(2, raw.length / 2);
  const items: SaidItem[] = [];
  for (const part of raw) {
    const item = paired ? paired_(part.trim(), items.at(-1)?.label ?? null) : { label: null, value: part };
    const value = cleanItem(item.value, talk);
    if (value === "") continue;
    if (value.split(" ").length > MAX_WORDS || value.length > MAX_CHARACTERS) return null;
    items.push({ label: item.label === null ? null : cleanItem(item.label, talk), value });
  }
  return withoutLetters(withoutRanks(items, talk));
}

/** "Jo: crisps and squash": what follows without a label has the last one. */
function paired_(part: string, last: string | null): SaidItem {
  const { label, value } = PAIR.exec(part)?.groups ?? {};
  return label === undefined || value === undefined ? { label: last, value: part } : { label, value };
}

/** "Teal, second is mustard, third plum": ranks that count the items are no part of them. */
function withoutRanks(items: SaidItem[], talk: Talk): SaidItem[] {
  const ranked = items.map(({ value }) => talk.rankAtStart(toNormalizedText(value)));
  if (!ranked.some((rank, i) => i > 0 && rank?.rank === i + 1) || ranked.some((rank, i) => rank !== null && rank.rank !== i + 1))
    return items;
  return items.map(({ label, value }, i) => ({ label, value: cleanItem(value.slice(ranked[i]?.end ?? 0), talk) }));
}

/** "A lease, B schedule": letters that count the items are no part of them. */
function withoutLetters(items: SaidItem[]): SaidItem[] {
  const lettered = items.length > 2 && items.every(({ value }, i) => value.startsWith(`${String.fromCharCode(65 + i)} `));
  return lettered ? items.map(({ label, value }) => ({ label, value: value.slice(2) })) : items;
}

/** An item without what stands around it, and without words that are said twice. */
export function cleanItem(raw: string, talk: Talk): string {
  let value = raw.replace(BRACKETS, "").replace(/\s+/gu, " ");
  for (let before = ""; before !== value; ) {
    before = value;
    value = trimEnds(trimEnds(value, { start: START, end: END }).replace(PICTURES, ""), { end: END });
    const lead = talk.leads("and", toNormalizedText(value)) || talk.leads("andThen", toNormalizedText(value));
    if (lead > 0 && lead < value.length) value = value.slice(lead);
    const [filler] = talk.find("filler", toNormalizedText(value)).filter(({ start, end }) => start > 0 && end === value.length);
    if (filler !== undefined) value = value.slice(0, filler.start);
  }
  return value.replace(/(?<![\p{L}])(\p{L}{2,})(?: \1)+(?!\p{L})/giu, "$1");
}
