import { setTimeout as sleep } from "node:timers/promises";
import type { Skipped } from "./find-files.ts";
import type { Pushed, Target } from "./push.ts";

/** The service reads most files within seconds; a long PDF takes longer. */
const WAIT_MS = 60_000;
const ASK_EVERY_MS = 500;

type Waiting = { signal: AbortSignal; onUnread: (count: number) => void };

/** Adds which files the service could not read, after it has read what was uploaded, or a minute. */
export async function withReading(target: Target, pushed: Pushed, { signal, onUnread }: Waiting): Promise<Pushed> {
  const isUploaded = pushed.created.length + pushed.replaced.length > 0;
  const until = Date.now() + (isUploaded ? WAIT_MS : 0);
  let unread = await countUnread(target);
  while (unread > 0 && Date.now() < until) {
    onUnread(unread);
    await sleep(ASK_EVERY_MS, undefined, { signal });
    unread = await countUnread(target);
  }
  const failed = await findFailed(target);
  const hasFailed = new Set(failed.map(({ path }) => path));
  const read = (paths: readonly string[]) => paths.filter((own) => !hasFailed.has(own.normalize("NFC")));
  return { ...pushed, created: read(pushed.created), replaced: read(pushed.replaced), failed, unread };
}

async function countUnread({ edgewise, sourceId, userId }: Target): Promise<number> {
  const { statistics } = await edgewise.sources.get({ sourceId, ...(userId === undefined ? {} : { userId }) });
  return statistics.files.waiting + statistics.files.reading;
}

async function findFailed({ edgewise, sourceId, userId }: Target): Promise<Skipped[]> {
  const failed: Skipped[] = [];
  const asked = { sourceId, ...(userId === undefined ? {} : { userId }), status: "failed" as const, limit: 100 };
  for await (const { path, error } of edgewise.sources.listFiles(asked))
    failed.push({ path, reason: error ?? "The service could not read it." });
  return failed;
}
