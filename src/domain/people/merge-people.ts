import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { type Query, read, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { integer, row } from "#db/row";
import { PERSON, PERSON_MERGE } from "#db/schema/people";
import { commitUnlessLost } from "#domain/audit";
import { actingUser, ensureUsers, type UserRef, userIdOf } from "#domain/tenants";
import { findMerge, foundMerge, toMerge } from "./find-merge.ts";
import { findPerson, requireSurvivor } from "./find-person.ts";
import { requireMayMerge } from "./merge-rule.ts";
import { joinNames } from "./names.ts";
import type { MergeInput, MergeView } from "./schemas.ts";
import { isAsRead, replaceKeys } from "./store-person.ts";
import type { PersonRow } from "./view.ts";

/** A merge writes about five rows for each edge, all in one batch. */
const MAX_EDGES = 20_000;

type MergeCtx = Ctx<"db" | "now" | "newId" | "wait" | "random">;

/**
 * Merges the person `from` into another: memories about it and by it are the survivor's from now on, and its names find the survivor. What
 * moved is recorded, so that the merge can be undone. One batch.
 * @throws not_found
 * @throws unprocessable for a person and itself, or two that can never be one.
 * @throws forbidden for a merge that needs another key or another user.
 * @throws conflict for a person that was merged before, for too many edges, and if concurrent calls keep changing one of the two.
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
  return await merge(ctx, { from, into, user });
}

async function findBoth(
  ctx: Ctx<"db">,
  asked: { from: string; into: string; user: UserRef },
): Promise<{ from: PersonRow; into: PersonRow; edges: number }> {
  if (!isPublicId("person", asked.from) || !isPublicId("person", asked.into)) throw notFound("person");
  const {
    from: [from],
    into: [into],
    counted: [counted],
  } = await read(ctx, {
    from: findPerson(ctx, sql`p.public_id = ${asked.from}`, asked.user),
    into: findPerson(ctx, sql`p.public_id = ${asked.into}`, asked.user),
    counted: countEdges(ctx, asked.from),
  });
  if (from === undefined || into === undefined || counted === undefined) throw notFound("person");
  return { from, into, edges: counted.edges };
}

const EDGES = row({
  edges: integer(sql`
    (select count(*) from (select 1 from memory_subjects s where s.person_id = p.id limit ${sql.raw(String(MAX_EDGES + 1))}))`),
});

/** How many edges would move, counted up to the limit. */
function countEdges(ctx: Ctx<"db">, personId: string): Query<{ edges: number }> {
  return select(EDGES)`from persons p where p.public_id = ${personId} and +p.tenant_id = ${ctx.tenantId}`;
}

async function merge(
  ctx: MergeCtx,
  { from, into, user }: { from: PersonRow; into: PersonRow; user: UserRef },
): Promise<MergeView | "lost"> {
  const mergeId = ctx.newId("merge");
  const now = ctx.now();
  const userId = userIdOf(ctx.tenantId, user);
  const names = joinNames(into, from);
  const merged = findMerge(ctx, mergeId, user);
  const moved = sql`update persons set ${PERSON.set({ mergedInto: into.id, version: sql`version + 1`, updatedAt: now })}`;
  const results = await commitUnlessLost(ctx, {
    statements: [
      failUnless(ctx.db, sql`${isAsRead(ctx, from)} and ${isAsRead(ctx, into)}`),
      ...ensureUsers(ctx, [user]),
      ctx.db.run(sql`
        insert into person_merges ${PERSON_MERGE.insert({
          ...{ publicId: mergeId, tenantId: ctx.tenantId, fromId: from.id, intoId: into.id },
          ...{ addedNames: names.added, mergedBy: userId, mergedAt: now },
        })}`),
      ...moveEdges(ctx, { mergeId, from: from.id, into: into.id }),
      ...replaceKeys(ctx, { id: from.id, before: from, after: null }),
      ...replaceKeys(ctx, { id: into.id, before: null, after: { ...into, aliases: names.aliases } }),
      ctx.db.run(sql`${moved} where id = ${from.id} and tenant_id = ${ctx.tenantId}`),
      // Persons that were merged into that one before.
      ctx.db.run(sql`${moved} where merged_into = ${from.id} and +tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`
        update persons set ${PERSON.set({ aliases: names.aliases, version: sql`version + 1`, updatedAt: now })}
        where id = ${into.id} and tenant_id = ${ctx.tenantId}`),
      ...Object.values(merged),
    ],
    audit: [{ action: "person.merged", objectId: into.publicId, userId, detail: { mergeId, from: from.publicId } }],
  });
  if (results === "lost") return "lost";
  const stored = foundMerge(results, merged);
  if (stored === undefined) throw new AppError("internal", "The merge was not stored.");
  return toMerge(stored);
}

/**
 * Statements that move the edges of one person to another and record each under the merge, whose row exists already. The stored speaker of
 * a memory is not changed: readers look up the survivor.
 */
function moveEdges(ctx: Ctx<"db">, { mergeId, from, into }: { mergeId: string; from: number; into: number }): Statement[] {
  return [
    ctx.db.run(sql`
      insert into person_merge_edges (merge_id, memory_id, edge)
      select mg.id, s.memory_id, case
        when exists (select 1 from memory_subjects o where o.memory_id = s.memory_id and o.person_id = ${into}) then 'both'
        else 'about' end
      from person_merges mg cross join memory_subjects s on s.person_id = ${from} where mg.public_id = ${mergeId}`),
    ctx.db.run(sql`
      insert into memory_subjects (memory_id, person_id)
      select s.memory_id, ${into} from memory_subjects s where s.person_id = ${from} on conflict do nothing`),
    ctx.db.run(sql`delete from memory_subjects where person_id = ${from}`),
  ];
}
