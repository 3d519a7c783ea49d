import { beforeEach, describe, expect, it } from "vitest";
import { createCircuits } from "#adapters/circuit";
import { guardChat, guardEmbedder, guardVectors } from "#adapters/guarded";
import { createOpenAiChat } from "#adapters/openai-chat";
import { createOpenAiEmbedder } from "#adapters/openai-embedder";
import type { Services } from "#context";
import { Unavailable } from "#core/errors";
import { backOffMs, type JobView, MAX_ATTEMPTS } from "#domain/jobs";
import type { DeepHealthView, DoctorView } from "#domain/lifecycle";
import { sweep, work } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { settings } from "./extraction-requests.ts";
import { find, jobsOf, nth, type Page, rows, say } from "./requests.ts";

const MINUTE = 60_000;
const DIMENSIONS = 64;

/** What the model servers do with a request. */
type Mood = "well" | "unreachable" | "hang" | "html" | "fails on poison" | "refuses poison" | number;

let skipMs = 0;
let mood: Mood = "well";
let vectorsDown = false;
/** Requests that reached a server that was not well. */
let inVain = 0;
let events: string[] = [];
let chatAnswers: string[] = [];
let h: Harness;
let services: (composed: Services) => Partial<Services>;

beforeEach(async () => {
  for (const table of ["jobs", "upkeep", "vector_models"]) await rows(`delete from ${table}`);
  [skipMs, mood, vectorsDown, inVain, events, chatAnswers] = [0, "well", false, 0, [], []];
  services = makeServices();
  h = await createHarness({ replace: (composed) => services(composed) });
  await settings(h, { extraction: "off" });
});

const now = () => Date.now() + skipMs;

/** How long a server that hangs is waited for; where none does, a busy machine may take longer. */
const SHORT = { searchLimitMs: 100, timeoutMs: 50 };
const LONG = { searchLimitMs: 10_000, timeoutMs: 10_000 };

/** As compose makes them, with servers of the test's own and its clock. A new one is a new isolate. */
function makeServices({ searchLimitMs, timeoutMs } = SHORT): (composed: Services) => Partial<Services> {
  const guard = { circuits: createCircuits({ now, random: () => 1 }), searchLimitMs };
  const pause = async () => undefined;
  const server = { url: "https://models.test/v1", fetch: serve, pause, timeoutMs };
  const embedder = guardEmbedder(createOpenAiEmbedder({ ...server, model: "m", dimensions: DIMENSIONS }), guard);
  return ({ vectors }) => ({
    now,
    log: (event, facts) => void events.push(JSON.stringify({ event, ...facts })),
    embedder,
    chatModel: guardChat(createOpenAiChat({ ...server, model: "chat" }), guard),
    vectors: guardVectors(
      {
        ...vectors,
        upsert: async (...args) => {
          if (vectorsDown) throw new Unavailable("The vectors of a space could not be reached.");
          await vectors.upsert(...args);
        },
      },
      { ...guard, model: embedder.model, dimensions: embedder.dimensions },
    ),
  });
}

async function serve(_: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const body = String(init?.body);
  const isIll = mood === "fails on poison" || mood === "refuses poison" ? body.includes("poison") : mood !== "well";
  if (isIll) inVain += 1;
  if (isIll && mood === "unreachable") throw new TypeError("connect failed");
  if (isIll && mood === "hang")
    return await new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  if (isIll && mood === "html") return new Response("<html>No backend</html>", { headers: { "content-type": "text/html" } });
  if (isIll && mood === "refuses poison") return new Response("no", { status: 400 });
  if (isIll) return new Response("no", { status: typeof mood === "number" ? mood : 500 });
  const { input } = JSON.parse(body) as { input?: string[] };
  if (input !== undefined) return Response.json({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) });
  const content = chatAnswers.shift() ?? "OK";
  return Response.json({ choices: [{ message: { content }, finish_reason: "stop" }] });
}

function vectorOf(text: string): number[] {
  return Array.from({ length: DIMENSIONS }, (_, i) => 1 + ((text.length * (i + 1)) % 7));
}

async function cron(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    skipMs += MINUTE;
    await sweep(h.services());
  }
}

const statuses = async () => {
  const counted = await rows<{ status: string; n: number }>(
    "select status, count(*) as n from jobs where tenant_id = ? group by status",
    h.tenantId,
  );
  return Object.fromEntries(counted.map(({ status, n }) => [status, n]));
};
const unembedded = async () =>
  nth(await rows<{ n: number }>("select count(*) as n from episodes where tenant_id = ? and vector_model is null", h.tenantId), 0)
    .n;

