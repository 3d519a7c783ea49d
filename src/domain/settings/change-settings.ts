import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { commit } from "#domain/audit";
import type { Settings } from "./defaults.ts";
import { getSettings } from "./get-settings.ts";
import type { SettingsChange } from "./schemas.ts";

/** Changes the named settings and leaves the others. Other isolates see the change when their cache expires, within seconds. */
export async function changeSettings(ctx: Ctx<"db" | "now" | "newId" | "caches">, change: SettingsChange): Promise<Settings> {
  requirePermission(ctx.actor, "admin");
  await commit(ctx, {
    statements: [
      ctx.db.run(sql`
        insert into settings (tenant_id, version, data, updated_at)
        values (${ctx.tenantId}, 1, ${JSON.stringify(change)}, ${ctx.now()})
        on conflict (tenant_id) do update set
          data = json_patch(data, excluded.data), version = version + 1, updated_at = excluded.updated_at`),
      ...(change.allowedOrigins === undefined
        ? []
        : [
            ctx.db.run(sql`delete from allowed_origins where tenant_id = ${ctx.tenantId}`),
            ctx.db.run(sql`
              insert into allowed_origins (origin, tenant_id)
              select distinct value, ${ctx.tenantId} from json_each(${JSON.stringify(change.allowedOrigins)})`),
          ]),
    ],
    audit: [{ action: "settings.changed", objectId: "settings", userId: null, detail: { names: Object.keys(change) } }],
  });
  ctx.caches.origins.clear();
  return await getSettings(ctx);
}
