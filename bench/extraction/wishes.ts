import type { TalkMessage } from "../../scripts/judge/talk.ts";
import { markdown } from "../cost/table.ts";
import { statementsOf } from "./stored.ts";
import { has, share } from "./talk-score.ts";

/** What a judge that was trained without the author took from a message as standing wishes for how the assistant behaves. */
export type UnseenWishes = {
  author: string;
  /** Standing instructions that the author marked, and how many of them one stored wish holds. */
  marked: number;
  found: number;
  /** Stored wishes, and how many of them are about an instruction, a preference or a way of working that the author marked. */
  said: number;
  right: number;
  /** Whether there is nothing to keep. */
  isNothing: boolean;
  /** Whether the author takes an earlier wish back, which is stored as a wish and counts as no other. */
  withdraws: boolean;
};

export function readWishes(author: string, { text, keep, withdraws = false }: TalkMessage): UnseenWishes {
  const wishes = statementsOf(text).flatMap(({ type, content, reason }) =>
    reason === null && type === "procedural" ? [content] : [],
  );
  const instructions = keep.filter(({ instruction }) => instruction);
  const wanted = keep.filter(({ instruction, type }) => instruction || type === "preference" || type === "procedural");
  return {
    author,
    marked: instructions.length,
    found: instructions.filter(({ must }) => wishes.some((wish) => must.every((word) => has(wish, word)))).length,
    said: wishes.length,
    right: wishes.filter((wish) => wanted.some(({ must }) => must.some((word) => has(wish, word)))).length,
    isNothing: keep.length === 0 && !withdraws,
    withdraws,
  };
}

/** Standing wishes by author, and over the authors of the training talk and of the talk about wishes. */
export function wishesTable(talk: readonly UnseenWishes[], wishes: readonly UnseenWishes[]): string {
  const rows = [
    ...Map.groupBy(talk, ({ author }) => author),
    ["training talk", talk] as const,
    ...Map.groupBy(wishes, ({ author }) => author),
    ["talk about wishes", wishes] as const,
  ].map(([name, all]) => {
    const read = all.filter(({ withdraws }) => !withdraws);
    const takenBack = all.filter(({ withdraws }) => withdraws);
    const sum = (of: (one: UnseenWishes) => number) => read.reduce((total, one) => total + of(one), 0);
    const nothing = read.filter(({ isNothing }) => isNothing);
    return [
      name,
      String(sum(({ marked }) => marked)),
      share(
        sum(({ found }) => found),
        sum(({ marked }) => marked),
      ),
      share(
        sum(({ right }) => right),
        sum(({ said }) => said),
      ),
      `${nothing.filter(({ said }) => said > 0).length}/${nothing.length}`,
      takenBack.length === 0 ? "" : `${takenBack.filter(({ said }) => said > 0).length}/${takenBack.length}`,
    ];
  });
  const heads = ["author", "instructions", "found as wishes", "wishes right", "a wish from nothing", "withdrawals seen"];
  return `### Standing wishes, each author read by a judge that was trained without them\n\n${markdown(heads, rows)}`;
}
