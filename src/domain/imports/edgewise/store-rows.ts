import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import type { Statement } from "#db/client";
import { CHUNKS_PER_SESSION } from "#db/schema/sessions";
import type { Kind } from "#domain/exports";
import { tenantSpaceId } from "#domain/visibility";
import { documentsOf, insertInto, of, type Row } from "./insert-rows.ts";

export type StoreCtx = Ctx<"db" | "now" | "newId">;

/** Statements that store rows of a kind; `inserts` are those whose changes count as rows that were added. */
export type Stored = { statements: Statement[]; inserts: Statement[] };

const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

/** The space of a row is never what an export says: it follows from whom or what the row belongs to. */
const userSpace = (ctx: StoreCtx, user: SQL) =>
  sql`(select us.space_id from users us where us.id = ${user} and us.tenant_id = ${ctx.tenantId})`;
const projectSpace = (ctx: StoreCtx, project: SQL) =>
  sql`(select ps.space_id from projects ps where ps.id = ${project} and ps.tenant_id = ${ctx.tenantId})`;
const tenantSpace = (ctx: StoreCtx) =>
  sql`(select ts.id from spaces ts where ts.public_id = ${tenantSpaceId(ctx.tenantId)} and ts.tenant_id = ${ctx.tenantId})`;

function makeTenantSpace(ctx: StoreCtx): Statement {
  return ctx.db.run(sql`
    insert into spaces (public_id, tenant_id, kind) values (${tenantSpaceId(ctx.tenantId)}, ${ctx.tenantId}, 'tenant')
    on conflict do nothing`);
}

type Own = (ctx: StoreCtx) => { own?: Readonly<Record<string, SQL>>; where?: SQL };

