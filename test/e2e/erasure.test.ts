import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, startService } from "#test/start-service";

const MARKER = "qalzum";

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

async function call<T>(method: string, route: string, body?: unknown): Promise<T> {
  if (service === undefined) throw new Error("The service is not up.");
  const response = await fetch(`${service.url}${route}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
  return asAnswer<T>(await response.json());
}

/** The test names the part of an answer that it looks at. */
function asAnswer<T>(json: unknown): T {
  return json as T;
}

/** Files of the service's state that hold the bytes, with how often. */
async function filesWith(bytes: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const entry of await readdir(persistTo, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = new TextDecoder("latin1").decode(await readFile(path.join(entry.parentPath, entry.name))).toLowerCase();
    const times = text.split(bytes).length - 1;
    if (times > 0) found[path.join(path.basename(entry.parentPath), entry.name.replace(/^[0-9a-f]{64}/, "…"))] = times;
  }
  return found;
}

type Erasure = { id: string; status: string; finishedAt: string | null };

it("leaves nothing that a query returns, and on the disk only what SQLite has not written over", async () => {
  for (let i = 0; i < 20; i += 1)
    await call("POST", "/v1/sessions/chat/episodes", {
      userId: MARKER,
      messages: [{ role: "user", content: `I live in ${MARKER}town and like ${MARKER} number ${i}.` }],
    });
  await call("POST", "/v1/memories", { userId: MARKER, content: `The ${MARKER} is in the garden`, metadata: { note: MARKER } });
  const before = await filesWith(MARKER);
  const { id } = await call<Erasure>("DELETE", `/v1/users/${MARKER}`);
  const read = () => call<Erasure>("GET", `/v1/erasures/${id}`);
  await expect.poll(async () => (await read()).finishedAt, { interval: 200, timeout: 30_000 }).not.toBeNull();
  expect((await read()).status).toBe("finished");
  expect(await call("POST", `/v1/erasures/${id}/verify`)).toMatchObject({ verified: true });
  await service?.stop();
  service = undefined;
  // Where rows of others are on the same page, SQLite leaves the bytes of a deleted row in the gap between them.
  const after = await filesWith(MARKER);
  expect(Object.keys(after).filter((name) => !/^miniflare-D1DatabaseObject.*\.sqlite$/.test(name))).toEqual([]);
  expect(totalOf(after)).toBeLessThan(totalOf(before) / 5);
});

const totalOf = (files: Record<string, number>) => Object.values(files).reduce((sum, times) => sum + times, 0);
