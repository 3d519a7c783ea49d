import { withoutMemory } from "#core/text/memory-fence";
import { LEAST_CERTAINTY, oddsInOrder } from "./answer-odds.ts";
import type { ReplayedList } from "./kept-list.ts";
import { type StoredTurn, turnsRead } from "./list-messages.ts";
import { topicOfList } from "./lists-now.ts";
import { replayLists } from "./replay-lists.ts";
import type { TopicIndex } from "./topics.ts";

/** A stored fact by its list; `session` is 0 for one that no session stated. */
export type StatedFact = {
  topic: string;
  session: number;
  kind: "ranked" | "single";
  rank: number;
  value: string;
  createdAt: number;
};

/**
 * What is left of a fact after later messages: as it was stated, another value, nothing, or unknown because a message was not understood or
 * not read.
 */
export type FactNow = { standing: "stated" | "unsure" } | { standing: "changed"; value: string | null };

/** Tells what later messages left of facts: changes of a list are not written to facts. */
export function createFactsNow(latest: readonly StoredTurn[], topicIndex: TopicIndex): (fact: StatedFact) => FactNow {
  const { turns, unreadUntil } = turnsRead(latest);
  const messages = turns.map(({ text, session, at }) => ({ text: withoutMemory(text), session, at })).toReversed();
  const lists = replayLists(messages, topicIndex);
  return (fact) => {
    if (fact.session === 0) return { standing: "stated" };
    const list = lists.find((each) => each.session === fact.session && topicOfList(each, topicIndex) === fact.topic);
    if (list?.edited === true && list.touchedAt >= fact.createdAt) return leftOf(fact, list);
    return { standing: unreadUntil !== null && fact.createdAt <= unreadUntil ? "unsure" : "stated" };
  };
}

function leftOf({ rank, value }: StatedFact, list: ReplayedList): FactNow {
  if (oddsInOrder(list) < LEAST_CERTAINTY) return { standing: "unsure" };
  const now = list.items.filter(({ state }) => state === "open")[Math.max(rank, 1) - 1]?.value ?? null;
  return now === value ? { standing: "stated" } : { standing: "changed", value: now };
}
