import { eq } from "drizzle-orm";
import type { Ctx, Settings } from "#context";
import { describeError } from "#core/describe-error";
import { upstreamFailed } from "#core/errors";
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

/** How long settings that cannot be read anew may be gone by. */
const STALE_MS = 600_000;

/**
 * The settings for a chat, which goes on while the database fails: then as they were known last, for a while, to this isolate. They
 * name the tenant's own model server; of memory nothing can be read or written by them without the database.
 */
export async function getSettingsEvenStale(ctx: Ctx<"db" | "caches" | "now" | "log">): Promise<Settings> {
  try {
    return await getSettings(ctx);
  } catch (error) {
    const known = ctx.caches.settings.getStale(String(ctx.tenantId), ctx.now(), STALE_MS);
    if (known === undefined)
      throw upstreamFailed("The database does not answer, so your settings cannot be read. Try again.", error);
    ctx.log("settings.stale", { requestId: ctx.requestId, ...describeError(error) });
    return known;
  }
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
