import { parseProject } from "./claude-project.ts";
import { titleOf } from "./conversation-to-store.ts";
import type { ImportItem } from "./schemas.ts";

/** What becomes of Claude's projects. Their documents belong into a source each; until there are sources, they are reported by name. */
export function takeProjects(raws: readonly unknown[], { from }: { from: number }): ImportItem[] {
  return raws.map((raw, i) => {
    const { name, files } = parseProject(raw);
    return {
      ...{ position: from + i, title: titleOf(name), sessionId: null, outcome: "skipped", messages: 0, messagesKnown: 0 },
      reason: `The documents of projects are not taken yet: it has ${files.length}.`,
      notes: [],
    };
  });
}
