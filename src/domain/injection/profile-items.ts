import { toIso } from "#core/fields";
import type { ProfileEntry } from "#domain/profile";
import { type FoundItem, memoryItem, type Place } from "./candidates.ts";
import type { ProfileItem } from "./profile-part.ts";

/** The items of a profile, what is worth most first. */
export function profileItems(
  entries: readonly ProfileEntry[],
  { place, explains }: { place: Place; explains: boolean },
): ProfileItem<FoundItem>[] {
  return entries.map(({ memory, weight, section, limits, newer }) => {
    const older = newer === null ? null : { by: newer };
    const view = {
      ...{ kind: "memory" as const, part: "profile" as const, id: memory.publicId, content: memory.content },
      ...{ occurredAt: toIso(memory.validFrom), role: null, sessionId: memory.learnedIn, score: weight, older },
      ...(explains ? { explain: { channels: {}, factors: [], visibleBy: memory.visibilityReason } } : {}),
    };
    const episodeId = memory.learnedIn === null ? null : memory.episodeId;
    return {
      ...memoryItem(view, memory, { place, episodeId }),
      isInstruction: false,
      section,
      limits,
      behind: newer,
      isOlder: newer !== null,
    };
  });
}
