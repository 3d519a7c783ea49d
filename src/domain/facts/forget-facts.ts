import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, type Statement, select } from "#db/client";
import { row, text } from "#db/row";
import { FACT } from "#db/schema/facts";
import type { RemovedFact } from "#db/schema/forgettings";

const VALUE = row({
  ...FACT.of(sql`f`, "topic", "sessionId", "projectId", "kind", "rank", "createdAt"),
  value: text(sql`f.value`),
});

/** The values that a user stated in these episodes. */
export function findFactsOf(ctx: Ctx<"db">, userId: number, episodes: readonly number[]): Query<RemovedFact> {
  return select(VALUE)`from facts f where f.user_id = ${userId} and f.tenant_id = ${ctx.tenantId} and f.value is not null
    and f.episode_id in (select value from json_each(${JSON.stringify(episodes)}))`;
}

const SLOT = sql`f.topic = j.value ->> 'topic' and f.session_id = j.value ->> 'sessionId' and f.project_id = j.value ->> 'projectId'
  and f.kind = j.value ->> 'kind' and f.rank = j.value ->> 'rank'`;

/** Removes values that have not changed since they were read. Their rows stay, so that no older message restores them. */
export function removeFacts(ctx: Ctx<"db" | "now">, userId: number, facts: readonly RemovedFact[]): Statement[] {
  if (facts.length === 0) return [];
  return [
    ctx.db.run(sql`
      update facts as f set value = null, source_message_id = null, created_at = ${ctx.now()}, stored_at = ${ctx.now()}
      from json_each(${JSON.stringify(facts)}) j
      where f.user_id = ${userId} and f.tenant_id = ${ctx.tenantId} and ${SLOT} and f.value = j.value ->> 'value'`),
  ];
}

/** Puts back values that were removed at `removedAt`, unless the user has stated others since. */
export function putBackFacts(
  ctx: Ctx<"db" | "now">,
  userId: number,
  { facts, removedAt }: { facts: readonly RemovedFact[]; removedAt: number },
): Statement[] {
  if (facts.length === 0) return [];
  return [
    ctx.db.run(sql`
      update facts as f set value = j.value ->> 'value', created_at = j.value ->> 'createdAt', stored_at = ${ctx.now()}
      from json_each(${JSON.stringify(facts)}) j
      where f.user_id = ${userId} and f.tenant_id = ${ctx.tenantId} and ${SLOT} and f.value is null and f.created_at = ${removedAt}`),
  ];
}
