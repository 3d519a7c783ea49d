import type { Fit } from "./fit-list.ts";
import type { KeptItem, KeptList } from "./kept-list.ts";
import type { ListAnswer } from "./list-answer.ts";

/**
 * Less certain answers are not given. Chosen on authors whose lists the models had not seen. That something is not on a list, or is done, is
 * surer than that it is still on; where rules alone come to the same answer, less is enough.
 */
const LEAST: Readonly<Record<"no" | "yes" | "whole", { agreed: number; learned: number }>> = {
  no: { agreed: 0.8, learned: 0.8 },
  yes: { agreed: 0.8, learned: 0.99 },
  whole: { agreed: 0.5, learned: 0.9 },
};

/** Whether an answer is certain enough to be given. `agreed`: rules alone come to the same. */
export function isCertain(answer: ListAnswer, odds: number, { agreed }: { agreed: boolean }): boolean {
  const least = LEAST[answer.ask !== "member" ? "whole" : answer.yes ? "yes" : "no"];
  return odds >= (agreed ? least.agreed : least.learned);
}

/** Less certain lists of favourites are not told as they stand. */
export const LEAST_CERTAINTY = 0.8;

/** The probability that a list has these items and no others; 0 where something was said of it that was not understood. */
export function oddsOfList({ unsure, odds, items }: KeptList): number {
  return unsure ? 0 : odds * oddsOfItems(items);
}

export function oddsInOrder(list: KeptList): number {
  return oddsOfList(list) * list.orderOdds;
}

function oddsOfItems(items: readonly KeptItem[]): number {
  return items.reduce((product, { unsure, odds }) => (unsure ? 0 : product * odds), 1);
}

/** The probability that what an answer says of a list is so: an answer about one item depends on that item alone. */
export function oddsOfAnswer(answer: ListAnswer, { list, fit }: { list: KeptList; fit: Fit }): number {
  const { mentions } = fit;
  const isGroup = mentions.length > 0 && mentions.every(({ by }) => by === "label");
  const label = mentions[0]?.item.label ?? null;
  if (answer.ask === "member" || (mentions.length > 0 && !isGroup && answer.ask === "list"))
    return oddsOfItems(mentions.map(({ item }) => item));
  const of = isGroup ? { ...list, items: list.items.filter((item) => item.label === label) } : list;
  return answer.ask === "rank" || (list.ordered && answer.ask === "list") ? oddsInOrder(of) : oddsOfList(of);
}
