import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Credential } from "#context";
import { BoundedCache } from "#core/bounded-cache";
import { type ErasureView, type StoreView, TABLES, TEXT_INDEXES } from "#domain/erasures";
import { work } from "#domain/lifecycle";
import type { JobRef } from "#ports/jobs";
import { createHarness, type Harness } from "#test/harness";
import { rows, say } from "./requests.ts";

let h: Harness;

beforeEach(async () => {
  h = await createHarness();
});

async function erase(path: string): Promise<ErasureView> {
  const started = await h.fetch<ErasureView>("DELETE", path, { user: null });
  expect(started.status, started.text).toBe(202);
  await h.settle();
  return (await h.fetch<ErasureView>("GET", `/v1/erasures/${started.json.id}`)).json;
}

const storeOf = (erasure: ErasureView, name: string): StoreView | undefined => erasure.stores.find(({ store }) => store === name);

const post = async <T = { id: string }>(path: string, body: object) => (await h.fetch<T>("POST", path, { body })).json;

describe("erasing", () => {
  it("a session takes what was learned in it, whoever's it is, and nothing else", async () => {
    await say(h, "one", "I live in Lisbon.", { userId: "ann" });
    await say(h, "two", "I like tea.", { userId: "ann" });
    await h.settle();
    const erasure = await erase("/v1/sessions/one?userId=ann");
    expect(erasure).toMatchObject({ status: "finished", kind: "session", receipt: { aboutOthers: null } });
    expect(storeOf(erasure, "episodes")).toMatchObject({ before: 1, deleted: 1, remaining: 0, verdict: "erased" });
    expect(storeOf(erasure, "users")).toMatchObject({ before: null, verdict: "not_applicable" });
    const memories = await h.fetch<{ items: { content: string }[] }>("GET", "/v1/memories?userId=ann");
    expect(memories.text).not.toContain("Lisbon");
    expect(memories.text).toContain("tea");
    expect((await h.fetch("GET", "/v1/sessions/one?userId=ann")).status).toBe(404);
    expect((await h.fetch("GET", "/v1/sessions/two?userId=ann")).status).toBe(200);
  });

  it("a project lets its sessions go, with the vectors tagged anew", async () => {
    await h.fetch("PUT", "/v1/projects/apollo", { body: { userId: "ann" } });
    await say(h, "one", "The launch is on Monday.", { userId: "ann", projectId: "apollo" });
    await post("/v1/entities", { userId: "ann", projectId: "apollo", type: "tool", name: "Rocket" });
    await h.settle();
    const erasure = await erase("/v1/projects/apollo?userId=ann");
    expect(storeOf(erasure, "entities")).toMatchObject({ deleted: 1, remaining: 0 });
    expect(storeOf(erasure, "entity_fts")).toMatchObject({ deleted: 1, remaining: 0 });
    const session = await h.fetch("GET", "/v1/sessions/one?userId=ann");
    expect(session.json).toMatchObject({ projectId: null });
    expect(await rows("select tagged_project_id as tag from sessions where tenant_id = ?", h.tenantId)).toEqual([{ tag: 0 }]);
    const found = await post<{ hits: unknown[] }>("/v1/search", { userId: "ann", query: "launch", kinds: ["episode"] });
    expect(found.hits).toHaveLength(1);
  });

  it("needs the owner of a project, and `admin` for a user", async () => {
    await h.fetch("PUT", "/v1/projects/apollo", { body: { userId: "ann" } });
    await h.fetch("PUT", "/v1/projects/apollo/members/ben?userId=ann");
    const key = await h.as(["read", "write"]);
    expect((await h.fetch("DELETE", "/v1/projects/apollo?userId=ben", { key })).status).toBe(403);
    expect((await h.fetch("DELETE", "/v1/projects/apollo?userId=zoe", { key })).status).toBe(404);
    expect((await h.fetch("DELETE", "/v1/users/ann", { key, user: null })).status).toBe(403);
    const body = { userId: "ann", kind: "user", id: "ann" };
    expect((await h.fetch("POST", "/v1/erasures", { key, body })).status).toBe(403);
    expect((await h.fetch("DELETE", "/v1/users/ann?aboutOthers=erase&dryRun=true", { user: null })).status).toBe(200);
    const project = { kind: "project", id: "apollo", aboutOthers: "erase" };
    expect((await h.fetch("POST", "/v1/erasures", { body: project, user: null })).status).toBe(422);
  });
});