async function doctor(): Promise<{ healthy: boolean; of: (name: string) => DoctorView["invariants"][number] | undefined }> {
  const all: DoctorView["invariants"] = [];
  let [healthy, cursor] = [true, ""];
  for (;;) {
    const { json } = await h.fetch<DoctorView>("GET", `/v1/doctor${cursor}`);
    healthy = healthy && json.healthy;
    all.push(...json.invariants);
    if (json.nextCursor === null) break;
    cursor = `?cursor=${json.nextCursor}`;
  }
  return { healthy, of: (name) => all.filter((one) => one.name === name).toSorted((a, b) => b.violations - a.violations)[0] };
}

describe("after a long outage all recovers by itself", () => {
  it("an embedder that was down for two hours: cron alone embeds 200 episodes, nothing failed, and the dead server was spared", async () => {
    mood = "unreachable";
    for (let i = 0; i < 200; i += 1) await say(h, `chat ${i % 20}`, `we met the ${i}th time`, { userId: "ann" });
    const jobs = 200;
    await cron(120);
    expect(await statuses()).toEqual({ pending: jobs });

    expect(inVain).toBeLessThan(3 * 3 * 120);
    const during = await doctor();
    expect(during.healthy).toBe(true);
    expect(during.of("job.waiting")?.violations).toBe(jobs);
    expect(Date.parse(during.of("job.waiting")?.since ?? "")).toBeLessThan(now() - 100 * MINUTE);

    mood = "well";
    await cron(20);
    expect(await statuses()).toEqual({ done: jobs });
    expect([await unembedded(), (await doctor()).healthy, (await doctor()).of("job.waiting")?.violations]).toEqual([0, true, 0]);
  }, 240_000);

  it.each<[string, Mood]>([
    ["hangs", "hang"],
    ["answers 503", 503],
    ["answers 429", 429],
    ["answers 408", 408],
  ])("an embedder that %s for a day", async (_, ill) => {
    mood = ill;
    await say(h, "chat", "we met", { userId: "ann" });
    for (let hour = 0; hour < 24; hour += 1) {
      // Each in an isolate that knows nothing of the outage.
      services = makeServices();
      skipMs += 59 * MINUTE;
      await cron(1);
    }
    expect(await statuses()).toEqual({ pending: 1 });
    mood = "well";
    await cron(2 + 6);
    expect([await statuses(), await unembedded()]).toEqual([{ done: 1 }, 0]);
  });

  it("a vector index that is down", async () => {
    vectorsDown = true;
    for (let i = 0; i < 5; i += 1) await say(h, "chat", `we met the ${i}th time`, { userId: "ann" });
    await cron(120);
    expect(await statuses()).toEqual({ pending: 5 });
    expect((await jobsOf(h)).map(({ waitingFor }) => waitingFor)).toContain("vectors");
    vectorsDown = false;
    await cron(8);
    expect([await statuses(), await unembedded()]).toEqual([{ done: 5 }, 0]);
  });

  it("a chat model that is down, which deep health says without asking it", async () => {
    await settings(h, { extraction: "model" });
    await say(h, "chat", "My dog is called Bello", { userId: "ann" });
    const ofModel = async () => (await jobsOf(h)).filter(({ kind }) => kind === "episodes.extract");
    await cron(1);
    mood = 502;
    await cron(120);
    const [waiting] = await ofModel();
    expect(waiting).toMatchObject({ status: "pending", waitingFor: "chatModel" });
    const asked = inVain;
    const { checks } = (await h.fetch<DeepHealthView>("GET", "/v1/health/deep")).json;
    expect(checks.chatModel).toMatchObject({ working: false, error: "The chat model does not answer." });
    expect(inVain - asked).toBeLessThanOrEqual(3);
    mood = "well";
    chatAnswers = Array.from({ length: 10 }, () => '{"memories": [], "people": [], "superseded": []}');
    await cron(12);
    expect((await ofModel()).map(({ status }) => status)).toEqual(["done"]);
  });

  it("goes on at once when the server answers, through the queue, tenants taking turns", async () => {
    mood = "unreachable";
    const sent: { tenantId: number; jobId: string }[] = [];
    const held = services;
    services = (composed) => ({ ...held(composed), jobs: { send: async (refs) => void sent.push(...refs) } });
    const other = await createHarness({ replace: (composed) => services(composed) });
    await settings(other, { extraction: "off" });
    for (let i = 0; i < 30; i += 1) await say(h, "chat", `we met the ${i}th time`, { userId: "ann" });
    await say(other, "chat", "hello", { userId: "bob" });
    await cron(10);
    sent.length = 0;
    mood = "well";
    await cron(1);
    expect(sent).toHaveLength(31);
    expect(
      sent
        .slice(0, 2)
        .map(({ tenantId }) => tenantId)
        .toSorted(),
    ).toEqual([h.tenantId, other.tenantId].toSorted());
    await work(h.services(), sent);
    expect(await statuses()).toEqual({ done: 30 });
  });

  it("a job that a server fails on while it answers others is failed in the end, and holds nothing up", async () => {
    mood = "fails on poison";
    for (const text of ["poison", "one", "two"]) await say(h, "chat", text, { userId: "ann" });
    await cron(1);
    skipMs += MINUTE;
    await cron(1);
    expect(await statuses()).toEqual({ done: 2, pending: 1 });
    for (let tries = 0; tries < 3 * MAX_ATTEMPTS; tries += 1) {
      skipMs += backOffMs(MAX_ATTEMPTS);
      await cron(1);
    }
    expect(await statuses()).toEqual({ done: 2, failed: 1 });
    const failed = (await jobsOf(h)).find(({ status }) => status === "failed");
    expect(failed?.error).toBe("upstream_failed: The embeddings server answered 500. It answers others.");
  });

  it("20 episodes that a server fails on among 200: the others are embedded in their first run, and wait for none of them", async () => {
    mood = "fails on poison";
    for (let i = 0; i < 200; i += 1)
      await say(h, `chat ${i % 20}`, i % 10 === 3 ? `poison ${i}` : `we met the ${i}th time`, { userId: "ann" });
    await cron(12);
    const tries = await rows<{ status: string; attempts: number; n: number }>(
      "select status, min(attempts, 2) as attempts, count(*) as n from jobs where tenant_id = ? group by 1, 2 order by 1, 2",
      h.tenantId,
    );
    expect(tries.filter(({ status }) => status === "done")).toEqual([{ status: "done", attempts: 1, n: 180 }]);
    expect(await unembedded()).toBe(20);
    for (let hour = 0; hour < MAX_ATTEMPTS; hour += 1) {
      skipMs += backOffMs(MAX_ATTEMPTS);
      await cron(1);
    }
    expect(await statuses()).toEqual({ done: 180, failed: 20 });
    const reasons = new Set((await jobsOf(h)).filter(({ status }) => status === "failed").map(({ error }) => error));
    expect([...reasons]).toEqual(["upstream_failed: The embeddings server answered 500. It answers others."]);
  });

  it.each<[string, Mood, string]>([
    ["404, as an ingress does for a dead server", 404, "misconfigured: The embeddings server knows no such model or path (404)."],
    ["403", 403, "misconfigured: The embeddings server refused the key (403)."],
    ["401, because the key is wrong", 401, "misconfigured: The embeddings server refused the key (401)."],
    ["400 to everything", 400, "upstream_failed: The embeddings server answered 400."],
    ["200 with a page", "html", "upstream_failed: The embeddings server answered something that is no JSON."],
  ])("an embedder that answers %s: the jobs wait with the reason, and go on by themselves", async (_, ill, reason) => {
    mood = ill;
    for (let i = 0; i < 5; i += 1) await say(h, "chat", `we met the ${i}th time`, { userId: "ann" });
    await cron(1);
    for (let hour = 0; hour < MAX_ATTEMPTS + 2; hour += 1) {
      skipMs += backOffMs(MAX_ATTEMPTS);
      await cron(1);
    }
    expect(await statuses()).toEqual({ pending: 5 });
    for (const job of await jobsOf(h))
      expect(job).toMatchObject({ waitingFor: "embedder", error: expect.stringContaining(reason) });
    const during = await doctor();
    expect(during.of("job.waiting")).toMatchObject({ violations: 5, reasons: [expect.stringContaining(reason)] });
    mood = "well";
    await cron(2);
    expect([await statuses(), await unembedded()]).toEqual([{ done: 5 }, 0]);
  });

  it("an episode that a server refuses while it takes others is failed after its tries, and the others are done at once", async () => {
    mood = "refuses poison";
    for (const text of ["poison", "one", "two"]) await say(h, "chat", text, { userId: "ann" });
    await cron(1);
    expect(await statuses()).toEqual({ done: 2, pending: 1 });
    for (let hour = 0; hour < MAX_ATTEMPTS; hour += 1) {
      skipMs += backOffMs(MAX_ATTEMPTS);
      await cron(1);
    }
    expect(await statuses()).toEqual({ done: 2, failed: 1 });
    const failed = (await jobsOf(h)).find(({ status }) => status === "failed");
    expect(failed?.error).toBe("upstream_failed: The embeddings server answered 400. It answers others.");
  });
});

