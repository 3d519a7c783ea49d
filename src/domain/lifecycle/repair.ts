import { type SQL, sql } from "drizzle-orm";
import { nameKey } from "#core/text/normalize";
import type { Statement } from "#db/client";
import { rowsInParts } from "#db/rows";
import { enqueue, enqueueMany, giveTriesAgain } from "#domain/jobs";
import { enqueueIndexing } from "#domain/memories";
import { CHUNKS_PER_SESSION, sessionOf } from "#domain/sessions";
import type { Repair } from "./findings.ts";
import { embedEntitiesAgain, recountMentions, reindexEntities, removeEntitiesFromIndex, removeFacts } from "./repair-entities.ts";
import { reindexEpisodes, reindexMemories, removeMemoriesFromIndex, removePassagesFromIndex } from "./repair-words.ts";
import { type PreparedStep, sumOf, type UpkeepCtx } from "./step.ts";

type PreparedRepairs = Omit<PreparedStep, "next">;

/** What puts the violations right, those of a kind together. */
export async function prepareRepairs(ctx: UpkeepCtx, repairs: readonly Repair[]): Promise<PreparedRepairs> {
  const groups = [...Map.groupBy(repairs, ({ kind }) => kind)];
  const prepared = await Promise.all(groups.map(([kind, group]) => REPAIRS[kind](ctx, group)));
  return {
    counts: sumOf(groups.map(([kind, group]) => ({ [COUNTED_AS[kind]]: group.length }))),
    statements: prepared.flatMap(({ statements }) => statements),
    jobIds: prepared.flatMap(({ jobIds }) => jobIds ?? []),
    outside: async () => {
      for (const { outside } of prepared) await outside?.();
    },
  };
}

type RepairStatements = { statements: readonly Statement[]; jobIds?: readonly string[]; outside?: () => Promise<void> };
type Kind = Repair["kind"];

const REPAIRS: Record<Kind, (ctx: UpkeepCtx, repairs: readonly Repair[]) => RepairStatements | Promise<RepairStatements>> = {
  "memory.reindex": (ctx, repairs) => reindexMemories(ctx, idsIn(repairs)),
  "memory.removeFromIndex": (ctx, repairs) => removeMemoriesFromIndex(ctx, idsIn(repairs)),
  "memory.embed": (ctx, repairs) => embedMemoriesAgain(ctx, idsIn(repairs)),
  "memory.end": (ctx, repairs) => ({ statements: [endValidity(ctx, idsIn(repairs))] }),
  "memory.subjects": (ctx, repairs) => moveSubjects(ctx, idsIn(repairs)),
  "episode.reindex": (ctx, repairs) => reindexEpisodes(ctx, idsIn(repairs)),
  "passage.removeFromIndex": (ctx, repairs) => removePassagesFromIndex(ctx, idsIn(repairs)),
  "episode.embed": (ctx, repairs) => embedEpisodesAgain(ctx, repairs),
  "entity.reindex": (ctx, repairs) => reindexEntities(ctx, idsIn(repairs)),
  "entity.removeFromIndex": (ctx, repairs) => removeEntitiesFromIndex(ctx, idsIn(repairs)),
  "entity.embed": (ctx, repairs) => embedEntitiesAgain(ctx, idsIn(repairs)),
  "entity.recount": (ctx, repairs) => recountMentions(ctx, idsIn(repairs)),
  "fact.remove": (ctx, repairs) => removeFacts(ctx, idsIn(repairs)),
  "vector.remove": (ctx, repairs) => removeVectors(ctx, repairs),
  "user.person": (ctx, repairs) => ({ statements: makePersons(ctx, repairs) }),
  "user.names": (ctx, repairs) => ({ statements: addNames(ctx, repairs) }),
  "job.rerun": (ctx, repairs) => runJobsAgain(ctx, repairs),
  "session.positions": (ctx, repairs) => ({ statements: [raisePositions(ctx, idsIn(repairs))] }),
  "session.participants": (ctx, repairs) => ({ statements: [takePartOnce(ctx, idsIn(repairs))] }),
  "project.members": (ctx, repairs) => ({ statements: [dropStrangers(ctx, idsIn(repairs))] }),
};

