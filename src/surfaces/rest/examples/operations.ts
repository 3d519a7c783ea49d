import type { z } from "zod";
import type { AuditPage, ErasedView, EraseInput, VerificationView } from "#domain/audit";
import type { JobView, RerunInput, RerunView } from "#domain/jobs";
import type {
  DeepHealthView,
  DoctorView,
  LifecycleInput,
  LifecycleView,
  RebuildInput,
  RebuildView,
  RepairInput,
  RepairView,
} from "#domain/lifecycle";
import type { SettingsChange, SettingsView } from "#domain/settings";
import type {
  KeyInput,
  KeyView,
  NewKeyView,
  RevokedTokensView,
  RevokeTokensInput,
  RotatedView,
  TokenInput,
  TokenView,
} from "#domain/tenants";
import type { UsageView } from "#domain/usage";

const MADE_AT = "2026-03-01T09:30:00.000Z";
const KEY_ID = "key_01a1f92c-720b-7527-9cd5-76463f8b4abc";
const HASH = "3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea";

export const KEY_INPUT: z.input<typeof KeyInput> = { name: "chat backend", permissions: ["read", "write"] };

export const KEY: KeyView = {
  id: KEY_ID,
  name: "chat backend",
  userId: null,
  prefix: "ew_3kQ9",
  permissions: ["read", "write"],
  expiresAt: null,
  revokedAt: null,
  createdAt: MADE_AT,
};

export const NEW_KEY: NewKeyView = { ...KEY, key: "ew_…" };

export const TOKEN_INPUT: z.input<typeof TokenInput> = { userId: "alice", expiresInSeconds: 900 };

export const TOKEN: TokenView = {
  id: "tok_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  token: "eyJ…",
  userId: "alice",
  permissions: ["read", "write"],
  sessions: null,
  expiresAt: "2026-03-01T09:45:00.000Z",
};

export const ROTATED: RotatedView = { rotatedAt: MADE_AT, formerValidUntil: "2026-03-01T10:30:00.000Z" };

export const REVOKE_TOKENS: z.input<typeof RevokeTokensInput> = { userId: "alice" };

export const REVOKED_TOKENS: RevokedTokensView = { userId: "alice", issuedBefore: MADE_AT };

export const SETTINGS: SettingsView = {
  allowedOrigins: ["https://app.example.com"],
  maxTokens: 2000,
  retentionDays: 30,
  expireEpisodes: false,
  summarizeAfterTokens: null,
  strategy: "hybrid",
  maxEntries: null,
  autoGc: true,
  piiReview: true,
  legacyDisclosure: false,
  enabled: true,
  extraction: "auto",
  instructions: "",
  extractionThreshold: 0.7,
  skillsEnabled: false,
  identityProvider: {
    issuer: "https://app.eu.auth0.com/",
    audience: "https://memory.example.com",
    jwksUrl: "https://app.eu.auth0.com/.well-known/jwks.json",
    algorithms: ["RS256"],
    userClaim: "sub",
  },
  upstream: { url: "https://api.openai.com/v1", models: { fast: "gpt-5-mini" }, hasKey: true },
  placement: "system",
  models: { withoutSystemRole: ["o1-mini"] },
  version: 3,
};

export const SETTINGS_CHANGE: z.input<typeof SettingsChange> = { maxTokens: 1500, extraction: "auto", retentionDays: null };

export const JOB: JobView = {
  id: "job_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  kind: "episodes.index",
  status: "done",
  attempts: 1,
  dueAt: MADE_AT,
  error: null,
  result: { vectors: 2 },
  createdAt: MADE_AT,
  finishedAt: "2026-03-01T09:30:01.000Z",
  waitingFor: null,
  waitingSince: null,
};

export const JOB_RERUN: JobView = { ...JOB, status: "pending", attempts: 0, result: null, finishedAt: null };
export const RERUN: z.input<typeof RerunInput> = { status: "failed", limit: 100 };
export const RERUN_ANSWER: RerunView = { rerun: 12, remaining: 0, nextCursor: null };

