import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { type Query, runBatch, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { integer, type RowOf, row } from "#db/row";
import { PERSON, PERSON_MERGE } from "#db/schema/people";
import { commitUnlessLost } from "#domain/audit";
import { actingUser, ensureUsers, type UserRef, userIdOf } from "#domain/tenants";
import { type FoundMerge, findMerge, foundMerge, toMerge } from "./find-merge.ts";
import { requireSurvivor } from "./find-person.ts";
import { requireMayMerge } from "./merge-rule.ts";
import { partNames } from "./names.ts";
import type { MergeView, UndoInput } from "./schemas.ts";
import { isAsRead, replaceKeys } from "./store-person.ts";
import type { PersonRow } from "./view.ts";

type UndoCtx = Ctx<"db" | "now" | "newId" | "wait" | "random">;

/**
 * Undoes a merge, once: edges that are still as the merge left them move back, and so do the names. The person is separate again.
 * @throws not_found
 * @throws unprocessable or forbidden, as the merge itself.
 * @throws conflict if it was undone before, if the survivor was itself merged since (undo that merge first), and if concurrent calls keep
 * changing one of the two.
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
  const [joined, merge] = [findJoined(ctx, mergeId), findMerge(ctx, mergeId, user)];
  const results = await runBatch(ctx, [joined, ...Object.values(merge)]);
  const found = foundMerge(results, merge);
  if (found === undefined) throw notFound("merge");
  requireMayMerge(ctx, found);
  if (found.merge.undoneAt !== null) throw conflict("This merge was undone already.");
  requireSurvivor(found.into);
  return await undo(ctx, { ...found, joined: results.rows(joined), user });
}

const JOINED = row({
  /** The merge, into the survivor or into a person who was merged into it. */
  ...PERSON_MERGE.of(sql`lm`, "id", "intoId", "addedNames"),
  personId: integer(sql`d.id`),
  ...PERSON.of(sql`d`, "name", "aliases"),
});

/** A person of whom this one is the survivor. */
type Joined = RowOf<typeof JOINED>;

function findJoined(ctx: Ctx<"db">, mergeId: string): Query<Joined> {
  return select(JOINED)`from person_merges mg cross join persons d on d.merged_into = mg.into_id
    cross join person_merges lm on lm.from_id = d.id and lm.undone_at is null
    where mg.public_id = ${mergeId} and +mg.tenant_id = ${ctx.tenantId} and +d.tenant_id = ${ctx.tenantId} order by lm.id`;
}

/** All persons that were merged into the person, and into those. */
function membersOf(personId: number, joined: readonly Joined[]): number[] {
  const direct = joined.filter(({ intoId }) => intoId === personId).map((one) => one.personId);
  return [...direct, ...direct.flatMap((member) => membersOf(member, joined))];
}

async function undo(
  ctx: UndoCtx,
  undoing: FoundMerge & { joined: readonly Joined[]; user: UserRef },
): Promise<MergeView | "lost"> {
  const { merge, from, into, joined, user } = undoing;
  const later = joined.filter(({ id, intoId }) => intoId === into.id && id > merge.id);
  const now = ctx.now();
  const userId = userIdOf(ctx.tenantId, user);
  const { aliases, inherited } = partNames(
    { aliases: into.aliases, added: merge.addedNames },
    later.map(({ id, addedNames, name, aliases }) => ({ id, added: addedNames, names: [name, ...aliases] })),
  );
  const changed = (of: Partial<Pick<PersonRow, "aliases" | "mergedInto">>) =>
    sql`update persons set ${PERSON.set({ ...of, version: sql`version + 1`, updatedAt: now })} where tenant_id = ${ctx.tenantId} and`;
  const undone = findMerge(ctx, merge.publicId, user);
  const results = await commitUnlessLost(ctx, {
    statements: [
      failUnless(ctx.db, sql`${isAsRead(ctx, from)} and ${isAsRead(ctx, into)}`),
      ...ensureUsers(ctx, [user]),
      ...moveEdgesBack(ctx, { mergeId: merge.id, from: from.id, into: into.id, later: later.map(({ id }) => id) }),
      ...replaceKeys(ctx, { id: into.id, before: into, after: { ...into, aliases } }),
      ...replaceKeys(ctx, { id: from.id, before: null, after: from }),
      ...inherited.map(({ id, added }) =>
        ctx.db.run(sql`
          update person_merges set ${PERSON_MERGE.set({ addedNames: added })} where id = ${id} and tenant_id = ${ctx.tenantId}`),
      ),
      ctx.db.run(sql`update person_merges set undone_at = ${now} where id = ${merge.id} and tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`${changed({ aliases })} id = ${into.id}`),
      ctx.db.run(sql`${changed({ mergedInto: null })} id = ${from.id}`),
      ctx.db.run(sql`
        ${changed({ mergedInto: from.id })} id in (select value from json_each(${JSON.stringify(membersOf(from.id, joined))}))`),
      ...Object.values(undone),
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
  if (results === "lost") return "lost";
  const stored = foundMerge(results, undone);
  if (stored === undefined) throw notFound("merge");
  return toMerge(stored);
}

/** A merge by its internal ids, and the later merges into the same survivor that are not undone. */
type Undoing = { mergeId: number; from: number; into: number; later: readonly number[] };

/**
 * Statements that move back the edges that are still where the merge put them. An edge at the survivor belongs to the latest merge that
 * moved it there: if a later merge did, this merge's edge had been moved away in between, and is not moved back. If a later merge found it
 * there (`both`), it stays, and that merge moves it back from now on.
 */
function moveEdgesBack(ctx: Ctx<"db">, { mergeId, from, into, later }: Undoing): Statement[] {
  const laterIds = sql`json_each(${JSON.stringify(later)}) l`;
  const movedLater = (edges: SQL) => sql`exists (
    select 1 from ${laterIds} cross join person_merge_edges f
    where f.merge_id = l.value and f.memory_id = e.memory_id and f.edge in (${edges}))`;
  const isSubject = sql`exists (select 1 from memory_subjects s where s.memory_id = e.memory_id and s.person_id = ${into})`;
  return [
    ctx.db.run(sql`
      insert into memory_subjects (memory_id, person_id)
      select e.memory_id, ${from} from person_merge_edges e
      where e.merge_id = ${mergeId} and ${isSubject} and not ${movedLater(sql`'about'`)}
      on conflict do nothing`),
    ctx.db.run(sql`
      delete from memory_subjects where +person_id = ${into} and memory_id in (
        select e.memory_id from person_merge_edges e
        where e.merge_id = ${mergeId} and e.edge = 'about' and not ${movedLater(sql`'about', 'both'`)})`),
    ctx.db.run(sql`
      update person_merge_edges set edge = 'about' where (merge_id, memory_id, edge) in (
        select min(g.merge_id), e.memory_id, g.edge from person_merge_edges e cross join ${laterIds} cross join person_merge_edges g
        where e.merge_id = ${mergeId} and e.edge = 'about' and not ${movedLater(sql`'about'`)}
          and g.merge_id = l.value and g.memory_id = e.memory_id and g.edge = 'both'
        group by e.memory_id, g.edge)`),
  ];
}
