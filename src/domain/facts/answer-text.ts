import { labelOf } from "./topics.ts";

/** What is said where nothing is stored; clients may look for it. */
export const NOT_STORED = "I don't have that stored yet.";

/** The reply: the value, or the list by rank. It names the topic that was `assumed` because the question named none. */
export function answerText(told: {
  ask: "rank" | "list";
  values: readonly { rank: number; value: string }[];
  assumed: string | null;
}): string {
  const [first] = told.values;
  if (first === undefined) return NOT_STORED;
  const said = told.ask === "rank" ? first.value : told.values.map(({ rank, value }) => `${rank}) ${value}`).join(", ");
  const sentence = /[.!?。！？]$/u.test(said) ? said : `${said}.`;
  return told.assumed === null ? sentence : `From your ${labelOf(told.assumed)}: ${sentence}`;
}
