import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement, StatementResult } from "#db/client";
import { decidedMemories, type SeenMemory, type SeenRow, seenColumns } from "#domain/memories";
import { memorySpaces, seesMemory } from "#domain/visibility";
import { type MemoryQuestion, matchesCte, newestFromOthers, passesFilter, withReader } from "./retrieve-memories.ts";

/** Loads the proposed memories that exist and that the viewer may hear, decided in the statement that loads them. */
export function loadVisibleMemories(ctx: Ctx<"db">, question: MemoryQuestion, ids: readonly number[]): Statement {
  return ctx.db.all(sql`
    ${withReader(question)}
    select ${seenColumns(question.viewer)} from reader r cross join json_each(${JSON.stringify(ids)}) j
    cross join memories m on m.id = j.value
    where ${seesMemory(question.viewer, sql`m`)} and ${passesFilter(question.filter)}`);
}

/** The memories that were stored last, of those that the viewer may hear: their own, their group's, shared ones, and what is about whom they ask about. */
export function loadRecentMemories(ctx: Ctx<"db">, question: MemoryQuestion, limit: number): Statement {
  const { viewer, filter } = question;
  const sees = sql`${seesMemory(viewer, sql`m`)} and ${passesFilter(filter)}`;
  const latest = [
    ...memorySpaces(viewer).map(
      (space) => sql`
        select id from (
          select m.id as id from memories m cross join reader r where m.space_id = ${space} and m.deleted_at is null and ${sees}
          order by m.id desc limit ${limit})`,
    ),
    sql`
      select id from (
        select m.id as id from (${newestFromOthers(sql`''`)}) others cross join reader r cross join memories m on m.id = others.id
        where ${sees} order by m.id desc limit ${limit})`,
  ];
  return ctx.db.all(sql`
    ${withReader(question)}, ${matchesCte(question)}, latest (id) as materialized (
      select id from (${sql.join(latest, sql` union `)}) order by id desc limit ${limit})
    select ${seenColumns(viewer)} from reader r cross join latest cross join memories m on m.id = latest.id
    where ${sees} order by m.id desc limit ${limit}`);
}

export function readSeen(ctx: Ctx<"log">, question: MemoryQuestion, result: StatementResult | undefined): SeenMemory[] {
  return decidedMemories(ctx, question.viewer, (result?.rows ?? []) as SeenRow[]);
}

/** A search shows a memory as recalled once a day at most. */
const RECALL_MS = 86_400_000;

/** Notes that memories were of use: what is never recalled is the first to go when there are too many. Lost, it costs nothing. */
export async function recordRecall(ctx: Ctx<"db" | "now">, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const now = ctx.now();
  await ctx.db.run(sql`
    update memories set recalled_at = ${now}
    where id in (select value from json_each(${JSON.stringify(ids)})) and tenant_id = ${ctx.tenantId}
      and (recalled_at is null or recalled_at < ${now - RECALL_MS})`);
}