/** The names of counts in answers and in the audit. */
const COUNTED_AS: Record<Kind, string> = {
  "memory.reindex": "memoriesReindexed",
  "memory.removeFromIndex": "wordsRemoved",
  "memory.embed": "memoriesToEmbed",
  "memory.end": "validityEnded",
  "memory.subjects": "subjectsMoved",
  "episode.reindex": "episodesReindexed",
  "passage.removeFromIndex": "passagesRemoved",
  "episode.embed": "episodesToEmbed",
  "entity.reindex": "entitiesReindexed",
  "entity.removeFromIndex": "entityWordsRemoved",
  "entity.embed": "entitiesToEmbed",
  "entity.recount": "entitiesRecounted",
  "fact.remove": "usersCleared",
  "vector.remove": "vectorsRemoved",
  "user.person": "personsMade",
  "user.names": "personsNamed",
  "job.rerun": "jobsRerun",
  "session.positions": "sessionsAdvanced",
  "session.participants": "participantsRepaired",
  "project.members": "projectsRepaired",
};

function idsIn(repairs: readonly Repair[]): number[] {
  return [...new Set(repairs.flatMap((repair) => ("id" in repair ? [repair.id] : [])))];
}

function listOf(ids: readonly number[]): SQL {
  return sql.raw(ids.join(","));
}

function embedMemoriesAgain(ctx: UpkeepCtx, ids: readonly number[]): RepairStatements {
  const jobId = ctx.newId("job");
  return {
    statements: [
      ctx.db.run(sql`
        update memories set vector_model = null
        where id in (${listOf(ids)}) and tenant_id = ${ctx.tenantId} and deleted_at is null and vector_model is not null`),
      enqueueIndexing(ctx, { jobId, ids: sql`${JSON.stringify(ids)}` }),
    ],
    jobIds: [jobId],
  };
}

/** A job for each session: it embeds what lacks its stamp between the first and the last. */
function embedEpisodesAgain(ctx: UpkeepCtx, repairs: readonly Repair[]): RepairStatements {
  const episodes = repairs.flatMap((repair) => (repair.kind === "episode.embed" ? [repair] : []));
  const jobs = [...Map.groupBy(episodes, ({ id }) => sessionOf(id)).values()].map((group) => {
    const from = Math.min(...group.map(({ id }) => id));
    const end = Math.max(...group.map(({ id, chunkCount }) => id + chunkCount));
    return { id: ctx.newId("job"), payload: JSON.stringify({ from, chunks: end - from }) };
  });
  return {
    statements: [
      ctx.db.run(sql`
        update episodes set vector_model = null
        where id in (${listOf(idsIn(episodes))}) and tenant_id = ${ctx.tenantId} and vector_model is not null`),
      enqueueMany(ctx, { kind: "episodes.index", drafts: jobs }),
    ],
    jobIds: jobs.map(({ id }) => id),
  };
}

/** A memory that was restored between the look and the removal has lost a vector that it should have: it gets a job. */
function removeVectors(ctx: UpkeepCtx, repairs: readonly Repair[]): RepairStatements {
  const found = repairs.flatMap((repair) => (repair.kind === "vector.remove" ? [repair] : []));
  const memories = found.flatMap(({ memoryId }) => memoryId ?? []);
  const jobId = ctx.newId("job");
  const back = sql`id in (${listOf(memories)}) and tenant_id = ${ctx.tenantId} and deleted_at is null`;
  const outside = async () =>
    await ctx.vectors.remove(
      ctx.tenantId,
      found.map(({ ref }) => ref),
    );
  if (memories.length === 0) return { statements: [], outside };
  return {
    outside,
    statements: [
      ctx.db.run(sql`update memories set vector_model = null where ${back}`),
      enqueue(ctx, {
        id: jobId,
        kind: "memories.index",
        payload: JSON.stringify({ memories }),
        from: sql`(select 1 from memories where ${back} limit 1)`,
      }),
    ],
    jobIds: [jobId],
  };
}

/** As a user gets their own person when they are made, and their name with it. */
function makePersons(ctx: UpkeepCtx, repairs: readonly Repair[]): Statement[] {
  const users = repairs.flatMap((repair) => (repair.kind === "user.person" ? [repair] : []));
  const keys = users.flatMap(({ id, names }) =>
    [...new Set(names.map(nameKey))].flatMap((key) => (key === "" ? [] : [[id, key]])),
  );
  return [
    ...rowsInParts(users.map(({ id }) => [id, ctx.newId("person")])).map((part) =>
      ctx.db.run(sql`
        insert into persons (public_id, tenant_id, user_id, name, aliases, created_by, created_at, updated_at)
        select j.c1, ${ctx.tenantId}, u.id, coalesce(u.name, u.external_id), '[]', u.id, ${ctx.now()}, ${ctx.now()}
        from ${part} j cross join users u on u.id = j.c0 where u.tenant_id = ${ctx.tenantId} on conflict do nothing`),
    ),
    ...rowsInParts(keys).map((part) =>
      ctx.db.run(sql`
        insert into person_names (tenant_id, name_key, person_id)
        select ${ctx.tenantId}, j.c1, pe.id from ${part} j cross join persons pe on pe.user_id = j.c0
        where pe.tenant_id = ${ctx.tenantId} on conflict do nothing`),
    ),
  ];
}

