import { type SQL, sql } from "drizzle-orm";
import { episodesOf, erasedMemories, erasedPersons, inSessions, isTouched, namesErased, touchedEpisodes } from "./rows.ts";
import { isUserErasure, listOf, type Scope } from "./scope.ts";

/**
 * One table. `delete`: its rows go. `redact`: what is the subject's in them goes. `keep`: it holds nothing of anybody, or what has to stay;
 * `note` says why.
 */
export type TableStore = {
  table: string;
  method: "delete" | "redact" | "keep";
  /** The columns of its primary key: some tables have no rowid. */
  key: readonly string[];
  /**
   * Selects the keys of the rows that belong to the subject: finds, counts and checks. `key` is those columns of the alias `x`. Null where
   * this kind of erasure has none.
   */
  rows: (scope: Scope, key: SQL) => SQL | null;
  /** How its rows are deleted or changed, and what stays. */
  note: string;
};

const NOTHING = () => null;
const ofUser =
  (rows: (scope: Scope, key: SQL) => SQL): TableStore["rows"] =>
  (scope, key) =>
    isUserErasure(scope) ? rows(scope, key) : null;

/** Whether the user is the scope's, for a column; false for another kind of erasure. */
function isUser(scope: Scope, column: SQL): SQL {
  return isUserErasure(scope) ? sql`${column} = ${scope.id}` : sql`false`;
}

/** A member of what `json_each` found: null where that is no object, which `->>` would read as JSON and throw. */
function member(each: SQL, name: string): SQL {
  return sql`(iif(${each}.type = 'object', ${each}.value, null) ->> ${sql.raw(`'${name}'`)})`;
}

function keep(table: string, note: string): TableStore {
  return { table, method: "keep", key: [], rows: NOTHING, note };
}

const OF_THE_TENANT = "the tenant's own; holds nothing of a user";

/**
 * Every table of D1, those first that are found by others. A test compares the list with the database, so that a new table is not forgotten.
 */
