import { sql } from "drizzle-orm";
import type { Statement } from "#db/client";
import { rowsInParts } from "#db/rows";
import { type IndexRepair, prepareIndexRepairs, type Repairs } from "#domain/indexing";
import { resetTries } from "#domain/jobs";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import type { Repair } from "./findings.ts";
import { sumOf, type UpkeepCtx } from "./step.ts";
import { isSummarizedElsewhere } from "./summary-reference.ts";

/** Prepares the repairs of findings, grouped by kind. */
export async function prepareRepairs(ctx: UpkeepCtx, repairs: readonly Repair[]): Promise<Repairs> {
  const prepared = [
    ...(await prepareIndexRepairs(ctx, repairs.filter(isOfIndex))),
    ...preparePersons(ctx, repairs),
    ...prepareNames(ctx, repairs),
    ...preparePositions(ctx, repairs),
    ...prepareSummaries(ctx, repairs),
    ...prepareMentions(ctx, repairs),
    ...prepareUploads(ctx, repairs),
    ...prepareReruns(ctx, repairs),
  ];
  return {
    counts: sumOf(prepared.map(({ counts }) => counts)),
    statements: prepared.flatMap(({ statements }) => statements),
    jobIds: prepared.flatMap(({ jobIds }) => jobIds ?? []),
    outside: async () => {
      for (const { outside } of prepared) await outside?.();
    },
  };
}

function isOfIndex(repair: Repair): repair is IndexRepair {
  return "of" in repair;
}

/** Creates persons as they are created with their users. */
function preparePersons(ctx: UpkeepCtx, repairs: readonly Repair[]): Repairs[] {
  const users = repairs.filter((repair) => repair.kind === "user.person");
  if (users.length === 0) return [];
  const keys = users.flatMap((user) => user.keys.map((key) => [user.id, key]));
  const statements = [
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
  return [{ counts: { personsMade: users.length }, statements }];
}

function prepareNames(ctx: UpkeepCtx, repairs: readonly Repair[]): Repairs[] {
  const found = repairs.filter((repair) => repair.kind === "user.names");
  const names = found.flatMap(({ id, keys }) => keys.map((key) => [id, key]));
  const statements = rowsInParts(names).map((part) =>
    ctx.db.run(sql`
      insert into person_names (tenant_id, name_key, person_id) select ${ctx.tenantId}, j.c1, j.c0 from ${part} j
      where true on conflict do nothing`),
  );
  return found.length === 0 ? [] : [{ counts: { personsNamed: found.length }, statements }];
}

function preparePositions(ctx: UpkeepCtx, repairs: readonly Repair[]): Repairs[] {
  const ids = repairs.flatMap((repair) => (repair.kind === "session.positions" ? [repair.id] : []));
  if (ids.length === 0) return [];
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const statement = ctx.db.run(sql`
    update sessions set next_seq = max(next_seq, coalesce((
      select e.id + e.chunk_count - sessions.id * ${per} from episodes e
      where e.id >= sessions.id * ${per} and e.id < (sessions.id + 1) * ${per} order by e.id desc limit 1), 0))
    where id in (${sql.raw(ids.join(","))}) and tenant_id = ${ctx.tenantId}`);
  return [{ counts: { sessionsAdvanced: ids.length }, statements: [statement] }];
}

/** Deletes mentions by deleted episodes, and counts the remaining ones. */
function prepareMentions(ctx: UpkeepCtx, repairs: readonly Repair[]): Repairs[] {
  const found = repairs.flatMap((repair) => (repair.kind === "entity.mentions" ? [repair.id] : []));
  if (found.length === 0) return [];
  const ids = sql.raw(found.join(","));
  const statements: Statement[] = [
    ctx.db.run(sql`
      delete from entity_mentions where entity_id in (${ids}) and not exists (
        select 1 from episodes e where e.id = entity_mentions.episode_id and e.tenant_id = ${ctx.tenantId})`),
    ctx.db.run(sql`
      update entities set mention_count = (select count(*) from entity_mentions em where em.entity_id = entities.id)
      where id in (${ids}) and +tenant_id = ${ctx.tenantId}`),
  ];
  return [{ counts: { entitiesRecounted: found.length }, statements }];
}

/** Their episodes count as not summarized. */
function prepareSummaries(ctx: UpkeepCtx, repairs: readonly Repair[]): Repairs[] {
  const ids = repairs.flatMap((repair) => (repair.kind === "episode.summary" ? [repair.id] : []));
  if (ids.length === 0) return [];
  const statement = ctx.db.run(sql`
    update episodes as e set summary_id = null
    where e.id in (${sql.raw(ids.join(","))}) and e.tenant_id = ${ctx.tenantId} and ${isSummarizedElsewhere(sql`e`)}`);
  return [{ counts: { summariesDetached: ids.length }, statements: [statement] }];
}

function prepareUploads(ctx: UpkeepCtx, repairs: readonly Repair[]): Repairs[] {
  const keys = repairs.flatMap((repair) => (repair.kind === "upload.file" ? [repair.key] : []));
  if (keys.length === 0) return [];
  return [{ counts: { uploadsRemoved: keys.length }, statements: [], outside: async () => await ctx.files.remove(keys) }];
}

function prepareReruns(ctx: UpkeepCtx, repairs: readonly Repair[]): Repairs[] {
  const jobIds = repairs.flatMap((repair) => (repair.kind === "job.rerun" ? [repair.jobId] : []));
  if (jobIds.length === 0) return [];
  return [{ counts: { jobsRerun: jobIds.length }, statements: [resetTries(ctx, { jobIds, among: ["failed"] })], jobIds }];
}
