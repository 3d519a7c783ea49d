import { sql } from "drizzle-orm";
import type { Ctx, Settings } from "#context";
import { AppError } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { failUnless } from "#db/guard";
import { SETTINGS } from "#db/schema/tenants";
import { commitUnlessLost } from "#domain/audit";
import { DEFAULT_SETTINGS } from "./defaults.ts";
import { loadSettings, toSettings } from "./get-settings.ts";
import { checkIdentityProvider, storeIdentityProvider } from "./identity-provider.ts";
import type { SettingsChange, SettingsView } from "./schemas.ts";
import { sealUpstream, showUpstream } from "./upstream.ts";

/**
 * Changes the named settings and keeps the others; equal values are no change. `versions` are those that the caller has seen, null for any.
 * Other isolates see the change when their cache expires, within seconds.
 * @throws precondition_failed if the settings have another version.
 * @throws unprocessable for a model server or an identity provider that may not be called, or a model server's key that cannot be stored.
 * @throws conflict for an identity provider that another tenant has registered, and if concurrent calls keep changing the settings.
 */
export async function changeSettings(
  ctx: Ctx<"db" | "now" | "newId" | "caches" | "identity" | "upstream" | "secretBox" | "wait" | "random">,
  change: SettingsChange,
  versions: readonly number[] | null,
): Promise<SettingsView> {
  requirePermission(ctx.actor, "admin");
  return await retryLostRace(ctx, "The settings are being changed by somebody else. Try again.", async () => {
    const before = await loadSettings(ctx);
    if (versions !== null && !versions.includes(before.version))
      throw new AppError("precondition_failed", `The settings have version ${before.version} now.`);
    const identityProvider =
      change.identityProvider == null ? change.identityProvider : await checkIdentityProvider(ctx, change.identityProvider);
    const upstream = change.upstream == null ? change.upstream : await sealUpstream(ctx, before.upstream, change.upstream);
    const stored = changesOf(before, { ...change, identityProvider, upstream });
    if (stored.names.length === 0) return toSettings(before);
    if (!(await storeSettings(ctx, before.version, stored))) return "lost";
    ctx.caches.settings.delete(String(ctx.tenantId));
    ctx.caches.origins.clear();
    // Tokens of a provider that was replaced may be among them.
    ctx.caches.credentials.clear();
    return toSettings({ ...stored.after, version: before.version + 1 });
  });
}

/** Writes settings that were read at this version. Returns false, and writes nothing, if the version has changed. */
async function storeSettings(ctx: Ctx<"db" | "now" | "newId">, version: number, change: StoredChange): Promise<boolean> {
  const { names, from, to, data, after } = change;
  const unmoved = sql`coalesce((select version from settings where tenant_id = ${ctx.tenantId}), 0) = ${version}`;
  const origins = [
    ctx.db.run(sql`delete from allowed_origins where tenant_id = ${ctx.tenantId} and ${unmoved}`),
    ctx.db.run(sql`
      insert into allowed_origins (origin, tenant_id)
      select distinct value, ${ctx.tenantId} from json_each(${JSON.stringify(after.allowedOrigins)}) where ${unmoved}`),
  ];
  const update = ctx.db.run(sql`
    insert into settings ${SETTINGS.insert({ tenantId: ctx.tenantId, version: version + 1, data, updatedAt: ctx.now() })} where ${unmoved}
    on conflict (tenant_id) do update set version = excluded.version, data = excluded.data, updated_at = excluded.updated_at`);
  const results = await commitUnlessLost(ctx, {
    statements: [
      ...(names.includes("identityProvider")
        ? [failUnless(ctx.db, unmoved), ...storeIdentityProvider(ctx, after.identityProvider)]
        : []),
      ...(names.includes("allowedOrigins") ? origins : []),
      update,
    ],
    audit: [
      { action: "settings.changed", objectId: "settings", userId: null, detail: { names, from, to }, when: sql`changes() > 0` },
    ],
  });
  return results !== "lost" && results.changes(update) === 1;
}

type Values = Omit<Settings, "version">;

/** A change with its upstream in the stored form. */
type Change = { [K in keyof Values]?: Values[K] | null | undefined };

type StoredChange = {
  /** The changed settings, with their values before and after. */
  names: string[];
  from: Record<string, unknown>;
  to: Record<string, unknown>;
  after: Values;
  /** The values that differ from the defaults: only these are stored. */
  data: Record<string, unknown>;
};

/** The settings after a change. Null resets a setting to its default, and so does naming the default. */
export function changesOf({ version: _, ...before }: Settings, change: Change): StoredChange {
  const defaults: Record<string, unknown> = DEFAULT_SETTINGS;
  const named = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? defaults[name]]]));
  const after: Values = { ...before, ...Object.fromEntries(named) };
  const all = Object.keys(before);
  const names = all.filter((name) => !isSame(name, before, after));
  const own = all.filter((name) => !isSame(name, defaults, after));
  return {
    names,
    from: pick(names, auditable(before)),
    to: pick(names, auditable(after, before)),
    after,
    data: pick(own, after),
  };
}

/** The values for the audit log: of a key, only that it is set and whether it changed. */
function auditable(values: Values, before: Values = values): Record<string, unknown> {
  const { upstream } = values;
  if (upstream === null) return values;
  const hasNewKey = upstream.apiKey !== null && upstream.apiKey !== before.upstream?.apiKey;
  return { ...values, upstream: { ...showUpstream(upstream), ...(hasNewKey ? { newKey: true } : {}) } };
}

function isSame(name: string, a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return JSON.stringify(a[name]) === JSON.stringify(b[name]);
}

function pick(names: readonly string[], from: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
