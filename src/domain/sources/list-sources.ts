import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, select } from "#db/client";
import { integer, row, text } from "#db/row";
import { userNotNamed } from "#domain/tenants";
import { tenantSpaceId } from "#domain/visibility";
import { findProject } from "./find-project.ts";
import { documentUser, findSource, requireReadable, seesSource } from "./find-source.ts";
import type { SourceDetailView, SourceListInput, SourceReader, SourceView } from "./schemas.ts";
import { SOURCE_COLUMNS, toSource } from "./view.ts";

const SOURCE_ROW = row(SOURCE_COLUMNS);
const COUNTS = row({
  status: text<keyof SourceDetailView["statistics"]["files"]>(sql`f.status`),
  files: integer(sql`count(*)`),
  bytes: integer(sql`sum(f.bytes)`),
  characters: integer(sql`sum(coalesce(f.characters, 0))`),
  chunks: integer(sql`sum(f.chunk_count)`),
});

/**
 * A source with counts of its files, which reads a row for each of them.
 * @throws not_found for a source that the user may not see.
 */
export async function getSource(ctx: Ctx<"db">, sourceId: string, input: SourceReader): Promise<SourceDetailView> {
  requirePermission(ctx.actor, "read");
  const asked = { sourceId, user: documentUser(ctx, input.userId) };
  const {
    source: [found],
    counts,
  } = await read(ctx, {
    source: findSource(ctx, asked),
    counts: select(COUNTS)`from sources so cross join files f on f.source_id = so.id
      where so.external_id = ${sourceId} and ${seesSource(ctx.tenantId, asked.user)} group by f.status`,
  });
  const source = requireReadable(found, asked);
  const files = { waiting: 0, reading: 0, ready: 0, failed: 0 };
  for (const one of counts) files[one.status] = one.files;
  const sum = (of: (one: (typeof counts)[number]) => number) => counts.reduce((total, one) => total + of(one), 0);
  return {
    ...toSource(source),
    statistics: {
      files,
      bytes: sum(({ bytes }) => bytes),
      characters: sum(({ characters }) => characters),
      chunks: sum(({ chunks }) => chunks),
    },
  };
}

/**
 * The sources of a project, or those of the library, newest first.
 * @throws not_found for a project that the user does not belong to.
 */
export async function listSources(ctx: Ctx<"db">, input: SourceListInput): Promise<Page<SourceView>> {
  requirePermission(ctx.actor, "read");
  const user = documentUser(ctx, input.userId);
  const { projectId } = input;
  if (projectId !== undefined && user === null) throw userNotNamed();
  const [position] = input.cursor === undefined ? [] : decodeCursor("sources", input.cursor, ["string"]);
  const isOlder =
    position === undefined ? sql`true` : sql`so.id < coalesce((select c.id from sources c where c.public_id = ${position}), 0)`;
  const space =
    projectId === undefined
      ? sql`(select l.id from spaces l where l.public_id = ${tenantSpaceId(ctx.tenantId)})`
      : sql`(select p.space_id from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${projectId})`;
  const { project, rows } = await read(ctx, {
    project: projectId === undefined || user === null ? null : findProject(ctx, { externalId: projectId, user }),
    rows: select(SOURCE_ROW)`from sources so indexed by sources_space
      where so.space_id = ${space} and ${seesSource(ctx.tenantId, user)} and ${isOlder} order by so.id desc limit ${input.limit + 1}`,
  });
  if (projectId !== undefined && project.length === 0) throw notFound("project");
  return toPage(rows, input.limit, { list: "sources", item: toSource, position: ({ publicId }) => [publicId] });
}
