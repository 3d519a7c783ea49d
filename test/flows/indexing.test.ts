import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import type { Caller, Services } from "#context";
import { runBatch } from "#db/client";
import { integer, json, row } from "#db/row";
import {
  type CheckResult,
  checkRows,
  checkVectors,
  checkWords,
  type Indexable,
  indexRows,
  prepareIndexRepairs,
  reembed,
  removeVectors,
} from "#domain/indexing";
import { extraction } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { rows } from "./requests.ts";

const FOUND = row({
  id: integer(sql`doc.id`),
  space: integer(sql`doc.space_id`),
  state: integer(sql`doc.version`),
  pages: json<string[]>(sql`doc.pages`),
});

/** A kind that is in no domain: documents, whose pages are the passages. */
const DOCUMENTS: Indexable = {
  kind: "document",
  prefix: "doc",
  table: "documents",
  alias: "doc",
  row: {
    columns: FOUND.columns,
    decode: (values) => {
      const { pages, ...document } = FOUND.decode(values);
      return { ...document, passages: pages.map((text) => ({ text, words: () => text, at: 0, tags: { type: "page" } })) };
    },
  },
  state: sql`doc.version`,
  space: sql`doc.space_id`,
  changedAt: sql`doc.updated_at`,
  places: {
    table: "users",
    list: (tenantId, { at, after, isDone }, limit) => sql`
      select 0 as stage, u.id as at, u.space_id as space, iif(u.id = ${at}, ${after}, 0) as after from users u
      where u.tenant_id = ${tenantId} and u.id ${isDone ? sql`>` : sql`>=`} ${at} order by u.id limit ${limit}`,
  },
  rows: { join: sql`documents doc on doc.space_id = w.space and doc.id > w.after`, aStep: 2 },
  words: { table: "document_fts", space: sql`'s' || doc.space_id`, stray: "words.document" },
  passages: {
    count: sql`json_array_length(doc.pages)`,
    owns: (page) => sql`(${page} >= doc.id and ${page} < doc.id + json_array_length(doc.pages))`,
    words: {
      join: sql`document_fts f on f.document_fts match 'space : "s' || w.space || '"' and f.rowid > w.after
        left join documents doc on f.rowid >= doc.id and f.rowid < doc.id + json_array_length(doc.pages)`,
      id: sql`f.rowid`,
    },
  },
  jobs: { index: "documents.index", reembed: "documents.reembed", remove: "documents.remove" },
  payloads: (documents) => documents.map(({ id, span }) => ({ from: id, chunks: span })),
  counts: { reindex: "documentsReindexed", removeWords: "pagesRemoved", embed: "documentsToEmbed" },
};

let h: Harness;
let ctx: Services & Caller;
let space: number;

beforeEach(async () => {
  h = await createHarness();
  ctx = { ...h.services(), ...extraction(h) };
  await rows("drop table if exists documents");
  await rows("drop table if exists document_fts");
  await rows(`create table documents (id integer primary key, public_id text, tenant_id integer, space_id integer, pages text,
    version integer default 1, vector_model text, updated_at integer default 5)`);
  await rows(
    "create virtual table document_fts using fts5 (space, text, content = '', contentless_delete = 1, detail = 'column')",
  );
  await h.fetch("PUT", "/v1/users/ann", { body: {} });
  const [user] = await rows<{ space: number }>("select space_id as space from users where tenant_id = ?", h.tenantId);
  space = user?.space ?? 0;
  for (const id of [1_000, 2_000, 3_000])
    await rows(
      "insert into documents (id, public_id, tenant_id, space_id, pages) values (?, ?, ?, ?, ?)",
      id,
      `doc_${id}`,
      h.tenantId,
      space,
      JSON.stringify([`page one of ${id}`, `page two of ${id}`]),
    );
});

const run = { deadline: Number.MAX_SAFE_INTEGER };
const job = (kind: string, payload: object) => [{ tenantId: h.tenantId, id: "job_1", kind, payload, attempts: 1, result: null }];
const stamps = () => rows("select vector_model is not null as done from documents order by id");
const vectorIds = async () => ((await ctx.vectors.list?.(h.tenantId, space, { after: null, limit: 100 }))?.ids ?? []).toSorted();

