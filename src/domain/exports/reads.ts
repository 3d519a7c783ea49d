import { type SQL, sql } from "drizzle-orm";
import { CHUNKS_PER_SESSION } from "#db/schema/sessions";
import { isMember, mayEnter } from "#domain/visibility";
import { KINDS, type Kind, TABLES } from "./tables.ts";

/** What an export covers: one user, by internal id, or the whole tenant. */
export type Scope = { tenantId: number; userId: number | null; now: number };

/**
 * One way to find rows `t` of a kind by an index, in the order of `keys`. An export of one user has only those that begin at the user `p`,
 * and of these what `ofUser` says.
 */
export type Read = {
  kind: Kind;
  /** `users`: begins at the users `p`; `alone`: the same, in exports of one user only; `tenant`: in exports of the tenant only. */
  by: "users" | "alone" | "tenant";
  from: SQL;
  where: (scope: Scope) => SQL;
  keys: readonly SQL[];
  /** What stands in the line instead of a column in an export of one user. */
  masked: Readonly<Record<string, SQL>>;
};

const p = sql`p.external_id`;

type Ofs = { ofUser?: (scope: Scope) => SQL; masked?: Record<string, SQL> };

function ofUsers(kind: Kind, join: SQL, keys: readonly SQL[], { ofUser, masked = {} }: Ofs = {}): Read {
  const where = (scope: Scope) =>
    scope.userId === null
      ? sql`p.tenant_id = ${scope.tenantId}`
      : sql`p.tenant_id = ${scope.tenantId} and p.id = ${scope.userId} and ${ofUser?.(scope) ?? sql`true`}`;
  return { kind, by: "users", from: sql`users p ${join}`, where, keys: [p, ...keys], masked };
}

function ofTenant(kind: Kind, from: SQL, keys: readonly SQL[], where: (scope: Scope) => SQL): Read {
  return { kind, by: "tenant", from, where, keys, masked: {} };
}

/** Rows of a table whose primary key begins with the tenant. */
function ofTable(kind: Kind, keys: readonly SQL[]): Read {
  return ofTenant(kind, sql`${sql.identifier(kind)} t`, keys, (scope) => sql`t.tenant_id = ${scope.tenantId}`);
}

const alone = (read: Read): Read => ({ ...read, by: "alone" });

/**
 * Rows of a tenant in the order of the ids of `table`, so that an import makes them in the same order: lists and equally good hits are
 * ordered by them. It reads the whole table once, other tenants' rows too, because these tables have no index of a tenant by id.
 */
function byIds(
  kind: Kind,
  table: Kind,
  alias: SQL,
  { join = sql``, keys = [], and = sql`true` }: { join?: SQL; keys?: readonly SQL[]; and?: SQL } = {},
): Read[] {
  const from = sql`${sql.identifier(table)} ${alias} ${join}`;
  return [ofTenant(kind, from, [sql`${alias}.id`, ...keys], ({ tenantId }) => sql`+${alias}.tenant_id = ${tenantId} and ${and}`)];
}

/** The table's own rows. */
const itself = (kind: Kind, and?: SQL) => byIds(kind, kind, sql`t`, and === undefined ? {} : { and });

const ownSession = () => mayEnter(sql`p`, sql`s`);

/**
 * Of sessions `s`: of the tenant in the order of their ids, so that an import makes them in the same order, in which equally good hits are
 * returned; of a user the private ones, which are in their space.
 */
function ofSessions(kind: Kind, join: SQL, keys: readonly SQL[], { ofUser = ownSession }: Ofs = {}): Read[] {
  const own = ofUsers(kind, sql`cross join sessions s on s.space_id = p.space_id ${join}`, [sql`s.public_id`, ...keys], {
    ofUser,
  });
  return [
    alone(own),
    ofTenant(kind, sql`sessions s ${join}`, [sql`s.id`, ...keys], (scope) => sql`s.tenant_id = ${scope.tenantId}`),
  ];
}

export const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

/** No read returns expired memories to a user, even before upkeep has forgotten them. */
const inForce = ({ now }: Scope) => sql`(m.expires_at is null or m.expires_at > ${now})`;

/** Of memories `m`: of a user their own, of the tenant all, with those that were forgotten and can still be restored. */
function ofMemories(kind: Kind, join: SQL, keys: readonly SQL[]): Read[] {
  const own = sql`cross join memories m on m.space_id = p.space_id and m.deleted_at is null ${join}`;
  return [
    alone(ofUsers(kind, own, [sql`m.id`, ...keys], { ofUser: inForce })),
    ...byIds(kind, "memories", sql`m`, { join, keys }),
  ];
}

/** The row itself, joined by its key, so that it is named `t`. */
const sameSession = sql`cross join sessions t on t.id = s.id`;
const sameMemory = sql`cross join memories t on t.id = m.id`;

const projectsOf = sql`cross join projects pj on pj.owner_id = p.id`;

/** Of sources `s`: of a user those of their projects, of the tenant all. */
function ofSources(kind: Kind, join: SQL, keys: readonly SQL[]): Read[] {
  const own = sql`${projectsOf} cross join sources s on s.space_id = pj.space_id ${join}`;
  return [alone(ofUsers(kind, own, [sql`pj.public_id`, sql`s.id`, ...keys])), ...byIds(kind, "sources", sql`s`, { join, keys })];
}

/**
 * People whom a user's memories are about, whom their own people were merged into, and who stated their memories, if others made them: with
 * the name that the memories show, and nothing else.
 */
