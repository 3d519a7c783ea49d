import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { read, readRows, select } from "#db/client";
import { failUnless, isLostRace } from "#db/guard";
import { integer, type RowOf, row } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { commit } from "#domain/audit";
import { putBackFacts } from "#domain/facts";
import { dispatch } from "#domain/jobs";
import { putBackVersions, restore, type WriterPlaceInput } from "#domain/memories";
import { findMade, putBackName } from "#domain/people";
import { findEpisodeWords, rewriteStatements, unredactWords, withPassages } from "#domain/sessions";
import { actingUser, boundUserOf, type NamedUser, userIdOf } from "#domain/tenants";
import { type ForgetCtx, GRACE_MS } from "./carry-out.ts";
import type { UndoneView } from "./schemas.ts";

const FOUND = row(FORGETTING.of(sql`f`, "id", "publicId", "userId", "originals", "forgottenAt", "undoneAt"));

type Found = RowOf<typeof FOUND>;

/**
 * Brings back what one forgetting took: the memories, unless they were said anew since, the words in their places, and values of lists.
 * Calling it again changes nothing.
 * @throws not_found for somebody else's, and after the grace period.
 */
export async function undoForgetting(
  ctx: ForgetCtx,
  forgettingId: string,
  asked: { userId?: string | undefined },
): Promise<UndoneView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, asked.userId);
  if (!isPublicId("forgetting", forgettingId)) throw notFound("forgetting");
  const [found] = await readRows(
    ctx,
    select(FOUND)`from forgettings f where f.public_id = ${forgettingId} and f.tenant_id = ${ctx.tenantId}
      and f.user_id = ${userIdOf(ctx.tenantId, user)} and f.forgotten_at >= ${ctx.now() - GRACE_MS}`,
  );
  if (found === undefined) throw notFound("forgetting");
  return await undo(ctx, found, user);
}

/**
 * Restores a memory that was deleted and the words that went with it.
 * @throws conflict if another memory has its words or its key, or it has expired.
 * @throws not_found for a user who may not change it, or did not take part in its group when it was forgotten.
 */
export async function restoreMemory(ctx: ForgetCtx, memoryId: string, place: WriterPlaceInput): Promise<void> {
  const externalId = place.userId ?? boundUserOf(ctx);
  if (externalId === null) {
    await restore(ctx, memoryId, place);
    return;
  }
  const user = { externalId };
  const [found] = await readRows(
    ctx,
    select(FOUND)`from forgettings f where f.asked_by = ${memoryId} and f.tenant_id = ${ctx.tenantId} and f.undone_at is null
      and f.user_id = ${userIdOf(ctx.tenantId, user)} and f.forgotten_at >= ${ctx.now() - GRACE_MS} order by f.id desc limit 1`,
  );
  try {
    await restore(ctx, memoryId, place);
  } catch (error) {
    // A call that failed after it restored the memory, and before its words were back, is repeated.
    const isRest = found !== undefined && error instanceof AppError && error.code === "not_found";
    if (!isRest || !(await isLive(ctx, memoryId))) throw error;
  }
  if (found !== undefined) await undo(ctx, found, user);
}

const LIVE = row({ id: integer(sql`m.id`) });

async function isLive(ctx: Ctx<"db">, memoryId: string): Promise<boolean> {
  const which = sql`m.public_id = ${memoryId} and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null`;
  return (await readRows(ctx, select(LIVE)`from memories m where ${which}`)).length > 0;
}

/** The memories first, each by itself; the words and the mark last, in one batch, so that a call that was cut off can be repeated. */
async function undo(ctx: ForgetCtx, found: Found, user: NamedUser): Promise<UndoneView> {
  const id = found.publicId;
  if (found.undoneAt !== null) return { id, memories: 0, passages: 0, facts: 0 };
  let memories = 0;
  for (const memoryId of found.originals.memories) if (await isRestored(ctx, memoryId, user)) memories += 1;
  const message = "These words are being changed by others at the same moment. Try again.";
  const { passages } = await retryLostRace(ctx, message, () => putBackWords(ctx, found, { user, memories }));
  return { id, memories, passages, facts: found.originals.facts.length };
}

