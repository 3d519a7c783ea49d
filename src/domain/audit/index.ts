export { type AuditEntry, commit, commitUnlessLost, recordAudit } from "./commit.ts";
export { eraseAuditContent, eraseAuditRows } from "./erase-content.ts";
export { exportAudit } from "./export-audit.ts";
export { answerNotKept, claimIdempotency, keepAnswer, releaseIdempotency } from "./idempotency.ts";
export { listAudit } from "./list-audit.ts";
export {
  AuditListInput,
  AuditPage,
  AuditView,
  ErasedView,
  EraseInput,
  ExportInput,
  VerificationView,
  VerifyInput,
} from "./schemas.ts";
export { sealAll, sealTenant } from "./seal.ts";
export { verifyAudit } from "./verify-audit.ts";
