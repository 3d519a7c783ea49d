import { sql } from "drizzle-orm";
import type { Services } from "#context";

/**
 * Whether a browser origin is allowed: by this tenant, or, for a request without a credential, which names none, by any.
 * Cached for seconds. The answer to such a request gives nothing away but that somebody here allows the origin.
 */
export async function allowsOrigin(
  services: Pick<Services, "db" | "caches" | "now">,
  question: { origin: string; tenantId: number | null },
): Promise<boolean> {
  const cacheKey = `${question.tenantId ?? "any"} ${question.origin}`;
  const cached = services.caches.origins.get(cacheKey, services.now());
  if (cached !== undefined) return cached;
  const rows = await services.db.all(sql`
    select 1 as found from allowed_origins
    where origin = ${question.origin} and (${question.tenantId} is null or tenant_id = ${question.tenantId}) limit 1`);
  services.caches.origins.set(cacheKey, rows.length > 0, services.now());
  return rows.length > 0;
}
