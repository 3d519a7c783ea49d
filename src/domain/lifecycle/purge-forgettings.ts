import { type SQL, sql } from "drizzle-orm";
import type { Services } from "#context";
import { readRows, select } from "#db/client";
import { row } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { GRACE_MS } from "#domain/forgetting";
import type { Repairs } from "#domain/indexing";

const DUE = row(FORGETTING.of(sql`f`, "id", "tenantId"));

export type DueForgetting = { id: number; tenantId: number };

/** Forgettings that can no longer be undone, the oldest first, of the tenants `of` (a condition on the row `f`). */
export async function findDueForgettings(
  services: Pick<Services, "db" | "now">,
  { of, limit }: { of: SQL; limit: number },
): Promise<DueForgetting[]> {
  return await readRows(
    services,
    select(DUE)`from forgettings f indexed by forgettings_time
      where f.forgotten_at < ${services.now() - GRACE_MS} and ${of} order by f.forgotten_at limit ${limit}`,
  );
}

/** Deletes for good the words that forgettings of one tenant took. */
export function purgeForgettings(ctx: Pick<Services, "db"> & { tenantId: number }, due: readonly DueForgetting[]): Repairs {
  if (due.length === 0) return { counts: {}, statements: [] };
  const ids = JSON.stringify(due.map(({ id }) => id));
  return {
    counts: { forgettings: due.length },
    statements: [
      ctx.db.run(sql`delete from forgettings where id in (select value from json_each(${ids})) and tenant_id = ${ctx.tenantId}`),
    ],
  };
}
