import { type SQL, sql } from "drizzle-orm";
import { read, statement } from "#db/client";
import { failUnless } from "#db/guard";
import { integer, row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import type { Repairs, Step } from "#domain/indexing";
import { type Because, forgetStatements, typesOf } from "#domain/memories";
import type { PreparedStep, UpkeepCtx } from "./step.ts";

/** The ephemeral types of memories, for `in (…)`; written as literals so that they take no parameters. */
export const EPHEMERAL_TYPES = sql.raw(
  typesOf("episodic")
    .map((type) => `'${type}'`)
    .join(", "),
);

/**
 * Forgets memories that were found just before. `still` is the condition on the row `m` under which they were found: if it no longer holds
 * for one of them, or one is forgotten already, the whole step is lost and decided again.
 */
export function forgetRows(
  ctx: UpkeepCtx,
  rows: readonly { id: number; space: number }[],
  { because, still }: { because: Because; still: SQL },
): Repairs {
  if (rows.length === 0) return { counts: { memories: 0 }, statements: [] };
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

const DUE = row({ ...MEMORY.of(sql`m`, "id"), space: integer(sql`m.space_id`) });

/** Forgets expired memories, pinned or not, the longest expired first. No read has returned them since they expired. */
export async function expire(ctx: UpkeepCtx, { limit }: Step): Promise<PreparedStep> {
  const isDue = sql`m.tenant_id = ${ctx.tenantId} and m.expires_at is not null and m.expires_at <= ${ctx.now()} and m.deleted_at is null`;
  const { due } = await read(ctx, {
    due: statement(
      DUE,
      sql`select ${DUE.columns} from memories m indexed by memories_expiring where ${isDue} order by m.expires_at limit ${limit}`,
    ),
  });
  return { ...forgetRows(ctx, due, { because: "expired", still: isDue }), next: due.length < limit ? null : "" };
}
