import { beforeEach, describe, expect, it } from "vitest";
import type { RerunView } from "#domain/jobs";
import type { DoctorView, RepairView } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { rows } from "./requests.ts";

const DAY = 86_400_000;

let h: Harness;
beforeEach(async () => {
  await rows("delete from jobs");
  h = await createHarness();
});

type Planted = { count?: number; status?: string; kind?: string; error?: string | null; createdAt?: number };

async function plant(
  name: string,
  { count = 1, status = "failed", kind = "vectors.remove", error = null, createdAt = 5 }: Planted,
  of = h,
) {
  await rows(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?2)
     insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at, error, finished_at)
     select ?1, 'job_' || ?3 || substr('00000' || i, -6), ?4, '{"from":1,"chunks":1,"space":1}', ?5, 6, ?6, ?6, ?7, ?6 from n`,
    of.tenantId,
    count,
    name,
    kind,
    status,
    createdAt,
    error,
  );
}

const rerun = async (body: object = {}) => (await h.fetch<RerunView>("POST", "/v1/jobs/rerun", { body })).json;
const left = async (of = h) =>
  (await rows<{ n: number }>("select count(*) as n from jobs where tenant_id = ? and status = 'failed'", of.tenantId))[0]?.n;

describe("POST /v1/jobs/rerun takes a filter", () => {
  it("by kind, by what the error holds, and by when it was made; nothing else, and no other tenant's", async () => {
    const other = await createHarness();
    await plant("other", { error: "misconfigured: no" }, other);
    await plant("a", { error: "misconfigured: no key" });
    await plant("b", { error: "TypeError", kind: "memories.remove" });
    await plant("c", { createdAt: 10 * DAY });
    await plant("d", { status: "done", error: "misconfigured: no key" });
    expect(await rerun({ error: "100%" })).toEqual({ rerun: 0, remaining: 0, nextCursor: null });
    expect((await rerun({ error: "misconfigured" })).rerun).toBe(1);
    expect((await rerun({ kind: "memories.remove" })).rerun).toBe(1);
    expect((await rerun({ to: new Date(9 * DAY).toISOString() })).rerun).toBe(0);
    expect((await rerun({ from: new Date(9 * DAY).toISOString() })).rerun).toBe(1);
    expect([await left(), await left(other)]).toEqual([0, 1]);
    expect(await rows("select distinct attempts, error, finished_at from jobs where status = 'pending'")).toEqual([
      { attempts: 0, error: null, finished_at: null },
    ]);
  });

  it("a bounded number at once, returns how many are left, and is audited with counts", async () => {
    await plant("many", { count: 250 });
    expect(await rerun()).toEqual({ rerun: 100, remaining: 150, nextCursor: expect.any(String) });
    const page = await rerun({ limit: 120 });
    expect(page).toMatchObject({ rerun: 120, remaining: 30 });
    expect(await rerun({ cursor: page.nextCursor })).toEqual({ rerun: 30, remaining: 0, nextCursor: null });
    const audited = await rows<{ detail: string }>(
      "select detail from audit where tenant_id = ? and action = 'jobs.rerun' order by seq",
      h.tenantId,
    );
    expect(audited.map(({ detail }) => JSON.parse(detail).jobs)).toEqual([100, 120, 30]);
  });

  it("looks at a bounded number where few match", async () => {
    await plant("many", { count: 5_010 });
    await plant("z", { kind: "memories.remove" });
    const first = await rerun({ kind: "memories.remove" });
    expect(first).toEqual({ rerun: 0, remaining: 0, nextCursor: expect.any(String) });
    expect(await rerun({ kind: "memories.remove", cursor: first.nextCursor })).toMatchObject({ rerun: 1, nextCursor: null });
  });

  it("of jobs that wait for their next try", async () => {
    await plant("late", { count: 3, status: "pending", createdAt: 9_999_999_999_999 });
    expect(await rerun({ status: "pending" })).toMatchObject({ rerun: 3 });
    expect(await rows("select 1 from jobs where due_at > ?", Date.now() + DAY)).toEqual([]);
  });

  it("refuses what it does not know", async () => {
    for (const body of [{ status: "done" }, { kinds: "x" }, { limit: 1_001 }, { from: "yesterday" }])
      expect((await h.fetch("POST", "/v1/jobs/rerun", { body })).status).toBe(400);
    const [from, to] = ["2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z"];
    for (const body of [{ from, to }, { cursor: "x" }])
      expect((await h.fetch("POST", "/v1/jobs/rerun", { body })).status).toBe(422);
    expect((await h.fetch("POST", "/v1/jobs/rerun", { body: {}, key: await h.as(["read", "write"]) })).status).toBe(403);
  });
});

describe("the doctor", () => {
  const failedOf = (report: DoctorView) => report.invariants.find(({ name }) => name === "job.failed");

  it("counts failed jobs, and runs those again that an outage ended before jobs waited", async () => {
    await plant("out", { count: 230, error: "upstream_failed: The embeddings server could not be reached (TypeError)." });
    await plant("key", { error: "misconfigured: The embeddings server refused the key (401). Set EMBEDDINGS_API_KEY." });
    await plant("one", {
      error: "misconfigured: The embeddings server refused the key (403). Set EMBEDDINGS_API_KEY. It answers others.",
    });
    const seen: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { json }: { json: DoctorView } = await h.fetch<DoctorView>("GET", `/v1/doctor${cursor}`);
      seen.push(failedOf(json)?.violations ?? 0);
      expect(json.healthy).toBe(true);
      cursor = json.nextCursor === null ? null : `?cursor=${json.nextCursor}`;
    }
    expect(seen.reduce((sum, count) => sum + count, 0)).toBe(232);
    let repaired = 0;
    for (let body: object | null = {}; body !== null; ) {
      const { json }: { json: RepairView } = await h.fetch<RepairView>("POST", "/v1/doctor", { body });
      repaired += json.invariants.find(({ name }) => name === "job.failed")?.repaired ?? 0;
      body = json.nextCursor === null ? null : { cursor: json.nextCursor };
    }
    expect([repaired, await left()]).toEqual([231, 1]);
    expect(await rows("select error from jobs where tenant_id = ? and status = 'failed'", h.tenantId)).toEqual([
      { error: expect.stringContaining("It answers others.") },
    ]);
  });
});
