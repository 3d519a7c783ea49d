import { and, eq } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requireTenantPermission } from "#core/permission";
import { jobs } from "#db/schema/jobs";
import type { JobView } from "./schemas.ts";
import { toJob } from "./view.ts";

export async function getJob(ctx: Ctx<"db">, id: string): Promise<JobView> {
  requireTenantPermission(ctx.actor, "read");
  return await loadJob(ctx, id);
}

/** The same, for a caller whose permission has been asked already. */
export async function loadJob(ctx: Ctx<"db">, id: string): Promise<JobView> {
  const [row] = await ctx.db
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenantId, ctx.tenantId), eq(jobs.id, id)));
  if (row === undefined) throw notFound("job");
  return toJob(row);
}
