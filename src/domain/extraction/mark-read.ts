import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { enqueue } from "#domain/jobs";

/** Episodes that a model is to read next, each with the user who sent it. */
export type ToModel = { id: number; by: number | null };

/**
 * Statements that mark episodes as read so far, and, after the rules, leave the rest to a model by a job of that id. The first fails the
 * batch if somebody else has read them meanwhile, so that nothing is taken twice.
 */
export function markRead(
  ctx: Ctx<"db" | "now">,
  mark: { episodes: readonly number[]; as: "rules" | "model"; toModel: readonly ToModel[]; jobId: string },
): Statement[] {
  const { episodes, as, toModel } = mark;
  if (episodes.length === 0) return [];
  const ids = JSON.stringify(episodes);
  const before = as === "rules" ? null : "rules";
  const these = sql`select value from json_each(${ids})`;
  return [
    failUnless(
      ctx.db,
      sql`not exists (
        select 1 from episodes e where e.id in (${these}) and e.tenant_id = ${ctx.tenantId} and e.extracted is not ${before})`,
    ),
    ctx.db.run(sql`update episodes set extracted = ${as} where id in (${these}) and tenant_id = ${ctx.tenantId}`),
    ...(toModel.length === 0
      ? []
      : [enqueue(ctx, { id: mark.jobId, kind: "episodes.extract", payload: JSON.stringify({ episodes: toModel }) })]),
  ];
}
