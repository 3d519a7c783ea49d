import { sql } from "drizzle-orm";
import { breaksRule } from "#core/errors";
import { readRows, runBatch, select } from "#db/client";
import { integer, row } from "#db/row";
import type { NamedUser } from "#domain/tenants";
import { addToReport } from "./count-part.ts";
import { type ImportCtx, importEdgewiseLines } from "./edgewise/import-lines.ts";
import type { ImportPartInput, ImportPartView } from "./schemas.ts";
import { noStatistics } from "./statistics.ts";
import { asCounted, type ImportRow } from "./view.ts";

const USER_ID = row({ id: integer(sql`u.id`) });

/** Stores the lines of a part, and adds what became of them to the report. */
export async function addLines(
  ctx: ImportCtx,
  { found, user, part }: { found: ImportRow; user: NamedUser | null; part: ImportPartInput },
): Promise<ImportPartView> {
  if (part.lines === undefined) throw breaksRule("lines", "This import takes lines of an export of Edgewise.");
  const { id, publicId, dryRun } = found;
  const importRow = {
    ...{ id, publicId, dryRun },
    userId: await findUserId(ctx, user),
    userExternalId: user?.externalId ?? null,
  };
  const { statistics, problems } = await importEdgewiseLines(ctx, importRow, part.lines);
  await runBatch(ctx, [addToReport(ctx, found, { counts: asCounted(statistics), problems })]);
  return { items: [], statistics: noStatistics(), rows: statistics, problems };
}

async function findUserId(ctx: ImportCtx, user: NamedUser | null): Promise<number | null> {
  if (user === null) return null;
  const [found] = await readRows(
    ctx,
    select(USER_ID)`from users u where u.tenant_id = ${ctx.tenantId} and u.external_id = ${user.externalId}`,
  );
  // The import has made the user; no row has this id.
  return found?.id ?? 0;
}
