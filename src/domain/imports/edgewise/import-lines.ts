import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict } from "#core/errors";
import { retryLostRace } from "#core/retry-lost-race";
import { readRows, runBatch, select } from "#db/client";
import { isLostRace } from "#db/guard";
import { integer, row, text } from "#db/row";
import { recordAudit } from "#domain/audit";
import { ENTITIES } from "#domain/entities";
import { KINDS, type Kind } from "#domain/exports";
import { type Indexable, prepareMissing } from "#domain/indexing";
import { dispatch } from "#domain/jobs";
import { MEMORIES } from "#domain/memories";
import { EPISODES } from "#domain/sessions";
import { changeSettings, SettingsChange } from "#domain/settings";
import { CHUNKS } from "#domain/sources";
import { isOwnSessionOfOther } from "#domain/visibility";
import { createIdRecorder, loadIds } from "./id-map.ts";
import type { Row } from "./insert-rows.ts";
import { type Link, linkRows, nameIds, parseLink } from "./link-rows.ts";
import { mapRow } from "./map-row.ts";
import {
  findMarked,
  findOthersPersons,
  findThere,
  type Importer,
  recordIds,
  recordMarked,
  recordOwnPersons,
} from "./match-rows.ts";
import { isReadable, type Line, type Parsed, parseLine, titleOf } from "./parse-line.ts";
import { STORES } from "./store-rows.ts";
import { withoutErased } from "./without-erased.ts";

export type ImportCtx = Ctx<
  "db" | "now" | "newId" | "vectors" | "jobs" | "defer" | "caches" | "identity" | "upstream" | "secretBox" | "wait" | "random"
>;

/** The import's row, as far as this needs it; `userId` is null for the import of a whole tenant. */
export type ImportRow = {
  id: number;
  publicId: string;
  userId: number | null;
  userExternalId: string | null;
  dryRun: boolean;
};

/** What became of the lines: rows that were added, were there, or were left out, and why. Names hold no content. */
export type Report = { statistics: Record<string, number>; problems: { title: string; reason: string }[] };

/** Kinds that belong to nobody in particular, or let a user act for others: only an import of the whole tenant stores them. */
const TENANT_ONLY: ReadonlySet<Kind> = new Set([
  ...(["person_merges", "person_merge_edges", "topics", "topic_nouns", "forgettings", "usage"] as const),
]);

/** Kinds that have text and vectors, in addition to their rows. */
const INDEXABLES: Partial<Record<Kind, Indexable>> = {
  episodes: EPISODES,
  memories: MEMORIES,
  entities: ENTITIES,
  chunks: CHUNKS,
};

/**
 * Stores lines of an export of Edgewise, in the order of the export: a row is left out if what it needs is not there. A row that is there
 * already stays as it is, so that lines that come twice change nothing. Text is indexed at once, vectors by jobs.
 * @throws unprocessable for a format that this release does not read.
 * @throws conflict for an export of somebody else than the import is for.
 */
export async function importEdgewiseLines(ctx: ImportCtx, importRow: ImportRow, lines: readonly unknown[]): Promise<Report> {
  const report = createReport();
  const now = ctx.now();
  const parsed = lines.map((line) => parseLine(line, now));
  for (const one of parsed) {
    if (one.is === "header") requireOwn(importRow, one);
    if (one.is === "wrong") report.leaveOut(one.title, one.reason);
    if (one.is === "other" && one.kind !== "end") report.count("notImported", 1);
  }
  const rows = parsed.flatMap((one) => (one.is === "row" ? [one.line] : []));
  for (const kind of KINDS) {
    for (const group of inOrder(kind, rows)) await importKind({ ctx, importRow, report }, kind, group);
  }
  await importLinks({ ctx, importRow, report }, parsed);
  for (const one of parsed) if (one.is === "settings") await importSettings({ ctx, importRow, report }, one.data);
  return report.result();
}

/** The lines of a kind, in groups that do not refer to rows of their own: who was merged comes after the survivors. */
function inOrder(kind: Kind, lines: readonly Line[]): Line[][] {
  const ofKind = lines.filter((line) => line.kind === kind);
  const isMerged = ({ row }: Line) => kind === "persons" && row.mergedInto !== null;
  return [ofKind.filter((line) => !isMerged(line)), ofKind.filter(isMerged)].filter((group) => group.length > 0);
}

