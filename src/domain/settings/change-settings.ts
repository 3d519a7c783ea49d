import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { commit } from "#domain/audit";
import { changesOf, type StoredChange } from "./changes.ts";
import { loadSettings } from "./get-settings.ts";
import type { SettingsChange, SettingsView } from "./schemas.ts";
import { sealUpstream } from "./upstream.ts";
import { toSettings } from "./view.ts";

/**
 * Changes the named settings and leaves the others; what is so already is no change. `versions` are those that the caller has seen,
 * null for any: 412 if it is another. Other isolates see the change when their cache expires, within seconds.
 */
export async function changeSettings(
  ctx: Ctx<"db" | "now" | "newId" | "caches" | "upstream" | "secretBox" | "wait" | "random">,
  change: SettingsChange,
  versions: readonly number[] | null,
): Promise<SettingsView> {
  requirePermission(ctx.actor, "admin");
  return await retryLostRace(ctx, "The settings are being changed by somebody else. Try again.", async () => {
    const before = await loadSettings(ctx);
    if (versions !== null && !versions.includes(before.version))
      throw new AppError("precondition_failed", `The settings have version ${before.version} now.`);
    const upstream = change.upstream == null ? change.upstream : await sealUpstream(ctx, before.upstream, change.upstream);
    const stored = changesOf(before, { ...change, upstream });
    if (stored.names.length === 0) return toSettings(before);
    if (!(await storeSettings(ctx, before.version, stored))) return "lost";
    ctx.caches.settings.delete(String(ctx.tenantId));
    ctx.caches.origins.clear();
    return toSettings({ ...stored.after, version: before.version + 1 });
  });
}

/** Writes settings that were read at this version; false, and nothing written, if they have another by now. */
async function storeSettings(ctx: Ctx<"db" | "now" | "newId">, version: number, change: StoredChange): Promise<boolean> {
  const { names, from, to, data, after } = change;
  const unmoved = sql`coalesce((select version from settings where tenant_id = ${ctx.tenantId}), 0) = ${version}`;
  const origins = [
    ctx.db.run(sql`delete from allowed_origins where tenant_id = ${ctx.tenantId} and ${unmoved}`),
    ctx.db.run(sql`
      insert into allowed_origins (origin, tenant_id)
      select distinct value, ${ctx.tenantId} from json_each(${JSON.stringify(after.allowedOrigins)}) where ${unmoved}`),
  ];
  const results = await commit(ctx, {
    statements: [
      ...(names.includes("allowedOrigins") ? origins : []),
      ctx.db.run(sql`
        insert into settings (tenant_id, version, data, updated_at)
        select ${ctx.tenantId}, ${version + 1}, ${JSON.stringify(data)}, ${ctx.now()} where ${unmoved}
        on conflict (tenant_id) do update set
          version = excluded.version, data = excluded.data, updated_at = excluded.updated_at`),
    ],
    audit: [
      { action: "settings.changed", objectId: "settings", userId: null, detail: { names, from, to }, when: sql`changes() > 0` },
    ],
  });
  return results.at(-1)?.changes === 1;
}
