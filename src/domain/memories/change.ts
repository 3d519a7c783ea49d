import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { MEMORY } from "#db/schema/memories";
import { type AuditEntry, commit } from "#domain/audit";
import { enqueue } from "#domain/jobs";
import { indexedWords, typeTokenOf } from "./index-words.ts";
import type { StoredMemory } from "./rows.ts";
import { type Values, VERSION_DATA, versionOf } from "./values.ts";

/** A memory as it should be stored. `supersedes` is what it replaces once it is approved. */
export type NextMemory = Values &
  Pick<StoredMemory, "hash" | "status" | "piiRisk" | "statedBy" | "learnedIn" | "episodeId" | "learnedAt"> &
  Pick<StoredMemory, "supersedes" | "contradicts" | "validOffset"> & { subjects: readonly number[] };

type ChangeCtx = Ctx<"db" | "now">;
type SupersedeCtx = ChangeCtx & Ctx<"newId">;

/** Whether a memory still exists, is in force and is unchanged since it was read, and its row `m` still satisfies `authority`. */
export function isUnchanged(ctx: Ctx, { id, version }: Pick<StoredMemory, "id" | "version">, authority: SQL): SQL {
  return sql`exists (
    select 1 from memories m where m.id = ${sql.raw(String(id))} and m.tenant_id = ${ctx.tenantId} and m.version = ${version}
      and m.deleted_at is null and m.superseded_by is null and ${authority})`;
}

/**
 * Statements that change a memory in place, keep the old values as a version, and reindex its text. The first of them fails the batch if
 * the memory has changed since it was read, or the writer may no longer change it.
 */
export function changeStatements(
  ctx: ChangeCtx,
  before: StoredMemory,
  next: NextMemory,
  { jobId, authority, saidAgain = 0 }: { jobId: string; authority: SQL; saidAgain?: number },
): Statement[] {
  const now = ctx.now();
  const id = sql.raw(String(before.id));
  const words = indexedWords(next) !== indexedWords(before) || next.type !== before.type;
  const embeds = needsEmbedding(before, next);
  const about = !sameSet(next.subjects, before.subjects);
  const { subjects, supersedes, contradicts, ...columns } = next;
  return [
    failUnless(ctx.db, isUnchanged(ctx, before, authority)),
    ctx.db.run(sql`
      insert into memory_versions (memory_id, version, data, replaced_at)
      values (${id}, ${before.version}, ${VERSION_DATA.encode(versionOf(before))}, ${now})`),
    ctx.db.run(sql`
      update memories set ${MEMORY.set(columns)}, supersedes = coalesce(${supersedes}, supersedes),
        contradicts = coalesce(${contradicts}, contradicts), seen_count = seen_count + ${saidAgain},
        last_seen_at = ${saidAgain === 0 ? sql`last_seen_at` : now},
        version = version + 1, updated_at = ${now}, vector_model = ${embeds ? null : sql`vector_model`}
      where id = ${id} and tenant_id = ${ctx.tenantId}`),
    ...(about
      ? [
          ctx.db.run(sql`delete from memory_subjects where memory_id = ${id}`),
          ...(subjects.length === 0
            ? []
            : [
                ctx.db.run(sql`
                  insert into memory_subjects (memory_id, person_id)
                  select ${id}, coalesce(p.merged_into, p.id) from json_each(${JSON.stringify(subjects)}) j
                  cross join persons p on p.id = j.value where true on conflict do nothing`),
              ]),
        ]
      : []),
    ...(words || about ? [ctx.db.run(sql`delete from memory_fts where rowid = ${id}`), insertWords(ctx, { id, ...next })] : []),
    ...(embeds ? [enqueueIndexing(ctx, { jobId, ids: sql`json_array(${id})` })] : []),
  ];
}

/** Whether the change needs a job that embeds the memory again. The vector index also filters by type, workspace, scope and day. */
export function needsEmbedding(before: StoredMemory, next: NextMemory): boolean {
  return (
    next.content !== before.content ||
    next.type !== before.type ||
    next.workspaceId !== before.workspaceId ||
    next.scopeType !== before.scopeType ||
    next.scopeId !== before.scopeId ||
    next.validFrom !== before.validFrom
  );
}

/**
 * The tokens of the row `m`, to one of which every MATCH is limited: of its space, of that and its type, and of its subjects, including everybody who was merged into a subject: undoing a merge moves subjects back without
 * updating the index.
 */
