import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, select } from "#db/client";
import { flag, integer, nullable, type RowOf, row, text } from "#db/row";
import { documentUser, findSource, requireReadable, seesSource } from "./find-source.ts";
import { parseFolder } from "./paths.ts";
import type { FileView, TreeEntry, TreeInput } from "./schemas.ts";

/** Files of a folder that are counted. */
const MAX_COUNTED = 1_000;

/**
 * The folders and files directly in a folder of a source, by path. Folders exist by the files in them; an unknown one is empty. It reads by
 * the page and what is counted, however many files the source has.
 * @throws not_found for a source that the user may not see.
 * @throws unprocessable for a path that leaves the source.
 */
export async function listTree(ctx: Ctx<"db">, sourceId: string, input: TreeInput): Promise<Page<TreeEntry>> {
  requirePermission(ctx.actor, "read");
  const folder = parseFolder(input.path);
  const prefix = folder === "" ? "" : `${folder}/`;
  const asked = { sourceId, user: documentUser(ctx, input.userId) };
  const [after = prefix] = input.cursor === undefined ? [] : decodeCursor("tree", input.cursor, ["string"]);
  const ENTRY = entryRow(prefix);
  const {
    source: [source],
    rows,
  } = await read(ctx, {
    source: findSource(ctx, asked),
    rows: select(
      ENTRY,
      entriesCte({ tenantId: ctx.tenantId, asked, prefix, after: String(after), limit: input.limit + 1 }),
    )`from entries e
      left join files f on f.source_id = e.source_id and f.path = e.path where e.path is not null order by e.at limit ${input.limit + 1}`,
  });
  requireReadable(source, asked);
  return toPage(rows, input.limit, { list: "tree", item: (one) => toEntry(one, prefix), position: ({ next }) => [next] });
}

type Walk = { tenantId: number; asked: Parameters<typeof findSource>[1]; prefix: string; after: string; limit: number };

/**
 * `entries (source_id, path, next, at)`: the first path of each entry, and where the next entry can begin. It steps from one to the next by
 * the index of paths: a folder's files are between "folder/" and "folder0", because "0" follows "/".
 */
function entriesCte({ tenantId, asked, prefix, after, limit }: Walk): SQL {
  const isWithin = (path: SQL) => (prefix === "" ? sql`true` : sql`${path} < ${endOf(prefix)}`);
  const firstFrom = (start: SQL) =>
    sql`(select n.path from files n where n.source_id = so_id and n.path >= ${start} and ${isWithin(sql`n.path`)} order by n.path limit 1)`;
  const nextOf = (path: SQL) => {
    const rest = restOf(path, prefix);
    return sql`iif(instr(${rest}, '/') > 0, ${prefix} || substr(${rest}, 1, instr(${rest}, '/') - 1) || '0', ${behind(path)})`;
  };
  return sql`recursive steps (so_id, path, at) as (
      select so_id, ${firstFrom(sql`${after}`)}, 1 from (
        select so.id as so_id from sources so where so.external_id = ${asked.sourceId} and ${seesSource(tenantId, asked.user)})
      union all
      select so_id, ${firstFrom(nextOf(sql`steps.path`))}, at + 1 from steps where path is not null and at < ${sql.raw(String(limit))}),
    entries as (select so_id as source_id, path, at, ${nextOf(sql`path`)} as next from steps where path is not null)`;
}

/** The part of a path behind the folder's prefix. SQLite counts characters, not UTF-16 units. */
function restOf(path: SQL, prefix: string): SQL {
  return sql`substr(${path}, ${sql.raw(String([...prefix].length + 1))})`;
}

/** The least text behind a path: no path holds a control character. */
function behind(path: SQL): SQL {
  return sql`${path} || char(1)`;
}

/** What follows everything that begins with a folder's prefix. */
function endOf(prefix: string): string {
  return `${prefix.slice(0, -1)}0`;
}

const entryRow = (prefix: string) =>
  row({
    path: text(sql`e.path`),
    next: text(sql`e.next`),
    isFile: flag(sql`instr(${restOf(sql`e.path`, prefix)}, '/') = 0`),
    files: integer(sql`iif(e.next = ${behind(sql`e.path`)}, 1, (
      select count(*) from (
        select 1 from files c where c.source_id = e.source_id and c.path >= e.path and c.path < e.next limit ${sql.raw(String(MAX_COUNTED))})))`),
    fileId: nullable(text(sql`f.public_id`)),
    status: nullable(text<FileView["status"]>(sql`f.status`)),
  });

function toEntry({ path, isFile, files, fileId, status }: RowOf<ReturnType<typeof entryRow>>, prefix: string): TreeEntry {
  const [name = ""] = path.slice(prefix.length).split("/");
  return isFile
    ? { kind: "file", name, path, files: 1, fileId, status }
    : { kind: "folder", name, path: `${prefix}${name}`, files, fileId: null, status: null };
}
