import { and, asc, between, eq } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { requireTenantPermission } from "#core/permission";
import { usage } from "#db/schema/usage";
import { MAX_DAYS, type UsageInput, type UsageView } from "./schemas.ts";

const DAY_MS = 86_400_000;
const DAYS_UNLESS_ASKED = 30;

/** What the tenant used on each day, at most a year of them, in one read of as many rows. */
export async function readUsage(ctx: Ctx<"db" | "now">, input: UsageInput): Promise<UsageView> {
  requireTenantPermission(ctx.actor, "read");
  const { from, to } = spanOf(input, Math.floor(ctx.now() / DAY_MS));
  const rows = await ctx.db
    .select()
    .from(usage)
    .where(and(eq(usage.tenantId, ctx.tenantId), between(usage.day, from, to)))
    .orderBy(asc(usage.day));
  const days = rows.map(({ tenantId: _, day, ...counted }) => ({ day, counted }));
  return {
    from: toDate(from),
    to: toDate(to),
    days: days.map(({ day, counted }) => ({ day: toDate(day), ...toCounts(counted) })),
    totals: toCounts(days.reduce((sum, { counted }) => plus(sum, counted), NOTHING)),
  };
}

/** Days since 1970. */
function spanOf(input: UsageInput, today: number): { from: number; to: number } {
  const from = input.from === undefined ? null : toDay(input.from);
  const to = input.to === undefined ? Math.max(today, from ?? today) : toDay(input.to);
  if (from !== null && to - from >= MAX_DAYS) throw breaksRule("from", `${MAX_DAYS} days at most.`);
  return { from: from ?? Math.max(0, to - DAYS_UNLESS_ASKED + 1), to };
}

type Counted = Omit<typeof usage.$inferSelect, "tenantId" | "day">;

const NOTHING: Counted = {
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

function plus(a: Counted, b: Counted): Counted {
  return {
    contexts: a.contexts + b.contexts,
    contextsWithItems: a.contextsWithItems + b.contextsWithItems,
    tokensInjected: a.tokensInjected + b.tokensInjected,
    answers: a.answers + b.answers,
    answersFound: a.answersFound + b.answersFound,
    completions: a.completions + b.completions,
    extractionCalls: a.extractionCalls + b.extractionCalls,
    extractionInputTokens: a.extractionInputTokens + b.extractionInputTokens,
    extractionOutputTokens: a.extractionOutputTokens + b.extractionOutputTokens,
    memoriesExtracted: a.memoriesExtracted + b.memoriesExtracted,
  };
}

function toCounts({ contextsWithItems, ...counts }: Counted): UsageView["totals"] {
  return { ...counts, hitRate: counts.contexts === 0 ? null : contextsWithItems / counts.contexts };
}

function toDay(date: string): number {
  return Date.parse(date) / DAY_MS;
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
