import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { createdAt } from "#core/ids";
import { readRows, select } from "#db/client";
import { row } from "#db/row";
import { FILE } from "#db/schema/sources";
import { fileIdOf, uploadIdOf, uploadsOfTenant } from "./uploads.ts";

/** Longer than any upload takes. */
const LOST_AFTER_MS = 86_400_000;

const UNREAD = row(FILE.of(sql`f`, "publicId"));

export type LostUpload = { key: string; uploadId: string };

/**
 * Of a page of what the tenant has uploaded, in the order of keys: what began more than a day ago and is of no file that is still to be
 * read. A request that ends between the bytes and the row leaves such, and so does one that replaces a file. `limit` bounds `lost`.
 */
export async function findLostUploads(
  ctx: Ctx<"db" | "now" | "files">,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ uploads: number; lost: LostUpload[]; next: string | null }> {
  const { keys, next } = await ctx.files.list(uploadsOfTenant(ctx.tenantId), after);
  const old = keys.filter((key) => (createdAt("job", uploadIdOf(key)) ?? Infinity) < ctx.now() - LOST_AFTER_MS);
  const fileIds = JSON.stringify([...new Set(old.map(fileIdOf))]);
  const unread = await readRows(
    ctx,
    select(UNREAD)`from json_each(${fileIds}) j cross join files f on f.public_id = j.value
      where f.tenant_id = ${ctx.tenantId} and f.read_revision <> f.revision`,
  );
  const isUnread = new Set(unread.map(({ publicId }) => publicId));
  const lost = old.filter((key) => !isUnread.has(fileIdOf(key))).map((key) => ({ key, uploadId: uploadIdOf(key) }));
  const taken = lost.slice(0, limit);
  return { uploads: keys.length, lost: taken, next: taken.length < lost.length ? (taken.at(-1)?.key ?? null) : next };
}
