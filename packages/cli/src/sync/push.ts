import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Edgewise, EdgewiseError } from "@edgewise/client";
import type { LocalFile, Skipped } from "./find-files.ts";

export type Target = {
  edgewise: Edgewise;
  root: string;
  sourceId: string;
  userId?: string | undefined;
  /** The source does not exist, and a dry run does not make it. */
  isMissing?: boolean;
};

/** What a run did, or, with --dry-run, would do. */
export type Pushed = {
  created: string[];
  replaced: string[];
  unchanged: number;
  deleted: string[];
  skipped: Skipped[];
  /** Files of the source that the service could not read, with its reasons. */
  failed: Skipped[];
  /** Files that the service had not read yet when the run ended. */
  unread: number;
};

export const NOTHING: Pushed = { created: [], replaced: [], unchanged: 0, deleted: [], skipped: [], failed: [], unread: 0 };

type Plan = { changed: { file: LocalFile; isNew: boolean }[]; same: number };

const COMPARED_AT_A_TIME = 500;
const UPLOADS_AT_ONCE = 4;
const UPLOAD_TIMEOUT_MS = 600_000;

/** Who is asked, as the API names it. */
const asker = ({ sourceId, userId }: Target) => ({ sourceId, ...(userId === undefined ? {} : { userId }) });

/** Which of these files the source lacks or has with other content. */
export async function compare(target: Target, files: readonly LocalFile[]): Promise<Plan> {
  const plan: Plan = { changed: [], same: 0 };
  if (target.isMissing === true) return { changed: files.map((file) => ({ file, isNew: true })), same: 0 };
  for (let from = 0; from < files.length; from += COMPARED_AT_A_TIME) {
    const part = files.slice(from, from + COMPARED_AT_A_TIME);
    const asked = part.map(({ path: own, sha256 }) => ({ path: own, sha256 }));
    const { items } = await target.edgewise.sources.compare({ ...asker(target), files: asked });
    for (const [i, { state }] of items.entries()) {
      const file = part[i];
      if (state === "same" || file === undefined) plan.same += 1;
      else plan.changed.push({ file, isNew: state === "missing" });
    }
  }
  return plan;
}

/** Uploads the files, some at a time. One that the service refuses is skipped with its reason; any other failure ends the run. */
export async function uploadAll(
  target: Target,
  plan: Plan,
  { signal, onUpload }: { signal: AbortSignal; onUpload: (done: number) => void },
): Promise<Pushed> {
  const pushed: Pushed = { ...NOTHING, created: [], replaced: [], skipped: [], unchanged: plan.same };
  const waiting = [...plan.changed];
  let done = 0;
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      signal.throwIfAborted();
      await uploadOne(target, one.file, pushed, signal);
      onUpload(++done);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, next));
  return pushed;
}

async function uploadOne(target: Target, { path: own }: LocalFile, pushed: Pushed, signal: AbortSignal): Promise<void> {
  try {
    const body = new Uint8Array(await readFile(path.join(target.root, own)));
    const options = { signal, timeoutMs: UPLOAD_TIMEOUT_MS };
    const { outcome } = await target.edgewise.sources.upload({ ...asker(target), path: own, body }, options);
    if (outcome === "unchanged") pushed.unchanged += 1;
    else pushed[outcome].push(own);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EdgewiseError && (error.status === 422 || error.status === 413)) {
      pushed.skipped.push({ path: own, reason: error.detail });
      return;
    }
    if (isLocal(error)) pushed.skipped.push({ path: own, reason: "It was deleted a moment ago, or cannot be read." });
    else throw error;
  }
}

function isLocal(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES");
}

/** The files of the source that are not among these paths, by the service's ids. */
export async function findGone(target: Target, isLocalPath: (own: string) => boolean): Promise<{ id: string; path: string }[]> {
  const gone: { id: string; path: string }[] = [];
  if (target.isMissing === true) return gone;
  for await (const { id, path: own } of target.edgewise.sources.listFiles({ ...asker(target), limit: 100 })) {
    if (!isLocalPath(own)) gone.push({ id, path: own });
  }
  return gone;
}

export async function deleteAll(
  target: Target,
  gone: readonly { id: string; path: string }[],
  signal: AbortSignal,
): Promise<string[]> {
  const deleted: string[] = [];
  for (const { id, path: own } of gone) {
    signal.throwIfAborted();
    await target.edgewise.sources.removeFile({ ...asker(target), fileId: id }, { signal }).catch((error: unknown) => {
      // Somebody else was faster.
      if (!(error instanceof EdgewiseError) || error.status !== 404) throw error;
    });
    deleted.push(own);
  }
  return deleted;
}