export const indexedSpaceOf: SQL = sql`('s' || m.space_id || ' ' || ${typeTokenOf} || coalesce((
  select group_concat(' p' || pid, '') from (
    select su.person_id as pid from memory_subjects su where su.memory_id = m.id
    union select pm.id from memory_subjects sv cross join persons pm on pm.merged_into = sv.person_id where sv.memory_id = m.id)), ''))`;

/** The row of the text index of a memory whose subjects are stored. `id` is written as a literal: D1 binds a number as a real. */
export function insertWords(ctx: Ctx<"db">, memory: { id: SQL } & Parameters<typeof indexedWords>[0]): Statement {
  return ctx.db.run(sql`
    insert into memory_fts (rowid, space, text) select m.id, ${indexedSpaceOf}, ${indexedWords(memory)}
    from memories m where m.id = ${memory.id}`);
}

/** The job that embeds memories; `ids` is a JSON array of internal ids. */
export function enqueueIndexing(ctx: ChangeCtx, job: { jobId: string; ids: SQL }): Statement {
  return enqueue(ctx, { id: job.jobId, kind: "memories.index", payload: sql`json_object('memories', json(${job.ids}))` });
}

/** What a change of memories writes: one batch. */
export type Mutation = { statements: readonly Statement[]; audit: readonly AuditEntry[] };

/** The same, with the memories that the new one replaces, and an audit row for each. */
export function replacing(
  ctx: SupersedeCtx,
  old: StoredMemory | null,
  { by, mutation }: { by: { publicId: string; validFrom: number }; mutation: Mutation },
): Mutation {
  const [entry] = mutation.audit;
  if (old === null || entry === undefined) return mutation;
  const { before, after } = supersedeStatements(ctx, old, { ...by, authority: sql`true` });
  return {
    statements: [...before, ...mutation.statements, after],
    audit: [...mutation.audit, { ...entry, action: "memory.superseded", objectId: old.publicId, detail: { by: by.publicId } }],
  };
}

/**
 * Commits a mutation and returns its outcome. `taken`: another memory has the words or the key. `lost`: the memory changed since it was
 * read. In both cases nothing is written.
 */
export async function tryCommit(ctx: Ctx<"db" | "now" | "newId">, mutation: Mutation): Promise<"stored" | "taken" | "lost"> {
  try {
    await commit(ctx, mutation);
    return "stored";
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    if (isLostRace(error)) return "lost";
    throw error;
  }
}

/**
 * Statements to run before and after the replacing memory is written. The old memory, if unchanged since it was read, releases its words
 * and its key first. It is kept as history, valid until the new one starts to hold; its vector is deleted by a job: a search
 * for what holds now returns it only to others who may not see the new one, and by its words.
 */
export function supersedeStatements(
  ctx: SupersedeCtx,
  old: Pick<StoredMemory, "id" | "version">,
  replacement: { publicId: string; validFrom: number; authority: SQL },
): { before: Statement[]; after: Statement } {
  const id = sql.raw(String(old.id));
  return {
    before: [
      failUnless(ctx.db, isUnchanged(ctx, old, replacement.authority)),
      ctx.db.run(sql`
        update memories set superseded_by = 0, valid_to = max(valid_from, ${replacement.validFrom}), version = version + 1,
          updated_at = ${ctx.now()}, vector_model = null
        where id = ${id} and tenant_id = ${ctx.tenantId}`),
      enqueue(ctx, {
        id: ctx.newId("job"),
        kind: "memories.remove",
        payload: sql`json_object('memories', json_array(json_object('id', m.id, 'space', m.space_id)))`,
        from: sql`memories m where m.id = ${id} and m.tenant_id = ${ctx.tenantId}`,
      }),
    ],
    after: ctx.db.run(sql`
      update memories set superseded_by = (
        select id from memories where public_id = ${replacement.publicId} and tenant_id = ${ctx.tenantId})
      where id = ${id} and tenant_id = ${ctx.tenantId} and superseded_by = 0`),
  };
}

export function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value) => b.includes(value));
}

/** A key always names the current memory: a replaced memory passes its key to its replacement in the same workspace. */
export function inheritedKey(old: StoredMemory | null, { workspaceId }: Pick<Values, "workspaceId">): string | null {
  return old === null || old.workspaceId !== workspaceId ? null : old.key;
}
