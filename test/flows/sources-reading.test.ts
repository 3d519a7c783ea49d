import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { MAX_ATTEMPTS } from "#domain/jobs";
import { work } from "#domain/lifecycle";
import type { FileView } from "#domain/sources";
import { chunksOf, fileOf, makeSource, upload, uploadsOf } from "#test/document-requests";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches, createInterruption } from "#test/interruption";
import { pdfFile } from "#test/pdf-file";
import { jobsOf, nth, rows } from "./requests.ts";

let replace: (composed: Services) => Partial<Services> = () => ({});
let h: Harness;
beforeEach(async () => {
  replace = () => ({});
  h = await createHarness({ replace: (composed) => ({ log: () => undefined, ...replace(composed) }) });
  await makeSource(h, "handbook");
});

const file = { sourceId: "handbook", path: "book.pdf" };

/** A page of about 300 words, which are two chunks. */
const page = (number: number) =>
  Array.from({ length: 30 }, (_, i) => `Line ${i} of page ${number} says something about the garden and its gate.`).join("\n");

/** Three slices of pages, each more chunks than one part has. */
const book = pdfFile(
  Array.from({ length: 230 }, (_, i) => page(i + 1)),
  { title: "The book" },
);

const contentOf = async (id: string) =>
  (await chunksOf(id)).map(({ revision: _r, id: _i, model, ...chunk }) => ({ ...chunk, embedded: model !== null }));

/** Runs the tenant's jobs once, whatever becomes of them. */
async function runOnce() {
  const due = await rows<{ jobId: string }>("select id as jobId from jobs where tenant_id = ? and status <> 'done'", h.tenantId);
  return await work(
    h.services(),
    due.map(({ jobId }) => ({ tenantId: h.tenantId, jobId })),
  );
}

/** Lets jobs run now that were written by a clock that is ahead, or whose consumer died. */
async function makeDue(): Promise<void> {
  await rows(
    "update jobs set status = 'pending', error = null, due_at = 0, lease_token = null where tenant_id = ? and status <> 'done'",
    h.tenantId,
  );
}

async function readWhole() {
  const whole = await upload(h, { ...file, path: "whole.pdf" }, book);
  await h.settle();
  const content = await contentOf(whole.json.id);
  expect(content.length).toBeGreaterThan(400);
  return content;
}

describe("reading a long file", () => {
  it("takes several runs if each has little time, and comes to the same chunks as one run", async () => {
    const whole = await readWhole();
    let clock = Date.now();
    // Each batch takes half of the time that a run has: one takes the lease, one stores a part.
    replace = ({ db }) => ({
      now: () => clock,
      db: aroundBatches(db, async (run) => {
        clock += 31_000;
        return await run();
      }),
    });
    const made = await upload(h, file, book);
    const runs: unknown[] = [];
    for (let i = 0; i < 100 && (await fileOf(h, "handbook", made.json.id)).status !== "ready"; i += 1) {
      await runOnce();
      runs.push((await jobsOf(h)).find(({ kind, status }) => kind === "files.read" && status === "pending")?.result);
    }
    expect(runs.length).toBeGreaterThan(4);
    expect(runs).toContainEqual({ outcome: "reading", pages: { done: 100, of: 230 }, chunks: expect.any(Number) });
    replace = () => ({});
    await makeDue();
    await h.settle();
    expect(await contentOf(made.json.id)).toEqual(whole);
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ pages: 230, title: "The book", chunks: whole.length });
    expect(await uploadsOf(h)).toEqual([]);
  });

  it.each([2, 3, 4, 5])("continues after a crash before batch %i, and comes to the same chunks", async (nth) => {
    const whole = await readWhole();
    const made = await upload(h, file, book);
    let batches = 0;
    replace = ({ db }) => ({
      db: aroundBatches(db, async (run) => {
        batches += 1;
        if (batches >= nth) throw new Error("The consumer died.");
        return await run();
      }),
    });
    await runOnce();
    replace = () => ({});
    expect((await fileOf(h, "handbook", made.json.id)).status).toBe(nth > 2 ? "reading" : "waiting");
    await makeDue();
    await h.settle();
    expect(await contentOf(made.json.id)).toEqual(whole);
  });
});

