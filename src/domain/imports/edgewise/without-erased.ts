import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, select } from "#db/client";
import { row, text } from "#db/row";
import type { Kind } from "#domain/exports";
import { type BuriedKind, findTombstones, tombstoneHash } from "#domain/tenants";
import type { Line } from "./parse-line.ts";

type Erasable = { kind: BuriedKind; by: "externalId" | "publicId"; column: SQL };

const ofApp = (kind: BuriedKind): Erasable => ({ kind, by: "externalId", column: sql`t.external_id` });
const ofEdgewise = (kind: BuriedKind): Erasable => ({ kind, by: "publicId", column: sql`t.public_id` });

const ERASED: Partial<Record<Kind, Erasable>> = {
  users: ofApp("user"),
  sessions: ofApp("session"),
  projects: ofApp("project"),
  sources: ofApp("source"),
  episodes: ofEdgewise("episode"),
  memories: ofEdgewise("memory"),
  entities: ofEdgewise("entity"),
  forgettings: ofEdgewise("forgetting"),
};

type Sorted = { kept: Line[]; erased: Line[]; redacted: Line[] };

/**
 * Leaves out what was erased here, also if it has been made again since, where the line is of the time before: but a user who has come back
 * may import their own export. `redacted`: rows that stay here without what was the subject's in them. Without ENCRYPTION_KEY, nothing can
 * have been erased.
 */
export async function withoutErased(
  ctx: Ctx<"db" | "secretBox">,
  kind: Kind,
  { lines, isOfTenant }: { lines: readonly Line[]; isOfTenant: boolean },
): Promise<Sorted> {
  const erasable = ERASED[kind];
  if (erasable === undefined || ctx.secretBox === null) return { kept: [...lines], erased: [], redacted: [] };
  const { kind: buried, by, column } = erasable;
  const hashes = await Promise.all(lines.map((line) => tombstoneHash(ctx, buried, String(line.row[by]))));
  const found = await findTombstones(ctx, hashes);
  if (found.size === 0) return { kept: [...lines], erased: [], redacted: [] };
  const ids = JSON.stringify(lines.map((line) => line.row[by]));
  const there = await readRows(
    ctx,
    select(row({ id: text(column) }))`from json_each(${ids}) j cross join ${sql.identifier(kind)} t
      on t.tenant_id = ${ctx.tenantId} and ${column} = j.value`,
  );
  const known = new Set<unknown>(there.map(({ id }) => id));
  const isErased = (line: Line, i: number) => {
    const erasedAt = found.get(hashes[i] ?? "");
    if (erasedAt === undefined) return false;
    const isOlder = (isOfTenant || kind !== "users") && by === "externalId" && Number(line.row.createdAt) <= erasedAt;
    return isOlder || !known.has(line.row[by]);
  };
  return {
    kept: lines.filter((line, i) => !isErased(line, i)),
    erased: lines.filter(isErased),
    redacted: lines.filter((line, i) => found.has(hashes[i] ?? "") && !isErased(line, i)),
  };
}
