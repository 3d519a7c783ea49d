import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { runBatch } from "#db/client";
import { type MemoryViewerRef, tenantSpaceId } from "#domain/visibility";
import type { Harness } from "#test/harness";
import { idOf, NOW, PEOPLE, PROJECTS, SESSIONS, type TableIds, type TableMemory, type TableViewer } from "#test/memory-table";

/** Rows of one statement; a JSON parameter may have two megabytes. */
const ROWS_A_STATEMENT = 2_000;

/** A person whom Cat turned out to be. Half of what Cat stated, the database knows as stated by that person. */
const FORMER = "former cat";

type Db = Pick<Services, "db">;

/** Makes the people, sessions and stays of the table in the tenant, by statements of its own. */
export async function makeTable(harness: Harness): Promise<TableIds> {
  const services = harness.services();
  const { tenantId } = harness;
  // Nobody's user, person and space have the same id, so that one taken for the other shows.
  const people = [...PEOPLE].reverse().map((name) => ({ name, isUser: name !== "dan" }));
  const sessions = Object.entries(SESSIONS).map(([name, session]) => ({ ...session, name, isGroup: session.stays.length > 0 }));
  const stays = sessions.flatMap(({ name, stays: of }) => of.map(([user, from, to]) => ({ session: name, user, from, to })));
  const projects = Object.entries(PROJECTS).map(([name, project]) => ({ ...project, name }));
  const members = projects.flatMap(({ name: project, members: names }) => names.map((name) => ({ name, project })));
  const json = (rows: readonly object[]) => sql`json_each(${JSON.stringify(rows)}) j`;
  const userId = (field: string) =>
    sql`(select u.id from users u where u.tenant_id = ${tenantId} and u.external_id = j.value ->> ${field})`;
  await runBatch(services, [
    services.db.run(sql`
      insert into spaces (public_id, tenant_id, kind)
      select ${`spa_${tenantId}_`} || (j.value ->> 'name'), ${tenantId}, j.value ->> 'kind' from ${json([
        ...sessions.filter(({ isGroup }) => isGroup).map(({ name }) => ({ name, kind: "session" })),
        ...people.filter(({ isUser }) => isUser).map(({ name }) => ({ name, kind: "user" })),
      ])}`),
    services.db.run(
      sql`insert into spaces (public_id, tenant_id, kind) values (${tenantSpaceId(tenantId)}, ${tenantId}, 'tenant')`,
    ),
    services.db.run(sql`
      insert into users (public_id, tenant_id, external_id, space_id, created_at)
      select ${`usr_${tenantId}_`} || (j.value ->> 'name'), ${tenantId}, j.value ->> 'name',
        (select sp.id from spaces sp where sp.public_id = ${`spa_${tenantId}_`} || (j.value ->> 'name')), 1
      from ${json(people.filter(({ isUser }) => isUser))}`),
    services.db.run(sql`
      insert into persons (public_id, tenant_id, user_id, name, aliases, created_by, created_at, updated_at)
      select ${`per_${tenantId}_`} || (j.value ->> 'name'), ${tenantId}, ${userId("name")}, j.value ->> 'name', '[]', 1, 1, 1
      from ${json(people.toReversed())}`),
    services.db.run(sql`
      insert into persons (public_id, tenant_id, user_id, name, aliases, created_by, merged_into, created_at, updated_at)
      select ${`per_${tenantId}_${FORMER}`}, ${tenantId}, null, ${FORMER}, '[]', 1, pe.id, 1, 1
      from persons pe where pe.tenant_id = ${tenantId} and pe.name = 'cat'`),
    services.db.run(sql`
      insert into projects (public_id, tenant_id, external_id, owner_id, space_id, name, own_memories, created_at)
      select ${`prj_${tenantId}_`} || (j.value ->> 'name'), ${tenantId}, j.value ->> 'name', ${userId("owner")}, 0, j.value ->> 'name',
        j.value ->> 'ownMemories', 1 from ${json(projects)}`),
    services.db.run(sql`
      insert into project_members (project_id, user_id, project_public_id, added_at)
      select p.id, ${userId("name")}, p.public_id, 1
      from ${json(members)} cross join projects p on p.tenant_id = ${tenantId} and p.external_id = j.value ->> 'project'`),
    services.db.run(sql`
      insert into sessions (public_id, tenant_id, external_id, kind, owner_id, space_id, project_id, created_at)
      select ${`ses_${tenantId}_`} || (j.value ->> 'name'), ${tenantId}, j.value ->> 'name',
        iif(j.value ->> 'isGroup', 'group', 'private'), ${userId("owner")},
        (select sp.id from spaces sp where sp.public_id = ${`spa_${tenantId}_`} || iif(j.value ->> 'isGroup', j.value ->> 'name', j.value ->> 'owner')),
        (select p.id from projects p where p.tenant_id = ${tenantId} and p.external_id = j.value ->> 'project'), 1
      from ${json(sessions)}`),
    services.db.run(sql`
      insert into participants (session_id, user_id, session_public_id, joined_at, left_at)
      select s.id, ${userId("user")}, s.public_id, j.value ->> 'from', j.value ->> 'to'
      from ${json(stays)} cross join sessions s on s.tenant_id = ${tenantId} and s.external_id = j.value ->> 'session'`),
  ]);
  const named = async (query: Parameters<typeof services.db.all>[0]) => {
    const rows = await services.db.all<{ name: string; id: number }>(query);
    return Object.fromEntries(rows.map(({ name, id }) => [name, id]));
  };
  return {
    tenant: tenantId,
    users: await named(sql`select external_id as name, id as id from users where tenant_id = ${tenantId}`),
    persons: await named(sql`select name as name, id as id from persons where tenant_id = ${tenantId}`),
    sessions: await named(sql`select external_id as name, id as id from sessions where tenant_id = ${tenantId}`),
    projects: await named(sql`select external_id as name, id as id from projects where tenant_id = ${tenantId}`),
  };
}

