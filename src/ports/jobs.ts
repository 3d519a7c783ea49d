/** Identifies a job row; the whole content of a queue message. */
export type JobRef = { tenantId: number; jobId: string };

/** Dispatches jobs, at once or after a delay. The row in D1 is authoritative: the sweep finds a job whose message was lost. */
export interface JobQueue {
  /** @param delayMs at most 12 hours. */
  send(refs: readonly JobRef[], delayMs?: number): Promise<void>;
}