/** What replaces it says since when it holds; if that is gone, the time of the last change has to do. */
function endValidity(ctx: UpkeepCtx, ids: readonly number[]): Statement {
  return ctx.db.run(sql`
    update memories set valid_to = max(valid_from, coalesce(
      (select r.valid_from from memories r where r.id = memories.superseded_by and r.tenant_id = ${ctx.tenantId}), updated_at))
    where id in (${listOf(ids)}) and tenant_id = ${ctx.tenantId} and valid_to is null and superseded_by is not null`);
}

/** To whom a merged person was merged, remembered under the merge as it would have been then, so that an undo moves it back. */
function moveSubjects(ctx: UpkeepCtx, ids: readonly number[]): RepairStatements {
  const merged = sql`
    memory_subjects ss cross join persons pe on pe.id = ss.person_id and pe.merged_into is not null and pe.tenant_id = ${ctx.tenantId}`;
  return {
    statements: [
      ctx.db.run(sql`
        insert into person_merge_edges (merge_id, memory_id, edge)
        select mg.id, ss.memory_id, iif(exists (
          select 1 from memory_subjects o where o.memory_id = ss.memory_id and o.person_id = pe.merged_into), 'both', 'about')
        from ${merged} cross join person_merges mg on mg.from_id = pe.id and mg.undone_at is null
        where ss.memory_id in (${listOf(ids)}) on conflict do nothing`),
      ctx.db.run(sql`
        insert into memory_subjects (memory_id, person_id)
        select ss.memory_id, pe.merged_into from ${merged} where ss.memory_id in (${listOf(ids)}) on conflict do nothing`),
      ctx.db.run(sql`
        delete from memory_subjects where memory_id in (${listOf(ids)}) and person_id in (
          select ss.person_id from ${merged} where ss.memory_id in (${listOf(ids)}))`),
    ],
  };
}

function addNames(ctx: UpkeepCtx, repairs: readonly Repair[]): Statement[] {
  const names = repairs.flatMap((repair) => (repair.kind === "user.names" ? repair.keys.map((key) => [repair.id, key]) : []));
  return rowsInParts(names).map((part) =>
    ctx.db.run(sql`
      insert into person_names (tenant_id, name_key, person_id) select ${ctx.tenantId}, j.c1, j.c0 from ${part} j
      where true on conflict do nothing`),
  );
}

function raisePositions(ctx: UpkeepCtx, ids: readonly number[]): Statement {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  return ctx.db.run(sql`
    update sessions set next_seq = max(next_seq, coalesce((
      select e.id + e.chunk_count - sessions.id * ${per} from episodes e
      where e.id >= sessions.id * ${per} and e.id < (sessions.id + 1) * ${per} order by e.id desc limit 1), 0))
    where id in (${listOf(ids)}) and tenant_id = ${ctx.tenantId}`);
}

/** Who is there twice has left the earlier time, now. */
function takePartOnce(ctx: UpkeepCtx, ids: readonly number[]): Statement {
  return ctx.db.run(sql`
    update participants set left_at = ${ctx.now()}
    where session_id in (select s.id from sessions s where s.id in (${listOf(ids)}) and s.tenant_id = ${ctx.tenantId}) and left_at is null
      and exists (
        select 1 from participants o where o.session_id = participants.session_id and o.user_id = participants.user_id
          and o.left_at is null and o.joined_at > participants.joined_at)`);
}

function dropStrangers(ctx: UpkeepCtx, ids: readonly number[]): Statement {
  return ctx.db.run(sql`
    delete from project_members
    where project_id in (select p.id from projects p where p.id in (${listOf(ids)}) and p.tenant_id = ${ctx.tenantId})
      and not exists (select 1 from users u where u.id = project_members.user_id and u.tenant_id = ${ctx.tenantId})`);
}

function runJobsAgain(ctx: UpkeepCtx, repairs: readonly Repair[]): RepairStatements {
  const jobIds = repairs.flatMap((found) => (found.kind === "job.rerun" ? [found.jobId] : []));
  return { statements: [giveTriesAgain(ctx, { jobIds, among: ["failed"] })], jobIds };
}
