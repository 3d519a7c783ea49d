import path from "node:path";
import { watch as watchFolder } from "chokidar";
import { withReading } from "./await-reading.ts";
import { findFile } from "./find-files.ts";
import { IGNORE_FILE, type Ignored } from "./ignored.ts";
import { compare, deleteAll, findGone, NOTHING, type Pushed, type Target, uploadAll } from "./push.ts";

/** How long the folder must be quiet before what changed in it is sent. */
const QUIET_MS = 300;
/** So long a file must keep its size before it counts as written. */
const STABLE_MS = 200;

type Watching = {
  ignored: Ignored;
  deletes: boolean;
  signal: AbortSignal;
  onReady: () => void;
  onPushed: (pushed: Pushed) => void;
  /** A change could not be sent; it is sent again with the next one, or after a while. */
  onFailure: (error: unknown) => void;
};

/** After a failure, the same changes are tried again. */
const RETRY_MS = 5_000;

/** Sends what changes in the folder until the signal is aborted. Renaming is deleting and creating. */
export async function watch(target: Target, watching: Watching): Promise<void> {
  const { ignored, signal } = watching;
  const own = (full: string) => path.relative(target.root, full).split(path.sep).join("/");
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  const sendSoon = (afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      sending = sending.then(send);
    }, afterMs);
  };
  const send = async () => {
    if (signal.aborted || changed.size === 0) return;
    const paths = [...changed];
    changed.clear();
    try {
      const pushed = await pushChanges(target, paths, watching);
      if (pushed !== null) watching.onPushed(pushed);
    } catch (error) {
      if (signal.aborted) return;
      for (const one of paths) changed.add(one);
      watching.onFailure(error);
      sendSoon(RETRY_MS);
    }
  };
  const watcher = watchFolder(target.root, {
    ignoreInitial: true,
    followSymlinks: false,
    awaitWriteFinish: { stabilityThreshold: STABLE_MS, pollInterval: 50 },
    ignored: (full, stats) =>
      stats?.isDirectory() === true ? ignored.folder(own(full)) : own(full) !== "" && ignored.file(own(full)),
  });
  for (const event of ["add", "change", "unlink"] as const) {
    watcher.on(event, (full) => {
      if (own(full) === IGNORE_FILE) return;
      changed.add(own(full));
      sendSoon(QUIET_MS);
    });
  }
  watcher.on("error", watching.onFailure);
  watcher.on("ready", watching.onReady);
  await aborted(signal);
  clearTimeout(timer);
  await watcher.close();
  await sending;
}

/** Null if nothing had to be done. */
async function pushChanges(
  target: Target,
  paths: readonly string[],
  { ignored, deletes, signal }: Watching,
): Promise<Pushed | null> {
  const found = await Promise.all(paths.map((one) => findFile(target.root, one, ignored)));
  const files = found.flatMap(({ file }) => file ?? []);
  const skipped = found.flatMap((one) => one.skipped);
  const isGone = new Set(
    paths.filter((_, i) => found[i]?.file === null && found[i]?.skipped.length === 0).map((one) => one.normalize("NFC")),
  );
  const pushed =
    files.length === 0 ? NOTHING : await uploadAll(target, await compare(target, files), { signal, onUpload: () => undefined });
  const gone = deletes && isGone.size > 0 ? await findGone(target, (own) => !isGone.has(own)) : [];
  const deleted = await deleteAll(target, gone, signal);
  const all = { ...pushed, deleted, skipped: [...skipped, ...pushed.skipped] };
  const isNothing = [all.created, all.replaced, all.deleted, all.skipped].every(({ length }) => length === 0);
  return isNothing ? null : await withReading(target, all, { signal, onUnread: () => undefined });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
