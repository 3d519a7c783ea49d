import type { JobQueue } from "#ports/jobs";

/** What `sendBatch` takes at most. */
const MAX_BATCH = 100;

/** Cloudflare Queues. A message holds ids only. */
export function createQueueJobs(queue: Pick<Queue<unknown>, "sendBatch">): JobQueue {
  return {
    async send(refs) {
      for (let start = 0; start < refs.length; start += MAX_BATCH) {
        await queue.sendBatch(refs.slice(start, start + MAX_BATCH).map((body) => ({ body })));
      }
    },
  };
}
