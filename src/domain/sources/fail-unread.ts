import { sql } from "drizzle-orm";
import { FILE } from "#db/schema/sources";
import type { AfterFailure } from "#domain/jobs";

const NOT_READ =
  "The service failed while it read the file. It is kept as it was uploaded: POST /v1/sources/{sourceId}/files/{fileId}/read reads it again, and so does its job when it is run again.";

/** Marks the files of failed jobs `files.read` as failed, unless they were read or replaced meanwhile. What was read before stays. */
export const failUnread: AfterFailure = ({ db, now }, refs) => {
  const change = FILE.set({ status: "failed", error: NOT_READ, updatedAt: now() });
  return [
    db.run(sql`
      update files set ${change}
      where (id, tenant_id, revision) in (
          select j.payload ->> 'fileId', j.tenant_id, j.payload ->> 'revision'
          from json_each(${JSON.stringify(refs.map(({ tenantId, jobId }) => [tenantId, jobId]))}) r
          cross join jobs j on j.tenant_id = r.value ->> 0 and j.id = r.value ->> 1
          where j.kind = 'files.read' and j.status = 'failed')
        and read_revision <> revision and status in ('waiting', 'reading')`),
  ];
};
