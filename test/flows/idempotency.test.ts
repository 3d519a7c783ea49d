import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "#context";
import { sha256 } from "#core/ids";
import { claimIdempotency } from "#domain/audit";
import { appendEpisodes } from "#domain/sessions";
import { createHarness, type Harness } from "#test/harness";
import { history, nth, type Problem, rows } from "./requests.ts";

let skipMs = 0;
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ now: () => Date.now() + skipMs }) });
});

const episode = (text: string) => ({ userId: "me", messages: [{ role: "user" as const, content: text }] });
const post = (path: string, key: string, body: unknown) =>
  h.fetch<Problem & { id: string }>("POST", path, { body, headers: { "idempotency-key": key } });
const append = (session: string, key: string, text: string) => post(`/v1/sessions/${session}/episodes`, key, episode(text));
const countOf = async (session: string) => (await history(h, session)).json.items.length;

describe("a repeat", () => {
  it("is answered alike and says so", async () => {
    const first = await append("repeat", "k1", "once");
    const second = await append("repeat", "k1", "once");
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json]);
    expect([first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")]).toEqual([null, "true"]);
    expect(second.headers.get("content-type")).toBe("application/vnd.edgewise.receipt+json");
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await countOf("repeat")).toBe(1);
  });

  it("with another body or to another path is refused", async () => {
    await append("other", "k2", "once");
    expect((await append("other", "k2", "twice")).json.detail).toContain("another request");
    expect((await append("elsewhere", "k2", "once")).status).toBe(409);
    expect(await countOf("other")).toBe(1);
  });

  it("by another key of the tenant is a request of its own", async () => {
    await append("shared", "k3", "once");
    const key = await h.as(["read", "write"]);
    const other = await h.fetch("POST", "/v1/sessions/shared-other/episodes", {
      key,
      body: episode("once"),
      headers: { "idempotency-key": "k3" },
    });
    expect([other.status, other.headers.get("idempotency-replayed")]).toEqual([201, null]);
  });

  it("at the same moment waits or is answered alike, and is carried out once", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => append("twins", "k4", "once")));
    const done = answers.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ json }) => json.id)).size).toBe(1);
    for (const waiting of answers.filter(({ status }) => status !== 201)) {
      expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([409, "2"]);
    }
    expect(await countOf("twins")).toBe(1);
  });
});

describe("after a crash", () => {
  const claimed = async (session: string, key: string, text: string): Promise<Caller> => {
    const [row] = await rows<{ id: number; publicId: string }>(
      "select id, public_id as publicId from keys where tenant_id = ? order by id limit 1",
      h.tenantId,
    );
    const { id, publicId } = nth([row ?? { id: 0, publicId: "" }], 0);
    const caller: Caller = {
      tenantId: h.tenantId,
      actor: { kind: "key", id: publicId, keyId: id, boundUser: null, permissions: ["read", "write", "admin"] },
      requestId: "crashed-request",
      idempotent: { keyId: id, key },
    };
    const fingerprint = await sha256(`POST /v1/sessions/${session}/episodes\n${JSON.stringify(episode(text))}`);
    expect(await claimIdempotency({ ...h.services(), ...caller }, { keyId: id, key, fingerprint })).toBe("claimed");
    return caller;
  };

  it("between commit and answer, nothing is done a second time", async () => {
    const caller = await claimed("crashed", "k5", "once");
    await appendEpisodes({ ...h.services(), ...caller }, "crashed", episode("once"));
    const again = await append("crashed", "k5", "once");
    expect([again.status, again.headers.get("retry-after")]).toEqual([409, null]);
    expect(again.json.detail).toContain("carried out");
    expect(await countOf("crashed")).toBe(1);
    skipMs = 120_000;
    expect((await append("crashed", "k5", "once")).status).toBe(409);
    skipMs = 0;
    expect(await countOf("crashed")).toBe(1);
  });

  it("before the commit, a repeat waits for a minute and then is carried out", async () => {
    await claimed("crashed-early", "k6", "once");
    const early = await append("crashed-early", "k6", "once");
    expect([early.status, early.headers.get("retry-after")]).toEqual([409, "2"]);
    skipMs = 61_000;
    const late = await append("crashed-early", "k6", "once");
    skipMs = 0;
    expect([late.status, await countOf("crashed-early")]).toEqual([201, 1]);
  });

  it("before the commit, another request cannot take the key over, however long ago it was", async () => {
    await claimed("crashed-taken", "k14", "once");
    skipMs = 61_000;
    const other = await append("crashed-taken", "k14", "something else");
    expect([other.status, other.json.detail]).toEqual([409, "This Idempotency-Key was used for another request."]);
    expect((await append("crashed-taken", "k14", "once")).status).toBe(201);
    skipMs = 0;
    expect((await history(h, "crashed-taken")).json.items.map(({ messages }) => messages[0]?.content)).toEqual(["once"]);
  });
});

describe("a refusal gives the key back", () => {
  it("when the request was wrong", async () => {
    expect((await append("corrected", "k7", " ")).status).toBe(422);
    expect((await append("corrected", "k7", "right now")).status).toBe(201);
  });

  it("when a batch found nothing to change", async () => {
    await append("rerun", "k8", "has a job");
    const [job] = await rows<{ id: string }>("select id from jobs where tenant_id = ? order by id desc limit 1", h.tenantId);
    await rows("update jobs set status = 'done' where id = ?", job?.id ?? "");
    expect((await post(`/v1/jobs/${job?.id}/rerun`, "k9", undefined)).status).toBe(409);
    await rows("update jobs set status = 'failed' where id = ?", job?.id ?? "");
    const { status, headers } = await post(`/v1/jobs/${job?.id}/rerun`, "k9", undefined);
    expect([status, headers.get("idempotency-replayed")]).toEqual([200, null]);
  });
});

