import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { USAGE } from "#db/schema/usage";

const DAY_MS = 86_400_000;

/** What is counted. */
export const COUNTERS = [
  "contexts",
  "contextsWithItems",
  "tokensInjected",
  "answers",
  "answersFound",
  "completions",
  "extractionCalls",
  "extractionInputTokens",
  "extractionOutputTokens",
  "memoriesExtracted",
] as const;

type Counts = { [K in (typeof COUNTERS)[number]]?: number };

const STORED = USAGE.of(sql`usage`);
const ADDED = USAGE.of(sql`excluded`);

/** Adds to the tenant's counts of today, one row. Runs after the response: a count may be lost, a request may not wait. */
export async function countUsage(ctx: Ctx<"db" | "now">, counts: Counts): Promise<void> {
  const counted: Counts = {};
  const sums: { [K in keyof Counts]?: SQL } = {};
  for (const name of COUNTERS) {
    if ((counts[name] ?? 0) === 0) continue;
    counted[name] = counts[name];
    sums[name] = sql`${STORED[name].sql} + ${ADDED[name].sql}`;
  }
  if (Object.keys(counted).length === 0) return;
  await ctx.db.run(sql`
    insert into usage ${USAGE.insert({ tenantId: ctx.tenantId, day: Math.floor(ctx.now() / DAY_MS), ...counted })} where true
    on conflict (tenant_id, day) do update set ${USAGE.set(sums)}`);
}
