import { sql } from "drizzle-orm";
import { z } from "zod";
import { nameKey } from "#core/text/normalize";
import { read, statement } from "#db/client";
import { flag, integer, nullable, type RowOf, row, text } from "#db/row";
import { ENTITY } from "#db/schema/entities";
import { MEMORY } from "#db/schema/memories";
import { EPISODE, SESSION } from "#db/schema/sessions";
import { USER } from "#db/schema/tenants";
import { ENTITIES } from "#domain/entities";
import { placeOf, readCursor, rowsPath, type Step, takeHits, toCursor, walk } from "#domain/indexing";
import { CHUNKS_PER_SESSION, EPISODES } from "#domain/sessions";
import { findLostUploads } from "#domain/sources";
import type { CheckResult } from "./findings.ts";
import type { UpkeepCtx } from "./step.ts";
import { isSummarizedElsewhere } from "./summary-reference.ts";

const ROWS_A_STEP = 300;

const OWN_PERSON = row({
  ...USER.of(sql`u`, "id", "externalId", "name"),
  personId: nullable(integer(sql`pe.id`)),
  personName: nullable(text(sql`pe.name`)),
});

/** Whether the tenant's users have their own persons, and can be found by name. Users from before persons were introduced may have none. */
export async function checkUsers(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const { users } = await read(ctx, {
    users: statement(
      OWN_PERSON,
      sql`select ${OWN_PERSON.columns} from users u left join persons pe on pe.user_id = u.id and pe.tenant_id = u.tenant_id
        where u.tenant_id = ${ctx.tenantId} and u.external_id > coalesce((
          select c.external_id from users c where c.id = ${lastOf(cursor)} and c.tenant_id = ${ctx.tenantId}), '')
        order by u.external_id limit ${ROWS_A_STEP}`,
    ),
  });
  const missing = await readMissingNames(ctx, users);
  const { hits, next } = takeRows(users, limit, ({ personId }) => personId === null || missing.has(personId));
  return {
    checked: { "user.person": users.length, "user.names": users.length },
    findings: hits.map(({ id, externalId, name, personId }) => {
      const keys = personId === null ? keysOf([externalId, name]) : (missing.get(personId) ?? []);
      return personId === null
        ? { invariant: "user.person", example: externalId, repair: { kind: "user.person", id, keys } }
        : { invariant: "user.names", example: externalId, repair: { kind: "user.names", id: personId, keys } };
    }),
    next,
  };
}

function keysOf(names: readonly (string | null)[]): string[] {
  return [...new Set(names.map((name) => nameKey(name ?? "")))].filter(Boolean);
}

const MISSING = row({ person: integer(sql`j.value ->> 0`), key: text(sql`j.value ->> 1`) });

/** The keys of names by which a user's own person should be found but is not, by the person's id. */
async function readMissingNames(ctx: UpkeepCtx, users: readonly RowOf<typeof OWN_PERSON>[]): Promise<Map<number, string[]>> {
  const due = users.flatMap(({ personId, externalId, personName }) =>
    personId === null ? [] : keysOf([externalId, personName]).map((key) => [personId, key]),
  );
  const { missing } = await read(ctx, {
    missing: statement(
      MISSING,
      sql`select ${MISSING.columns} from json_each(${JSON.stringify(due)}) j
        where not exists (
          select 1 from person_names n
          where n.tenant_id = ${ctx.tenantId} and n.name_key = j.value ->> 1 and n.person_id = j.value ->> 0)`,
    ),
  });
  const byPerson = Map.groupBy(missing, ({ person }) => person);
  return new Map([...byPerson].map(([person, rows]) => [person, rows.map(({ key }) => key)]));
}

const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));
const POSITIONS = row({
  ...SESSION.of(sql`s`, "id", "externalId"),
  isBehind: flag(sql`(
    select e.id + e.chunk_count from episodes e where e.id >= s.id * ${PER_SESSION} and e.id < (s.id + 1) * ${PER_SESSION}
    order by e.id desc limit 1) > s.id * ${PER_SESSION} + s.next_seq`),
});

/** Whether the tenant's sessions count the positions that their episodes use. */
export async function checkPositions(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const { sessions } = await read(ctx, {
    sessions: statement(
      POSITIONS,
      sql`select ${POSITIONS.columns} from sessions s
        where s.tenant_id = ${ctx.tenantId} and s.id > ${lastOf(cursor)} order by s.id limit ${ROWS_A_STEP}`,
    ),
  });
  const { hits, next } = takeRows(sessions, limit, ({ isBehind }) => isBehind);
  return {
    checked: { "session.positions": sessions.length },
    findings: hits.map(({ id, externalId }) => ({
      invariant: "session.positions",
      example: externalId,
      repair: { kind: "session.positions", id },
    })),
    next,
  };
}

