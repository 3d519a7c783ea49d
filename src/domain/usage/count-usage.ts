import { sql } from "drizzle-orm";
import type { Ctx } from "#context";

const DAY_MS = 86_400_000;

/** What may be counted, and the column that counts it. */
const COLUMNS = {
  contexts: "contexts",
  contextsWithItems: "contexts_with_items",
  tokensInjected: "tokens_injected",
  answers: "answers",
  answersFound: "answers_found",
  completions: "completions",
  extractionCalls: "extraction_calls",
  extractionInputTokens: "extraction_input_tokens",
  extractionOutputTokens: "extraction_output_tokens",
  memoriesExtracted: "memories_extracted",
} as const;

type Counts = { [K in keyof typeof COLUMNS]?: number };

/** Adds to the tenant's counts of today, one row. What a request counts is counted after its answer: a count may be lost, a request may not wait. */
export async function countUsage(ctx: Ctx<"db" | "now">, counts: Counts): Promise<void> {
  const counted = Object.entries(COLUMNS).flatMap(([name, column]) => {
    const value = counts[name as keyof Counts] ?? 0;
    return value === 0 ? [] : [{ column: sql.raw(column), value }];
  });
  if (counted.length === 0) return;
  const columns = sql.join(
    counted.map(({ column }) => column),
    sql`, `,
  );
  const values = sql.join(
    counted.map(({ value }) => sql`${value}`),
    sql`, `,
  );
  const sums = sql.join(
    counted.map(({ column }) => sql`${column} = ${column} + excluded.${column}`),
    sql`, `,
  );
  await ctx.db.run(sql`
    insert into usage (tenant_id, day, ${columns}) values (${ctx.tenantId}, ${Math.floor(ctx.now() / DAY_MS)}, ${values})
    on conflict (tenant_id, day) do update set ${sums}`);
}