describe("while a server is down", () => {
  it("waiting jobs are listed with what they wait for and when they are tried at the latest", async () => {
    mood = "unreachable";
    await say(h, "chat", "we met", { userId: "ann" });
    await cron(5);
    const { json } = await h.fetch<Page<JobView>>("GET", "/v1/jobs?waitingFor=embedder");
    expect(json.items).toMatchObject([{ status: "pending", waitingFor: "embedder", kind: "episodes.index" }]);
    const job = nth(json.items, 0);
    expect([Date.parse(job.dueAt) > now(), Date.parse(job.waitingSince ?? "") < now(), job.error]).toEqual([
      true,
      true,
      expect.stringContaining("upstream_failed: "),
    ]);
    expect((await h.fetch<Page<JobView>>("GET", "/v1/jobs?waitingFor=vectors")).json.items).toEqual([]);
    expect((await h.fetch<Page<JobView>>("GET", "/v1/jobs?waitingFor=embedder&status=failed")).json.items).toEqual([]);
  });

  it("searches wait for it three times, and then go on at once and say so", async () => {
    await say(h, "chat", "the albatross is called Bertram", { userId: "ann" });
    mood = "hang";
    const asks = async () => {
      const before = inVain;
      const { json } = await find(h, `albatross ${crypto.randomUUID()}`, { userId: "ann" });
      expect([json.hits.length, json.degraded.map(({ channel }) => channel)]).toEqual([1, ["semantic"]]);
      return inVain - before;
    };
    const asked: number[] = [];
    for (let i = 0; i < 6; i += 1) asked.push(await asks());
    // The third comes with a neutral text, which tells a dead server from one that fails on what it is asked.
    expect(asked).toEqual([1, 1, 2, 0, 0, 0]);
    mood = "well";
    skipMs += MINUTE;
    expect((await find(h, "albatross", { userId: "ann" })).json.degraded).toEqual([]);
  });

  it("one user's questions that a server fails on take semantic search from nobody", async () => {
    services = makeServices(LONG);
    await say(h, "chat", "the albatross is called Bertram", { userId: "ann" });
    await say(h, "other", "hello", { userId: "evil" });
    await cron(1);
    mood = "fails on poison";
    const channels = async (query: string, userId: string) =>
      (await find(h, `${query} ${crypto.randomUUID()}`, { userId })).json.degraded.map(({ channel }) => channel);
    for (let i = 0; i < 8; i += 1) {
      expect(await channels("poison", "evil")).toEqual(["semantic"]);
      expect(await channels("poison", "evil")).toEqual(["semantic"]);
      expect(await channels("albatross", "ann")).toEqual([]);
      for (let j = 0; j < 4; j += 1) await channels("poison", "evil");
      expect(await channels("albatross", "ann")).toEqual([]);
    }
  });

  it("deep health answers and names it, though it hangs", async () => {
    mood = "hang";
    const { status, json } = await h.fetch<DeepHealthView>("GET", "/v1/health/deep");
    const ill = Object.entries(json.checks).flatMap(([name, check]) => (check.working ? [] : [name]));
    expect([status, ill]).toEqual([503, ["embedder"]]);
  });

  it("its jobs are leased no more: a minute costs the same however many wait", async () => {
    mood = "unreachable";
    for (let i = 0; i < 60; i += 1) await say(h, "chat", `we met the ${i}th time`, { userId: "ann" });
    await cron(10);
    expect((await rows("select 1 from jobs where waiting_for is not null")).length).toBe(60);
    const before = await rows("select id, attempts, due_at from jobs order by id");
    await cron(3);
    expect(await rows("select id, attempts, due_at from jobs order by id")).toEqual(before);
  });
});
