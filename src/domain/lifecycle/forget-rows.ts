import { type SQL, sql } from "drizzle-orm";
import { failUnless } from "#db/guard";
import { type Because, forgetStatements } from "#domain/memories";
import type { PreparedStep, UpkeepCtx } from "./step.ts";

/**
 * Forgets memories that were found a moment ago. `still` is what made them so, of the row `m`: if it no longer holds of one of them, or
 * somebody else has forgotten it, the whole step is lost and decided again.
 */
export function forgetRows(
  ctx: UpkeepCtx,
  rows: readonly { id: number; space: number }[],
  { because, still }: { because: Because; still: SQL },
): Pick<PreparedStep, "counts" | "statements" | "jobIds"> {
  if (rows.length === 0) return { counts: { memories: 0 }, statements: [], jobIds: [] };
  const jobId = ctx.newId("job");
  const ids = sql.raw(rows.map(({ id }) => id).join(","));
  const found = rows.map(({ id, space }) => ({ id, spaceId: space }));
  return {
    counts: { memories: rows.length },
    statements: [
      failUnless(ctx.db, sql`(select count(*) from memories m where m.id in (${ids}) and ${still}) = ${rows.length}`),
      ...forgetStatements(ctx, found, { because, jobId }),
    ],
    jobIds: [jobId],
  };
}
