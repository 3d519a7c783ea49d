import type { Caller, Services } from "#context";

/** `result` is what was reported of it in an earlier run. */
export type LeasedJob = {
  tenantId: number;
  id: string;
  kind: string;
  payload: unknown;
  attempts: number;
  result: JobResult | null;
};

/** What came of a job, in counts and our own words. */
export type JobResult = Record<string, unknown>;

export type JobRun = {
  /** Unix milliseconds. */
  deadline: number;
  /** Keeps what came of a job so far, however the run ends; what is reported later replaces what was reported before. */
  report: (job: LeasedJob, result: JobResult) => void;
};

/**
 * Carries out the jobs of one kind and one tenant together. It throws if they are to be tried again, all of them, or `GaveUp` if that
 * cannot help; past the deadline it keeps what it has done and answers `unfinished` to be asked again for the rest.
 */
export type JobHandler = ((
  ctx: Caller & Services,
  jobs: readonly LeasedJob[],
  run: JobRun,
) => Promise<"unfinished" | undefined> | Promise<void>) & { isAlone?: true };

/** A handler that gets one job at a time: each has its own end. */
export function alone(handler: JobHandler): JobHandler {
  const one: JobHandler = (ctx, jobs, run) => handler(ctx, jobs, run);
  return Object.assign(one, { isAlone: true as const });
}

/** Thrown where another try cannot help: the job fails at once, with this reason, in our own words, and waits for a person. */
export class GaveUp extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "GaveUp";
  }
}
