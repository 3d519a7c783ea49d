import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import type { Statement, StatementResult } from "#db/client";
import { failUnless, isLostRace } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { actingUser, ensureUsers, type UserRef, userIdOf } from "#domain/tenants";
import { asFoundMerge, type FoundMerge, findMerge, toMerge } from "./find-merge.ts";
import { requireSurvivor } from "./find-person.ts";
import { requireMayMerge } from "./may-merge.ts";
import { moveEdgesBack } from "./move-edges.ts";
import { type LaterMerge, partNames } from "./names.ts";
import type { MergeView, UndoInput } from "./schemas.ts";
import { findable, isAsRead, replaceKeys } from "./store-person.ts";
import { namesIn } from "./view.ts";

type UndoCtx = Ctx<"db" | "now" | "newId" | "wait" | "random">;

/**
 * Undoes a merge, once: what it moved goes back where it is still as the merge left it, the names too, and the person stands for
 * itself again. 409 if it was undone before, or if the survivor was itself merged since: that merge is undone first.
 */
export async function undoMerge(ctx: UndoCtx, mergeId: string, input: UndoInput): Promise<MergeView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  if (!isPublicId("merge", mergeId)) throw notFound("merge");
  return await retryLostRace(ctx, "One of the two is being changed by others at the same moment. Try again.", () =>
    tryUndo(ctx, mergeId, user),
  );
}

async function tryUndo(ctx: UndoCtx, mergeId: string, user: UserRef): Promise<MergeView | "lost"> {
  const [joined, ...results] = await runBatch(ctx, [findJoined(ctx, mergeId), ...findMerge(ctx, mergeId, user)]);
  const found = asFoundMerge(results);
  if (found === undefined) throw notFound("merge");
  requireMayMerge(ctx, found);
  if (found.merge.undoneAt !== null) throw conflict("This merge was undone already.");
  requireSurvivor(found.into);
  try {
    return await undo(ctx, { ...found, joined: asJoined(joined), user });
  } catch (error) {
    if (isLostRace(error)) return "lost";
    throw error;
  }
}

/** Somebody for whom the survivor stands, and the merge by which they were merged, into it or into somebody who was. */
type Joined = LaterMerge & { personId: number; intoId: number };

function findJoined(ctx: Ctx<"db">, mergeId: string): Statement {
  return ctx.db.all(sql`
    select lm.id as id, d.id as personId, lm.into_id as intoId, lm.added_names as addedNames, d.name as name, d.aliases as aliases
    from person_merges mg cross join persons d on d.merged_into = mg.into_id
    cross join person_merges lm on lm.from_id = d.id and lm.undone_at is null
    where mg.public_id = ${mergeId} and +mg.tenant_id = ${ctx.tenantId} and +d.tenant_id = ${ctx.tenantId} order by lm.id`);
}

/** Rows of `findJoined`, which selects exactly these columns. */
function asJoined(found: StatementResult | undefined): Joined[] {
  const rows = (found?.rows ?? []) as (Omit<Joined, "added" | "names"> & { addedNames: string; name: string; aliases: string })[];
  return rows.map(({ addedNames, name, aliases, ...row }) => ({
    ...row,
    added: namesIn(addedNames),
    names: [name, ...namesIn(aliases)],
  }));
}

/** Everybody who was merged into the person, and into those. */
function membersOf(personId: number, joined: readonly Joined[]): number[] {
  const direct = joined.filter(({ intoId }) => intoId === personId).map((one) => one.personId);
  return [...direct, ...direct.flatMap((member) => membersOf(member, joined))];
}

async function undo(ctx: UndoCtx, undoing: FoundMerge & { joined: readonly Joined[]; user: UserRef }): Promise<MergeView> {
  const { merge, from, into, joined, user } = undoing;
  const later = joined.filter(({ id, intoId }) => intoId === into.id && id > merge.id);
  const now = ctx.now();
  const userId = userIdOf(ctx.tenantId, user);
  const before = findable(into);
  const { aliases, inherited } = partNames({ aliases: before.aliases, added: namesIn(merge.addedNames) }, later);
  const results = await commit(ctx, {
    statements: [
      failUnless(ctx.db, sql`${isAsRead(ctx, from)} and ${isAsRead(ctx, into)}`),
      ...ensureUsers(ctx, [user]),
      ...moveEdgesBack(ctx, { mergeId: merge.id, from: from.id, into: into.id, later: later.map(({ id }) => id) }),
      ...replaceKeys(ctx, { id: into.id, before, after: { ...before, aliases } }),
      ...replaceKeys(ctx, { id: from.id, before: null, after: findable(from) }),
      ...inherited.map(({ id, added }) =>
        ctx.db.run(sql`
          update person_merges set added_names = ${JSON.stringify(added)} where id = ${id} and tenant_id = ${ctx.tenantId}`),
      ),
      ctx.db.run(sql`update person_merges set undone_at = ${now} where id = ${merge.id} and tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`
        update persons set aliases = ${JSON.stringify(aliases)}, version = version + 1, updated_at = ${now}
        where id = ${into.id} and tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`
        update persons set merged_into = null, version = version + 1, updated_at = ${now}
        where id = ${from.id} and tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`
        update persons set merged_into = ${from.id}, version = version + 1, updated_at = ${now}
        where id in (select value from json_each(${JSON.stringify(membersOf(from.id, joined))})) and tenant_id = ${ctx.tenantId}`),
      ...findMerge(ctx, merge.publicId, user),
    ],
    audit: [
      {
        action: "person.merge_undone",
        objectId: into.publicId,
        userId,
        detail: { mergeId: merge.publicId, from: from.publicId },
      },
    ],
  });
  const undone = asFoundMerge(results.slice(-3));
  if (undone === undefined) throw notFound("merge");
  return toMerge(undone);
}
