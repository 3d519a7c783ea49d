import { titleOf } from "./conversation-to-store.ts";
import type { ImportItem } from "./schemas.ts";
import { recordOf, textOf } from "./values.ts";

/** Claude's projects: their documents belong into a source each. */
export function takeProjects(raws: readonly unknown[], { from }: { from: number }): ImportItem[] {
  return raws.map((raw, i) => ({
    position: from + i,
    title: titleOf(textOf(recordOf(raw).name)),
    sessionId: null,
    outcome: "skipped",
    messages: 0,
    messagesKnown: 0,
    reason: "Documents of projects are not taken yet.",
    notes: [],
  }));
}
