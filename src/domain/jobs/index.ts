export { backOffMs, MAX_ATTEMPTS } from "./back-off.ts";
export { dueJobs } from "./due-jobs.ts";
export { enqueue, enqueueMany, hurry } from "./enqueue.ts";
export { getJob } from "./get-job.ts";
export { listJobs } from "./list-jobs.ts";
export { rerunJob } from "./rerun-job.ts";
export { type JobHandler, type JobOutcome, LEASE_MS, type LeasedJob, runJobs } from "./run-jobs.ts";
export { JobListInput, JobView } from "./schemas.ts";
