export { backOffMs, dueJobs, MAX_ATTEMPTS, offer, serversWaitedFor, waitingJobs } from "./due-jobs.ts";
export { dispatch, enqueue, enqueueMany } from "./enqueue.ts";
export { type AfterFailure, alone, GaveUp, type JobHandler, type JobResult, type JobRun, type LeasedJob } from "./job-handler.ts";
export { getJob, listJobs } from "./list-jobs.ts";
export {
  bringAllForward,
  bringForward,
  enqueueRange,
  LOW_PRIORITY_RUN_MS,
  lowPriorityDueAt,
  releaseRanges,
} from "./low-priority.ts";
export { isAnswering, isOutage } from "./outage.ts";
export { rerunJob, rerunJobs, resetTries } from "./rerun-jobs.ts";
export { type JobOutcome, LEASE_MS, runJobs } from "./run-jobs.ts";
export { saveProgress } from "./save-progress.ts";
export { JobListInput, JobView, RerunInput, RerunView, type WaitedFor } from "./schemas.ts";
