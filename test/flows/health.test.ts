import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { upstreamFailed } from "#core/errors";
import type { DeepHealthView } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { nth, rows } from "./requests.ts";

let replaced: (composed: Services) => Partial<Services> = () => ({});
let h: Harness;

beforeEach(async () => {
  replaced = () => ({});
  h = await createHarness({ replace: (composed) => ({ log: () => undefined, ...replaced(composed) }) });
});

const check = () => h.fetch<DeepHealthView>("GET", "/v1/health/deep");
const illOf = ({ checks }: DeepHealthView) => Object.entries(checks).flatMap(([name, { working }]) => (working ? [] : [name]));

/** What a check may have stored and must have taken away again. */
async function leftovers() {
  const stored = await rows(
    "select (select count(*) from episodes) as episodes, (select count(*) from message_fts) as texts, (select count(*) from message_keys) as ids",
  );
  const { embedder, vectors } = h.services();
  const vector = nth(await embedder.embed(["anything"], "query").catch(() => [new Float32Array(512).fill(0.04)]), 0);
  const left = await vectors.query(h.tenantId, { vector, spaces: [0], filter: {}, topK: 10 }).catch(() => []);
  return { ...stored[0], vectors: left.length };
}
const NOTHING = { episodes: 0, texts: 0, ids: 0, vectors: 0 };

const no = () => Promise.reject(upstreamFailed("It does not answer."));

describe("deep health", () => {
  it("stores, finds and deletes, and leaves nothing", async () => {
    for (const _ of [1, 2]) {
      const { status, json } = await check();
      expect([status, json.working, illOf(json)]).toEqual([200, true, []]);
    }
    await h.settle();
    expect(await leftovers()).toEqual(NOTHING);
  });

  it("knows an index that loses what is stored from one that shows it later", async () => {
    const stale = (settlesAfterMs: number) => {
      replaced = ({ vectors }) => ({ vectors: { ...vectors, settlesAfterMs, query: async () => [] } });
    };
    stale(0);
    const lost = await check();
    expect([lost.status, illOf(lost.json), lost.json.checks.vectors.error]).toEqual([
      503,
      ["vectors"],
      "The vector that was just stored was not found.",
    ]);
    stale(30_000);
    expect((await check()).status).toBe(200);
  });

  it("takes a new session each day, because each check uses up a place", async () => {
    const days: number[] = [];
    for (const now of ["2026-05-01T00:00:00Z", "2026-05-01T23:59:59Z", "2026-05-02T00:00:00Z"].map((time) => Date.parse(time))) {
      replaced = () => ({ now: () => now });
      expect((await check()).status).toBe(200);
      days.push((await rows("select 1 from sessions where tenant_id = ?", h.tenantId)).length);
    }
    expect(days).toEqual([1, 1, 2]);
  });

  it("is for admins", async () => {
    expect((await h.fetch("GET", "/v1/health/deep", { key: await h.as(["read", "write"]) })).status).toBe(403);
  });

  const ills: [string, string[], (composed: Services) => Partial<Services>][] = [
    ["the embedder", ["embedder"], ({ embedder }) => ({ embedder: { ...embedder, embed: no } })],
    ["storing vectors", ["vectors"], ({ vectors }) => ({ vectors: { ...vectors, upsert: no } })],
    ["finding vectors", ["vectors"], ({ vectors }) => ({ vectors: { ...vectors, query: no } })],
    ["the queue", ["queue"], () => ({ jobs: { send: no } })],
    ["deleting", ["cleanup"], ({ newId }) => ({ newId: failingAt(2, newId) })],
    ["storing", ["database", "text"], ({ newId }) => ({ newId: failingAt(1, newId) })],
  ];

  it.each(ills)("tells that %s is ill, and which else for it", async (name, ill, stand) => {
    await check();
    replaced = stand;
    const { status, json } = await check();
    replaced = () => ({});
    expect([status, json.working, illOf(json)]).toEqual([503, false, ill]);
    expect(JSON.stringify(json)).toContain(name === "deleting" || name === "storing" ? "the log knows" : "It does not answer.");
    await h.settle();
    if (name !== "deleting") expect(await leftovers()).toEqual(NOTHING);
    else await rows("delete from episodes").then(() => rows("delete from message_fts"));
  });

  it("the last: reports that the text index does not work", async () => {
    await env.DB.prepare("drop table message_fts").run();
    const { status, json } = await check();
    expect([status, illOf(json)]).toEqual([503, ["database", "text"]]);
  });
});

/** Fails when the nth job id of a request is asked for: an append takes the first, a forgetting the second. */
function failingAt(nthJob: number, newId: Services["newId"]): Services["newId"] {
  let jobs = 0;
  return (kind) => {
    if (kind === "job") jobs += 1;
    if (kind === "job" && jobs === nthJob) throw new Error("no more ids");
    return newId(kind);
  };
}
