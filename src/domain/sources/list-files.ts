import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, select } from "#db/client";
import { documentUser, findSource, requireReadable, seesSource } from "./find-source.ts";
import type { FileListInput, FileView, SourceReader } from "./schemas.ts";
import { FILE_ROW, toFile } from "./view.ts";

/**
 * The files of a source, by path.
 * @throws not_found for a source that the user may not see.
 */
export async function listFiles(ctx: Ctx<"db">, sourceId: string, input: FileListInput): Promise<Page<FileView>> {
  requirePermission(ctx.actor, "read");
  const asked = { sourceId, user: documentUser(ctx, input.userId) };
  const [after = ""] = input.cursor === undefined ? [] : decodeCursor("files", input.cursor, ["string"]);
  const ofStatus = input.status === undefined ? sql`true` : sql`f.status = ${input.status}`;
  const {
    source: [source],
    rows,
  } = await read(ctx, {
    source: findSource(ctx, asked),
    rows: select(FILE_ROW)`from sources so cross join files f indexed by files_path on f.source_id = so.id and f.path > ${after}
      where so.external_id = ${sourceId} and ${seesSource(ctx.tenantId, asked.user)} and ${ofStatus}
      order by f.path limit ${input.limit + 1}`,
  });
  requireReadable(source, asked);
  return toPage(rows, input.limit, { list: "files", item: toFile, position: ({ path }) => [path] });
}

/**
 * One file of a source.
 * @throws not_found for one that the user may not see, or that is in another source.
 */
export async function getFile(
  ctx: Ctx<"db">,
  named: { sourceId: string; fileId: string },
  input: SourceReader,
): Promise<FileView> {
  requirePermission(ctx.actor, "read");
  const asked = { sourceId: named.sourceId, user: documentUser(ctx, input.userId) };
  const {
    source: [source],
    rows: [file],
  } = await read(ctx, {
    source: findSource(ctx, asked),
    rows: isPublicId("file", named.fileId)
      ? select(FILE_ROW)`from files f cross join sources so on so.id = f.source_id
          where f.public_id = ${named.fileId} and so.external_id = ${named.sourceId} and ${seesSource(ctx.tenantId, asked.user)}`
      : null,
  });
  requireReadable(source, asked);
  if (file === undefined) throw notFound("file");
  return toFile(file);
}
