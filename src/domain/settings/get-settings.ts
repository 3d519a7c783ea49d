import { sql } from "drizzle-orm";
import type { Ctx, Services, Settings } from "#context";
import { describeError } from "#core/describe-error";
import { upstreamFailed } from "#core/errors";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { row, text } from "#db/row";
import { SETTINGS } from "#db/schema/tenants";
import { DEFAULT_SETTINGS } from "./defaults.ts";
import { type SettingsView, StoredSettings } from "./schemas.ts";
import { showUpstream } from "./upstream.ts";

/** The tenant's settings, for verbs: cached for seconds, so another isolate's change counts within that time. */
export async function getSettings(ctx: Ctx<"db" | "caches" | "now">): Promise<Settings> {
  const cacheKey = String(ctx.tenantId);
  const cached = ctx.caches.settings.get(cacheKey, ctx.now());
  if (cached !== undefined) return cached;
  const loaded = await loadSettings(ctx);
  ctx.caches.settings.set(cacheKey, loaded, ctx.now());
  return loaded;
}

/** How long settings that cannot be read again are still used. */
const STALE_MS = 600_000;

/**
 * The settings for a chat, which must work while the database fails: then the last values that this isolate has read, for a while. They
 * name the tenant's own model server; memory is not accessible without the database anyway.
 * @throws upstream_failed if this isolate has not read them recently.
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

/** The settings as D1 has them now, for callers who may see them. */
export async function readSettings(ctx: Ctx<"db">): Promise<SettingsView> {
  requirePermission(ctx.actor, "admin");
  return toSettings(await loadSettings(ctx));
}

const STORED = row(SETTINGS.of(sql`s`, "version", "data"));

export async function loadSettings(ctx: Ctx<"db">): Promise<Settings> {
  const found = select(STORED)`from settings s where s.tenant_id = ${ctx.tenantId}`;
  const [stored] = await readRows(ctx, found);
  if (stored === undefined) return DEFAULT_SETTINGS;
  return { ...DEFAULT_SETTINGS, ...StoredSettings.parse(stored.data), version: stored.version };
}

/** Whether a configured chat model reads this tenant's conversations beside the rules. */
export function wantsModel({ enabled, extraction }: Settings): boolean {
  return enabled && (extraction === "auto" || extraction === "model");
}

export function toSettings(settings: Settings): SettingsView {
  return { ...settings, upstream: showUpstream(settings.upstream) };
}

const ALLOWED = row({ origin: text(sql`origin`) });

/**
 * Whether a browser origin is allowed: by this tenant or, for a request without a credential, which names no tenant, by any. Cached for
 * seconds. The answer to such a request discloses only that some tenant allows the origin.
 */
export async function allowsOrigin(
  services: Pick<Services, "db" | "caches" | "now">,
  question: { origin: string; tenantId: number | null },
): Promise<boolean> {
  const cacheKey = `${question.tenantId ?? "any"} ${question.origin}`;
  const cached = services.caches.origins.get(cacheKey, services.now());
  if (cached !== undefined) return cached;
  const found = select(ALLOWED)`from allowed_origins
    where origin = ${question.origin} and (${question.tenantId} is null or tenant_id = ${question.tenantId}) limit 1`;
  const isAllowed = (await readRows(services, found)).length > 0;
  services.caches.origins.set(cacheKey, isAllowed, services.now());
  return isAllowed;
}