describe("a job that reads", () => {
  const text = { sourceId: "handbook", path: "notes.md" };

  it("that runs again when it is done changes nothing", async () => {
    const made = await upload(h, text, "# First\n\nwords");
    await h.settle();
    const before = [await chunksOf(made.json.id), await fileOf(h, "handbook", made.json.id)];
    await rows("update jobs set status = 'pending', due_at = 0 where tenant_id = ? and kind = 'files.read'", h.tenantId);
    await h.settle();
    expect([await chunksOf(made.json.id), await fileOf(h, "handbook", made.json.id)]).toEqual(before);
  });

  it("for an upload that was replaced meanwhile stores nothing of it", async () => {
    const interruption = createInterruption();
    replace = ({ db }) => ({ db: interruption.in(db) });
    const made = await upload(h, text, "# First\n\nolder words");
    interruption.beforeBatch(2, () => upload(h, text, "# Second\n\nnewer words"));
    await runOnce();
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "waiting", searchable: false });
    expect(await chunksOf(made.json.id)).toEqual([]);
    await h.settle();
    expect(interruption.isPending()).toBe(false);
    const chunks = await chunksOf(made.json.id);
    expect(chunks.map(({ revision, text: words }) => [revision, words.includes("newer")])).toEqual([[2, true]]);
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "ready", title: "Second" });
    expect(await uploadsOf(h)).toEqual([]);
  });

  it("of a file that is deleted meanwhile stores nothing", async () => {
    const interruption = createInterruption();
    replace = ({ db }) => ({ db: interruption.in(db) });
    const made = await upload(h, text, "# First\n\nwords");
    interruption.beforeBatch(2, () => h.fetch("DELETE", `/v1/sources/handbook/files/${made.json.id}`, { user: null }));
    await h.settle();
    expect(interruption.isPending()).toBe(false);
    expect(await rows("select id from chunks where tenant_id = ?", h.tenantId)).toEqual([]);
    expect(await uploadsOf(h)).toEqual([]);
  });

  it("fails a file whose upload is gone, and leaves what was read before", async () => {
    const made = await upload(h, text, "# First\n\nwords");
    await h.settle();
    await upload(h, text, "# Second\n\nwords");
    await h.services().files.remove(await uploadsOf(h));
    await h.settle();
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "failed", searchable: true });
    expect((await chunksOf(made.json.id)).map(({ revision }) => revision)).toEqual([1]);
  });

  it("removes the chunks of a file that fails in its middle", async () => {
    const made = await upload(h, text, "# First\n\nwords");
    await h.settle();
    await upload(h, text, book);
    // The bytes vanish between two runs.
    let clock = Date.now();
    replace = ({ db }) => ({
      now: () => clock,
      db: aroundBatches(db, async (run) => {
        clock += 31_000;
        return await run();
      }),
    });
    await runOnce();
    replace = () => ({});
    expect((await chunksOf(made.json.id)).length).toBeGreaterThan(1);
    await h.services().files.remove(await uploadsOf(h));
    await makeDue();
    await h.settle();
    expect((await chunksOf(made.json.id)).map(({ revision }) => revision)).toEqual([1]);
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "failed", searchable: true });
  });
});

describe("a file that fails", () => {
  const text = { sourceId: "handbook", path: "notes.md" };

  it("is one whose parts together are beyond what is read", async () => {
    const made = await upload(h, text, "# First\n\nwords");
    await rows("update jobs set payload = json_set(payload, '$.offset', 4999999) where tenant_id = ?", h.tenantId);
    await h.settle();
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("5,000,000 characters"),
    });
  });

  it("is read again from the bytes that have its hash, not from those of an upload that was broken off", async () => {
    const made = await upload(h, text, "\u0000\u0001\u0002broken");
    await h.settle();
    const [key = ""] = await uploadsOf(h);
    const folder = key.slice(0, key.lastIndexOf("/") + 1);
    await h.services().files.put(`${folder}job_0`, new Uint8Array([65]), 1);
    await h.fetch("POST", `/v1/sources/handbook/files/${made.json.id}/read`, { body: {}, user: null });
    const [job] = await rows<{ upload: string }>(
      "select payload ->> 'upload' as upload from jobs where tenant_id = ? and kind = 'files.read' and status = 'pending'",
      h.tenantId,
    );
    expect(`${folder}${job?.upload}`).toBe(key);
  });

  it("says nothing of a newer upload", async () => {
    const interruption = createInterruption();
    replace = ({ db }) => ({ db: interruption.in(db) });
    const made = await upload(h, text, "\u0000\u0001\u0002broken");
    interruption.beforeBatch(2, () => upload(h, text, "# Second\n\nwords"));
    await runOnce();
    expect(interruption.isPending()).toBe(false);
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "waiting", error: null });
    await h.settle();
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "ready" });
  });
});

