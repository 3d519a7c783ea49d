import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { read, select } from "#db/client";
import { row, text } from "#db/row";
import { ENTITIES } from "#domain/entities";
import { type Indexable, owns } from "#domain/indexing";
import { MEMORIES } from "#domain/memories";
import { EPISODES } from "#domain/sessions";
import { CHUNKS } from "#domain/sources";
import type { VectorRef } from "#ports/vector-index";
import { count, type Progress } from "./progress.ts";
import { inSessions } from "./rows.ts";
import { listOf, type Scope } from "./scope.ts";

const REFS_A_CALL = 500;
const IDS_A_PAGE = 1_000;
/** Pages of a space that one check reads; a space with more is checked up to there. */
const MAX_PAGES = 100;

/** Removes vectors and counts those that were stored. It comes before the rows, so that a run that is cut off finds them again. */
export async function eraseVectors(ctx: Ctx<"vectors" | "now">, progress: Progress, refs: readonly VectorRef[]): Promise<void> {
  await removeCounted(ctx, progress, refs);
  if (ctx.vectors.list === undefined) for (const ref of refs) note(progress, ref);
}

async function removeCounted(ctx: Ctx<"vectors" | "now">, progress: Progress, refs: readonly VectorRef[]): Promise<void> {
  for (let from = 0; from < refs.length; from += REFS_A_CALL) {
    const part = refs.slice(from, from + REFS_A_CALL);
    const stored = await ctx.vectors.stored(ctx.tenantId, part);
    await ctx.vectors.remove(ctx.tenantId, part);
    count(progress, "vectors", stored.length);
    progress.settledAt = Math.max(progress.settledAt, ctx.now() + ctx.vectors.settlesAfterMs);
  }
}

/** Adjacent ids of one space become one entry. */
function note(progress: Progress, { id, space }: VectorRef): void {
  const [prefix = "", number] = id.split(":");
  const last = progress.vectors.at(-1);
  if (last !== undefined && last[0] === prefix && last[3] === space && last[1] + last[2] === Number(number)) last[2] += 1;
  else progress.vectors.push([prefix, Number(number), 1, space]);
}

/** Removes the vectors of the subject that are there although its rows have gone: a job that had read the rows may store them later. */
export async function eraseStrayVectors(ctx: Ctx<"db" | "vectors" | "now">, progress: Progress): Promise<boolean> {
  await removeCounted(ctx, progress, await findVectors(ctx, progress));
  return true;
}

/** The vectors of the subject that the index has. */
export async function findVectors(ctx: Ctx<"db" | "vectors">, progress: Progress): Promise<VectorRef[]> {
  const { scope } = progress;
  if (ctx.vectors.list === undefined) return await findNoted(ctx, progress);
  const found: VectorRef[] = [];
  for (const space of new Set([...scope.spaces, ...scope.near])) {
    const ids = await listSpace(ctx, space);
    const left = scope.spaces.includes(space) ? ids : await findGone(ctx, scope, ids);
    found.push(...left.map((id) => ({ id, space })));
  }
  return found;
}

/** Of the vectors that were removed, those that the index has again, but for passages that stay with other words. */
async function findNoted(ctx: Ctx<"db" | "vectors">, { vectors, scope }: Progress): Promise<VectorRef[]> {
  const found = new Map<string, VectorRef>();
  for (const [prefix, from, length, space] of vectors) {
    for (let at = 0; at < length; at += REFS_A_CALL) {
      const refs = Array.from({ length: Math.min(REFS_A_CALL, length - at) }, (_, i) => ({
        id: `${prefix}:${from + at + i}`,
        space,
      }));
      const left = await findGone(ctx, scope, await ctx.vectors.stored(ctx.tenantId, refs));
      for (const id of left) found.set(`${id} ${space}`, { id, space });
    }
  }
  return [...found.values()];
}

async function listSpace(ctx: Ctx<"vectors">, space: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: { ids: string[]; next: string | null } | undefined = await ctx.vectors.list?.(ctx.tenantId, space, {
      after,
      limit: IDS_A_PAGE,
    });
    ids.push(...(page?.ids ?? []));
    after = page?.next ?? null;
    if (after === null) break;
  }
  return ids;
}

const ID = row({ id: text(sql`j.value`) });
const NUMBER = sql`cast(substr(j.value, 5) as integer)`;

/** Of vectors of a space that stays: those of what goes, and those of passages without a row. */
async function findGone(ctx: Ctx<"db">, scope: Scope, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const isGone = (indexable: Indexable, goes: SQL) =>
    sql`when ${`${indexable.prefix}:`} then (${goes} or not exists (
      select 1 from ${sql.identifier(indexable.table)} ${sql.identifier(indexable.alias)}
      where ${owns(indexable, NUMBER)} and +${sql.identifier(indexable.alias)}.tenant_id = ${scope.tenantId}))`;
  const { gone } = await read(ctx, {
    gone: select(ID)`from json_each(${JSON.stringify(ids)}) j where case substr(j.value, 1, 4)
      ${isGone(EPISODES, inSessions(NUMBER, scope.sessions))}
      ${isGone(MEMORIES, sql`${NUMBER} in ${listOf(scope.memories)}`)}
      ${isGone(ENTITIES, sql`false`)}
      ${isGone(CHUNKS, sql`exists (select 1 from chunks c where c.id = ${NUMBER} and c.source_id in ${listOf(scope.sources)})`)}
      else false end`,
  });
  return gone.map(({ id }) => id);
}
