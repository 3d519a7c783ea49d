import { sql } from "drizzle-orm";
import { integer, nullable, type RowOf, row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { type Indexable, type IndexedRow, type Places, passageIn } from "#domain/indexing";
import { tenantSpaceId } from "#domain/visibility";
import { indexedSpaceOf } from "./change.ts";
import { indexedWords, typeTokenOf } from "./index-words.ts";

const m = sql`m`;
/** The project that a scope names, by its internal id; null also if there is none of that name yet. */
const scopedProject = sql`(
  select sp.id from projects sp where m.scope_type = 'project' and sp.tenant_id = m.tenant_id and sp.external_id = m.scope_id)`;

const ROW = row({
  ...MEMORY.of(
    m,
    "id",
    "content",
    "key",
    "metadata",
    "type",
    "spaceId",
    "sessionId",
    "workspaceId",
    "scopeType",
    "scopeId",
    "validFrom",
    "expiresAt",
    "version",
  ),
  projectId: nullable(integer(scopedProject)),
});

/**
 * The spaces of a tenant, in stages: its shared space (0), its users' spaces by the app's ids (1), its group sessions' spaces by internal
 * ids (2). There is no index of spaces by tenant, so this reads the tenant's users and sessions, two rows each. A private session has no
 * space.
 */
const SPACES: Places = {
  table: "users",
  list: (tenantId, { stage, at, after, isDone }, limit) => {
    const name = sql`coalesce((select c.external_id from users c where c.id = ${at} and c.tenant_id = ${tenantId}), '')`;
    const behind = isDone ? sql`>` : sql`>=`;
    const own = sql`
      select 0 as stage, 0 as turn, 0 as at, sp.id as space from spaces sp
      where sp.public_id = ${tenantSpaceId(tenantId)} and sp.tenant_id = ${tenantId}`;
    const users = sql`
      select 1 as stage, u.external_id as turn, u.id as at, u.space_id as space from users u
      where u.tenant_id = ${tenantId} and u.external_id ${stage === 1 ? sql`${behind} ${name}` : sql`>= ''`}
      order by u.external_id limit ${limit}`;
    const groups = sql`
      select 2 as stage, s.id as turn, s.id as at, iif(s.kind = 'group', s.space_id, null) as space from sessions s
      where s.tenant_id = ${tenantId} and s.id ${stage === 2 ? sql`${behind} ${at}` : sql`>= 0`} order by s.id limit ${limit}`;
    const stages = [own, users, groups]
      .slice(stage + (stage === 0 && isDone ? 1 : 0))
      .map((part) => sql`select * from (${part})`);
    return sql`
      select stage, at, space, iif(stage = ${stage} and at = ${at}, ${after}, 0) as after
      from (${sql.join(stages, sql` union all `)}) order by stage, turn limit ${limit}`;
  },
};

/** What is indexed of memories. */
export const MEMORIES: Indexable = {
  kind: "memory",
  prefix: "mem",
  table: "memories",
  alias: "m",
  row: { columns: ROW.columns, decode: (values) => toIndexed(ROW.decode(values)) },
  live: sql`m.deleted_at is null`,
  embedded: sql`m.superseded_by is null`,
  state: sql`m.version`,
  space: sql`m.space_id`,
  changedAt: sql`m.updated_at`,
  places: SPACES,
  rows: { join: sql`memories m on m.space_id = w.space and m.deleted_at is null and m.id > w.after`, aStep: 500 },
  words: {
    table: "memory_fts",
    space: indexedSpaceOf,
    isCurrent: sql`exists (
      select 1 from memory_fts cf where cf.memory_fts match ('space : "' || ${typeTokenOf} || '"') and cf.rowid = m.id)`,
    stray: "words.memory",
  },
  jobs: { index: "memories.index", reembed: "memories.reembed", remove: "memories.remove" },
  payloads: (rows) => [{ memories: rows.map(({ id }) => id) }],
  counts: { reindex: "memoriesReindexed", removeWords: "wordsRemoved", embed: "memoriesToEmbed" },
};

function toIndexed({ id, content, key, metadata, type, spaceId, version, validFrom, ...memory }: RowOf<typeof ROW>): IndexedRow {
  const { sessionId: session, projectId: project, workspaceId: workspace, expiresAt } = memory;
  const tags = { session, project, workspace, scope: scopeTag(memory), type, expiresAt };
  return {
    id,
    space: spaceId,
    state: version,
    passages: [{ text: content, words: () => indexedWords({ content, key, metadata }), at: validFrom, tags }],
  };
}

/** A scope as one text, by which vectors are filtered; the scope `global` is the same as none. */
export function scopeTag({ scopeType, scopeId }: { scopeType: string | null; scopeId: string | null }): string {
  return scopeType === null || scopeType === "global" ? "" : JSON.stringify([scopeType, scopeId]);
}

/** The memory of a vector id, or null for another kind of vector. */
export function memoryOf(vectorId: string): number | null {
  return passageIn(MEMORIES, vectorId);
}