export const TABLES: readonly TableStore[] = [
  {
    table: "audit",
    key: ["tenant_id", "seq"],
    method: "redact",
    rows: (scope, key) => sql`select ${key} from audit x where x.tenant_id = ${scope.tenantId} and x.erased_at is null
      and x.action not in ('erasure.started', 'erasure.finished')
      and (${isUser(scope, sql`x.user_id`)} or x.object_id = ${scope.publicId} or ${namesErased(scope, sql`x.object_id`)}
        or exists (select 1 from json_tree(x.detail) jt where jt.type = 'text' and ${namesErased(scope, sql`jt.atom`)}))`,
    note: "user, detail and salt of the rows about the subject and its objects; the hash of the content stays, so the chain verifies. Number, time, action, Edgewise's own id of the object, workspaceId and request id stay: the chain covers them",
  },
  keep("audit_seals", "hashes of the audit's chain"),
  {
    table: "idempotency",
    key: ["tenant_id", "key_id", "key"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from idempotency x where x.tenant_id = ${scope.tenantId} and (
      ${isUserErasure(scope) ? sql`x.key_id in (select k.id from keys k where k.tenant_id = ${scope.tenantId} and k.user_id = ${scope.id})` : sql`false`}
      or exists (select 1 from json_tree(x.response_body) jt where jt.type = 'text' and ${namesErased(scope, sql`jt.atom`)}))`,
    note: "answers that hold an id of what goes; any other is deleted after a day",
  },
  {
    table: "jobs",
    key: ["tenant_id", "id"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from jobs x where x.tenant_id = ${scope.tenantId} and x.kind <> 'erasures.run' and (
      ${isUser(scope, sql`x.payload ->> 'by'`)} or x.payload ->> 'sessionId' in ${listOf(scope.sessions)}
      or x.payload ->> 'sourceId' in ${listOf(scope.sources)}
      or x.payload ->> 'fileId' in (select jf.id from files jf where jf.source_id in ${listOf(scope.sources)})
      or x.payload ->> 'space' in ${listOf(scope.spaces)}
      or (x.payload ->> 'from' is not null and (x.kind like 'episodes.%' or x.kind = 'vectors.remove')
        and ${inSessions(sql`x.payload ->> 'from'`, scope.sessions)})
      or exists (select 1 from json_each(x.payload, '$.episodes') je where ${isUser(scope, member(sql`je`, "by"))}
        or ${inSessions(member(sql`je`, "id"), scope.sessions)})
      or exists (select 1 from json_each(x.payload, '$.chunks') jc where ${member(sql`jc`, "space")} in ${listOf(scope.spaces)})
      or exists (select 1 from json_each(x.payload, '$.memories') jm where ${member(sql`jm`, "space")} in ${listOf(scope.spaces)}
        or coalesce(${member(sql`jm`, "id")}, jm.value) in (${erasedMemories(scope)})))`,
    note: "jobs whose payload names the subject or a row that goes; jobs that remove vectors are carried out first",
  },
  {
    table: "memories",
    key: ["id"],
    method: "delete",
    rows: erasedMemories,
    note: "owned, learned in what goes, or stated by the user; forgotten and replaced ones too",
  },
  {
    table: "memory_versions",
    key: ["memory_id", "version"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from memory_versions x where x.memory_id in (${erasedMemories(scope)})
      union select ${key} from memory_versions x cross join memories vm on vm.id = x.memory_id
        where x.data ->> 'episodeId' is not null and ${inSessions(sql`x.data ->> 'episodeId'`, scope.sessions)} and vm.tenant_id = ${scope.tenantId}`,
    note: "with their memories, and versions of others that were learned in what goes",
  },
  {
    table: "memory_subjects",
    key: ["memory_id", "person_id"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from memory_subjects x where x.memory_id in (${erasedMemories(scope)})
      union select ${key} from memory_subjects x where x.person_id in ${listOf(scope.persons)}`,
    note: "with their memories; edges from memories of others as aboutOthers says",
  },
  {
    table: "episodes",
    key: ["id"],
    method: "delete",
    rows: touchedEpisodes,
    note: "of sessions that go, whole; of groups that stay, those that only the user spoke in whole, of others their words, label and id",
  },
  {
    table: "message_keys",
    key: ["session_id", "message_id"],
    method: "delete",
    rows: (scope, key) =>
      sql`select ${key} from message_keys x where x.session_id in ${listOf(scope.sessions)}${
        isUserErasure(scope)
          ? sql` union select ${key} from ${episodesOf(scope.groups)} cross join json_each(e.messages) mj
            cross join message_keys x on x.session_id = e.session_id and x.message_id = mj.value ->> 'messageId'
            where e.tenant_id = ${scope.tenantId} and ${isTouched(scope.id)}
              and coalesce(mj.value ->> 'userId', iif(mj.value ->> 'speaker' is null, e.sent_by, 0)) = ${scope.id}`
          : sql``
      }`,
    note: "with their messages",
  },
  {
    table: "list_messages",
    key: ["session_id", "user_id", "said_at", "episode_id", "ordinal"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from list_messages x where x.tenant_id = ${scope.tenantId}
      and (${isUser(scope, sql`x.user_id`)} or x.session_id in ${listOf(scope.sessions)})`,
    note: "with their messages",
  },
  {
    table: "session_topics",
    key: ["session_id", "user_id"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from session_topics x where x.session_id in ${listOf(scope.sessions)}
      or (x.session_id in ${listOf(scope.groups)} and ${isUser(scope, sql`x.user_id`)})`,
    note: "with their session or user",
  },
  {
    table: "facts",
    key: ["user_id", "topic", "session_id", "project_id", "kind", "rank"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from facts x where x.tenant_id = ${scope.tenantId} and (
      ${isUser(scope, sql`x.user_id`)} or x.session_id in ${listOf(scope.sessions)} or x.project_id in ${listOf(scope.projects)}
      or (x.episode_id is not null and ${inSessions(sql`x.episode_id`, scope.sessions)}))`,
    note: "with their user, session or project",
  },
  {
    table: "forgettings",
    key: ["id"],
    method: "delete",
    rows: (scope) => sql`select x.rowid as id from forgettings x where x.tenant_id = ${scope.tenantId} and (
      ${isUser(scope, sql`x.user_id`)} or x.session_id in ${listOf(scope.sessions)}
      or exists (select 1 from json_each(x.originals, '$.words') fw where ${inSessions(member(sql`fw`, "episode"), scope.sessions)})
      or exists (
        select 1 from json_each(x.originals, '$.versions') fv
        where ${inSessions(sql`${member(sql`fv`, "data")} ->> 'episodeId'`, scope.sessions)}))`,
    note: "forgotten words that could still be put back; a forgetting that has words of what goes goes whole",
  },
  {
    table: "entity_mentions",
    key: ["entity_id", "episode_id"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from entity_mentions x where x.entity_id in (
        select me.id from entities me where me.project_id in ${listOf(scope.projects)})
      union select ${key} from ${episodesOf(scope.sessions)} cross join entity_mentions x on x.episode_id = e.id
        where e.tenant_id = ${scope.tenantId}`,
    note: "with their episodes and entities",
  },
  {
    table: "entities",
    key: ["id"],
    method: "delete",
    rows: (scope) =>
      sql`select x.id as id from entities x where x.project_id in ${listOf(scope.projects)} and x.tenant_id = ${scope.tenantId}`,
    note: "of projects that go; of other projects those that nothing mentions any more and that have no notes",
  },
  {
    table: "chunks",
    key: ["id"],
    method: "delete",
    rows: (scope) =>
      sql`select x.id as id from chunks x where x.source_id in ${listOf(scope.sources)} and x.tenant_id = ${scope.tenantId}`,
    note: "passages of documents",
  },
  {
    table: "files",
    key: ["id"],
    method: "delete",
    rows: (scope) =>
      sql`select x.id as id from files x where x.source_id in ${listOf(scope.sources)} and x.tenant_id = ${scope.tenantId}`,
    note: "documents",
  },
  {
    table: "sources",
    key: ["id"],
    method: "delete",
    rows: (scope) => sql`select x.id as id from sources x where x.tenant_id = ${scope.tenantId}
      and (x.id in ${listOf(scope.sources)} or ${isUser(scope, sql`x.created_by`)})`,
    note: "of projects that go; those that the user made elsewhere stay without their maker",
  },
  {
    table: "project_members",
    key: ["project_id", "user_id"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from project_members x
      where x.project_id in ${listOf(scope.projects)} or ${isUser(scope, sql`x.user_id`)}`,
    note: "memberships",
  },
  {
    table: "projects",
    key: ["id"],
    method: "delete",
    rows: (scope) =>
      sql`select x.id as id from projects x where x.tenant_id = ${scope.tenantId} and x.id in ${listOf(scope.projects)}`,
    note: "owned by the user; sessions of others leave the project and stay",
  },
  {
    table: "participants",
    key: ["session_id", "user_id", "joined_at"],
    method: "delete",
    rows: (scope, key) => sql`select ${key} from participants x where x.session_id in ${listOf(scope.sessions)}
      or (x.session_id in ${listOf(scope.groups)} and ${isUser(scope, sql`x.user_id`)})`,
    note: "taking part",
  },
  {
    table: "sessions",
    key: ["id"],
    method: "delete",
    rows: (scope) => sql`select x.id as id from sessions x where x.tenant_id = ${scope.tenantId} and (
      x.id in ${listOf(scope.sessions)} or x.project_id in ${listOf(scope.projects)}
      or (x.id in ${listOf(scope.groups)} and ${isUser(scope, sql`x.owner_id`)}))`,
    note: "private ones, and groups in which nobody else takes part; groups of others get another owner",
  },
  {
    table: "person_merge_edges",
    key: ["merge_id", "memory_id", "edge"],
    method: "delete",
    rows: ofUser(
      (scope, key) => sql`select ${key} from person_merges g cross join person_merge_edges x on x.merge_id = g.id
        where g.tenant_id = ${scope.tenantId} and (g.from_id in (${erasedPersons(scope)}) or g.into_id in (${erasedPersons(scope)}))`,
    ),
    note: "with their merges and memories",
  },
  {
    table: "person_merges",
    key: ["id"],
    method: "delete",
    rows: ofUser(
      (scope) => sql`select x.id as id from person_merges x where x.tenant_id = ${scope.tenantId} and (
        x.from_id in (${erasedPersons(scope)}) or x.into_id in (${erasedPersons(scope)}) or x.merged_by = ${scope.id})`,
    ),
    note: "of persons that go; others that the user made stay without their maker",
  },
  {
    table: "person_names",
    key: ["tenant_id", "name_key", "person_id"],
    method: "delete",
    rows: ofUser(
      (scope, key) => sql`select ${key} from person_names x
        where x.tenant_id = ${scope.tenantId} and x.person_id in (${erasedPersons(scope)})`,
    ),
    note: "with their persons",
  },
  {
    table: "persons",
    key: ["id"],
    method: "delete",
    rows: ofUser(erasedPersons),
    note: "the user's own, those merged into it, and those that they made; a person whom a memory of somebody else refers to stays with its name, without notes, relationship and maker",
  },
  {
    table: "imported_ids",
    key: ["import_id", "table_name", "old_id"],
    method: "delete",
    rows: ofUser(
      (scope, key) => sql`select ${key} from imports i cross join imported_ids x on x.import_id = i.id
        where i.tenant_id = ${scope.tenantId} and i.user_id = ${scope.id}`,
    ),
    note: "with their import",
  },
  {
    table: "imports",
    key: ["id"],
    method: "delete",
    rows: ofUser(
      (scope) => sql`select x.id as id from imports x where x.tenant_id = ${scope.tenantId} and x.user_id = ${scope.id}`,
    ),
    note: "imports of the user's conversations, with the titles of those that were left out",
  },
  {
    table: "keys",
    key: ["id"],
    method: "delete",
    rows: ofUser((scope) => sql`select x.id as id from keys x where x.tenant_id = ${scope.tenantId} and x.user_id = ${scope.id}`),
    note: "keys that are bound to the user",
  },
  {
    table: "users",
    key: ["id"],
    method: "delete",
    rows: ofUser((scope) => sql`select x.id as id from users x where x.tenant_id = ${scope.tenantId} and x.id = ${scope.id}`),
    note: "last of all",
  },
  {
    table: "spaces",
    key: ["id"],
    method: "delete",
    rows: (scope) =>
      sql`select x.id as id from spaces x where x.tenant_id = ${scope.tenantId} and x.id in ${listOf(scope.spaces)}`,
    note: "of the user, of groups and of projects that go",
  },
  keep("tenants", OF_THE_TENANT),
  keep("settings", OF_THE_TENANT),
  keep("token_secrets", OF_THE_TENANT),
  keep("identity_providers", OF_THE_TENANT),
  keep("allowed_origins", OF_THE_TENANT),
  keep("topics", OF_THE_TENANT),
  keep("topic_nouns", OF_THE_TENANT),
  keep("usage", "counts of a tenant by day"),
  keep("upkeep", "positions of tasks"),
  keep("vector_models", "names of models"),
  keep("erasures", "the record of erasures: keyed hashes, counts, and what the caller gave as basis and requestRef"),
  keep("tombstones", "keyed hashes, which keep imports from bringing back what was erased"),
];

export type TextIndex = { table: string; rowsOf: string };

/** The text indexes, and the rows whose words they hold. */
export const TEXT_INDEXES = [
  { table: "message_fts", rowsOf: "episodes" },
  { table: "memory_fts", rowsOf: "memories" },
  { table: "entity_fts", rowsOf: "entities" },
  { table: "chunk_fts", rowsOf: "chunks" },
] as const satisfies TextIndex[];

/** The selection of the keys of the rows of a table that belong to the subject; null where there are none. */
export function rowsIn({ key, rows }: TableStore, scope: Scope): SQL | null {
  return rows(scope, sql.raw(key.map((column) => `x.${column}`).join(", ")));
}

/** The columns of a table's key, for `where (…) in (…)`. */
export function keyOf({ key }: TableStore): SQL {
  return sql.raw(key.join(", "));
}
