import type { Candidate, Chosen } from "./choose-list.ts";
import { ACTING_USER, mayHaveLists, saidFacts } from "./said-facts.ts";
import type { TopicIndex } from "./topics.ts";

/**
 * What the user has said in the current conversation: before the last reply, which may be stored or not, and since, which is not stored.
 */
export type SaidHere = { before: readonly string[]; now: readonly string[] };

/** The list of a topic, or of the last topic; `whole` lists replace what is stored. */
export type ListSaid = { topic: string; whole: boolean; list: Chosen<Candidate> };

export function listSaid(texts: readonly string[], asked: { topic: string | null; topicIndex: TopicIndex }): ListSaid | null {
  const said = saidFacts(
    texts
      .filter(mayHaveLists)
      .map((text, i) => ({ text, userId: ACTING_USER, occurredAt: i, messageId: null, offset: 0, ordinal: 0 })),
    asked.topicIndex,
  );
  const topic = asked.topic ?? said?.last[0]?.topic;
  const slots = said?.slots.filter((slot) => slot.topic === topic) ?? [];
  if (said === null || topic === undefined || slots.length === 0) return null;
  const facts = slots.map(({ rank, value, at }) => ({
    from: "session" as const,
    kind: "ranked" as const,
    rank,
    value,
    createdAt: at,
  }));
  const whole = said.wholes.some((one) => one.topic === topic);
  return { topic, whole, list: { scope: "session", facts: facts.toSorted((a, b) => a.rank - b.rank) } };
}
