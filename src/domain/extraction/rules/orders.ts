import { PACKS } from "#core/language/packs";
import { anyScript } from "#core/language/patterns";
import type { TakenMemory } from "./rule.ts";

const ORDERS = PACKS.flatMap(({ forms }) => forms?.orders ?? []).map((source) => new RegExp(anyScript(source), "i"));

/** Whether "remember that …" is followed by an instruction to the assistant, which a model that reads the memory would follow. */
export function isOrder({ category, content }: Pick<TakenMemory, "category" | "content">): boolean {
  return category === "remember" && ORDERS.some((order) => order.test(content));
}
