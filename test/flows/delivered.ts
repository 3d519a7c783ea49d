/** Messages as the queue delivers them, and what became of them. */
export function delivered(bodies: readonly unknown[], queue = "edgewise-jobs") {
  const fates: string[] = bodies.map(() => "none");
  const messages = bodies.map((body, i) => ({
    id: `message-${i}`,
    timestamp: new Date(),
    body,
    attempts: 1,
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
    ack: () => fates.splice(i, 1, "ack"),
    retry: (options?: QueueRetryOptions) => fates.splice(i, 1, `retry in ${options?.delaySeconds ?? 0} s`),
  }));
  return { batch: { queue, messages }, fates };
}
