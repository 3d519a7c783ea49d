import { type TopicBook, topicOf } from "./topics.ts";

export type Route = { ask: "rank"; rank: number | "last"; topic: string | null } | { ask: "list"; topic: string | null };

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** What a message asks of the stored facts, if it asks nothing else. A null topic: the one last spoken of. */
export function routeQuestion(text: string, book: TopicBook): Route | null {
  const rank = /^what(?:'s| is) my (\w+) favou?rite ([\p{L} ]{1,40})\??$/iu.exec(text.trim());
  if (rank !== null) {
    const at = ORDINALS.indexOf((rank[1] ?? "").toLowerCase());
    return at < 0 ? null : { ask: "rank", rank: at + 1, topic: topicOf(book, rank[2] ?? "") };
  }
  const list = /^(?:list|what are) my favou?rite ([\p{L} ]{1,40})\??$/iu.exec(text.trim());
  return list === null ? null : { ask: "list", topic: topicOf(book, list[1] ?? "") };
}
