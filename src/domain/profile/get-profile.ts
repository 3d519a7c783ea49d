import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import { estimateTokens } from "#core/text/estimate-tokens";
import { read } from "#db/client";
import { decidedMemories, type Earlier, earlierOf, findEarlier, findReader, memoryViewer, peopleIn } from "#domain/memories";
import { getSettings } from "#domain/settings";
import { getUser } from "#domain/tenants";
import { type MemoryViewerRef, requirePlace } from "#domain/visibility";
import { chooseProfile, type ProfileEntry, SECTIONS } from "./choose-profile.ts";
import { findProfile } from "./find-profile.ts";
import type { ProfileEntryView, ProfileInput, ProfileView } from "./schemas.ts";
import { sinceDay } from "./since-day.ts";
import { proseOf } from "./write-prose.ts";

type ProfileCtx = Ctx<"db" | "now" | "caches" | "log" | "chatModel" | "defer">;

/**
 * What is always worth knowing of a user, as it may be shown in the place that the request names: the current values, each with its source
 * and what it replaced. Two round trips.
 * @throws forbidden without the permission to read, or for another user than the one to whom the key is bound.
 * @throws not_found for an unknown user, and for a session or project that they have no access to.
 */
export async function getProfile(ctx: ProfileCtx, userId: string, { prose, ...place }: ProfileInput): Promise<ProfileView> {
  requirePermission(ctx.actor, "read");
  const named = memoryViewer(ctx, { ...place, userId }, { about: null, reach: "user" });
  const viewer: MemoryViewerRef = { ...named, ownProjectOnly: true, sessionMayBeNew: true };
  const { enabled } = await getSettings(ctx);
  const { reader, memories } = await read(ctx, { reader: findReader(viewer), memories: findProfile(viewer) });
  if (reader.length === 0) {
    await getUser(ctx, userId);
    await requirePlace(ctx, viewer);
    throw notFound("user");
  }
  const timeZone = reader[0]?.timeZone ?? null;
  const chosen = enabled ? chooseProfile(decidedMemories(ctx, viewer, memories), ctx.now()) : [];
  const entries = SECTIONS.flatMap((section) => chosen.filter((entry) => entry.section === section));
  const ever: MemoryViewerRef = { ...viewer, asOf: "ever" };
  const ids = entries.map(({ memory }) => memory.publicId);
  const earlier = ids.length === 0 ? { versions: [], older: [] } : await read(ctx, findEarlier(ever, ids));
  return {
    entries: entries.map((entry) => toEntry(entry, { timeZone, replaced: replacedBy(ctx, ever, { entry, earlier }) })),
    prose: await proseOf(ctx, entries, { waits: prose, timeZone }),
    tokens: { used: entries.reduce((sum, { memory }) => sum + estimateTokens(memory.content), 0), estimated: true },
  };
}

/** Earlier values, the latest first: those of the memory itself, and the memories that it replaced. */
function replacedBy(
  ctx: Ctx<"log">,
  viewer: MemoryViewerRef,
  { entry: { memory }, earlier }: { entry: ProfileEntry; earlier: Earlier },
): ProfileEntryView["replaced"] {
  const { versions, older } = earlierOf(ctx, viewer, { ...earlier, memory });
  const since = new Map<number, number | undefined>(
    earlier.versions.flatMap(({ of, version, data }) => (of === memory.publicId ? [[version, data.validFrom]] : [])),
  );
  const said = new Set([memory.content]);
  return [
    ...versions.map(({ content, version, replacedAt }, i) => {
      const from = since.get(version) ?? null;
      const next = since.get(versions[i - 1]?.version ?? 0) ?? memory.validFrom;
      // A change that says nothing of when it holds is of the time when it was made.
      return { content, from: from === null ? null : toIso(from), to: next === from ? replacedAt : toIso(next) };
    }),
    ...older.map(({ content, validFrom, validTo }) => ({
      ...{ content, from: toIso(validFrom), to: validTo === null ? null : toIso(validTo) },
    })),
  ].filter(({ content }) => {
    // A version that changed something else than the words replaced nothing.
    if (said.has(content)) return false;
    said.add(content);
    return true;
  });
}

function toEntry(
  { memory, section, newer }: ProfileEntry,
  { timeZone, replaced }: { timeZone: string | null; replaced: ProfileEntryView["replaced"] },
): ProfileEntryView {
  const { publicId: id, type, key, content, validFrom, learnedIn, episodeId, seenCount } = memory;
  return {
    ...{ id, section, type, key, content, since: toIso(validFrom), sinceDay: sinceDay(memory, timeZone) },
    source: learnedIn === null ? null : { sessionId: learnedIn, episodeId },
    statedBy: peopleIn(memory, memory.visibilityReason).saidBy?.name ?? null,
    ...{ seen: seenCount, older: newer === null ? null : { by: newer }, replaced },
  };
}
