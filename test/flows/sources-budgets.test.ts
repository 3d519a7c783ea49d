import { beforeAll, describe, expect, it } from "vitest";
import { makeSource, upload } from "#test/document-requests";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { slowClock } from "#test/slow-clock";
import { rows } from "./requests.ts";

type Cost = { trips: number; read: number; written: number };
type Costs = Record<string, Cost>;

const batches: { statements: number; written: number }[] = [];

let h: Harness;
const now = slowClock();
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({
      log: () => undefined,
      now,
      db: aroundBatches(db, async (run, statements) => {
        const results = await run();
        batches.push({ statements: statements.length, written: results.reduce((sum, { meta }) => sum + meta.rows_written, 0) });
        return results;
      }),
    }),
  });
  await makeSource(h, "quiet");
});

function costIn(headers: Headers): Cost {
  const timing = headers.get("server-timing") ?? "";
  const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(timing)?.[1]);
  return { trips: count("trips"), read: count("read"), written: count("written") };
}

let measured = 0;

/** What each request costs, about files of its own. */
async function measure(): Promise<Costs> {
  measured += 1;
  const file = { sourceId: "quiet", path: `folder-${measured}/a.md` };
  const [created, unchanged, replaced] = [
    await upload(h, file, `The first text ${measured}.`),
    await upload(h, file, `The first text ${measured}.`),
    await upload(h, file, `The second text ${measured}.`),
  ];
  await h.settle();
  const { id } = created.json;
  const of = async (method: string, path: string, body?: object) => {
    const { status, headers, text } = await h.fetch(method, `/v1/sources/quiet/${path}`, { user: null, ...(body && { body }) });
    expect(status, text).toBeLessThan(300);
    return costIn(headers);
  };
  return {
    created: costIn(created.headers),
    unchanged: costIn(unchanged.headers),
    replaced: costIn(replaced.headers),
    compare: await of("POST", "files/compare", { files: [{ path: file.path, sha256: "0".repeat(64) }] }),
    get: await of("GET", `files/${id}`),
    list: await of("GET", "files?limit=1"),
    tree: await of("GET", `tree?path=folder-${measured}&limit=5`),
    deleted: await of("DELETE", `files/${id}`),
  };
}

describe("what documents cost", () => {
  it("is these round trips and rows", async () => {
    expect(await measure()).toEqual({
      created: { trips: 2, read: 15, written: 8 },
      unchanged: { trips: 2, read: 4, written: 0 },
      replaced: { trips: 2, read: 13, written: 5 },
      compare: { trips: 1, read: 3, written: 0 },
      get: { trips: 1, read: 3, written: 0 },
      list: { trips: 1, read: 3, written: 0 },
      tree: { trips: 1, read: 9, written: 0 },
      deleted: { trips: 2, read: 10, written: 5 },
    });
  });

  it("is the same however many files, sources and chunks there are", async () => {
    await makeSource(h, "loud");
    await rows(
      `insert into files (public_id, tenant_id, source_id, path, media_type, bytes, sha256, status, revision, read_revision, created_at, updated_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 500)
       select 'fil_' || so.id || '_' || i, so.tenant_id, so.id, 'many/' || i || '.md', 'text/plain', 5, 'x', 'ready', 1, 1, 5, 5
       from sources so, n where so.tenant_id = ?`,
      h.tenantId,
    );
    const before = await measure();
    await rows(
      `insert into files (public_id, tenant_id, source_id, path, media_type, bytes, sha256, status, revision, read_revision, created_at, updated_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 1500)
       select 'fil_more_' || so.id || '_' || i, so.tenant_id, so.id, 'many/more/' || i || '.md', 'text/plain', 5, 'x', 'ready', 1, 1, 5, 5
       from sources so, n where so.tenant_id = ?`,
      h.tenantId,
    );
    expect(await measure()).toEqual(before);
  });

  it("of reading a small file is one batch for any number of its chunks", async () => {
    const text = Array.from({ length: 400 }, (_, i) => `Sentence ${i} says something about the garden and its old gate.`).join(
      " ",
    );
    await upload(h, { sourceId: "quiet", path: "long.md" }, text);
    batches.length = 0;
    await h.settle();
    const [{ n } = { n: 0 }] = await rows<{ n: number }>(
      "select count(*) as n from chunks where file_id = (select id from files where tenant_id = ? and path = 'long.md')",
      h.tenantId,
    );
    expect(n).toBeGreaterThan(10);
    // A row, three of its indexes and its words for each; the file, the job that reads it, and the one that embeds, with its places.
    expect(batches).toContainEqual({ statements: 6, written: 5 * n + 5 });
    expect(batches).toHaveLength(5);
  });
});
