import type { z } from "zod";
import type { ErasureInput, ErasureSummary, ErasureView, VerifiedView } from "#domain/erasures";

const ID = "ers_01a1f92c-720b-7527-9cd5-76463f8b4abc";
const HASH = "3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea";
const STARTED_AT = "2026-03-01T09:30:00.000Z";
const FINISHED_AT = "2026-03-01T09:30:02.000Z";

export const ERASURE_INPUT: z.input<typeof ErasureInput> = {
  kind: "user",
  id: "alice",
  aboutOthers: "unlink",
  basis: "GDPR Art. 17 (1) b",
  requestRef: "DSR-2026-031",
};

export const ERASURE_SUMMARY: ErasureSummary = {
  id: ID,
  kind: "user",
  status: "finished",
  dryRun: false,
  aboutOthers: "unlink",
  basis: "GDPR Art. 17 (1) b",
  requestRef: "DSR-2026-031",
  createdAt: STARTED_AT,
  startedAt: STARTED_AT,
  finishedAt: FINISHED_AT,
};

export const ERASURE_STARTED: ErasureView = {
  ...ERASURE_SUMMARY,
  status: "initialized",
  progress: { step: 0, steps: 40, round: 0, deleted: 0 },
  stores: [],
  receipt: null,
  signature: null,
  startedAt: null,
  finishedAt: null,
};

const EPISODES: ErasureView["stores"][number] = {
  store: "episodes",
  kind: "table",
  method: "delete",
  before: 212,
  deleted: 212,
  remaining: 0,
  verdict: "erased",
  checkedAt: FINISHED_AT,
  until: null,
  how: "of sessions that go, whole; of groups that stay, those that only the user spoke in whole, of others their words, label and id",
};

export const ERASURE_DRY_RUN: ErasureView = {
  ...ERASURE_STARTED,
  id: null,
  status: "finished",
  dryRun: true,
  stores: [{ ...EPISODES, deleted: null, remaining: 212, verdict: "pending" }],
  finishedAt: FINISHED_AT,
};

export const ERASURE: ErasureView = {
  ...ERASURE_SUMMARY,
  progress: { step: 40, steps: 40, round: 0, deleted: 1433 },
  stores: [EPISODES],
  receipt: {
    version: 2,
    erasureId: ID,
    kind: "user",
    subject: HASH,
    status: "finished",
    basis: "GDPR Art. 17 (1) b",
    requestRef: "DSR-2026-031",
    requestedBy: "key_01a1f92c-720b-7527-9cd5-76463f8b4abc",
    createdAt: STARTED_AT,
    finishedAt: FINISHED_AT,
    scope: HASH,
    rounds: 1,
    pagesMerged: 500,
    aboutOthers: { choice: "unlink", count: 3, memories: [] },
    stores: [EPISODES],
    backups: [{ what: "D1 Time Travel", until: "30 days", how: "Cloudflare deletes it by itself" }],
    recipients: [{ role: "embedder", model: "bge-m3@1024", host: "embeddings.example.com", sawData: "yes" }],
  },
  signature: HASH,
};

export const ERASURE_VERIFIED: VerifiedView = {
  verified: true,
  signature: "valid",
  record: "as_signed",
  changed: [],
  audit: { recorded: true, chainIntact: true, seq: 4711 },
  stores: [EPISODES],
};
