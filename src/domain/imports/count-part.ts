import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import type { ImportItem } from "./schemas.ts";
import type { Statistics } from "./statistics.ts";
import type { ImportRow } from "./view.ts";

const MAX_PROBLEMS = 200;
const REPORTED: ReadonlySet<ImportItem["outcome"]> = new Set(["failed", "erased", "empty", "skipped"]);

/** The statement that adds a part's counts and problems to those of the import. */
export function countStatement(
  ctx: Ctx<"db">,
  { id }: ImportRow,
  { statistics, items }: { statistics: Statistics; items: readonly ImportItem[] },
): Statement {
  const problems = items.flatMap(({ title, sessionId, outcome, reason, notes }) => {
    const reasons = REPORTED.has(outcome) && reason !== null ? [reason] : notes;
    // A title is words of a conversation that may be stored, and would outlive the erasure of its session.
    return reasons.map((one) => ({ title: sessionId ?? title ?? "Untitled", reason: one }));
  });
  return addToReport(ctx, { id }, { counts: statistics, problems });
}

type Problem = { title: string; reason: string };

export function addToReport(
  ctx: Ctx<"db">,
  { id }: Pick<ImportRow, "id">,
  { counts, problems }: { counts: Readonly<Record<string, number>>; problems: readonly Problem[] },
): Statement {
  const counted = Object.entries(counts).filter(([, count]) => count > 0);
  const sums = counted.map(([name, count]) => {
    const path = `$."${name}"`;
    return sql`, ${path}, coalesce(statistics ->> ${path}, 0) + ${count}`;
  });
  return ctx.db.run(sql`
    update imports set statistics = json_set(statistics ${sql.join(sums, sql``)}),
      problems = (
        select json_group_array(json(value)) from (
          select value from json_each(imports.problems) union all select value from json_each(${JSON.stringify(problems)}) limit ${MAX_PROBLEMS}))
    where id = ${id} and tenant_id = ${ctx.tenantId}`);
}