describe("two uploads to one path at once", () => {
  const text = { sourceId: "handbook", path: "notes.md" };

  it.each([
    ["a new file", false],
    ["a file that is there", true],
  ])("of %s: the later one replaces the earlier, and no bytes are left", async (_, isThere) => {
    if (isThere) await upload(h, text, "before");
    await h.settle();
    const interruption = createInterruption();
    replace = ({ db }) => ({ db: interruption.in(db) });
    const other: { outcome?: string; id?: string } = {};
    interruption.beforeBatch(2, async () => Object.assign(other, (await upload(h, text, "the earlier one")).json));
    const made = await upload(h, text, "the later one");
    expect(interruption.isPending()).toBe(false);
    expect([other.outcome, made.json.outcome]).toEqual([isThere ? "replaced" : "created", "replaced"]);
    expect(made.json.id).toBe(other.id);
    expect(await uploadsOf(h)).toHaveLength(2);
    expect(await rows("select revision from files where tenant_id = ?", h.tenantId)).toEqual([{ revision: isThere ? 3 : 2 }]);
    await h.settle();
    expect((await chunksOf(made.json.id)).map((chunk) => chunk.text)).toEqual(["the later one"]);
    expect(await uploadsOf(h)).toEqual([]);
    expect(nth(await rows<{ n: number }>("select count(*) as n from files where tenant_id = ?", h.tenantId), 0).n).toBe(1);
  });

  it("of the same content: the later one changes nothing", async () => {
    const interruption = createInterruption();
    replace = ({ db }) => ({ db: interruption.in(db) });
    interruption.beforeBatch(2, () => upload(h, text, "the same"));
    const made = await upload(h, text, "the same");
    expect(made.json.outcome).toBe("unchanged");
    expect(await uploadsOf(h)).toHaveLength(1);
    await h.settle();
    expect(await uploadsOf(h)).toEqual([]);
  });

  it("into a source that is deleted meanwhile is refused, and leaves no bytes", async () => {
    const interruption = createInterruption();
    replace = ({ db }) => ({ db: interruption.in(db) });
    interruption.beforeBatch(2, () => rows("delete from sources where tenant_id = ?", h.tenantId));
    expect((await upload(h, text, "too late")).status).toBe(404);
    expect(await uploadsOf(h)).toEqual([]);
    expect(await rows("select id from files where tenant_id = ?", h.tenantId)).toEqual([]);
  });
});

it("a file has the media type of what it was read as, unless the uploader said one", async () => {
  const files = {
    "a.pdf": pdfFile(["A page."]),
    "b.md": "# Title\n\nText",
    "c.txt": "<!doctype html><p>Text",
    "d.csv": "a,b\n1,2",
  };
  for (const [path, content] of Object.entries(files)) await upload(h, { ...file, path }, content);
  await upload(h, { ...file, path: "e" }, "Text", { headers: { "content-type": "text/x-odd" } });
  await h.settle();
  const { json } = await h.fetch<{ items: FileView[] }>("GET", "/v1/sources/handbook/files");
  expect(json.items.map(({ path, mediaType }) => `${path} ${mediaType}`)).toEqual([
    "a.pdf application/pdf",
    "b.md text/markdown",
    "c.txt text/html",
    "d.csv text/csv",
    "e text/x-odd",
  ]);
});

describe("a file whose job fails for good", () => {
  const unreadable = () => {
    replace = ({ files }) => ({ files: { ...files, get: () => Promise.reject(new Error("the store")) } });
  };
  const lastTry = async () => {
    await rows("update jobs set attempts = ?, due_at = 0 where tenant_id = ? and status <> 'done'", MAX_ATTEMPTS - 1, h.tenantId);
    return (await runOnce()).map(({ status }) => status);
  };
  const shown = async (id: string) => {
    const { status, error } = await fileOf(h, "handbook", id);
    return { status, error };
  };
  const FAILED = { status: "failed", error: expect.stringContaining("It is kept as it was uploaded") };

  it("is failed with a reason, not before, and is read when its job is run again", async () => {
    const { json } = await upload(h, file, book);
    unreadable();
    expect((await runOnce()).map(({ status }) => status)).toEqual(["pending"]);
    expect(await shown(json.id)).toEqual({ status: "waiting", error: null });
    expect(await lastTry()).toEqual(["failed"]);
    expect(await shown(json.id)).toEqual(FAILED);
    replace = () => ({});
    const [job] = await rows<{ id: string }>("select id from jobs where tenant_id = ? and status = 'failed'", h.tenantId);
    expect((await h.fetch("POST", `/v1/jobs/${job?.id}/rerun`)).status).toBe(200);
    await h.settle();
    expect(await shown(json.id)).toEqual({ status: "ready", error: null });
    expect(await uploadsOf(h)).toEqual([]);
  });

  it("is failed too if its consumer died each time, and can be read again by its own address", async () => {
    const { json } = await upload(h, file, book);
    await rows(
      "update jobs set status = 'running', attempts = ?, due_at = 0, lease_token = 'dead' where tenant_id = ?",
      MAX_ATTEMPTS,
      h.tenantId,
    );
    expect(await runOnce()).toEqual([]);
    expect(await shown(json.id)).toEqual(FAILED);
    await rows("delete from jobs where tenant_id = ?", h.tenantId);
    expect((await h.fetch("POST", `/v1/sources/handbook/files/${json.id}/read`)).status).toBe(200);
    await h.settle();
    expect(await shown(json.id)).toEqual({ status: "ready", error: null });
  });

  it("is left alone if a newer upload has taken its place", async () => {
    await upload(h, file, book);
    const [old] = await rows<{ id: string }>("select id from jobs where tenant_id = ?", h.tenantId);
    const { json } = await upload(h, file, "Not a PDF, but of a kind that is read.");
    await rows("delete from jobs where tenant_id = ? and id <> ?", h.tenantId, old?.id ?? "");
    await rows("update files set path = 'book.txt' where public_id = ?", json.id);
    replace = ({ files }) => ({ files: { ...files, remove: () => Promise.reject(new Error("the store")) } });
    expect(await lastTry()).toEqual(["failed"]);
    expect(await shown(json.id)).toEqual({ status: "waiting", error: null });
  });
});
