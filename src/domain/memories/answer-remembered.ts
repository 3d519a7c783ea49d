import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import type { Statement, StatementResult } from "#db/client";
import type { MemoryViewerRef } from "#domain/visibility";
import type { Writer } from "./authority.ts";
import { decided, loadSeen, type SeenRow } from "./columns.ts";
import { type Decision, isRejected } from "./decide.ts";
import type { Author } from "./load-references.ts";
import { memoryViewer } from "./place.ts";
import type { RememberedView } from "./schemas.ts";
import { classOf } from "./types.ts";
import { toMemory } from "./view.ts";

type AnswerCtx = Ctx<"db" | "now" | "embedder" | "log">;

export type ReadBack = { viewer: MemoryViewerRef | null; statement: Statement };

/** What was there before is shown as far as the writer may hear it where it lives, decided in the batch that changes it. */
export function readBack(ctx: AnswerCtx, { user }: Writer, touched: readonly Decision[]): ReadBack[] {
  const places = Map.groupBy(touched, ({ session, next }) => JSON.stringify([session?.id, next.workspaceId]));
  return [...places.values()].map((decisions) => {
    const [at] = decisions;
    const place = { sessionId: at?.session?.externalId, workspaceId: at?.next.workspaceId ?? undefined };
    const viewer = user === null ? null : memoryViewer(ctx, place, { about: null, user });
    return {
      viewer,
      statement: loadSeen(
        ctx,
        viewer,
        decisions.map(({ publicId }) => publicId),
      ),
    };
  });
}

export type Seen = Map<string, SeenRow & { visibilityReason: Parameters<typeof toMemory>[1]["visibilityReason"] }>;

export function seenAgain(ctx: AnswerCtx, again: readonly ReadBack[], results: readonly StatementResult[]): Seen {
  return new Map(
    again.flatMap(({ viewer }, i) =>
      decided(ctx, viewer, (results[i]?.rows ?? []) as SeenRow[]).map((row) => [row.publicId, row] as const),
    ),
  );
}

/** A new memory as it was written; one that was there as the writer may hear it, or else no more than what they said themselves. */
export function toRemembered(
  ctx: AnswerCtx,
  of: { decision: Decision; isFirst: boolean; author: Author; seen: Seen },
): RememberedView {
  const { decision, author, seen } = of;
  // Decided before the change: who may hear it only as they have made it themselves is told only that.
  const row = decision.before?.isVisible === 0 ? undefined : seen.get(decision.publicId);
  const created = decision.before === null && of.isFirst;
  if (row !== undefined)
    return { ...toMemory(row, { model: ctx.embedder.model, visibilityReason: row.visibilityReason }), created };
  const { own, home, before, isAgain, next } = decision;
  const isNew = before === null || before.isVisible === 0;
  const now = toIso(ctx.now());
  return {
    id: decision.publicId,
    ownership: home.ownership,
    ownerId: home.ownership === "personal" ? author.externalId : null,
    sessionId: decision.session?.externalId ?? null,
    type: own.type,
    class: classOf(own.type),
    content: own.content,
    key: isNew && decision.hiddenHolder === null ? next.key : own.key,
    workspaceId: own.workspaceId,
    scopeType: own.scopeType,
    scopeId: own.scopeId,
    confidence: own.confidence,
    sensitivity: own.sensitivity ?? "public",
    portable: own.portable,
    pinned: own.pinned,
    status: !isNew && (isAgain || isRejected(decision)) ? before.status : next.status,
    piiRisk: next.piiRisk,
    metadata: own.metadata,
    subjects: decision.shown.subjects,
    statedBy: decision.shown.statedBy,
    learnedIn: decision.shown.learnedIn,
    validFrom: toIso(own.validFrom),
    validTo: null,
    supersededBy: null,
    contradicts: decision.shown.contradicts,
    expiresAt: own.expiresAt === null ? null : toIso(own.expiresAt),
    seen: { count: isNew ? decision.times : before.seenCount + (isRejected(decision) ? 0 : decision.times), lastAt: now },
    version: isNew ? 1 : before.version + (isAgain || isRejected(decision) ? 0 : 1),
    createdAt: now,
    updatedAt: now,
    indexed: { text: true, vector: false },
    created,
  };
}