describe("erasing without `admin`", () => {
  it("takes a session in which nobody else takes part, and no document of the library or of another's project", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "ann", participants: ["ann", "ben"] } });
    await h.fetch("PUT", "/v1/projects/apollo", { body: { userId: "ben" } });
    await h.fetch("PUT", "/v1/sources/plans", { body: { userId: "ben", projectId: "apollo" } });
    await h.fetch("PUT", "/v1/sources/handbook", { body: {}, user: null });
    const key = await h.as(["read", "write"]);
    const start = async (path: string) => (await h.fetch("DELETE", path, { key, user: null })).status;
    expect(await start("/v1/sessions/crew?userId=ann")).toBe(403);
    expect(await start("/v1/sessions/chat?userId=ben")).toBe(404);
    expect(await start("/v1/sources/handbook?userId=ann")).toBe(403);
    expect(await start("/v1/sources/plans?userId=ann")).toBe(404);
    await h.fetch("PUT", "/v1/projects/apollo/members/ann?userId=ben");
    expect(await start("/v1/sources/plans?userId=ann")).toBe(403);
    await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "ann", participants: ["ann"] } });
    const allowed = ["/v1/sessions/crew?userId=ann", "/v1/sessions/chat?userId=ann", "/v1/sources/plans?userId=ben"];
    for (const path of allowed) expect([path, await start(path)]).toEqual([path, 202]);
    await h.settle();
  });

  it("stores no secret in what it is given as a reason", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    const secret = encodeURIComponent("my password is hunter2-Xy7!");
    for (const name of ["basis", "requestRef"])
      expect((await h.fetch("DELETE", `/v1/users/ann?${name}=${secret}`, { user: null })).status).toBe(422);
    expect(await rows("select 1 from erasures where tenant_id = ?", h.tenantId)).toEqual([]);
  });
});

describe("what others said about a user", () => {
  async function plant(): Promise<string> {
    await say(h, "chat", "Hello there.", { userId: "ann" });
    const me = await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=ann");
    const memory = await post("/v1/memories", { userId: "ben", content: "She plays the cello", subjects: [me.json.id] });
    await h.settle();
    return memory.id;
  }

  it("goes with `erase`", async () => {
    const id = await plant();
    expect(await erase("/v1/users/ann?aboutOthers=erase")).toMatchObject({
      status: "finished",
      receipt: { aboutOthers: { count: 1 } },
    });
    expect((await h.fetch("GET", `/v1/memories/${id}?userId=ben`)).status).toBe(404);
  });

  it("stays with `review`, and the receipt lists it and says that something is left", async () => {
    const id = await plant();
    const erasure = await erase("/v1/users/ann?aboutOthers=review");
    expect(erasure).toMatchObject({
      status: "partial_success",
      receipt: { rounds: 1, aboutOthers: { choice: "review", count: 1, memories: [id] } },
    });
    expect(storeOf(erasure, "memory_subjects")).toMatchObject({ remaining: 1, verdict: "residual" });
    const left = await h.fetch("GET", `/v1/memories/${id}?userId=ben`);
    expect(left.json).toMatchObject({ content: "She plays the cello", subjects: [] });
  });

  it("stays without the person with `unlink`, also in the text index", async () => {
    const id = await plant();
    await erase("/v1/users/ann");
    expect((await h.fetch("GET", `/v1/memories/${id}?userId=ben`)).json).toMatchObject({ subjects: [] });
    const found = await post<{ hits: { id: string }[] }>("/v1/search", { userId: "ben", query: "cello", strategy: "text" });
    expect(found.hits.map((hit) => hit.id)).toEqual([id]);
  });
});

