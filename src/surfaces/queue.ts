import { z } from "zod";
import type { Services } from "#context";
import type { Costs } from "#core/costs";
import { describeError } from "#core/describe-error";
import { work } from "#domain/lifecycle";
import type { JobRef } from "#ports/jobs";

const Body = z.object({ tenantId: z.number().int(), jobId: z.string().max(80) });

/** The longest delay that a queue takes. */
const MAX_DELAY_SECONDS = 86_400;

type Batch = { queue: string; messages: readonly Message<unknown>[] };

/**
 * Messages name job rows; the rows say what to do. A job that failed comes back after its back-off; one that was not finished in
 * time goes on with a fresh message, because it is no failure and the tries of its message are few. If the batch itself fails, nothing is acknowledged and the queue delivers again; from the dead-letter queue, the sweep takes over.
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

/** A message dies when its tries in the queue are used up; its job lives on in D1, where the sweep finds it when it is due. */
function acknowledgeDead(batch: Batch, services: Services, messages: readonly Message<unknown>[]): void {
  services.log("queue.dead", { queue: batch.queue, messages: messages.length });
  for (const message of messages) message.ack();
}

function nameOf(ref: JobRef): string {
  return `${ref.tenantId} ${ref.jobId}`;
}
