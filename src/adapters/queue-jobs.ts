import type { JobQueue } from "#ports/jobs";
import { batches } from "./calls.ts";

/** The limit of `sendBatch`. */
const MAX_BATCH = 100;

/** Cloudflare Queues. A message holds ids only. */
export function createQueueJobs(queue: Pick<Queue<unknown>, "sendBatch">): JobQueue {
  return {
    async send(refs, delayMs = 0) {
      const delaySeconds = Math.ceil(delayMs / 1000);
      for (const part of batches(refs, MAX_BATCH))
        await queue.sendBatch(
          part.map((body) => ({ body })),
          { delaySeconds },
        );
    },
  };
}
