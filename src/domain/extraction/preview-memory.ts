import type { Settings } from "#context";
import { toIso } from "#core/fields";
import { defaultPrivacy, judgeMemory, lifetimeMs } from "#domain/memories";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";
import type { ExtractView } from "./schemas.ts";
import { type Statement, toMemoryDraft } from "./to-memory-draft.ts";

export type Previewed = ExtractView["memories"][number];

export type PreviewFrom = {
  episode: EpisodeToRead;
  speaker: Participant;
  settings: Settings;
  now: number;
  message: number;
  people: readonly string[];
};

/** What a statement would be as a memory, and whether it would become one. */
export function toPreview(said: Statement, from: PreviewFrom): Previewed {
  const { episode, speaker, settings, now } = from;
  const draft = toMemoryDraft(said, { episode, speaker, now, threshold: settings.extractionThreshold });
  const stored = typeof draft === "string" ? null : draft;
  const lifetime = lifetimeMs(said.type);
  const at = Math.min(said.at, now);
  const waits = stored !== null && judgeMemory({ ...said, metadata: {} }, settings).status === "pending";
  const ownership = said.isOfGroup && episode.place.kind === "group" ? "group" : "personal";
  const amongOthers = isAmongOthers(episode.place, speaker);
  const privacy = defaultPrivacy(said, { ownership, amongOthers });
  const isOff = !settings.enabled || settings.extraction === "off";
  const reason = typeof draft === "string" ? draft : isOff ? "off" : waits ? "pending" : null;
  return {
    source: said.source,
    category: said.category,
    type: said.type,
    content: said.content,
    key: stored?.key ?? said.key,
    confidence: said.confidence,
    sensitivity: said.sensitivity === "public" ? privacy.sensitivity : said.sensitivity,
    portable: said.portable && privacy.portable,
    ownership,
    scopeType: stored?.scopeType ?? null,
    scopeId: stored?.scopeId ?? null,
    userId: speaker.externalId,
    people: [...from.people],
    message: from.message,
    validFrom: toIso(at),
    expiresAt: lifetime === null ? null : toIso(at + lifetime),
    wouldStore: stored !== null && !isOff,
    reason,
  };
}

/** Whether somebody else takes part in the session now. */
function isAmongOthers({ kind, people }: Place, { userId }: Participant): boolean {
  return kind === "group" && people.some((other) => other.takesPart && other.userId !== userId);
}
