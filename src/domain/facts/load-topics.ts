import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx, TenantTopic } from "#context";

export type StoredTopic = TenantTopic & { updatedAt: number };

const Nouns = z.array(z.object({ noun: z.string(), language: z.string().nullable() }));

/** The tenant's own topics `t` as D1 has them now. */
export async function loadTopics(ctx: Ctx<"db">, which: SQL): Promise<StoredTopic[]> {
  const rows = await ctx.db.all<{ key: string; nouns: string; updatedAt: number }>(sql`
    select t.key as key, t.nouns as nouns, t.updated_at as updatedAt from topics t where t.tenant_id = ${ctx.tenantId} and ${which}`);
  return rows.map(({ key, nouns, updatedAt }) => ({ key, nouns: Nouns.parse(JSON.parse(nouns)), updatedAt }));
}
