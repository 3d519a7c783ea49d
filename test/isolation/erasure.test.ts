import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { ErasureView, VerifiedView } from "#domain/erasures";
import { createHarness, type Harness } from "#test/harness";
import { findMarker, plantGroup, plantRows, plantUser, tableNames, vectorsOf } from "./erasure-world.ts";

const ALICE = "qalzum";
const BOB = "wbozim";

let here: Harness;
let there: Harness;
let erasure: ErasureView;
let dryRun: ErasureView;
let before: Record<string, unknown[]>;

beforeAll(async () => {
  [here, there] = [await createHarness(), await createHarness()];
  for (const h of [here, there]) {
    const alice = h === here ? ALICE : "xothum";
    await plantUser(h, BOB, alice);
    await plantUser(h, alice, BOB);
    await plantGroup(h, "group", alice, BOB);
    await plantRows(h, alice);
    await plantRows(h, BOB);
  }
  const me = await here.fetch<{ id: string }>("GET", `/v1/people/me?userId=${ALICE}`);
  await here.fetch("POST", "/v1/memories", { body: { userId: BOB, content: "She plays the cello", subjects: [me.json.id] } });
  await here.settle();
  before = await othersRows();
});

/** Rows that are not the user's: of the other tenant, and Bob's own. */
async function othersRows(): Promise<Record<string, unknown[]>> {
  const bob = `(select id from users where tenant_id = ${here.tenantId} and external_id = '${BOB}')`;
  const queries: Record<string, string> = {
    memories: `select * from memories where owner_id = ${bob} and content not like '%cello%'`,
    episodes: `select e.* from episodes e join sessions s on s.id = e.session_id where s.owner_id = ${bob} and s.kind = 'private'`,
    words: `select d.* from message_fts_docsize d join episodes e on d.id >= e.id and d.id < e.id + e.chunk_count join sessions s on s.id = e.session_id where s.owner_id = ${bob} and s.kind = 'private'`,
    facts: `select * from facts where user_id = ${bob}`,
    keys: `select * from keys where user_id = ${bob}`,
    persons: `select * from persons where created_by = ${bob} or user_id = ${bob}`,
    forgettings: `select * from forgettings where user_id = ${bob}`,
    lists: `select * from list_messages where user_id = ${bob}`,
    sources: `select * from sources where created_by = ${bob}`,
    imports: `select * from imports where user_id = ${bob}`,
    audit: `select * from audit where user_id = ${bob} and detail not like '%${ALICE}%' and object_id not in (select public_id from memories where content like '%cello%')`,
  };
  for (const table of await tableNames()) {
    const columns = await env.DB.prepare(`select name from pragma_table_info('${table}')`).all<{ name: string }>();
    if (columns.results.some(({ name }) => name === "tenant_id"))
      queries[`there ${table}`] = `select * from "${table}" where tenant_id = ${there.tenantId}`;
  }
  const names = Object.keys(queries);
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(queries[name] ?? "")));
  return Object.fromEntries(names.map((name, i) => [name, results[i]?.results ?? []]));
}

/** What was there of each table. */
const rowsOf = ({ stores }: ErasureView): Record<string, number | null> =>
  Object.fromEntries(stores.flatMap(({ store, kind, before: found }) => (kind === "table" ? [[store, found]] : [])));

