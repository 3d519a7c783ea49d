import type { Ctx } from "#context";
import type { Query, Results } from "#db/client";
import type { MemoryViewerRef } from "#domain/visibility";
import { memoryViewer, type Writer } from "./access.ts";
import type { Decision } from "./decide.ts";
import type { Author } from "./load-references.ts";
import { decided, findSeen, type SeenMemory, type SeenRow } from "./rows.ts";
import type { RememberedView } from "./schemas.ts";
import { asPersons, type ShownMemory, toMemory } from "./view.ts";

type AnswerCtx = Ctx<"now" | "embedder" | "log">;

export type ReadBack = { viewer: MemoryViewerRef | null; query: Query<SeenRow> };

/** What was there before is shown as far as the writer may see it where it lives, decided in the batch that changes it. */
export function readBack(ctx: AnswerCtx, { user }: Writer, decisions: readonly Decision[]): ReadBack[] {
  const touched = decisions.filter((decision) => "before" in decision && decision.before !== null);
  const places = Map.groupBy(touched, ({ session, next }) => JSON.stringify([session?.id, next.workspaceId]));
  return [...places.values()].map((together) => {
    const [at] = together;
    const place = { sessionId: at?.session?.externalId, workspaceId: at?.next.workspaceId ?? undefined };
    const viewer = user === null ? null : memoryViewer(ctx, place, { about: null, user });
    const ids = together.map(({ publicId }) => publicId);
    return { viewer, query: findSeen(ctx, viewer, ids) };
  });
}

/** By their public ids. */
export type Seen = ReadonlyMap<string, SeenMemory>;

export function seenIn(ctx: AnswerCtx, reads: readonly ReadBack[], results: Results): Seen {
  const seen = reads.flatMap(({ viewer, query }) => decided(ctx, viewer, results.rows(query)));
  return new Map(seen.map((memory) => [memory.publicId, memory]));
}

/** A new memory as it was written; one that was there as the writer may see it, or else no more than what they said themselves. */
export function toRemembered(
  ctx: AnswerCtx,
  { decision, isFirst, author, seen }: { decision: Decision; isFirst: boolean; author: Author; seen: Seen },
): RememberedView {
  const before = "before" in decision ? decision.before : null;
  // Decided before the change: who may see it only as they have made it themselves is shown only that.
  const row = before?.isVisible === false ? undefined : seen.get(decision.publicId);
  const shown = row ?? asWritten(decision, { author, now: ctx.now() });
  const visibilityReason = row?.visibilityReason ?? "own";
  return { ...toMemory(shown, { model: ctx.embedder.model, visibilityReason }), created: before === null && isFirst };
}

/** The memory that the writer would have made if there were none that they may not see. */
function asWritten(decision: Decision, { author, now }: { author: Author; now: number }): ShownMemory {
  const { kind, home, own, next, shown, session, times, publicId } = decision;
  const before = "before" in decision && decision.before?.isVisible === true ? decision.before : null;
  return {
    ...own,
    ...{ publicId, ownership: home.ownership, key: shown.key, contradicts: shown.contradicts, piiRisk: next.piiRisk },
    ownerExternalId: home.ownership === "personal" ? author.externalId : null,
    sessionExternalId: session?.externalId ?? null,
    status: before !== null && kind !== "change" ? before.status : next.status,
    subjects: asPersons(shown.subjects),
    statedBy: shown.statedBy === null ? null : { id: shown.statedBy, name: "", isReader: false },
    learnedIn: shown.learnedIn?.sessionId ?? null,
    episodeId: shown.learnedIn?.episodeId ?? null,
    ...{ validTo: null, supersededBy: null, vectorModel: null, createdAt: now, updatedAt: now },
    seenCount: before === null ? times : before.seenCount + (kind === "ignore" ? 0 : times),
    lastSeenAt: now,
    version: before === null ? 1 : before.version + (kind === "change" ? 1 : 0),
  };
}
