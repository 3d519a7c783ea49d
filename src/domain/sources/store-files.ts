import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { retryLostRace } from "#core/retry-lost-race";
import { type Query, readRows, type Statement, select } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { integer, row } from "#db/row";
import { rowsOf } from "#db/rows";
import { FILE } from "#db/schema/sources";
import { type AuditEntry, commit } from "#domain/audit";
import { dispatch, enqueue } from "#domain/jobs";
import { type UserRef, userIdOf } from "#domain/tenants";
import { type FoundSource, isStillWritable } from "./find-source.ts";
import type { UploadedView } from "./schemas.ts";
import { fileIdOf, uploadKey } from "./uploads.ts";
import { FILE_ROW, type FileRow, toFile } from "./view.ts";

export type StoreCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "wait" | "random" | "files">;

/** An uploaded file that has no row yet. Its bytes are in the store under `key`, or still here. */
export type StagedFile = {
  path: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Of the job that will read it. */
  uploadId: string;
  key: string | null;
  content: Uint8Array | null;
};

type Decided = {
  staged: StagedFile;
  outcome: UploadedView["outcome"];
  publicId: string;
  known: FileRow | undefined;
};

/** The files of a source at these paths. */
export function findByPath(ctx: Ctx, sourceExternalId: string, paths: readonly string[]): Query<FileRow> {
  return select(FILE_ROW)`from ${rowsOf(paths.map((path) => [path]))} j
    cross join sources so on so.tenant_id = ${ctx.tenantId} and so.external_id = ${sourceExternalId}
    cross join files f on f.source_id = so.id and f.path = j.c0`;
}

type Storing = {
  source: FoundSource;
  user: UserRef | null;
  /** The files at these paths as they were read. */
  known: readonly FileRow[];
  audit: (outcomes: readonly { publicId: string; outcome: string }[]) => AuditEntry["detail"];
};

/**
 * Stores files that were uploaded: creates or replaces each, with a job that reads it, unless the source has the same content there. Of two
 * that are uploaded to one path at once, the later replaces the earlier.
 * @throws not_found if the source is gone, or no longer the user's to change.
 */
export async function storeFiles(ctx: StoreCtx, staged: readonly StagedFile[], storing: Storing): Promise<UploadedView[]> {
  let { known } = storing;
  // A file that is deleted meanwhile is made anew under another id: what deletes the rest of the old one looks for it by its id.
  const isKnown = ({ path }: StagedFile) => storing.known.some((file) => file.path === path);
  const fileIds = new Map(
    staged.map((one) => [one.path, isKnown(one) || one.key === null ? ctx.newId("file") : fileIdOf(one.key)]),
  );
  try {
    return await retryLostRace(ctx, "These files are being changed by others at the same moment. Try again.", async () => {
      const decided = staged.map((one) => decide(one, known, fileIds));
      await placeBytes(ctx, decided, storing.source);
      const stored = await storeDecided(ctx, decided, storing);
      if (stored !== "lost") return stored;
      known = await readRows(
        ctx,
        findByPath(
          ctx,
          storing.source.externalId,
          staged.map(({ path }) => path),
        ),
      );
      return "lost";
    });
  } catch (error) {
    await ctx.files.remove(staged.flatMap(({ key }) => key ?? []));
    throw error;
  }
}

function decide(staged: StagedFile, known: readonly FileRow[], fileIds: ReadonlyMap<string, string>): Decided {
  const file = known.find(({ path }) => path === staged.path);
  if (file === undefined) return { staged, outcome: "created", publicId: fileIds.get(staged.path) ?? "", known: undefined };
  // What could not be read is read anew: the bytes of a file that came with an import are nowhere else.
  const outcome = file.sha256 === staged.sha256 && file.status !== "failed" ? "unchanged" : "replaced";
  return { staged, outcome, publicId: file.publicId, known: file };
}

/** Puts the bytes of each file where its job looks for them. They move if somebody else has created the file meanwhile. */
async function placeBytes(ctx: StoreCtx, decided: readonly Decided[], source: FoundSource): Promise<void> {
  for (const { staged, outcome, publicId } of decided) {
    const { key, content } = staged;
    const target = uploadKey(ctx.tenantId, { sourceId: source.id, publicId }, staged.uploadId);
    if (outcome === "unchanged" || key === target) continue;
    const bytes = content ?? (key === null ? null : await ctx.files.get(key));
    if (bytes === null) throw conflict("The file was deleted while it was being uploaded. Upload it again.");
    await ctx.files.put(target, bytes, bytes.length);
    if (key !== null) await ctx.files.remove([key]);
    staged.key = target;
  }
}

