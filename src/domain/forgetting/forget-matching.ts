import { AppError, invalid } from "#core/errors";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import {
  getMemory,
  listMemories,
  loadForgettable,
  MemoryListInput,
  type MemoryPlaceInput,
  type MemoryView,
  type NewSession,
} from "#domain/memories";
import { actingUser } from "#domain/tenants";
import type { ForgetCtx } from "./carry-out.ts";
import { forgetMemory } from "./forget-memory.ts";
import type { ForgetMatchingInput, ForgottenManyView } from "./schemas.ts";

type ForgetManyCtx = ForgetCtx & Parameters<typeof listMemories>[0];

const DAY_MS = 86_400_000;

/**
 * The most that one call forgets: each is a change of its own, which takes several round trips, because the words that it was learned from
 * may take other memories with them.
 */
export const MAX_FORGOTTEN_A_CALL = 20;

/** As in a search, a session that is not stored counts as a new private one. */
const NEW: NewSession = { sessionMayBeNew: true };

/**
 * Forgets the user's own memories of some types, older than some days, or both, the newest first, each as `forgetMemory` does. With
 * `dryRun`, only lists them. What cannot be seen from the place is neither listed nor forgotten.
 * @throws invalid_input without any filter.
 * @throws forbidden without the permissions to read and to write: the answer shows what was found.
 */
export async function forgetMatching(
  ctx: ForgetManyCtx,
  { types, olderThanDays, dryRun, ...place }: ForgetMatchingInput,
): Promise<ForgottenManyView> {
  requirePermission(ctx.actor, "write");
  if (types === undefined && olderThanDays === undefined) throw needsFilter();
  const list = MemoryListInput.parse({
    ...place,
    ownerId: actingUser(ctx, place.userId).externalId,
    reach: "user",
    type: types?.join(","),
    to: olderThanDays === undefined ? undefined : toIso(ctx.now() - olderThanDays * DAY_MS),
    limit: MAX_FORGOTTEN_A_CALL,
  });
  const { items, stats } = await listMemories(ctx, { ...list, ...NEW });
  const matched = stats?.total ?? items.length;
  if (dryRun) return { dryRun, matched, forgotten: 0, memories: items, undoUntil: null };
  let forgotten = 0;
  let undoUntil: string | null = null;
  for (const { id } of items) {
    const gone = await forgetUnlessGone(ctx, id, place);
    forgotten += gone?.memories ?? 0;
    undoUntil = gone?.undoUntil ?? undoUntil;
  }
  return { dryRun, matched, forgotten, memories: items, undoUntil };
}

function needsFilter(): AppError {
  return invalid("types", "Name the memory's `id`, or `types`, or `olderThanDays` (0 for all).");
}

/** Null for a memory that went with the words of one before it. */
async function forgetUnlessGone(ctx: ForgetManyCtx, id: string, { userId, sessionId, workspaceId }: MemoryPlaceInput) {
  try {
    return await forgetMemory(ctx, id, { userId, sessionId, workspaceId, keepSource: "false", ...NEW });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

/**
 * The memory that `forgetMemory` would forget.
 * @throws as `forgetMemory`, and forbidden without the permission to read.
 */
export async function previewForgetting(ctx: ForgetManyCtx, memoryId: string, place: MemoryPlaceInput): Promise<MemoryView> {
  const { userId, sessionId, workspaceId } = place;
  await loadForgettable(ctx, memoryId, { userId, sessionId, workspaceId, ...NEW });
  return await getMemory(ctx, memoryId, { ...place, ...NEW });
}
