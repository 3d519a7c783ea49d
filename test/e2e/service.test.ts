import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fireCron, type Service, startService } from "#scripts/service";

let persistTo = "";
let service: Service | undefined;

beforeAll(async () => {
  persistTo = await mkdtemp(path.join(tmpdir(), "edgewise-e2e-"));
  service = await startService({ persistTo, cron: false });
});

afterAll(async () => {
  await service?.stop();
  await rm(persistTo, { recursive: true, force: true, maxRetries: 5 });
});

type Hit = { content: string; citation: string; sessionId: string; projectId: string | null };
type Episode = { id: string; indexed: { text: boolean; vector: boolean } };

async function call<T>(method: string, route: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  if (service === undefined) throw new Error("The service is not up.");
  const response = await fetch(`${service.url}${route}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
  return asAnswer<T>(response.status === 204 ? null : await response.json());
}

/** The test names the part of an answer that it looks at. */
function asAnswer<T>(json: unknown): T {
  return json as T;
}

const say = (session: string, text: string, more: Record<string, unknown> = {}) =>
  call<Episode>("POST", `/v1/sessions/${session}/episodes`, {
    userId: "ann",
    messages: [{ role: "user", content: text }],
    ...more,
  });
const find = async (query: string, more: Record<string, unknown> = {}) =>
  (await call<{ hits: Hit[] }>("POST", "/v1/search", { userId: "ann", query, ...more })).hits;
const isIndexed = async (session: string) =>
  (await call<{ items: Episode[] }>("GET", `/v1/sessions/${session}/episodes?userId=ann`)).items.every(
    (episode) => episode.indexed.vector,
  );

it("says that it is well, with every part of it", async () => {
  expect(await call("GET", "/v1/health")).toEqual({ status: "ok" });
  expect(await call("GET", "/v1/health/deep")).toMatchObject({ working: true });
});

it("remembers what was said and finds it in the next request", async () => {
  const stored = await say("chat-1", "My sister Elena moved to Lisbon in May.");
  expect(stored.indexed).toEqual({ text: true, vector: false });
  expect(await find("Where does Elena live?")).toMatchObject([
    { content: "My sister Elena moved to Lisbon in May.", citation: "[M1]", sessionId: "chat-1" },
  ]);
  await say("chat-2", "我下周去东京出差。");
  expect((await find("东京"))[0]?.sessionId).toBe("chat-2");
  await expect.poll(() => isIndexed("chat-1"), { interval: 200 }).toBe(true);
});

it("keeps what is said in a project in the project", async () => {
  await call("PUT", "/v1/projects/apollo", { userId: "ann" });
  await say("chat-3", "The launch code name is Marigold.", { projectId: "apollo" });
  expect(await find("Marigold")).toEqual([]);
  expect(await find("Marigold", { projectId: "apollo" })).toMatchObject([{ sessionId: "chat-3", projectId: "apollo" }]);
  expect(await find("Elena", { projectId: "apollo", kinds: ["episode"] })).toEqual([]);
  await call("PUT", "/v1/sessions/chat-3", { userId: "ann", projectId: null });
  expect(await find("Marigold")).toMatchObject([{ sessionId: "chat-3", projectId: null }]);
});

it("carries a repeated request out once", async () => {
  const body = { userId: "ann", messages: [{ role: "user", content: "only once" }] };
  const twice = [1, 2].map(() => call<Episode>("POST", "/v1/sessions/chat-4/episodes", body, { "idempotency-key": "e2e-1" }));
  const answers = await Promise.allSettled(twice);
  const again = await call<Episode>("POST", "/v1/sessions/chat-4/episodes", body, { "idempotency-key": "e2e-1" });
  expect(answers.some((answer) => answer.status === "fulfilled" && answer.value.id === again.id)).toBe(true);
  expect((await call<{ items: Episode[] }>("GET", "/v1/sessions/chat-4/episodes?userId=ann")).items).toHaveLength(1);
});

it("loses nothing when it ends with work left: the next one's cron picks it up", async () => {
  await say("chat-5", "The piano tuner comes on Thursday.");
  await service?.stop();
  service = await startService({ persistTo, cron: false });
  expect(await find("piano tuner", { strategy: "text" })).toMatchObject([{ sessionId: "chat-5" }]);
  expect(await isIndexed("chat-5")).toBe(false);
  const { url } = service;
  // If the one that ended had begun the work, its lease ends first.
  const isDone = async () => {
    await fireCron(url);
    return await isIndexed("chat-5");
  };
  await expect.poll(isDone, { interval: 1_000, timeout: 180_000 }).toBe(true);
  expect(await find("piano tuner", { strategy: "semantic" })).toMatchObject([{ sessionId: "chat-5" }]);
}, 240_000);
