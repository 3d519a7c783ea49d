import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { ErasureView } from "#domain/erasures";
import { createHarness, type Harness } from "#test/harness";
import { type Ids, modelServer, ROUTES, type Route } from "./routes.ts";
import { thingsOf } from "./things.ts";

const POSTS = Object.entries(ROUTES).filter(([name, { permission }]) => name.startsWith("post ") && permission !== null);

let h: Harness;
const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
beforeAll(async () => {
  h = await createHarness();
  await h.fetch("PATCH", "/v1/settings", { body: { upstream: { url: modelServer() } } });
});
afterAll(() => log.mockRestore());

type Sent = { name: string; status: number; again: { status: number; replayed: string | null } };

async function sendTwice(name: string, route: Route, ids: Ids): Promise<Sent> {
  const send = () =>
    h.fetch("POST", route.path(ids), {
      headers: { ...route.headers?.(ids), "idempotency-key": name },
      ...(route.body === undefined ? {} : { body: route.body(ids) }),
    });
  const first = await send();
  const second = await send();
  return {
    name,
    status: first.status,
    again: { status: second.status, replayed: second.headers.get("idempotency-replayed") },
  };
}

it("users are erased after every kind of request was sent with an Idempotency-Key", async () => {
  const sent: Sent[] = [];
  for (const [i, [name, route]] of POSTS.entries())
    sent.push(await sendTwice(name, route, await thingsOf(h, `user-${i}`, `things-${i}`)));
  expect(sent.filter(({ status }) => status >= 300)).toEqual([]);

  const { results: kept } = await env.DB.prepare(
    "select key as name, json_valid(response_body) as isJson from idempotency where tenant_id = ? and response_status is not null",
  )
    .bind(h.tenantId)
    .all<{ name: string; isJson: number | null }>();
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.filter(({ isJson }) => isJson === 0)).toEqual([]);
  const isKept = new Set(kept.map(({ name }) => name));
  const repeated = sent.filter(({ name }) => isKept.has(name));
  expect(repeated.map(({ name, again }) => [name, again])).toEqual(
    repeated.map(({ name, status }) => [name, { status, replayed: "true" }]),
  );

  const started = await h.fetch<ErasureView>("DELETE", "/v1/users/user-0", { user: null });
  await h.settle();
  const erasure = await h.fetch<ErasureView>("GET", `/v1/erasures/${started.json.id}`);
  expect(erasure.json.status).toBe("finished");
});
