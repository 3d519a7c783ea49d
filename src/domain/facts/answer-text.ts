import { labelOf } from "./topics.ts";

/** What is said where nothing is stored; clients may look for it. */
export const NOT_STORED = "I don't have that stored yet.";

/** The reply: the value, or the list by rank. It names the topic that was `assumed` because the question named none. */
export function answerText(answer: {
  ask: "rank" | "list";
  values: readonly { rank: number; value: string }[];
  assumed: string | null;
}): string {
  const [first] = answer.values;
  if (first === undefined) return NOT_STORED;
  const said = answer.ask === "rank" ? first.value : answer.values.map(({ rank, value }) => `${rank}) ${value}`).join(", ");
  const sentence = /[.!?。！？]$/u.test(said) ? said : `${said}.`;
  return answer.assumed === null ? sentence : `From your ${labelOf(answer.assumed)}: ${sentence}`;
}
