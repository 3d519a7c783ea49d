import { toNormalizedText } from "#core/language/folded";
import { rankSpans } from "./ask-rank.ts";
import type { KeptList } from "./kept-list.ts";
import { cleanItem } from "./split-items.ts";
import { contentWords, type Span, type Talk, type TalkClass } from "./talk-words.ts";

const MAX_NEW_WORDS = 8;

/** The new items in a text: without remarks, places and words that only say that they are new. */
export function newItems(text: string, { talk }: Pick<KeptList, "talk">): string[] {
  const normalized = toNormalizedText(text);
  const lasts = talk.find("addLast", normalized).filter(({ end }) => contentWords(normalized.slice(end), talk).length === 0);
  const ends = (["remark", "toTop", "toEnd", "before", "after", "instead"] as const)
    .flatMap((name) => talk.find(name, normalized))
    .concat(lasts, listsIn(normalized, talk))
    .filter(({ start }) => /[\p{L}\p{N}]/u.test(normalized.slice(0, start)));
  const end = Math.min(normalized.length, ...ends.map(({ start }) => start));
  const kept = text.slice(0, end);
  const spans = talk.find("and", toNormalizedText(kept));
  const starts = [0, ...spans.map((span) => span.end)];
  const values = starts
    .map((start, i) => cleanItem(withoutLead(kept.slice(start, spans[i]?.start ?? kept.length), talk), talk))
    .filter((value) => value !== "");
  return values.every((value) => isNewItem(value, talk)) ? values : [];
}

/** "… to my boat list": the name of the list, with the word before it. */
function listsIn(normalized: string, talk: Talk): Span[] {
  return talk.find("listNamed", normalized).map(({ start, end }) => {
    const before = talk.find("empty", normalized).find((word) => word.end === start - 1);
    return { start: before?.start ?? start, end };
  });
}

/** A value without words before it that only say that it is new. */
function withoutLead(text: string, talk: Talk): string {
  let kept = text.trimStart();
  for (let before = ""; before !== kept; ) {
    before = kept;
    const lower = toNormalizedText(kept);
    const lead = LEADS.map((name) => talk.leads(name, lower)).find((length) => length > 0);
    if (lead !== undefined && lead < lower.length) kept = kept.slice(lead).trimStart();
  }
  return kept;
}

const LEADS: readonly TalkClass[] = ["add", "addFirst", "needs", "lead"];

function isNewItem(value: string, talk: Talk): boolean {
  const normalized = toNormalizedText(value);
  const ranks = rankSpans(normalized, talk);
  const content = contentWords(normalized, talk, ["empty", "generic", "number"]).filter(
    ({ start, end }) => !ranks.some((span) => span.start <= start && end <= span.end),
  );
  return value.split(" ").length <= MAX_NEW_WORDS && talk.leads("remark", normalized) === 0 && content.length > 0;
}

/** "30 she forgot the rest": a number alone is a new amount of what is there. */
export function quantityIn(text: string, { talk }: KeptList): string[] {
  const [remark] = talk.find("remark", toNormalizedText(text));
  const value = cleanItem(text.slice(0, remark?.start ?? text.length), talk);
  return QUANTITY.test(value) ? [value] : [];
}

export const QUANTITY = /^\d[\d.,]*(?: ?\p{L}{1,6})?$/u;