async function storeDecided(
  ctx: StoreCtx,
  decided: readonly Decided[],
  { source, user, audit }: Storing,
): Promise<UploadedView[] | "lost"> {
  const changed = decided.filter(({ outcome }) => outcome !== "unchanged");
  const same = decided.filter(({ outcome }) => outcome === "unchanged");
  if (changed.length === 0) return (await areUnchanged(ctx, same)) ? await keepUnchanged(ctx, same) : "lost";
  const stored = findByPath(
    ctx,
    source.externalId,
    decided.map(({ staged }) => staged.path),
  );
  const [first] = changed;
  const entry: AuditEntry = {
    action: decided.length === 1 ? `file.${first?.outcome ?? "created"}` : "source.uploaded",
    objectId: decided.length === 1 ? (first?.publicId ?? "") : source.publicId,
    userId: userIdOf(ctx.tenantId, user),
    detail: audit(decided),
  };
  try {
    const results = await commit(ctx, {
      statements: [
        failUnless(ctx.db, isStillWritable(ctx, source, user)),
        ...same.map(({ known }) => failUnless(ctx.db, isAsRead(ctx, known))),
        ...changed.flatMap((one) => storeOne(ctx, source, one)),
        ctx.db.run(sql`update sources set updated_at = ${ctx.now()} where id = ${source.id} and +tenant_id = ${ctx.tenantId}`),
        stored,
      ],
      audit: [entry],
    });
    dispatch(
      ctx,
      changed.map(({ staged }) => staged.uploadId),
    );
    await keepUnchanged(ctx, same);
    return inOrder(decided, results.rows(stored));
  } catch (error) {
    if (isUniqueViolation(error)) return "lost";
    if (!isLostRace(error)) throw error;
    await requireStillWritable(ctx, source, user);
    return "lost";
  }
}

const THERE = row({ id: integer(sql`here.id`) });

/** Whether the file is as it was read before its bytes came, which may take minutes. */
function isAsRead(ctx: StoreCtx, known: FileRow | undefined): SQL {
  const is = sql`f.id = ${known?.id ?? 0} and +f.tenant_id = ${ctx.tenantId} and f.revision = ${known?.revision ?? 0}`;
  return sql`exists (select 1 from files f where ${is})`;
}

async function areUnchanged(ctx: StoreCtx, same: readonly Decided[]): Promise<boolean> {
  const all = sql.join([sql`true`, ...same.map(({ known }) => isAsRead(ctx, known))], sql` and `);
  return (await readRows(ctx, select(THERE)`from (select 1 as id) here where ${all}`)).length > 0;
}

/** Removes the bytes of files that the source has already. */
async function keepUnchanged(ctx: StoreCtx, same: readonly Decided[]): Promise<UploadedView[]> {
  await ctx.files.remove(same.flatMap(({ staged }) => staged.key ?? []));
  return same.flatMap(({ known }) => (known === undefined ? [] : [{ ...toFile(known), outcome: "unchanged" as const }]));
}

async function requireStillWritable(ctx: StoreCtx, source: FoundSource, user: UserRef | null): Promise<void> {
  const rows = await readRows(ctx, select(THERE)`from (select 1 as id) here where ${isStillWritable(ctx, source, user)}`);
  if (rows.length === 0) throw notFound("source");
}

function storeOne(ctx: StoreCtx, source: FoundSource, { staged, publicId, known }: Decided): Statement[] {
  const now = ctx.now();
  const { path, mediaType, bytes, sha256, uploadId } = staged;
  const content = { mediaType, bytes, sha256, status: "waiting" as const, error: null, updatedAt: now };
  const revision = (known?.revision ?? 0) + 1;
  const fileId: SQL = sql`(select f.id from files f where f.public_id = ${publicId})`;
  return [
    ...(known === undefined
      ? [
          ctx.db.run(sql`
            insert into files ${FILE.insert({
              ...content,
              ...{ publicId, tenantId: ctx.tenantId, sourceId: source.id, path, title: null, revision, readRevision: 0 },
              ...{ pages: null, characters: null, chunkCount: 0, createdAt: now },
            })}`),
        ]
      : [
          failUnless(ctx.db, sql`exists (select 1 from files f where f.id = ${known.id} and f.revision = ${known.revision})`),
          ctx.db.run(
            sql`update files set ${FILE.set({ ...content, revision })} where id = ${known.id} and +tenant_id = ${ctx.tenantId}`,
          ),
        ]),
    enqueueReading(ctx, { jobId: uploadId, uploadId, fileId, publicId, revision, sourceId: source.id }),
  ];
}

type Reading = { jobId: string; uploadId: string; fileId: SQL; publicId: string; revision: number; sourceId: number };

/** The job that reads an uploaded file, from its beginning. */
export function enqueueReading(ctx: Ctx<"db" | "now">, { jobId, fileId, ...reading }: Reading): Statement {
  const { publicId, revision, sourceId, uploadId } = reading;
  const payload = sql`json_object(
    'fileId', ${fileId}, 'file', ${publicId}, 'sourceId', ${sql.raw(String(sourceId))}, 'upload', ${uploadId},
    'revision', ${sql.raw(String(revision))}, 'page', 0, 'offset', 0, 'ordinal', 0)`;
  return enqueue(ctx, { id: jobId, kind: "files.read", payload });
}

function inOrder(decided: readonly Decided[], stored: readonly FileRow[]): UploadedView[] {
  const byPath = new Map(stored.map((file) => [file.path, file]));
  return decided.map(({ staged, outcome }) => {
    const file = byPath.get(staged.path);
    if (file === undefined) throw notFound("file");
    return { ...toFile(file), outcome };
  });
}