const othersNamed: Read = {
  kind: "persons",
  by: "alone",
  from: sql`users p cross join persons t`,
  where: ({ tenantId, userId }) => sql`p.tenant_id = ${tenantId} and p.id = ${userId} and t.tenant_id = ${tenantId}
    and t.created_by <> p.id and t.id in (
      select su.person_id from memories m cross join memory_subjects su on su.memory_id = m.id
        where m.space_id = p.space_id and m.deleted_at is null
      union select coalesce(st.merged_into, st.id) from memories m cross join persons st on st.id = m.stated_by
        where m.space_id = p.space_id and m.deleted_at is null
      union select pe.merged_into from persons pe where pe.created_by = p.id and pe.merged_into is not null)`,
  keys: [sql`t.id`],
  masked: {
    aliases: sql`'[]'`,
    relationship: sql`null`,
    notes: sql`null`,
    createdBy: sql`p.id`,
    mergedInto: sql`null`,
    version: sql`1`,
  },
};

const FACT_IN_PLACE = sql`(t.session_id = 0 or exists (
  select 1 from sessions s where s.id = t.session_id and s.kind = 'private' and ${mayEnter(sql`p`, sql`s`)}))
  and (t.project_id = 0 or ${isMember(sql`p.id`, sql`t.project_id`)})`;

/** Own persons are in the lines of their users. Who was merged refers to the survivor, which comes first: it is never merged itself. */
function ofPersons(): Read[] {
  return [sql`t.merged_into is null`, sql`t.merged_into is not null`].flatMap((merged) => [
    alone(
      ofUsers("persons", sql`cross join persons t on t.created_by = p.id and t.user_id is null and ${merged}`, [
        sql`t.public_id`,
      ]),
    ),
    ...itself("persons", sql`t.user_id is null and ${merged}`),
  ]);
}

const ownMention = () => sql`exists (
  select 1 from sessions s where s.id = t.episode_id / ${PER_SESSION} and s.space_id = p.space_id and ${mayEnter(sql`p`, sql`s`)})`;

const ALL: readonly Read[] = [
  alone(ofUsers("users", sql`cross join users t on t.id = p.id`, [])),
  ...itself("users"),
  alone(
    ofUsers("projects", sql`cross join projects t on t.owner_id = p.id`, [sql`t.public_id`], { masked: { members: sql`'[]'` } }),
  ),
  ...itself("projects"),
  ...ofSessions("sessions", sameSession, []),
  ...ofSessions("episodes", sql`cross join episodes t on t.id >= s.id * ${PER_SESSION} and t.id < (s.id + 1) * ${PER_SESSION}`, [
    sql`t.id`,
  ]),
  ...ofSessions("message_keys", sql`cross join message_keys t on t.session_id = s.id`, [sql`t.message_id`]),
  othersNamed,
  ...ofPersons(),
  ...ofMemories("memories", sameMemory, []),
  ...ofMemories("memory_versions", sql`cross join memory_versions t on t.memory_id = m.id`, [sql`t.version`]),
  ...itself("person_merges"),
  ...byIds("person_merge_edges", "person_merges", sql`mg`, {
    join: sql`cross join person_merge_edges t on t.merge_id = mg.id`,
    keys: [sql`t.memory_id`, sql`t.edge`],
  }),
  alone(ofUsers("entities", sql`${projectsOf} cross join entities t on t.project_id = pj.id`, [sql`pj.public_id`, sql`t.id`])),
  ...itself("entities"),
  alone(
    ofUsers(
      "entity_mentions",
      sql`${projectsOf} cross join entities en on en.project_id = pj.id cross join entity_mentions t on t.entity_id = en.id`,
      [sql`pj.public_id`, sql`en.id`, sql`t.episode_id`],
      { ofUser: ownMention },
    ),
  ),
  ...byIds("entity_mentions", "entities", sql`en`, {
    join: sql`cross join entity_mentions t on t.entity_id = en.id`,
    keys: [sql`t.episode_id`],
  }),
  ofUsers(
    "facts",
    sql`cross join facts t on t.user_id = p.id`,
    [sql`t.topic`, sql`t.session_id`, sql`t.project_id`, sql`t.kind`, sql`t.rank`],
    { ofUser: () => FACT_IN_PLACE },
  ),
  ...ofSessions("session_topics", sql`cross join session_topics t on t.session_id = s.id`, [sql`t.user_id`]),
  ...ofSessions("list_messages", sql`cross join list_messages t on t.session_id = s.id`, [
    ...[sql`t.user_id`, sql`t.said_at`, sql`t.episode_id`, sql`t.ordinal`],
  ]),
  ofTable("topics", [sql`t.key`]),
  ofTable("topic_nouns", [sql`t.noun`]),
  // The words that a user forgot stay forgotten in an export of their own.
  ...itself("forgettings"),
  ...ofSources("sources", sql`cross join sources t on t.id = s.id`, []),
  ...ofSources("files", sql`cross join files t on t.source_id = s.id`, [sql`t.path`]),
  ...ofSources("chunks", sql`cross join chunks t on t.source_id = s.id`, [sql`t.id`]),
  ofTable("usage", [sql`t.day`]),
];

/** The reads of an export, in the order of its lines. */
export function readsOf({ userId }: Scope): readonly Read[] {
  const own = ALL.filter(({ by }) => (userId === null ? by !== "alone" : by !== "tenant"));
  return own.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** The reads of rows with references that may come later, for the lines `links`. */
export function linkReadsOf(scope: Scope): readonly Read[] {
  return readsOf(scope).filter(({ kind }) => Object.keys(TABLES[kind].later).length > 0);
}
