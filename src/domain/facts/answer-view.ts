import { atRank, type Candidate, type Chosen } from "./choose-list.ts";
import type { ReplayedList } from "./kept-list.ts";
import type { ListAnswer } from "./list-answer.ts";
import type { Route } from "./route-question.ts";
import type { AnswerView } from "./schemas.ts";
import { labelOf } from "./topics.ts";

export const NOT_ROUTED: AnswerView = {
  routed: false,
  found: false,
  text: null,
  topic: null,
  topicAssumed: false,
  ask: null,
  rank: null,
  values: [],
  scope: null,
};

/** The answer of stored facts; without them, that nothing is stored. */
export function toAnswer(route: Route, { topic, list }: { topic: string | null; list: Chosen<Candidate> | null }): AnswerView {
  const all = list?.facts ?? [];
  const one = route.ask === "rank" ? atRank(all, route.rank) : undefined;
  const facts = route.ask === "list" ? all : one === undefined ? [] : [one];
  const values = facts.map(({ rank, value }) => ({ rank: Math.max(rank, 1), value }));
  const found = values.length > 0;
  const topicAssumed = route.topic === null && topic !== null;
  const askedRank = route.ask === "rank" && route.rank !== "last" ? route.rank : null;
  return {
    routed: true,
    found,
    text: answerText({ ask: route.ask, values, assumed: topicAssumed ? topic : null }),
    topic,
    topicAssumed,
    ask: route.ask,
    rank: askedRank ?? (route.ask === "rank" ? (values[0]?.rank ?? null) : null),
    values,
    scope: found ? (list?.scope ?? null) : null,
  };
}

type OfList = { list: ReplayedList; topic: string; assumed: boolean; scope: AnswerView["scope"] };

/** The answer of a list as the user's messages left it. */
export function toListAnswer(answer: ListAnswer, { list, topic, assumed, scope }: OfList): AnswerView {
  const known = { routed: true, found: true, topic, topicAssumed: assumed, ask: answer.ask, rank: null, values: [], scope };
  const from = (text: string) => (assumed ? `From your ${labelOf(topic)}: ${text}` : text);
  if (answer.ask === "count") return { ...known, text: from(`${answer.count}.`) };
  if (answer.ask === "member") return { ...known, text: answer.yes ? "Yes." : "No." };
  const { ask, values, rank } = answer;
  if (values.length === 0)
    return ask === "rank" ? { ...NOT_STORED_VIEW, topic, ask } : { ...known, text: from("Nothing: 0 items.") };
  const text =
    ask === "list" && !list.ordered
      ? sentence(values.map(({ value }) => value).join(", "))
      : answerText({ ask, values, assumed: null });
  return { ...known, text: from(text), rank, values };
}

/** The text of an answer when nothing is stored; clients may compare with it. */
export const NOT_STORED = "I don't have that stored yet.";

/** The answer to a question for a list that nobody has given. */
export const NOT_STORED_VIEW: AnswerView = { ...NOT_ROUTED, routed: true, text: NOT_STORED, ask: "list" };

/** The reply: the value, or the list by rank. It names the topic that was `assumed` because the question named none. */
export function answerText(answer: {
  ask: "rank" | "list";
  values: readonly { rank: number; value: string }[];
  assumed: string | null;
}): string {
  const [first] = answer.values;
  if (first === undefined) return NOT_STORED;
  const said = answer.ask === "rank" ? first.value : answer.values.map(({ rank, value }) => `${rank}) ${value}`).join(", ");
  return answer.assumed === null ? sentence(said) : `From your ${labelOf(answer.assumed)}: ${sentence(said)}`;
}

function sentence(text: string): string {
  return /[.!?。！？]$/u.test(text) ? text : `${text}.`;
}