async function checkAll(): Promise<CheckResult["findings"]> {
  const findings: CheckResult["findings"] = [];
  const places = { places: DOCUMENTS.places, indexables: [DOCUMENTS], invariant: "vector.row" };
  for (const check of [
    (cursor: string) => checkRows(ctx, DOCUMENTS, { cursor, limit: 100 }, { asksIndex: true }),
    (cursor: string) => checkWords(ctx, DOCUMENTS, { cursor, limit: 100 }),
    (cursor: string) => checkVectors(ctx, places, { cursor, limit: 100 }),
  ])
    for (let cursor: string | null = ""; cursor !== null; ) {
      const step: CheckResult = await check(cursor);
      findings.push(...step.findings);
      cursor = step.next;
    }
  return findings;
}

const broken = (findings: CheckResult["findings"]) => findings.map(({ invariant, example }) => [invariant, example]);

async function repairAll(): Promise<Record<string, number>> {
  const repairs = (await checkAll()).flatMap(({ repair }) => repair ?? []);
  const prepared = await prepareIndexRepairs(ctx, repairs);
  for (const { outside } of prepared) await outside?.();
  await runBatch(
    ctx,
    prepared.flatMap(({ statements }) => statements),
  );
  return Object.assign({}, ...prepared.map(({ counts }) => counts));
}

it("a new kind is embedded, checked and repaired by one Indexable", async () => {
  await indexRows(ctx, DOCUMENTS, job("documents.index", { from: 1_000, chunks: 2 }), run);
  expect([await stamps(), await vectorIds()]).toEqual([
    [{ done: 1 }, { done: 0 }, { done: 0 }],
    ["doc:1000", "doc:1001"],
  ]);
  expect(broken(await checkAll())).toEqual([
    ["document.words", "doc_1000"],
    ["document.words", "doc_2000"],
    ["document.vectors", "doc_2000"],
    ["document.words", "doc_3000"],
    ["document.vectors", "doc_3000"],
  ]);
  expect(await repairAll()).toEqual({ documentsReindexed: 3, documentsToEmbed: 2 });
  const made = await rows<{ payload: string }>("select payload from jobs where kind = 'documents.index'");
  for (const { payload } of made) await indexRows(ctx, DOCUMENTS, job("documents.index", JSON.parse(payload)), run);
  expect([await checkAll(), (await vectorIds()).length]).toEqual([[], 6]);
});

it("what its rows left behind is found and removed", async () => {
  await repairAll();
  await reembed(ctx, DOCUMENTS, job("documents.reembed", {}), run);
  const [next] = await rows<{ payload: string }>("select payload from jobs where kind = 'documents.reembed'");
  await reembed(ctx, DOCUMENTS, job("documents.reembed", JSON.parse(next?.payload ?? "")), run);
  expect([await checkAll(), (await vectorIds()).length]).toEqual([[], 6]);
  await rows("delete from documents where id = 2000");
  await removeVectors(ctx, DOCUMENTS, job("documents.remove", { from: 2_000, chunks: 1, space }));
  expect(broken(await checkAll())).toEqual([
    ["words.document", null],
    ["words.document", null],
    ["vector.row", null],
  ]);
  expect(await repairAll()).toEqual({ pagesRemoved: 2, vectorsRemoved: 1 });
  expect([await checkAll(), (await vectorIds()).length]).toEqual([[], 4]);
});

it("a row that changes while it is embedded is embedded again", async () => {
  const { embedder } = ctx;
  const embed: typeof embedder.embed = async (texts, purpose) => {
    await rows("update documents set version = 2, pages = '[\"a page that is new\"]' where id = 1000");
    return await embedder.embed(texts, purpose);
  };
  await indexRows(
    { ...ctx, embedder: { ...embedder, embed } },
    DOCUMENTS,
    job("documents.index", { from: 1_000, chunks: 2 }),
    run,
  );
  expect([
    await stamps(),
    await rows("select payload from jobs where kind = 'documents.index' and tenant_id = ?", h.tenantId),
  ]).toEqual([[{ done: 0 }, { done: 0 }, { done: 0 }], [{ payload: '{"from":1000,"chunks":2}' }]]);
});