/** Writes the memories in this order and answers their ids. `tenantId` may be another's than that of the ids. */
export async function insertMemories(
  services: Db,
  memories: readonly TableMemory[],
  ids: TableIds,
  tenantId = ids.tenant,
): Promise<number[]> {
  const [last] = await services.db.all<{ id: number }>(sql`select coalesce(max(id), 0) as id from memories`);
  const first = (last?.id ?? 0) + 1;
  const known = (of: Readonly<Record<string, number>>, name: string | null) => (name === null ? null : idOf(of, name));
  const rows = memories.map((row, i) => ({
    ...row,
    id: first + i,
    ownership: row.owner !== null ? "personal" : row.group !== null ? "group" : "shared",
    owner: known(ids.users, row.owner),
    group: known(ids.sessions, row.group),
    sensitivity: row.sensitivity === "public" ? null : row.sensitivity,
    statedBy: known(ids.persons, row.statedBy === "cat" && i % 4 < 2 ? FORMER : row.statedBy),
    learnedIn: known(ids.sessions, row.learned?.session ?? null),
    learnedAt: row.learned?.at ?? row.validFrom,
    subjects: row.subjects.map((name) => idOf(ids.persons, name)),
  }));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const part = JSON.stringify(rows.slice(from, from + ROWS_A_STATEMENT));
    await runBatch(services, [
      services.db.run(sql`
        insert into memories (id, public_id, tenant_id, space_id, ownership, owner_id, session_id, type, content, key, hash, workspace_id,
          scope_type, scope_id, confidence, sensitivity, portable, status, metadata, stated_by, learned_in, learned_at, valid_from, valid_to,
          superseded_by, last_seen_at, expires_at, deleted_at, created_at, updated_at)
        select value ->> 'id', 'mem_' || (value ->> 'id'), ${tenantId}, 0, value ->> 'ownership', value ->> 'owner', value ->> 'group',
          value ->> 'type', 'marmalade', '', value ->> 'id', coalesce(value ->> 'workspace', ''), value ->> 'scopeType', value ->> 'scopeId', 1,
          value ->> 'sensitivity', value ->> 'portable', value ->> 'status', '{}', value ->> 'statedBy', value ->> 'learnedIn',
          value ->> 'learnedAt', value ->> 'validFrom', value ->> 'validTo', iif(value ->> 'superseded', 0, null), 1,
          value ->> 'expiresAt', iif(value ->> 'deleted', ${NOW}, null), 1, 1
        from json_each(${part})`),
      services.db.run(sql`
        insert into memory_subjects (memory_id, person_id)
        select j.value ->> 'id', s.value from json_each(${part}) j cross join json_each(j.value, '$.subjects') s`),
    ]);
  }
  return rows.map(({ id }) => id);
}

/** The viewer as a request names them. */
export function refOf(viewer: TableViewer, ids: TableIds): MemoryViewerRef {
  const { user, session, project, workspace, about, except, ...rest } = viewer;
  return {
    tenantId: ids.tenant,
    user: { externalId: user },
    sessionExternalId: session,
    projectExternalId: project,
    includeGroups: false,
    workspaceId: workspace,
    reach: rest.reach,
    scopeType: rest.scopeType,
    scopeId: rest.scopeId,
    ownProjectOnly: rest.ownProjectOnly,
    asOf: rest.asOf,
    now: NOW,
    about: about === "anyone" ? about : about.length === 0 ? null : personsNamed(ids.tenant, about),
    exceptOwner:
      except === null
        ? null
        : sql`(select xu.id from users xu where xu.tenant_id = ${ids.tenant} and xu.external_id = ${except})`,
  };
}

function personsNamed(tenantId: number, names: readonly string[]) {
  return sql`select xp.id as person_id from persons xp
    where xp.tenant_id = ${tenantId} and xp.name in (select value from json_each(${JSON.stringify(names)}))`;
}

/** Closes or opens what was never recorded; null leaves it as it is by default. */
export async function setLegacyDisclosure(services: Db, tenantId: number, open: boolean | null): Promise<void> {
  const data = JSON.stringify(open === null ? {} : { legacyDisclosure: open });
  await services.db.run(sql`
    insert into settings (tenant_id, version, data, updated_at) values (${tenantId}, 1, ${data}, 1)
    on conflict (tenant_id) do update set data = excluded.data`);
}