const COUNTS = {
  contexts: 40,
  hitRate: 0.75,
  tokensInjected: 9200,
  answers: 3,
  answersFound: 2,
  completions: 38,
  extractionCalls: 0,
  extractionInputTokens: 0,
  extractionOutputTokens: 0,
  memoriesExtracted: 7,
};
export const USAGE: UsageView = {
  from: "2026-03-01",
  to: "2026-03-01",
  days: [{ day: "2026-03-01", ...COUNTS }],
  totals: COUNTS,
};

export const AUDIT_PAGE: z.infer<typeof AuditPage> = {
  items: [
    {
      id: "aud_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      seq: 1,
      at: MADE_AT,
      actor: { kind: "key", id: KEY_ID },
      userId: "alice",
      workspaceId: null,
      action: "session.moved",
      objectId: "chat-1",
      detail: { projectId: "apollo" },
      requestId: "0f4c2a9e-3a51-4b1c-9a3e-6f1d2c7b8a90",
      erased: false,
    },
  ],
  nextCursor: null,
};

export const VERIFICATION: VerificationView = {
  intact: true,
  checked: 120,
  from: 0,
  to: 120,
  nextFrom: null,
  head: { seq: 120, hash: HASH },
  unsealed: 0,
};

export const AUDIT_LINES = [
  JSON.stringify({ kind: "seal", seq: 120, hash: HASH, sealedAt: MADE_AT }),
  JSON.stringify({ kind: "end", nextFrom: null }),
  "",
].join("\n");

export const EXPORT_LINES = [
  JSON.stringify({
    ...{ kind: "header", format: "edgewise", version: 1, scope: "user", userId: "alice" },
    ...{ exportedAt: MADE_AT, from: null },
  }),
  JSON.stringify({ kind: "topics", row: { key: "tea", nouns: [{ noun: "tea", language: "en" }] } }),
  JSON.stringify({
    ...{ kind: "end", nextFrom: null, kinds: { topics: { lines: 1, sha256: HASH } } },
    total: { lines: 2, sha256: HASH },
  }),
  "",
].join("\n");

export const ERASE: z.input<typeof EraseInput> = { objectId: "chat-1", objectKind: "session" };
export const ERASED: ErasedView = { erased: 31, nextCursor: null };

export const LIFECYCLE_INPUT: z.input<typeof LifecycleInput> = { tasks: ["expire"], dryRun: true };
export const LIFECYCLE: LifecycleView = {
  dryRun: true,
  tasks: [{ task: "expire", done: 4, remaining: false, counts: { memories: 4 }, beside: {} }],
};

export const REBUILD_INPUT: z.input<typeof RebuildInput> = { kinds: ["memory"], words: true, vectors: false };
export const REBUILD: RebuildView = {
  items: [{ kind: "memory", jobId: "job_01901f0e-7b1d-7c3a-9e2b-4f6a8c0d1e2f", started: true }],
};

const INVARIANT: DoctorView["invariants"][number] = {
  name: "memory.words",
  description: "Every memory that is not forgotten is in the text index, under its space.",
  level: "error",
  checked: 1204,
  violations: 0,
  examples: [],
};
export const DOCTOR: DoctorView = { healthy: true, invariants: [INVARIANT], complete: true, nextCursor: null };
export const REPAIR: z.input<typeof RepairInput> = { dryRun: true };
export const REPAIRED: RepairView = {
  dryRun: true,
  invariants: [{ ...INVARIANT, repaired: 0, needsPerson: 0 }],
  complete: true,
  nextCursor: null,
};

const WORKS = { working: true, latencyMs: 12 };
const FAILS = { working: false, latencyMs: 4000, error: "It did not answer within 4 s.", code: "upstream_failed" };
const CACHES = { queryEmbeddings: { hits: 10, misses: 2, size: 2 } };
const CHECKS = { database: WORKS, text: WORKS, embedder: WORKS, vectors: WORKS, queue: WORKS, cleanup: WORKS };
export const HEALTHY: DeepHealthView = { working: true, checks: CHECKS, caches: CACHES };
export const UNHEALTHY: DeepHealthView = { working: false, checks: { ...CHECKS, embedder: FAILS }, caches: CACHES };
