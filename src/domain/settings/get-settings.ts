import { eq } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { settings } from "#db/schema/tenants";
import { DEFAULT_SETTINGS, type Settings } from "./defaults.ts";

/** The tenant's settings as D1 has them now. */
export async function getSettings(ctx: Ctx<"db">): Promise<Settings> {
  const [row] = await ctx.db.select().from(settings).where(eq(settings.tenantId, ctx.tenantId));
  return row === undefined ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, ...row.data, version: row.version };
}

/** The same, for whoever may see it. */
export async function readSettings(ctx: Ctx<"db">): Promise<Settings> {
  requirePermission(ctx.actor, "admin");
  return await getSettings(ctx);
}
