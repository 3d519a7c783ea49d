import { withReading } from "./await-reading.ts";
import { type Found, findFiles } from "./find-files.ts";
import type { Ignored } from "./ignored.ts";
import { compare, deleteAll, findGone, NOTHING, type Pushed, type Target, uploadAll } from "./push.ts";

export type SyncOptions = {
  dryRun: boolean;
  /** Whether files that the folder no longer has are deleted from the source. */
  deletes: boolean;
  signal: AbortSignal;
  say: (message: string) => void;
};

/** Makes the source like the folder: uploads what is new or changed, and deletes what is gone if that is asked for. */
export async function syncOnce(target: Target, ignored: Ignored, options: SyncOptions): Promise<Pushed> {
  let seen = 0;
  const found = await findFiles(target.root, ignored, () => {
    seen += 1;
    options.say(`Reading the folder: ${seen} files`);
  });
  options.signal.throwIfAborted();
  return await push(target, found, options);
}

async function push(target: Target, { files, skipped }: Found, { dryRun, deletes, signal, say }: SyncOptions): Promise<Pushed> {
  say(`Comparing ${files.length} files`);
  const plan = await compare(target, files);
  // A file that is skipped now, because it grew too large, say, may have been uploaded before: it stays.
  const local = new Set([...files, ...skipped].map(({ path }) => path.normalize("NFC")));
  const gone = deletes ? await findGone(target, (own) => local.has(own)) : [];
  if (dryRun) {
    const paths = (isNew: boolean) => plan.changed.filter((one) => one.isNew === isNew).map(({ file }) => file.path);
    return {
      ...NOTHING,
      ...{ created: paths(true), replaced: paths(false), unchanged: plan.same },
      ...{ deleted: gone.map(({ path }) => path), skipped },
    };
  }
  const pushed = await uploadAll(target, plan, {
    signal,
    onUpload: (done) => say(bar(done, plan.changed.length)),
  });
  const deleted = await deleteAll(target, gone, signal);
  const all = { ...pushed, deleted, skipped: [...skipped, ...pushed.skipped] };
  return await withReading(target, all, { signal, onUnread: (count) => say(`Waiting for ${count} files to be read`) });
}

const BAR_WIDTH = 24;

/** `Uploading ████████░░░░ 12/40`. */
export function bar(done: number, all: number): string {
  const full = all === 0 ? BAR_WIDTH : Math.round((done / all) * BAR_WIDTH);
  return `Uploading ${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)} ${done}/${all}`;
}
