import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import type { Statement } from "#db/client";
import { failUnless, isLostRace } from "#db/guard";
import { commit, runBatch } from "#domain/audit";
import { actingUser, ensureUsers, type UserRef, userIdOf } from "#domain/tenants";
import { asFoundMerge, findMerge, toMerge } from "./find-merge.ts";
import { asPerson, findPerson, requireSurvivor } from "./find-person.ts";
import { requireMayMerge } from "./may-merge.ts";
import { moveEdges } from "./move-edges.ts";
import { joinNames } from "./names.ts";
import type { MergeInput, MergeView } from "./schemas.ts";
import { findable, isAsRead, replaceKeys } from "./store-person.ts";
import type { PersonRow } from "./view.ts";

/** A merge writes about five rows for each edge, all in one batch. */
const MAX_EDGES = 20_000;

type MergeCtx = Ctx<"db" | "now" | "newId" | "wait" | "random">;

/**
 * Merges the person `from` into another: what was said about it and by it is the survivor's from now on, its names lead there, and
 * what moved is recorded, so that it can be undone. All in one batch; 409 when others keep changing one of the two at the same moment.
 */
export async function mergePeople(ctx: MergeCtx, personId: string, input: MergeInput): Promise<MergeView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  if (input.from === personId) throw breaksRule("from", "A person cannot be merged into itself.");
  return await retryLostRace(ctx, "One of the two is being changed by others at the same moment. Try again.", () =>
    tryMerge(ctx, { personId, from: input.from, user }),
  );
}

async function tryMerge(ctx: MergeCtx, asked: { personId: string; from: string; user: UserRef }): Promise<MergeView | "lost"> {
  const { personId, user } = asked;
  const { from, into, edges } = await findBoth(ctx, { from: asked.from, into: personId, user });
  requireMayMerge(ctx, { from, into });
  requireSurvivor(from);
  requireSurvivor(into);
  if (edges > MAX_EDGES) throw conflict(`Merging this person would move more than ${MAX_EDGES} edges.`);
  try {
    return await merge(ctx, { from, into, user });
  } catch (error) {
    if (isLostRace(error)) return "lost";
    throw error;
  }
}

async function findBoth(
  ctx: Ctx<"db">,
  asked: { from: string; into: string; user: UserRef },
): Promise<{ from: PersonRow; into: PersonRow; edges: number }> {
  if (!isPublicId("person", asked.from) || !isPublicId("person", asked.into)) throw notFound("person");
  const [found, stays, counted] = await runBatch(ctx, [
    findPerson(ctx, sql`p.public_id = ${asked.from}`, asked.user),
    findPerson(ctx, sql`p.public_id = ${asked.into}`, asked.user),
    countEdges(ctx, asked.from),
  ]);
  const [from, into] = [asPerson(found), asPerson(stays)];
  if (from === undefined || into === undefined) throw notFound("person");
  return { from, into, edges: Number(counted?.rows[0]?.edges) };
}

/** How many edges would move, counted no further than the limit. */
function countEdges(ctx: Ctx<"db">, personId: string): Statement {
  const most = sql.raw(String(MAX_EDGES + 1));
  return ctx.db.all(sql`
    select (select count(*) from (select 1 from memory_subjects s where s.person_id = p.id limit ${most})) as edges
    from persons p where p.public_id = ${personId} and +p.tenant_id = ${ctx.tenantId}`);
}

async function merge(
  ctx: MergeCtx,
  { from, into, user }: { from: PersonRow; into: PersonRow; user: UserRef },
): Promise<MergeView> {
  const mergeId = ctx.newId("merge");
  const now = ctx.now();
  const userId = userIdOf(ctx.tenantId, user);
  const names = joinNames(findable(into), findable(from));
  const results = await commit(ctx, {
    statements: [
      failUnless(ctx.db, sql`${isAsRead(ctx, from)} and ${isAsRead(ctx, into)}`),
      ...ensureUsers(ctx, [user]),
      ctx.db.run(sql`
        insert into person_merges (public_id, tenant_id, from_id, into_id, added_names, merged_by, merged_at)
        values (${mergeId}, ${ctx.tenantId}, ${from.id}, ${into.id}, ${JSON.stringify(names.added)}, ${userId}, ${now})`),
      ...moveEdges(ctx, { mergeId, from: from.id, into: into.id }),
      ...replaceKeys(ctx, { id: from.id, before: findable(from), after: null }),
      ...replaceKeys(ctx, { id: into.id, before: null, after: { ...findable(into), aliases: names.aliases } }),
      ctx.db.run(sql`
        update persons set merged_into = ${into.id}, version = version + 1, updated_at = ${now}
        where id = ${from.id} and tenant_id = ${ctx.tenantId}`),
      // Whoever was merged into that one before.
      ctx.db.run(sql`
        update persons set merged_into = ${into.id}, version = version + 1, updated_at = ${now}
        where merged_into = ${from.id} and +tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`
        update persons set aliases = ${JSON.stringify(names.aliases)}, version = version + 1, updated_at = ${now}
        where id = ${into.id} and tenant_id = ${ctx.tenantId}`),
      ...findMerge(ctx, mergeId, user),
    ],
    audit: [{ action: "person.merged", objectId: into.publicId, userId, detail: { mergeId, from: from.publicId } }],
  });
  const merged = asFoundMerge(results.slice(-3));
  if (merged === undefined) throw new AppError("internal", "The merge was not stored.");
  return toMerge(merged);
}