describe("what is written while a user is erased", () => {
  it("is found by the next round", async () => {
    let isWritten = false;
    h = await createHarness({
      replace: ({ vectors }) => ({
        vectors: {
          ...vectors,
          remove: async (tenantId, refs) => {
            await vectors.remove(tenantId, refs);
            if (isWritten) return;
            isWritten = true;
            // As a request would that read the user before: the session is made when its turn is over.
            await env.DB.batch([
              env.DB.prepare(
                `insert into facts (user_id, topic, session_id, project_id, kind, rank, tenant_id, value, created_at, stored_at)
                 select id, 'color', 0, 0, 'single', 0, tenant_id, 'late', 1, 1 from users where tenant_id = ? and external_id = 'ann'`,
              ).bind(h.tenantId),
              env.DB.prepare(
                `insert into sessions (public_id, tenant_id, external_id, kind, owner_id, space_id, created_at)
                 select 'ses_late', tenant_id, 'late', 'private', id, space_id, 1 from users where tenant_id = ? and external_id = 'ann'`,
              ).bind(h.tenantId),
            ]);
          },
        },
      }),
    });
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    await h.settle();
    const erasure = await erase("/v1/users/ann");
    expect(isWritten).toBe(true);
    expect(erasure).toMatchObject({ status: "finished", receipt: { rounds: 2 } });
    expect(
      await rows("select 1 from sessions where external_id = 'late' union select 1 from facts where value = 'late'"),
    ).toEqual([]);
  });

  it("by a key that another isolate still accepts is erased too", async () => {
    const other = new BoundedCache<Credential>({ limit: 10, ttlMs: 15_000 });
    let [isOther, skipMs] = [false, 0];
    h = await createHarness({
      replace: ({ now, caches }) => ({
        trustMs: 15_000,
        now: () => now() + skipMs,
        ...(isOther ? { caches: { ...caches, credentials: other } } : {}),
      }),
    });
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    await h.settle();
    const { key } = await post<{ key: string }>("/v1/keys", { name: "phone", userId: "ann", permissions: ["read", "write"] });
    const runJobs = async () => {
      const which = "from jobs where status <> 'done' and tenant_id = ?";
      await work(h.services(), await rows<JobRef>(`select tenant_id as tenantId, id as jobId ${which}`, h.tenantId));
    };
    const remember = async (content: string) =>
      await h.fetch("POST", "/v1/memories", { key, user: null, body: { content, key: "home:city" } });
    isOther = true;
    expect((await remember("I am from Porto")).status).toBe(201);
    isOther = false;
    const { json } = await h.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null });
    await runJobs();
    expect((await remember("I am from Braga")).status).toBe(401);
    isOther = true;
    expect((await remember("I am from Faro")).status).toBeLessThan(300);
    isOther = false;
    skipMs = 15_000;
    await runJobs();
    // A job that ran at the same time is waited for in turn.
    skipMs = 3_600_000;
    await h.settle();
    expect((await h.fetch<ErasureView>("GET", `/v1/erasures/${json.id}`)).json.status).toBe("finished");
    isOther = true;
    expect((await remember("I am from Beja")).status).toBe(401);
    expect(await rows("select 1 from users where external_id = 'ann' and tenant_id = ?", h.tenantId)).toEqual([]);
    expect(await rows("select 1 from memories where tenant_id = ?", h.tenantId)).toEqual([]);
  });

  it("finds a tombstone of the user and of each session", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    await h.settle();
    await erase("/v1/users/ann");
    const [found] = await rows<{ n: number }>("select count(*) as n from tombstones where tenant_id = ?", h.tenantId);
    expect(found?.n).toBe(2);
  });
});

describe("what comes after an erasure", () => {
  it("is no user who is made anew by a token from before it; the app may use the id again", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    await h.settle();
    const token = await post<{ token: string }>("/v1/tokens", { userId: "ann" });
    expect((await h.fetch("GET", "/v1/users/ann", { key: token.token, user: null })).status).toBe(200);
    h.services().caches.credentials.clear();
    await erase("/v1/users/ann");
    const late = await h.fetch("POST", "/v1/memories", { key: token.token, body: { content: "I am back" } });
    expect(late.status).toBe(401);
    expect(await rows("select 1 from users where external_id = 'ann' and tenant_id = ?", h.tenantId)).toEqual([]);
    await say(h, "chat", "I live in Porto.", { userId: "ann" });
    expect((await h.fetch("GET", "/v1/users/ann", { user: null })).status).toBe(200);
  });

  it("is a registry that names every table", async () => {
    const tables = await rows<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name not like 'd1_%'",
    );
    const texts = TEXT_INDEXES.map(({ table }) => table);
    const own = tables.map(({ name }) => name).filter((name) => !texts.some((text) => name.startsWith(text)));
    expect(TABLES.map(({ table }) => table).toSorted()).toEqual(own.toSorted());
    for (const { table, key } of TABLES.filter(({ method }) => method !== "keep")) {
      const columns = await rows<{ name: string }>(`select name from pragma_table_info('${table}') where pk > 0 order by pk`);
      expect([table, ...key]).toEqual([table, ...columns.map(({ name }) => name)]);
    }
  });

  it("is the answer of the same request under way, not a second erasure", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    const [one, two] = await Promise.all([1, 2].map(() => h.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null })));
    expect(one?.json.id).toBe(two?.json.id);
    expect(await rows("select count(*) as n from erasures where tenant_id = ?", h.tenantId)).toEqual([{ n: 1 }]);
  });
});
