import { eq } from "drizzle-orm";
import type { Ctx, Settings } from "#context";
import { requirePermission } from "#core/permission";
import { settings } from "#db/schema/tenants";
import { DEFAULT_SETTINGS } from "./defaults.ts";
import { type SettingsView, StoredSettings } from "./schemas.ts";
import { toSettings } from "./view.ts";

/** The tenant's settings, for verbs: cached for seconds, so another isolate's change counts within that time. */
export async function getSettings(ctx: Ctx<"db" | "caches" | "now">): Promise<Settings> {
  const cacheKey = String(ctx.tenantId);
  const cached = ctx.caches.settings.get(cacheKey, ctx.now());
  if (cached !== undefined) return cached;
  const loaded = await loadSettings(ctx);
  ctx.caches.settings.set(cacheKey, loaded, ctx.now());
  return loaded;
}

/** The settings as D1 has them now, for whoever may see them. */
export async function readSettings(ctx: Ctx<"db">): Promise<SettingsView> {
  requirePermission(ctx.actor, "admin");
  return toSettings(await loadSettings(ctx));
}

export async function loadSettings(ctx: Ctx<"db">): Promise<Settings> {
  const [row] = await ctx.db.select().from(settings).where(eq(settings.tenantId, ctx.tenantId));
  return row === undefined ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, ...StoredSettings.parse(row.data), version: row.version };
}