function createReport() {
  const statistics: Record<string, number> = {};
  const problems: Report["problems"] = [];
  const count = (name: string, by: number) => {
    if (by !== 0) statistics[name] = (statistics[name] ?? 0) + by;
  };
  return {
    count,
    leaveOut: (title: string, reason: string) => {
      problems.push({ title, reason });
      count("leftOut", 1);
    },
    result: (): Report => ({ statistics, problems }),
  };
}

type Importing = { ctx: ImportCtx; importRow: ImportRow; report: ReturnType<typeof createReport> };

function requireOwn(
  { userId, userExternalId }: ImportRow,
  { scope, userId: named, version }: Extract<Parsed, { is: "header" }>,
): void {
  if (!isReadable(version)) throw new AppError("unprocessable", "This release does not read this version of the format.");
  if (userId !== null && (scope !== "user" || named !== userExternalId))
    throw conflict("This is not an export of the user for whom it is imported. Only an export of the same user can be.");
}

async function importKind({ ctx, importRow, report }: Importing, kind: Kind, lines: readonly Line[]): Promise<void> {
  const { own, notOwn } = partOf(importRow, kind, lines);
  for (const line of notOwn) report.leaveOut(titleOf(line), "It is not of the user for whom it is imported.");
  const { kept: stays, erased, redacted } = await withoutErased(ctx, kind, { lines: own, isOfTenant: importRow.userId === null });
  const { kept, gone } = await withoutWords(ctx, { importRow, kind }, { lines: stays, redacted });
  for (const _ of [...erased, ...gone]) report.leaveOut(kind, "It was erased here, and stays erased.");
  const isNew = await withMemories({ ctx, importRow }, kind, kept);
  const given = kept.filter(isNew);
  report.count("alreadyThere", kept.length - given.length);
  const recorder = createIdRecorder();
  for (const line of given) mapRow(line, recorder.ids);
  const ids = await loadIds(ctx, importRow.id, recorder.named);
  const rows: Row[] = [];
  for (const line of given) {
    const mapped = mapRow(line, ids);
    if (mapped.is === "row") rows.push(mapped.row);
    // A dry run stores nothing, so nothing can be found.
    else if (importRow.dryRun) rows.push(line.row);
    else report.leaveOut(titleOf(line), `What it belongs to (${mapped.what}) is not there.`);
  }
  if (importRow.dryRun) return report.count(kind, rows.length);
  const reserved = kind === "sessions" ? await findReserved(ctx, importRow, rows) : new Set();
  for (const row of rows.filter(({ externalId }) => reserved.has(externalId)))
    report.leaveOut(titleOf({ kind, row }), "Its id is that of another user's chats that name no session.");
  const others = importRow.userId === null ? new Set() : await findOthersPersons(ctx, importRow.userId, rows.map(statedBy));
  for (const row of rows.filter((one) => others.has(statedBy(one))))
    report.leaveOut(titleOf({ kind, row }), "Another user said it.");
  const mayBeStored = (row: Row) => !others.has(statedBy(row)) && !reserved.has(row.externalId);
  const { distinct, repeated } = withoutRepeats(rows.filter(mayBeStored));
  report.count("alreadyThere", repeated);
  if (distinct.length > 0) await storeKind({ ctx, importRow, report }, kind, distinct);
}

const OWNER = row({ id: integer(sql`u.id`), externalId: text(sql`u.external_id`) });

/** Ids of sessions that the API refuses to their owners, because they are names of another user's own sessions. */
async function findReserved(ctx: ImportCtx, { userExternalId }: ImportRow, rows: readonly Row[]): Promise<ReadonlySet<unknown>> {
  const ownerIds = JSON.stringify(rows.map(({ ownerId }) => ownerId));
  const owners =
    userExternalId === null
      ? await readRows(
          ctx,
          select(OWNER)`from users u where u.tenant_id = ${ctx.tenantId} and u.id in (select value from json_each(${ownerIds}))`,
        )
      : [];
  const byId = new Map<unknown, string>(owners.map(({ id, externalId }) => [id, externalId]));
  const reserved = rows.filter(({ externalId, ownerId }) =>
    isOwnSessionOfOther({ externalId: String(externalId), user: { externalId: userExternalId ?? byId.get(ownerId) ?? "" } }),
  );
  return new Set(reserved.map(({ externalId }) => externalId));
}