describe("the erasure of a user", () => {
  it("finds the marker everywhere before", async () => {
    const tables = new Set((await findMarker(ALICE)).map((place) => place.split(".")[0]));
    for (const table of [
      ...["users", "projects", "sessions", "episodes", "message_keys", "memories", "memory_versions", "persons", "person_names"],
      ...["person_merges", "entities", "facts", "forgettings", "keys", "sources", "files", "chunks", "imports", "imported_ids"],
      ...["idempotency", "audit", "message_fts_data", "memory_fts_data", "entity_fts_data", "chunk_fts_data"],
    ])
      expect([...tables]).toContain(table);
  });

  it("says in a dry run what it would erase, and changes nothing", async () => {
    const dry = await here.fetch<ErasureView>("DELETE", `/v1/users/${ALICE}?dryRun=true`);
    expect(dry.status, dry.text).toBe(200);
    dryRun = dry.json;
    expect(rowsOf(dryRun).episodes).toBe(5);
    expect(dryRun.stores.filter(({ deleted }) => deleted !== null)).toEqual([]);
    expect(await othersRows()).toEqual(before);
    expect((await here.fetch("GET", `/v1/users/${ALICE}`)).status).toBe(200);
  });

  it("ends with a receipt in which nothing is left", async () => {
    const started = await here.fetch<ErasureView>("POST", "/v1/erasures", {
      body: { kind: "user", id: ALICE, basis: "Art. 17", requestRef: "R-1" },
    });
    expect(started.status, started.text).toBe(202);
    expect((await here.fetch<ErasureView>("DELETE", `/v1/users/${ALICE}`)).json.id).toBe(started.json.id);
    await here.settle();
    erasure = (await here.fetch<ErasureView>("GET", `/v1/erasures/${started.json.id}`)).json;
    expect(erasure.stores.filter(({ remaining }) => (remaining ?? 0) > 0)).toEqual([]);
    // The erasure itself makes jobs, which it deletes.
    const { jobs: _, ...found } = rowsOf(erasure);
    expect(rowsOf(dryRun)).toMatchObject(found);
    expect(erasure).toMatchObject({ status: "finished", receipt: { aboutOthers: { choice: "unlink", count: 1 }, rounds: 1 } });
  });

  it("leaves the marker in no column of no table, and on no page of a text index", async () => {
    expect(await findMarker(ALICE)).toEqual([]);
  });

  it("leaves no vector without a row, and no upload", async () => {
    const spaces = await env.DB.prepare("select id from spaces").all<{ id: number }>();
    const vectors = await vectorsOf(here);
    expect(Object.keys(vectors).filter((space) => !spaces.results.some(({ id }) => String(id) === space))).toEqual([]);
    expect((await here.services().files.list(`t${here.tenantId}/`, null)).keys).toEqual([
      expect.stringMatching(new RegExp(`^t${here.tenantId}/\\d+/fil_${BOB}_${here.tenantId}/1$`, "u")),
    ]);
    const health = await here.fetch<{ invariants: { name: string; violations: number }[] }>("GET", "/v1/doctor");
    expect(health.json.invariants.filter(({ name, violations }) => violations > 0 && name !== "job.failed")).toEqual([]);
  });

  it("leaves others as they were", async () => {
    expect(await othersRows()).toEqual(before);
    const about = await here.fetch<{ items: { content: string; subjects: unknown[] }[] }>(
      "GET",
      `/v1/memories?userId=${BOB}&limit=100`,
    );
    expect(about.json.items.find(({ content }) => content.includes("cello"))?.subjects).toEqual([]);
    const group = await here.fetch<{ items: { messages: { content: string }[] }[] }>(
      "GET",
      `/v1/sessions/group/episodes?userId=${BOB}`,
    );
    expect(group.json.items).toHaveLength(1);
    expect(group.json.items[0]?.messages[1]?.content).toBe(`The ${BOB} meeting is on Monday`);
  });

  it("verifies the receipt, and not one that was changed", async () => {
    const verify = async () => (await here.fetch<VerifiedView>("POST", `/v1/erasures/${erasure.id}/verify`, { user: null })).json;
    expect(await verify()).toMatchObject({ verified: true, signature: "valid", audit: { recorded: true, chainIntact: true } });
    await env.DB.prepare("update erasures set receipt = replace(receipt, 'R-1', 'R-2') where public_id = ?")
      .bind(erasure.id)
      .run();
    expect(await verify()).toMatchObject({ verified: false, signature: "invalid", audit: { recorded: false } });
  });
});
