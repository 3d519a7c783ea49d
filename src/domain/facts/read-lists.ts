import { type TopicBook, topicOf } from "./topics.ts";

export type RankedItem = { rank: number; value: string };
/** Ranks of one topic. `whole`: a complete list from rank 1, which takes the place of all that was said before. */
export type RankedList = { topic: string; items: RankedItem[]; whole: boolean };

const HEAD = /\bmy favou?rite ([\p{L} ]{1,40}?) are:? (?=1[.)])/giu;

/** The ranked lists that a message states of its speaker, at most one a topic. */
export function readLists(text: string, book: TopicBook): RankedList[] {
  return [...text.matchAll(HEAD)].flatMap((head) => {
    const topic = topicOf(book, head[1] ?? "");
    const body = text.slice(head.index + head[0].length, head.index + head[0].length + 2000);
    const items = [...body.matchAll(/(\d{1,2})[.)] ?([^,.\n\d]{1,80})/g)].map((item) => ({
      rank: Number(item[1]),
      value: (item[2] ?? "").trim(),
    }));
    return topic === null || items.length === 0 ? [] : [{ topic, items, whole: items.every(({ rank }, i) => rank === i + 1) }];
  });
}
