/** Names a job row; all that a queue message carries. */
export type JobRef = { tenantId: number; jobId: string };

/** A hurry-up: the row in D1 is the record, and a message that is lost here is found by the sweep. */
export interface JobQueue {
  send(refs: readonly JobRef[]): Promise<void>;
}
