import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, select } from "#db/client";
import { row, text } from "#db/row";
import type { Kind } from "#domain/exports";
import { type ErasedKind, findTombstones, tombstoneHash } from "#domain/tenants";
import type { Line } from "./parse-line.ts";

const ERASED: Partial<Record<Kind, ErasedKind>> = { users: "user", sessions: "session", projects: "project", sources: "source" };

const THERE = row({ externalId: text(sql`t.external_id`) });

/** Leaves out what was erased here and has not been made again. Without ENCRYPTION_KEY, nothing can have been erased. */
export async function withoutErased(
  ctx: Ctx<"db" | "secretBox">,
  kind: Kind,
  lines: readonly Line[],
): Promise<{ kept: Line[]; erased: Line[] }> {
  const erasedKind = ERASED[kind];
  if (erasedKind === undefined || ctx.secretBox === null) return { kept: [...lines], erased: [] };
  const hashes = await Promise.all(lines.map(({ row: { externalId } }) => tombstoneHash(ctx, erasedKind, String(externalId))));
  const found = await findTombstones(ctx, hashes);
  if (found.size === 0) return { kept: [...lines], erased: [] };
  const ids = JSON.stringify(lines.map(({ row: { externalId } }) => externalId));
  const there = await readRows(
    ctx,
    select(THERE)`from json_each(${ids}) j cross join ${sql.identifier(kind)} t
      on t.tenant_id = ${ctx.tenantId} and t.external_id = j.value`,
  );
  const known = new Set<unknown>(there.map(({ externalId }) => externalId));
  const isErased = (line: Line, i: number) => found.has(hashes[i] ?? "") && !known.has(line.row.externalId);
  return { kept: lines.filter((line, i) => !isErased(line, i)), erased: lines.filter(isErased) };
}
