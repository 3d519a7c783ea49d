import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { requireTenantPermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { type RowOf, row } from "#db/row";
import { USAGE } from "#db/schema/usage";
import { COUNTERS } from "./count-usage.ts";
import { MAX_DAYS, type UsageInput, type UsageView } from "./schemas.ts";

const DAY_MS = 86_400_000;
const DAYS_UNLESS_ASKED = 30;

const COUNTS = USAGE.of(sql`u`, ...COUNTERS);
const DAY = row({ ...USAGE.of(sql`u`, "day"), ...COUNTS });

type Counts = RowOf<typeof COUNTS>;

/**
 * What the tenant used on each day, at most a year of them, in one read of as many rows.
 *
 * @throws unprocessable for more days than that.
 */
export async function readUsage(ctx: Ctx<"db" | "now">, input: UsageInput): Promise<UsageView> {
  requireTenantPermission(ctx.actor, "read");
  const { from, to } = spanOf(input, Math.floor(ctx.now() / DAY_MS));
  const days = await readRows(
    ctx,
    select(DAY)`from usage u where u.tenant_id = ${ctx.tenantId} and u.day between ${from} and ${to} order by u.day`,
  );
  const totals = { ...NOTHING };
  for (const day of days) for (const name of COUNTERS) totals[name] += day[name];
  return {
    from: toDate(from),
    to: toDate(to),
    days: days.map(({ day, ...counted }) => ({ day: toDate(day), ...toCounts(counted) })),
    totals: toCounts(totals),
  };
}

/** Days since 1970. */
function spanOf(input: UsageInput, today: number): { from: number; to: number } {
  const from = input.from === undefined ? null : toDay(input.from);
  const to = input.to === undefined ? Math.max(today, from ?? today) : toDay(input.to);
  if (from !== null && to - from >= MAX_DAYS) throw breaksRule("from", `${MAX_DAYS} days at most.`);
  return { from: from ?? Math.max(0, to - DAYS_UNLESS_ASKED + 1), to };
}

const NOTHING: Counts = {
  contexts: 0,
  contextsWithItems: 0,
  tokensInjected: 0,
  answers: 0,
  answersFound: 0,
  completions: 0,
  extractionCalls: 0,
  extractionInputTokens: 0,
  extractionOutputTokens: 0,
  memoriesExtracted: 0,
};

function toCounts({ contextsWithItems, ...counts }: Counts): UsageView["totals"] {
  return { ...counts, hitRate: counts.contexts === 0 ? null : contextsWithItems / counts.contexts };
}

function toDay(date: string): number {
  return Date.parse(date) / DAY_MS;
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
