import { sql } from "drizzle-orm";
import { ERASURE } from "#db/schema/transfer";
import type { AfterFailure } from "#domain/jobs";

/** Marks the erasures of failed jobs `erasures.run` as failed. They continue where they ended when the jobs are run again. */
export const failErasures: AfterFailure = ({ db }, refs) => [
  db.run(sql`
    update erasures set ${ERASURE.set({ status: "failed" })}
    where finished_at is null and (id, tenant_id) in (
      select j.payload ->> 'erasureId', j.tenant_id
      from json_each(${JSON.stringify(refs.map(({ tenantId, jobId }) => [tenantId, jobId]))}) r
      cross join jobs j on j.tenant_id = r.value ->> 0 and j.id = r.value ->> 1
      where j.kind = 'erasures.run' and j.status = 'failed')`),
];