describe("idempotency keeps no content: a repeat", () => {
  const send = (path: string, key: string, body: unknown, keyText = h.key) =>
    h.fetch<{ id: string; content?: string }>("POST", path, { key: keyText, body, headers: { "idempotency-key": key } });
  const memory = { userId: "keeper", content: "Keeps a zebra finch", metadata: { where: "in the zebra room" } };

  it("answers the ids, the versions and the outcomes of the first, and its status", async () => {
    const first = await send("/v1/memories", "c1", memory);
    const again = await send("/v1/memories", "c1", memory);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(again.json).toEqual({ id: first.json.id, created: true, version: 1 });
    const many = { userId: "keeper", memories: [{ content: "Feeds a zebra" }, { content: "Rides a zebra" }] };
    const ids = (await send("/v1/memories", "c2", many)).json as unknown as { items: { id: string }[] };
    const items = ids.items.map(({ id }) => ({ id, created: true, version: 1 }));
    expect((await send("/v1/memories", "c2", many)).json).toEqual({ items });
    const fact = { userId: "keeper", topic: "zebras", value: "Zelda the zebra" };
    await send("/v1/facts", "c3", fact);
    expect((await send("/v1/facts", "c3", fact)).json).toEqual({ kind: "single", rank: null, written: true });
    const person = { userId: "keeper", name: "Zebra Zack", notes: "rides zebras" };
    const { id } = (await send("/v1/people", "c4", person)).json;
    expect((await send("/v1/people", "c4", person)).json).toEqual({ id, version: 1 });
    expect(JSON.stringify(await rows("select * from idempotency"))).not.toMatch(/zebra/i);
  });

  it("does not bring back what was forgotten", async () => {
    const said = { userId: "keeper", content: "Owned a quagga" };
    const { id } = (await send("/v1/memories", "c5", said)).json;
    await h.fetch("DELETE", `/v1/memories/${id}?userId=keeper`);
    const again = await send("/v1/memories", "c5", said);
    expect([again.json.id, again.text.includes("quagga")]).toEqual([id, false]);
    expect((await h.fetch("GET", `/v1/memories/${id}?userId=keeper`)).status).toBe(404);
  });

  it("gives nothing to a participant who was removed, nor to a key without read", async () => {
    const participants = (userIds: string[]) =>
      h.fetch("PUT", "/v1/sessions/stable", { body: { userId: "keeper", participants: userIds } });
    await participants(["keeper", "rider"]);
    await send("/v1/memories", "c6", {
      userId: "keeper",
      sessionId: "stable",
      key: "lock",
      content: "The lock is behind the okapi",
    });
    const asked = {
      userId: "rider",
      sessionId: "stable",
      key: "lock",
      content: "The lock is behind the okapi",
      metadata: { a: 1 },
    };
    const writes = await h.as(["write"]);
    await send("/v1/memories", "c7", asked);
    await send("/v1/memories", "c7", asked, writes);
    await participants(["keeper"]);
    expect((await send("/v1/memories", "c7", asked)).text).not.toMatch(/okapi/);
    expect((await send("/v1/memories", "c7", asked, writes)).text).not.toMatch(/okapi/);
  });

  it("of what was kept before a release that keeps less answers no more than that", async () => {
    const said = { userId: "keeper", content: "Saw an oryx" };
    await send("/v1/memories", "c8", said);
    const old = JSON.stringify({ id: "mem_old", created: true, version: 1, content: "Saw an oryx" });
    await rows("update idempotency set response_body = ? where key = 'c8'", old);
    expect((await send("/v1/memories", "c8", said)).json).toEqual({ id: "mem_old", created: true, version: 1 });
    await rows("update idempotency set response_body = null where key = 'c8'");
    expect((await send("/v1/memories", "c8", said)).status).toBe(409);
  });

  it("of a request that stores nothing is a request of its own: nothing is kept of it", async () => {
    const body = { userId: "keeper", messages: [{ role: "user", content: "I prefer okapis." }] };
    await send("/v1/extract", "c9", body);
    const again = await send("/v1/extract", "c9", body);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect(await rows("select 1 from idempotency where key = 'c9'")).toEqual([]);
  });
});

describe("what is never kept", () => {
  it("is a search", async () => {
    await append("seen", "k10", "a heron on the roof");
    const before = await post("/v1/search", "k11", { query: "heron" });
    await append("seen", "k12", "another heron in the garden");
    const after = await post("/v1/search", "k11", { query: "heron" });
    expect([before.status, after.status, after.headers.get("idempotency-replayed")]).toEqual([200, 200, null]);
    expect(after.text).toContain("another heron");
    expect(await rows("select 1 from idempotency where key = 'k11'")).toEqual([]);
  });

  it("is the answer with a new key in it", async () => {
    const first = await h.fetch<{ key: string }>("POST", "/v1/keys", {
      body: { name: "shown once" },
      headers: { "idempotency-key": "k13" },
    });
    expect(first.status).toBe(201);
    const again = await post("/v1/keys", "k13", { name: "shown once" });
    expect([again.status, again.text.includes(first.json.key)]).toEqual([409, false]);
    expect(await rows("select response_body as body, response_status as status from idempotency where key = 'k13'")).toEqual([
      { body: null, status: null },
    ]);
    expect(JSON.stringify(await rows("select * from idempotency"))).not.toContain(first.json.key);
  });
});

it.each(["", "x".repeat(201)])("takes no key of a length that it cannot keep", async (key) => {
  const { status } = await h.fetch("POST", "/v1/sessions/length/episodes", {
    body: episode("x"),
    headers: { "idempotency-key": key },
  });
  expect(status).toBe(400);
});
