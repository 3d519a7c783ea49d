import { expect, it } from "vitest";
import { toJob } from "./view.ts";

it("shows a job without its payload, its lease or its tenant", () => {
  const row = {
    tenantId: 7,
    id: "job_1",
    kind: "episodes.index",
    payload: { from: 123_456 },
    status: "pending" as const,
    attempts: 1,
    dueAt: 1_000,
    leaseToken: "token",
    error: "Error",
    result: { memories: 2 },
    createdAt: 0,
    finishedAt: null,
    waitingFor: "embedder" as const,
    waitingSince: 2_000,
  };
  expect(toJob(row)).toEqual({
    id: "job_1",
    kind: "episodes.index",
    status: "pending",
    attempts: 1,
    dueAt: "1970-01-01T00:00:01.000Z",
    error: "Error",
    result: { memories: 2 },
    createdAt: "1970-01-01T00:00:00.000Z",
    finishedAt: null,
    waitingFor: "embedder",
    waitingSince: "1970-01-01T00:00:02.000Z",
  });
});
