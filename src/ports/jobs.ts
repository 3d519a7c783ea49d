/** Names a job row; all that a queue message carries. */
export type JobRef = { tenantId: number; jobId: string };

/** Dispatches jobs at once. The row in D1 is the record: the sweep finds a job whose message was lost. */
export interface JobQueue {
  send(refs: readonly JobRef[]): Promise<void>;
}
