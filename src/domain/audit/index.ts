export { commit, runBatch } from "./commit.ts";
export { claimIdempotency, keepAnswer, releaseIdempotency } from "./idempotency.ts";
export type { AuditEntry } from "./record.ts";