async function isRestored(ctx: ForgetCtx, memoryId: string, { externalId }: NamedUser): Promise<boolean> {
  try {
    await restore(ctx, memoryId, { userId: externalId });
    return true;
  } catch (error) {
    // Said anew, expired, restored before, or in a group that the user has left: the rest is restored.
    if (error instanceof AppError && (error.code === "conflict" || error.code === "not_found")) return false;
    throw error;
  }
}

async function putBackWords(
  ctx: ForgetCtx,
  found: Found,
  { user, memories }: { user: NamedUser; memories: number },
): Promise<{ passages: number } | "lost"> {
  const { words, facts, hidden, versions, names } = found.originals;
  const ids = JSON.stringify([...new Set(words.map(({ episode }) => episode))]);
  const { persons, episodes } = await read(ctx, {
    persons: findMade(
      ctx,
      found.userId,
      names.map(({ id }) => id),
    ),
    episodes: findEpisodeWords(
      ctx,
      user,
      sql`(e.id in (select value from json_each(${ids})) or e.id in (
        select (select max(x.id) from episodes x where x.id <= h.value) from json_each(${JSON.stringify(hidden)}) h))`,
    ),
  });
  const closed = new Set(episodes.flatMap(({ id, mayEnter }) => (mayEnter ? [] : [id])));
  const open = episodes.filter(({ id }) => !closed.has(id));
  const passages = words.filter(({ episode }) => open.some(({ id }) => id === episode)).length;
  // Words in a group that the user has left stay in the row, so that they can be put back when the user is there again.
  const rest = closed.size === 0 ? null : { ...found.originals, words: words.filter(({ episode }) => closed.has(episode)) };
  const left = rest === null ? null : { ...rest, facts: [], versions: [], names: [] };
  const changes = open.map((episode) => {
    const jobId = ctx.newId("job");
    const own = words.filter((one) => one.episode === episode.id);
    return { jobId, statements: rewriteStatements(ctx, withPassages(unredactWords(episode, own), hidden, "shown"), { jobId }) };
  });
  try {
    await commit(ctx, {
      statements: [
        failUnless(ctx.db, sql`exists (select 1 from forgettings f where f.id = ${found.id} and f.undone_at is null)`),
        ...changes.flatMap(({ statements }) => statements),
        ...putBackFacts(ctx, found.userId, { facts, removedAt: found.forgottenAt }),
        ...putBackVersions(ctx, versions),
        ...names.flatMap((one) => {
          const person = persons.find(({ publicId }) => publicId === one.id);
          return person === undefined ? [] : putBackName(ctx, person, { ...one, aliases: [...one.aliases] });
        }),
        ctx.db.run(sql`
          update forgettings set ${left === null ? sql`undone_at = ${ctx.now()}` : FORGETTING.set({ originals: left })} where id = ${found.id} and tenant_id = ${ctx.tenantId}`),
      ],
      audit: [
        {
          action: "forgetting.undone",
          objectId: found.publicId,
          userId: found.userId,
          detail: { memories, passages, facts: facts.length },
        },
      ],
    });
  } catch (error) {
    if (!isLostRace(error)) throw error;
    if (await isUndone(ctx, found)) throw conflict("This was undone at the same moment.");
    return "lost";
  }
  dispatch(
    ctx,
    changes.flatMap(({ jobId, statements }) => (statements.length === 0 ? [] : [jobId])),
  );
  return { passages };
}

async function isUndone(ctx: Ctx<"db">, { id }: Found): Promise<boolean> {
  const [now] = await readRows(ctx, select(FOUND)`from forgettings f where f.id = ${id} and f.tenant_id = ${ctx.tenantId}`);
  return now?.undoneAt !== null;
}
