import { sql } from "drizzle-orm";
import { readRows, runBatch, select } from "#db/client";
import { integer, row } from "#db/row";
import { enqueueMany } from "#domain/jobs";
import { count, type Progress } from "./progress.ts";
import { erasedPersons } from "./rows.ts";
import { isUserErasure, listOf } from "./scope.ts";
import type { StepCtx } from "./step.ts";

const SESSIONS_A_STEP = 200;

/** Stands for a user who was erased. */
const NOBODY = 0;

/** Clears the user from what others keep: persons that they made, merges, groups, documents. */
export async function releaseOwned(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { scope } = progress;
  if (!isUserErasure(scope)) return true;
  const { tenantId, id: user } = scope;
  const isReferred = sql`(exists (select 1 from memory_subjects su where su.person_id = persons.id)
    or exists (select 1 from persons mp where mp.merged_into = persons.id and mp.created_by <> ${user})
    or persons.id in (
      select m.stated_by from users u cross join memories m on m.space_id = u.space_id and m.deleted_at is null
      where u.tenant_id = ${tenantId} and m.tenant_id = ${tenantId} and m.stated_by is not null))`;
  const persons = ctx.db.run(sql`
    update persons set notes = null, relationship = null, created_by = ${NOBODY}, version = version + 1, updated_at = ${ctx.now()}
    where created_by = ${user} and user_id is null and tenant_id = ${tenantId} and id not in ${listOf(scope.persons)} and ${isReferred}`);
  const merges = ctx.db.run(sql`
    update person_merges set merged_by = ${NOBODY}
    where merged_by = ${user} and tenant_id = ${tenantId} and from_id not in (${erasedPersons(scope)}) and into_id not in (${erasedPersons(scope)})`);
  const owned = ctx.db.run(sql`
    update sessions set owner_id = (
      select p.user_id from participants p where p.session_id = sessions.id and p.user_id <> ${user} and p.left_at is null
      order by p.joined_at, p.user_id limit 1)
    where id in ${listOf(scope.groups)} and owner_id = ${user} and tenant_id = ${tenantId}
      and exists (select 1 from participants o where o.session_id = sessions.id and o.user_id <> ${user} and o.left_at is null)`);
  const sources = ctx.db.run(sql`
    update sources set created_by = null where created_by = ${user} and tenant_id = ${tenantId} and id not in ${listOf(scope.sources)}`);
  const results = await runBatch(ctx, [persons, merges, owned, sources]);
  count(progress, "persons", results.changes(persons));
  count(progress, "person_merges", results.changes(merges));
  count(progress, "sessions", results.changes(owned));
  count(progress, "sources", results.changes(sources));
  return true;
}

const SESSION = row({ id: integer(sql`s.id`) });

/** Takes the next sessions of others out of the projects that go; jobs tag their vectors anew. */
export async function leaveProjects(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { projects, sessions } = progress.scope;
  if (projects.length === 0) return true;
  const next = await readRows(
    ctx,
    select(SESSION)`from sessions s where s.project_id in ${listOf(projects)} and s.tenant_id = ${ctx.tenantId}
      and s.id not in ${listOf(sessions)} limit ${SESSIONS_A_STEP}`,
  );
  if (next.length === 0) return true;
  const ids = listOf(next.map(({ id }) => id));
  const left = ctx.db.run(sql`update sessions set project_id = null where id in ${ids} and tenant_id = ${ctx.tenantId}`);
  const drafts = next.map(({ id }) => ({ id: ctx.newId("job"), payload: JSON.stringify({ sessionId: id }) }));
  const results = await runBatch(ctx, [left, enqueueMany(ctx, { kind: "session.retag", drafts })]);
  count(progress, "sessions", results.changes(left));
  return false;
}
