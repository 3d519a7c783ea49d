import { z } from "zod";
import type { Services } from "#context";
import type { Costs } from "#core/costs";
import { describeError } from "#core/describe-error";
import { work } from "#domain/lifecycle";
import type { JobRef } from "#ports/jobs";

const Body = z.object({ tenantId: z.number().int(), jobId: z.string().max(80) });

/** The longest delay that a queue accepts. */
const MAX_DELAY_SECONDS = 86_400;

type Batch = { queue: string; messages: readonly Message<unknown>[] };

/**
 * Messages name job rows; the rows say what to do. A failed job returns after its back-off. An unfinished job continues with a new message,
 * because running out of time is no failure and a message has few tries. If the batch itself fails, nothing is acknowledged and the queue
 * delivers again; the sweep runs jobs whose messages end up in the dead-letter queue.
 */
export async function consumeJobs(batch: Batch, { services, costs }: { services: Services; costs: Costs }): Promise<void> {
  const readable = batch.messages.flatMap((message) => {
    const body = Body.safeParse(message.body);
    if (body.success) return [{ message, ref: body.data }];
    services.log("queue.unreadable", { queue: batch.queue, message: message.id });
    message.ack();
    return [];
  });
  if (batch.queue.endsWith("-dead"))
    return acknowledgeDead(
      batch,
      services,
      readable.map(({ message }) => message),
    );
  try {
    const outcomes = await work(
      services,
      readable.map(({ ref }) => ref),
    );
    const retries = new Map(
      outcomes.flatMap((outcome) => (outcome.status === "pending" ? [[nameOf(outcome.ref), outcome.retryInMs]] : [])),
    );
    const unfinished = outcomes.flatMap((outcome) => (outcome.status === "unfinished" ? [outcome.ref] : []));
    if (unfinished.length > 0) await services.jobs.send(unfinished);
    for (const { message, ref } of readable) {
      const retryInMs = retries.get(nameOf(ref));
      if (retryInMs === undefined) message.ack();
      else message.retry({ delaySeconds: Math.min(Math.ceil(Number(retryInMs) / 1000), MAX_DELAY_SECONDS) });
    }
  } catch (error) {
    services.log("queue.failed", { queue: batch.queue, ...describeError(error) });
    for (const { message } of readable) message.retry();
  }
  services.log("jobs", { queue: batch.queue, messages: batch.messages.length, ...costs });
}

/** A message is dropped when its tries in the queue are used up; its job is still in D1, and the sweep finds it when it is due. */
function acknowledgeDead(batch: Batch, services: Services, messages: readonly Message<unknown>[]): void {
  services.log("queue.dead", { queue: batch.queue, messages: messages.length });
  for (const message of messages) message.ack();
}

function nameOf(ref: JobRef): string {
  return `${ref.tenantId} ${ref.jobId}`;
}
