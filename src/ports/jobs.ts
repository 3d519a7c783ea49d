/** Identifies a job row; the whole content of a queue message. */
export type JobRef = { tenantId: number; jobId: string };

/** Dispatches jobs at once. The row in D1 is authoritative: the sweep finds a job whose message was lost. */
export interface JobQueue {
  send(refs: readonly JobRef[]): Promise<void>;
}