/** Mentions of one entity that are counted; beyond that, only whether there are at least as many. */
const MENTIONS_AN_ENTITY = 500;
const SOME = sql`(select em.episode_id from entity_mentions em where em.entity_id = en.id limit ${MENTIONS_AN_ENTITY})`;

/** Whether the tenant's entities count their mentions correctly. */
export async function checkMentions(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const shape = row({
    ...ENTITY.of(sql`en`, "id", "publicId"),
    isMiscounted: flag(sql`en.tenant_id = ${ctx.tenantId} and (
      (select count(*) from ${SOME}) <> min(en.mention_count, ${MENTIONS_AN_ENTITY}) or exists (
        select 1 from ${SOME} m left join episodes e on e.id = m.episode_id where e.tenant_id is not en.tenant_id))`),
  });
  const bounds = { places: 200, rows: ENTITIES.rows.aStep };
  const walked = await walk(ctx, placeOf(cursor), { path: rowsPath(ENTITIES), bounds, shape });
  const { hits, next } = takeHits(walked, limit, ({ isMiscounted }) => isMiscounted);
  return {
    checked: { "entity.mentions": walked.rows.length },
    findings: hits.map(({ id, publicId }) => ({
      invariant: "entity.mentions",
      example: publicId,
      repair: { kind: "entity.mentions", id },
    })),
    next: toCursor(next),
  };
}

/** Whether the tenant's episodes name summaries of their own. */
export async function checkSummaries(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const shape = row({
    ...EPISODE.of(sql`e`, "id", "publicId"),
    isElsewhere: flag(sql`e.tenant_id = ${ctx.tenantId} and ${isSummarizedElsewhere(sql`e`)}`),
  });
  const bounds = { places: 200, rows: EPISODES.rows.aStep };
  const walked = await walk(ctx, placeOf(cursor), { path: rowsPath(EPISODES), bounds, shape });
  const { hits, next } = takeHits(walked, limit, ({ isElsewhere }) => isElsewhere);
  return {
    checked: { "episode.summary": walked.rows.length },
    findings: hits.map(({ id, publicId }) => ({
      invariant: "episode.summary",
      example: publicId,
      repair: { kind: "episode.summary", id },
    })),
    next: toCursor(next),
  };
}

/** Whether what the tenant has uploaded is of files that are still to be read. */
export async function checkUploads(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const after = cursor === "" ? null : readCursor(z.string(), cursor);
  const { uploads, lost, next } = await findLostUploads(ctx, { after, limit });
  return {
    checked: { "upload.file": uploads },
    findings: lost.map(({ key, uploadId }) => ({
      invariant: "upload.file",
      example: uploadId,
      repair: { kind: "upload.file", key },
    })),
    next: next === null ? null : JSON.stringify(next),
  };
}

const EXPIRED = row(MEMORY.of(sql`m`, "publicId"));

/** Memories that have expired and are not forgotten yet, counted up to the limit. */
export async function checkExpired(ctx: UpkeepCtx, { limit }: Step): Promise<CheckResult> {
  const { expired } = await read(ctx, {
    expired: statement(
      EXPIRED,
      sql`select ${EXPIRED.columns} from memories m indexed by memories_expiring
        where m.tenant_id = ${ctx.tenantId} and m.expires_at is not null and m.expires_at <= ${ctx.now()} and m.deleted_at is null
        order by m.expires_at limit ${limit}`,
    ),
  });
  return {
    checked: { "memory.expired": expired.length },
    findings: expired.map(({ publicId }) => ({ invariant: "memory.expired", example: publicId, repair: null })),
    next: null,
  };
}

/** The internal id of the last row that is done; 0 at the start. */
function lastOf(cursor: string): number {
  return cursor === "" ? 0 : readCursor(z.number().int(), cursor);
}

/** The rows that `isHit`, up to the limit, and the cursor from which the next step continues. */
function takeRows<Row extends { id: number }>(
  rows: readonly Row[],
  limit: number,
  isHit: (row: Row) => boolean,
): { hits: Row[]; next: string | null } {
  const hits = rows.filter(isHit);
  const last = hits.length > limit ? hits[limit - 1] : rows.length < ROWS_A_STEP ? undefined : rows.at(-1);
  return { hits: hits.slice(0, limit), next: last === undefined ? null : String(last.id) };
}