/**
 * Earlier versions come with their memory. One that was there before has its own: what is missing of them was erased or forgotten, and would
 * come back.
 */
async function withMemories(
  { ctx, importRow }: Pick<Importing, "ctx" | "importRow">,
  kind: Kind,
  lines: readonly Line[],
): Promise<(line: Line) => boolean> {
  if (kind !== "memory_versions" || importRow.dryRun) return () => true;
  const oldIds = lines.map(({ row }) => Number(row.memoryId));
  const added = await findMarked(ctx, importRow.id, { kind: "memories", oldIds });
  return ({ row }) => added.has(row.memoryId);
}

/** Kinds whose rows say something of the words of an episode, and which may have gone with words that were erased of one that stays. */
const OF_WORDS: ReadonlySet<Kind> = new Set(["message_keys", "entity_mentions"]);

/** Remembers which episodes stand here without words that were erased, and leaves out what the export has of their words. */
async function withoutWords(
  ctx: ImportCtx,
  { importRow, kind }: { importRow: ImportRow; kind: Kind },
  { lines, redacted }: { lines: readonly Line[]; redacted: readonly Line[] },
): Promise<{ kept: Line[]; gone: Line[] }> {
  const importer: Importer = { importId: importRow.id, userId: importRow.userId };
  if (kind === "episodes" && redacted.length > 0 && !importRow.dryRun)
    await runBatch(
      ctx,
      recordMarked(
        ctx,
        importer,
        kind,
        redacted.map(({ row }) => row),
      ),
    );
  if (!OF_WORDS.has(kind)) return { kept: [...lines], gone: [] };
  const oldIds = lines.map(({ row }) => Number(row.episodeId));
  const marked = await findMarked(ctx, importRow.id, { kind: "episodes", oldIds });
  const isGone = ({ row }: Line) => marked.has(row.episodeId);
  return { kept: lines.filter((line) => !isGone(line)), gone: lines.filter(isGone) };
}

/** The person who stated a memory, or an earlier version of it; null for other rows. */
function statedBy({ statedBy: said = null, data }: Row): unknown {
  return typeof data === "object" && data !== null && "statedBy" in data ? data.statedBy : said;
}

/** Of an import for one user: what is theirs. All ids that rows refer to are theirs too, as no others are known to the import. */
function partOf({ userId, userExternalId }: ImportRow, kind: Kind, lines: readonly Line[]): { own: Line[]; notOwn: Line[] } {
  if (userId === null) return { own: [...lines], notOwn: [] };
  const isOwn = ({ row }: Line) => {
    if (TENANT_ONLY.has(kind)) return false;
    if (kind === "users") return row.externalId === userExternalId;
    if (kind === "sessions") return row.kind === "private";
    if (kind === "memories") return row.ownership === "personal";
    return kind !== "sources" || row.projectId !== null;
  };
  return { own: lines.filter(isOwn), notOwn: lines.filter((line) => !isOwn(line)) };
}

