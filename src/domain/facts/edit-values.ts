import { toNormalizedText } from "#core/language/folded";
import { type Change, done, has } from "./editing.ts";
import type { KeptItem, KeptList } from "./kept-list.ts";
import { newItems, QUANTITY, quantityIn } from "./new-items.ts";
import { contentWords, type Talk } from "./talk-words.ts";

/** "Swap the pears for plums", "call it 30", "tea instead of cake", "not tea but cake". */
export const replace: Change = (editing, clause) => {
  const { list } = editing;
  const { talk } = list;
  const changes = (["swap", "change", "instead"] as const).some((name) => has(editing, name, clause));
  const spans = talk.find("replaceBy", clause.normalized);
  const old = clause.mentions.length > 0 ? clause.mentions : [];
  const [mention, ...others] = old;
  const pendingOne = editing.pending.length === 1 ? editing.pending[0] : undefined;
  const before = editing.last.length > 0 ? editing.last : editing.spoken;
  const index = mention?.index ?? pendingOne ?? (before.length === 1 ? before[0] : undefined);
  if (others.length > 0 || index === undefined) return null;
  const [over] = talk.find("insteadOf", clause.normalized);
  const denies =
    over !== undefined &&
    mention !== undefined &&
    over.end <= mention.start &&
    contentWords(clause.normalized.slice(over.end, mention.start), talk).length === 0;
  if (over !== undefined && mention !== undefined && denies) {
    const before = over.end <= mention.start ? clause.text.slice(0, over.start) : "";
    const after = withoutRather(clause.text.slice(mention.end), talk);
    const [said] = newItems(before.trim() === "" ? after : before, list);
    return said === undefined ? null : done(editing, valued(list, index, said), [index]);
  }
  const span = spans.find(({ start }) => mention === undefined || start >= mention.end);
  if (span !== undefined && has(editing, "not", { normalized: clause.normalized.slice(0, span.start) })) return null;
  if (span === undefined) return null;
  const [said] = [...quantityIn(clause.text.slice(span.end), list), ...newItems(clause.text.slice(span.end), list)];
  const strong = changes || talk.leads("becomes", clause.normalized.slice(span.start)) > 0;
  if (said === undefined || !strong) return null;
  return done(editing, valued(list, index, said), [index]);
};

function withoutRather(text: string, talk: Talk): string {
  const trimmed = text.trimStart();
  return trimmed.slice(talk.leads("rather", toNormalizedText(trimmed)));
}

/** A number changes the number of an item; anything else takes its place, and what stood there is gone. */
function valued(list: KeptList, index: number, said: string): KeptList {
  const old = list.items[index];
  if (old === undefined) return list;
  const isQuantity = QUANTITY.test(said);
  const value = !isQuantity ? said : NUMBER.test(old.value) ? old.value.replace(NUMBER, said) : `${old.value} ${said}`;
  const items = list.items.map((item, i): KeptItem => (i === index ? { ...item, value, state: "open", unsure: false } : item));
  return { ...list, items: isQuantity ? items : [...items, { ...old, state: "gone", unsure: false }] };
}

const NUMBER = /\d[\d.,]*(?: ?(?:kg|g|l|ml|lbs?|packs?|litres?))?(?!\p{L})/u;
