import type { Caller, Services } from "#context";
import type { Statement } from "#db/client";
import type { JobRef } from "#ports/jobs";

/** `result` is what earlier runs reported. */
export type LeasedJob = {
  tenantId: number;
  id: string;
  kind: string;
  payload: unknown;
  attempts: number;
  result: JobResult | null;
};

/** The result of a job, in counts and our own words. */
export type JobResult = Record<string, unknown>;

export type JobRun = {
  /** Unix milliseconds. */
  deadline: number;
  /** Stores the result so far, however the run ends; a later report replaces an earlier one. */
  report: (job: LeasedJob, result: JobResult) => void;
};

/**
 * Carries out the jobs of one kind and one tenant together. It throws if all of them should be retried, or `GaveUp` if a retry cannot help.
 * Past the deadline it keeps what it has done and returns `unfinished` to be called again for the rest.
 */
export type JobHandler = ((
  ctx: Caller & Services,
  jobs: readonly LeasedJob[],
  run: JobRun,
) => Promise<"unfinished" | undefined> | Promise<void>) &
  Traits;

/** `isLast`: it waits for jobs that run, which those of its own batch do until it is their turn. */
type Traits = { isAlone?: true; isLast?: true; afterFailure?: AfterFailure };

/**
 * Statements that record elsewhere that jobs of the kind have failed for good. They run in the transaction that may have marked the jobs
 * so, and look whether it has.
 */
export type AfterFailure = (services: Pick<Services, "db" | "now">, refs: readonly JobRef[]) => Statement[];

/** A handler that gets one job at a time: each succeeds or fails separately. */
export function alone(handler: JobHandler, more: Omit<Traits, "isAlone"> = {}): JobHandler {
  const one: JobHandler = (ctx, jobs, run) => handler(ctx, jobs, run);
  return Object.assign(one, { isAlone: true as const, ...more });
}

/** Thrown if a retry cannot help: the job fails at once with this reason, in our own words, and waits for a person. */
export class GaveUp extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "GaveUp";
  }
}