/** Of lines with the same id, the first. */
function withoutRepeats(rows: readonly Row[]): { distinct: Row[]; repeated: number } {
  if (!rows.some((row) => "id" in row)) return { distinct: [...rows], repeated: 0 };
  const distinct = [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
  return { distinct, repeated: rows.length - distinct.length };
}

async function storeKind({ ctx, importRow, report }: Importing, kind: Kind, rows: readonly Row[]): Promise<void> {
  const importer: Importer = { importId: importRow.id, userId: importRow.userId };
  const there = kind === "persons" || kind === "memories" ? await findThere(ctx, kind, rows) : new Set();
  const known = rows.map((row) => ({ ...row, isThere: there.has(row.publicId) }));
  const { statements, inserts } = STORES[kind](ctx, kind, known);
  // Each behind the insert whose changes it looks at.
  const audit = () =>
    recordAudit(ctx, {
      ...{ action: "import.rows_stored", objectId: importRow.publicId, userId: importRow.userId },
      ...{ detail: { kind, lines: rows.length }, when: sql`changes() > 0` },
    });
  const results = await runBatch(ctx, [
    ...statements.flatMap((statement) => (inserts.includes(statement) ? [statement, audit()] : [statement])),
    ...recordIds(ctx, importer, { kind, rows }),
    ...(kind === "users" ? recordOwnPersons(ctx, importer, rows) : []),
    ...(kind === "memories"
      ? recordMarked(
          ctx,
          importer,
          kind,
          known.filter(({ isThere }) => !isThere),
        )
      : []),
  ]);
  const added = inserts.reduce((sum, insert) => sum + results.changes(insert), 0);
  report.count(kind, added);
  const unknown = await findUnmapped({ ctx, importRow, report }, kind, rows);
  for (const row of unknown) report.leaveOut(titleOf({ kind, row }), "Its id, its name or its words are in use by another.");
  report.count("alreadyThere", rows.length - added - unknown.length);
  await indexRows(ctx, importRow, { kind, rows });
}

/** Rows that were neither stored nor found. Of rows without an id, what is not stored is there. */
async function findUnmapped({ ctx, importRow }: Importing, kind: Kind, rows: readonly Row[]): Promise<Row[]> {
  const ids = idsOf(rows);
  if (ids.size === 0 || kind === "topics") return [];
  const mapped = await loadIds(ctx, importRow.id, new Map([[kind, ids]]));
  return rows.filter((row) => mapped(kind, Number(row.id)) === null);
}

function idsOf(rows: readonly Row[]): Set<number> {
  return new Set(rows.flatMap(({ id }) => (typeof id === "number" ? [id] : [])));
}

/** Writes the text of what has none, and enqueues jobs for vectors. A part that is sent again does what is left to do. */
async function indexRows(
  ctx: ImportCtx,
  importRow: ImportRow,
  { kind, rows }: { kind: Kind; rows: readonly Row[] },
): Promise<void> {
  const indexable = INDEXABLES[kind];
  if (indexable === undefined) return;
  const ids = idsOf(rows);
  const mapped = await loadIds(ctx, importRow.id, new Map([[kind, ids]]));
  const stored = [...ids].flatMap((id) => mapped(kind, id) ?? []);
  await retryLostRace(ctx, "Rows of this part are being changed at the same moment. Send it again.", async () => {
    const { statements, jobIds = [] } = await prepareMissing(ctx, indexable, stored);
    try {
      await runBatch(ctx, statements);
    } catch (error) {
      if (isLostRace(error)) return "lost";
      throw error;
    }
    if (jobIds.length > 0) dispatch(ctx, jobIds);
    return "done";
  });
}

async function importLinks({ ctx, importRow, report }: Importing, parsed: readonly Parsed[]): Promise<void> {
  const lines = parsed.flatMap((one) => (one.is === "links" ? [one.row] : []));
  const links = lines.flatMap((row): Link[] => {
    const link = parseLink(row);
    if (link === null) report.leaveOut("links", "It is not as an export writes it.");
    return link === null ? [] : [link];
  });
  if (links.length === 0 || importRow.dryRun) return;
  const recorder = createIdRecorder();
  for (const link of links) nameIds(link, recorder.ids);
  const ids = await loadIds(ctx, importRow.id, recorder.named);
  const statements = linkRows(ctx, links, ids);
  const results = await runBatch(ctx, statements);
  report.count(
    "links",
    statements.reduce((sum, statement) => sum + results.changes(statement), 0),
  );
}

/** Only where nothing has been set yet: a service that runs keeps its own. */
async function importSettings({ ctx, importRow, report }: Importing, data: unknown): Promise<void> {
  const change = SettingsChange.safeParse(data);
  if (importRow.userId !== null || !change.success) return report.leaveOut("settings", "They are not as an export writes them.");
  if (importRow.dryRun) return report.count("settings", 1);
  try {
    await changeSettings(ctx, change.data, [0]);
    report.count("settings", 1);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "precondition_failed") report.count("alreadyThere", 1);
    else report.leaveOut("settings", error.message);
  }
}
