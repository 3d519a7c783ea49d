import { statementsOf } from "../extraction/stored.ts";
import type { BeamMessage } from "./chats.ts";

/** Why no memory names this message as what it was learned from, by reading it again in this process. */
export function whyNotLearned({ role, text, occurredAt }: BeamMessage): string {
  if (role !== "user") return "said by the assistant";
  const reasons = new Set(statementsOf(text, occurredAt.getTime()).map(({ reason }) => reason));
  if (reasons.size === 0) return "nothing was taken from it";
  if (reasons.has(null)) return "stored: said before, replaced since, or one of too many";
  const [only] = reasons;
  return reasons.size === 1 && only === "belowThreshold"
    ? "every statement below the threshold"
    : `not stored: ${[...reasons].sort().join(", ")}`;
}

/** How often each reason occurs in each category, the commonest first, as a table. */
export function missTable(reasons: readonly { category: string; reason: string }[]): { heads: string[]; rows: string[][] } {
  const count = (category: string, reason: string) =>
    reasons.filter((one) => one.category === category && one.reason === reason).length;
  const bySize = [...Map.groupBy(reasons, ({ reason }) => reason)].sort((a, b) => b[1].length - a[1].length);
  const categories = [...new Set(reasons.map(({ category }) => category))].sort();
  const rows = bySize.map(([reason, of]) => [
    reason,
    String(of.length),
    ...categories.map((name) => String(count(name, reason))),
  ]);
  return { heads: ["", "all", ...categories.map((name) => name.replaceAll("_", " "))], rows };
}