/** Kinds whose rows need nothing but their own columns. */
function plainly(own: Own = () => ({})) {
  return (ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored => {
    const inserts = documentsOf(rows).map((document) => insertInto(ctx, kind, { document, own: {}, ...own(ctx) }));
    return { statements: inserts, inserts };
  };
}

/** A user, their space and their own person, together or not at all. A user who is there keeps all three. */
function storeUsers(ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored {
  const inserts: Statement[] = [];
  const statements = documentsOf(rows.map((row) => withOwnPerson(ctx, row))).flatMap((document) => {
    const from = sql`cross join spaces sp on sp.public_id = ${of("newSpace")}`;
    const insert = insertInto(ctx, kind, { document, own: { spaceId: sql`sp.id` }, from });
    inserts.push(insert);
    const person = (publicId: SQL) =>
      ctx.db.run(sql`
        insert into persons (public_id, tenant_id, user_id, name, aliases, relationship, notes, created_by, version, created_at, updated_at)
        select ${publicId}, ${ctx.tenantId}, u.id, ${of("personName")}, ${of("aliases")}, ${of("relationship")}, ${of("notes")}, u.id,
          ${of("version")}, ${of("personCreatedAt")}, ${of("personUpdatedAt")}
        from json_each(${document}) j cross join spaces sp on sp.public_id = ${of("newSpace")} cross join users u on u.space_id = sp.id
        where true on conflict do nothing`);
    return [
      ctx.db.run(sql`
        insert into spaces (public_id, tenant_id, kind) select ${of("newSpace")}, ${ctx.tenantId}, 'user' from json_each(${document}) j
        where not exists (select 1 from users u where u.tenant_id = ${ctx.tenantId} and u.external_id = ${of("externalId")})`),
      insert,
      person(of("personId")),
      // The person's public id may be in use by another tenant: no user is without a person.
      person(of("newPerson")),
      ctx.db.run(sql`
        insert into person_names (tenant_id, name_key, person_id)
        select ${ctx.tenantId}, k.value, pe.id
        from json_each(${document}) j cross join spaces sp on sp.public_id = ${of("newSpace")} cross join users u on u.space_id = sp.id
          cross join persons pe on pe.user_id = u.id cross join json_each(j.value -> 'nameKeys') k
        where true on conflict do nothing`),
    ];
  });
  return { statements, inserts };
}

type OwnPerson = {
  publicId: string;
  name: string;
  aliases: string[];
  relationship: string | null;
  notes: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
};

function withOwnPerson(ctx: StoreCtx, { person, ...row }: Row): Row {
  const externalId = String(row.externalId);
  const made = Number(row.createdAt);
  const none = { publicId: "", name: typeof row.name === "string" ? row.name : externalId, aliases: [] };
  const own = {
    ...{ ...none, relationship: null, notes: null, version: 1, createdAt: made, updatedAt: made },
    ...(person as OwnPerson | null),
  };
  const newPerson = ctx.newId("person");
  return {
    ...row,
    ...{ newSpace: ctx.newId("space"), newPerson, personId: own.publicId || newPerson, personName: own.name },
    ...{ aliases: own.aliases, relationship: own.relationship, notes: own.notes, version: own.version },
    ...{ personCreatedAt: own.createdAt, personUpdatedAt: own.updatedAt },
    nameKeys: keysOf([externalId, own.name, ...own.aliases]),
  };
}

function keysOf(names: readonly string[]): string[] {
  return [...new Set(names.map(nameKey))].filter((key) => key !== "");
}

/** A project with its space and its members. */
function storeProjects(ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored {
  const inserts: Statement[] = [];
  const statements = documentsOf(rows.map((row) => ({ ...row, newSpace: ctx.newId("space") }))).flatMap((document) => {
    const from = sql`cross join spaces sp on sp.public_id = ${of("newSpace")}`;
    const insert = insertInto(ctx, kind, { document, own: { spaceId: sql`sp.id` }, from });
    inserts.push(insert);
    return [
      ctx.db.run(sql`
        insert into spaces (public_id, tenant_id, kind) select ${of("newSpace")}, ${ctx.tenantId}, 'project' from json_each(${document}) j
        where not exists (select 1 from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${of("externalId")})`),
      insert,
      ctx.db.run(sql`
        insert into project_members (project_id, user_id, project_public_id, added_at)
        select p.id, mb.value ->> 'userId', p.public_id, mb.value ->> 'addedAt'
        from json_each(${document}) j cross join spaces sp on sp.public_id = ${of("newSpace")} cross join projects p on p.space_id = sp.id
          cross join json_each(j.value -> 'members') mb
        where true on conflict do nothing`),
    ];
  });
  return { statements, inserts };
}

/** Sessions: private ones in their owners' spaces, groups in spaces of their own, with those who take part. */
function storeSessions(ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored {
  const inserts: Statement[] = [];
  const statements = documentsOf(rows.map((row) => ({ ...row, newSpace: ctx.newId("space") }))).flatMap((document) => {
    const spaceId = sql`case ${of("kind")} when 'group' then sp.id else ${userSpace(ctx, of("ownerId"))} end`;
    const insert = insertInto(ctx, kind, {
      document,
      own: { spaceId, taggedProjectId: sql`coalesce(${of("projectId")}, 0)` },
      from: sql`left join spaces sp on sp.public_id = ${of("newSpace")}`,
      where: sql`not exists (
        select 1 from sessions s where s.tenant_id = ${ctx.tenantId} and s.external_id = ${of("externalId")})`,
    });
    inserts.push(insert);
    return [
      ctx.db.run(sql`
        insert into spaces (public_id, tenant_id, kind) select ${of("newSpace")}, ${ctx.tenantId}, 'session' from json_each(${document}) j
        where ${of("kind")} = 'group' and not exists (
          select 1 from sessions s where s.tenant_id = ${ctx.tenantId} and s.external_id = ${of("externalId")})`),
      insert,
      ctx.db.run(sql`
        insert into participants (session_id, user_id, session_public_id, joined_at, left_at)
        select s.id, pa.value ->> 'userId', s.public_id, pa.value ->> 'joinedAt', pa.value ->> 'leftAt'
        from json_each(${document}) j cross join spaces sp on sp.public_id = ${of("newSpace")} cross join sessions s on s.space_id = sp.id
          cross join json_each(j.value -> 'participants') pa
        where true on conflict do nothing`),
    ];
  });
  return { statements, inserts };
}

/** Episodes at their places in their sessions, where these are free. */
function storeEpisodes(ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored {
  const inserts: Statement[] = [];
  const statements = documentsOf(withoutOverlaps(rows)).flatMap((document) => {
    const end = sql`${of("newId")} + ${of("chunkCount")}`;
    const insert = insertInto(ctx, kind, {
      document,
      own: { id: of("newId") },
      where: sql`not exists (select 1 from episodes o where o.id > ${of("newId")} and o.id < ${end})
        and coalesce((
          select o.id + o.chunk_count from episodes o where o.id <= ${of("newId")} and o.id >= (${of("sessionId")}) * ${PER_SESSION}
          order by o.id desc limit 1), 0) <= ${of("newId")}`,
    });
    inserts.push(insert);
    return [
      insert,
      ctx.db.run(sql`
        update sessions set next_seq = max(next_seq, x.next), last_at = max(coalesce(last_at, x.last), x.last)
        from (
          select e.session_id as session, max(e.id + e.chunk_count) - e.session_id * ${PER_SESSION} as next, max(e.occurred_at) as last
          from json_each(${document}) j cross join episodes e on e.id = ${of("newId")} group by e.session_id) x
        where sessions.id = x.session and sessions.tenant_id = ${ctx.tenantId}`),
    ];
  });
  return { statements, inserts };
}

/** Of episodes in one part that claim the same place, the first. */
function withoutOverlaps(rows: readonly Row[]): Row[] {
  let end = 0;
  return rows
    .toSorted((a, b) => Number(a.newId) - Number(b.newId))
    .filter(({ newId, chunkCount }) => {
      if (Number(newId) < end) return false;
      end = Number(newId) + Number(chunkCount);
      return true;
    });
}

/** Rows whose parts are written only with them: what is there already keeps its own. */
const isNew = ({ isThere }: Row) => isThere !== true;

function storePersons(ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored {
  const named = rows.filter(isNew).map((row) => ({
    ...row,
    nameKeys: row.mergedInto === null ? keysOf([String(row.name), ...(row.aliases as string[])]) : [],
  }));
  const inserts: Statement[] = [];
  const statements = documentsOf(named).flatMap((document) => {
    const insert = insertInto(ctx, kind, { document, own: {} });
    inserts.push(insert);
    return [
      insert,
      ctx.db.run(sql`
        insert into person_names (tenant_id, name_key, person_id) select ${ctx.tenantId}, k.value, pe.id
        from json_each(${document}) j cross join persons pe on pe.public_id = ${of("publicId")} and +pe.tenant_id = ${ctx.tenantId}
          cross join json_each(j.value -> 'nameKeys') k
        where true on conflict do nothing`),
    ];
  });
  return { statements, inserts };
}

function storeMemories(ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored {
  const inserts: Statement[] = [];
  const statements = documentsOf(rows.filter(isNew)).flatMap((document) => {
    const spaceId = sql`case ${of("ownership")}
      when 'personal' then ${userSpace(ctx, of("ownerId"))}
      when 'group' then (select gs.space_id from sessions gs where gs.id = ${of("sessionId")} and gs.tenant_id = ${ctx.tenantId})
      else ${tenantSpace(ctx)} end`;
    const insert = insertInto(ctx, kind, { document, own: { spaceId } });
    inserts.push(insert);
    return [
      insert,
      ctx.db.run(sql`
        insert into memory_subjects (memory_id, person_id) select m.id, su.value
        from json_each(${document}) j cross join memories m on m.public_id = ${of("publicId")} and +m.tenant_id = ${ctx.tenantId}
          cross join json_each(j.value -> 'subjects') su
        where true on conflict do nothing`),
    ];
  });
  return { statements: [makeTenantSpace(ctx), ...statements], inserts };
}

/** Counts what is there, whatever the export said. */
function storeMentions(ctx: StoreCtx, kind: Kind, rows: readonly Row[]): Stored {
  const stored = plainly()(ctx, kind, rows);
  const entities = JSON.stringify([...new Set(rows.map(({ entityId }) => entityId))]);
  return {
    ...stored,
    statements: [
      ...stored.statements,
      ctx.db.run(sql`
        update entities set mention_count = (select count(*) from entity_mentions em where em.entity_id = entities.id)
        where id in (select value from json_each(${entities})) and +tenant_id = ${ctx.tenantId}`),
    ],
  };
}

type Store = (ctx: StoreCtx, kind: Kind, rows: readonly Row[]) => Stored;

const plain = plainly();

export const STORES: Readonly<Record<Kind, Store>> = {
  users: storeUsers,
  projects: storeProjects,
  sessions: storeSessions,
  episodes: storeEpisodes,
  message_keys: plain,
  persons: storePersons,
  memories: storeMemories,
  memory_versions: plainly(() => ({
    where: sql`exists (select 1 from memories m where m.id = ${of("memoryId")} and m.version > ${of("version")})`,
  })),
  person_merges: plain,
  person_merge_edges: plain,
  entities: plainly((ctx) => ({ own: { spaceId: projectSpace(ctx, of("projectId")), mentionCount: sql`0` } })),
  entity_mentions: storeMentions,
  facts: plain,
  session_topics: plain,
  list_messages: plain,
  topics: plain,
  topic_nouns: plain,
  forgettings: plain,
  sources: (ctx, kind, rows) => {
    const own = (c: StoreCtx) => ({
      spaceId: sql`case when ${of("projectId")} is null then ${tenantSpace(c)} else ${projectSpace(c, of("projectId"))} end`,
    });
    const stored = plainly((c) => ({ own: own(c) }))(ctx, kind, rows);
    return { ...stored, statements: [makeTenantSpace(ctx), ...stored.statements] };
  },
  // The bytes of a file that was being read are not in the export. Without its hash, a client that compares sends it again.
  files: plainly(() => ({
    own: {
      sha256: sql`case when ${of("status")} in ('waiting', 'reading') then '' else ${of("sha256")} end`,
      status: sql`case when ${of("status")} in ('waiting', 'reading') then 'failed' else ${of("status")} end`,
      error: sql`case when ${of("status")} in ('waiting', 'reading')
        then 'It was not read before it was exported: upload it again.' else ${of("error")} end`,
    },
  })),
  chunks: plainly((ctx) => ({
    own: {
      spaceId: sql`(select so.space_id from sources so where so.id = ${of("sourceId")} and so.tenant_id = ${ctx.tenantId})`,
    },
    where: sql`exists (select 1 from files fi where fi.id = ${of("fileId")} and fi.source_id = ${of("sourceId")})`,
  })),
  usage: plain,
};
