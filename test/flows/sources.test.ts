import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import type { FileView, SourceDetailView, SourceView, TreeEntry, UploadedManyView } from "#domain/sources";
import { chunksOf, fileOf, makeSource, upload, uploadsOf } from "#test/document-requests";
import { makeProject } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { jobsOf, nth, type Page, type Problem, rows } from "./requests.ts";

const NOTES = "# Trains\n\nThe sleeper to Lisbon leaves at nine.\n\n# Boats\n\nThe ferry to Tangier is slow.\n";

let replaced: Partial<Services> = {};
let h: Harness;
beforeEach(async () => {
  replaced = {};
  h = await createHarness({ replace: () => ({ log: () => undefined, ...replaced }) });
  await makeProject(h, "garden", "ann", ["bob"]);
});

const library = { sourceId: "handbook", path: "travel/notes.md" };

describe("a source", () => {
  it("is made, renamed and listed in its project, and never moves", async () => {
    const made = await makeSource(h, "plans", { userId: "ann", projectId: "garden", name: "Plans" });
    expect([made.status, made.json]).toEqual([201, expect.objectContaining({ id: "plans", projectId: "garden", name: "Plans" })]);
    const renamed = await makeSource(h, "plans", { userId: "ann", name: "Plans of the garden" });
    expect([renamed.status, renamed.json.name]).toEqual([200, "Plans of the garden"]);
    await makeProject(h, "kitchen", "ann");
    expect((await makeSource(h, "plans", { userId: "ann", projectId: "kitchen" })).status).toBe(409);
    const listed = await h.fetch<Page<SourceView>>("GET", "/v1/sources?userId=bob&projectId=garden");
    expect(listed.json.items.map(({ id }) => id)).toEqual(["plans"]);
    expect((await h.fetch<Page<SourceView>>("GET", "/v1/sources?userId=bob")).json.items).toEqual([]);
    const audit = await rows<{ action: string; detail: string }>(
      "select action, detail from audit where tenant_id = ? and action like 'source.%' order by seq",
      h.tenantId,
    );
    expect(audit).toEqual([
      { action: "source.created", detail: "{}" },
      { action: "source.renamed", detail: "{}" },
    ]);
  });

  it("of the library is a server key's to write, and everybody's to read", async () => {
    const key = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "ann's", userId: "ann" } })).json.key;
    expect((await h.fetch("PUT", "/v1/sources/handbook", { body: {}, user: null, key })).status).toBe(403);
    expect((await makeSource(h, "handbook")).status).toBe(201);
    expect((await upload(h, library, NOTES, { key })).status).toBe(403);
    expect((await upload(h, library, NOTES)).status).toBe(201);
    const seen = await h.fetch<SourceDetailView>("GET", "/v1/sources/handbook", { key, user: null });
    expect(seen.json.statistics.files).toMatchObject({ waiting: 1 });
    expect((await h.fetch<Page<SourceView>>("GET", "/v1/sources", { key, user: null })).json.items).toHaveLength(1);
  });

  it("of a project is its owner's to write, its members' to read, and nothing to others", async () => {
    await makeSource(h, "plans", { userId: "ann", projectId: "garden" });
    const file = { sourceId: "plans", path: "a.md" };
    expect((await upload(h, { ...file, userId: "ann" }, NOTES)).status).toBe(201);
    expect((await upload(h, { ...file, userId: "bob" }, NOTES)).status).toBe(403);
    expect((await upload(h, { ...file, userId: "eve" }, NOTES)).status).toBe(404);
    expect((await upload<Problem>(h, file, NOTES)).json).toMatchObject({ code: "invalid_input", fields: [{ path: "userId" }] });
    const list = async (user: string) => (await h.fetch("GET", `/v1/sources/plans/files?userId=${user}`)).status;
    expect([await list("ann"), await list("bob"), await list("eve")]).toEqual([200, 200, 404]);
    await h.fetch("DELETE", "/v1/projects/garden/members/bob?userId=ann");
    expect(await list("bob")).toBe(404);
    expect((await uploadsOf(h)).length).toBe(1);
  });

  it("keeps a name that a member of another project made: the same answer as for one that does not exist", async () => {
    await makeSource(h, "plans", { userId: "ann", projectId: "garden" });
    expect((await makeSource(h, "plans", { userId: "eve" })).status).toBe(404);
    expect((await makeSource(h, "mine", { userId: "eve", projectId: "garden" })).status).toBe(404);
    expect((await makeSource(h, "mine", { userId: "bob", projectId: "garden" })).status).toBe(403);
  });
});

describe("an upload", () => {
  beforeEach(async () => {
    await makeSource(h, "handbook");
  });

  it("is stored, read by a job into chunks in both indexes, and its bytes are deleted then", async () => {
    const made = await upload(h, library, NOTES, { headers: { "content-type": "text/markdown; charset=utf-8" } });
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({ outcome: "created", status: "waiting", searchable: false, mediaType: "text/markdown" }),
    ]);
    expect(made.json.sha256).toBe(await hex(NOTES));
    expect(await uploadsOf(h)).toHaveLength(1);
    await h.settle();
    expect(await uploadsOf(h)).toEqual([]);
    const file = await fileOf(h, "handbook", made.json.id);
    expect(file).toMatchObject({ status: "ready", searchable: true, title: "Trains", error: null, path: "travel/notes.md" });
    const chunks = await chunksOf(file.id);
    expect(chunks.length).toBe(file.chunks);
    expect(chunks.every(({ words, model }) => words === 1 && model !== null)).toBe(true);
    expect(chunks.map(({ text }) => text).join("\n")).toContain("The ferry to Tangier is slow.");
    const spaces = await rows<{ space: number }>("select distinct space_id as space from chunks where tenant_id = ?", h.tenantId);
    const { space } = nth(spaces, 0);
    expect(
      await h.services().vectors.stored(
        h.tenantId,
        chunks.map(({ id }) => ({ id: `chk:${id}`, space })),
      ),
    ).toHaveLength(chunks.length);
    const jobs = await jobsOf(h);
    expect(jobs.find(({ kind }) => kind === "files.read")?.result).toEqual({ outcome: "ready", chunks: chunks.length });
  });

  it("of the same content changes nothing, and of another one replaces what is shown once it is read", async () => {
    const made = await upload(h, library, NOTES);
    await h.settle();
    const before = await chunksOf(made.json.id);
    const audit = async () => await rows("select action from audit where tenant_id = ?", h.tenantId);
    const [jobs, changes] = [await jobsOf(h), await audit()];
    const same = await upload(h, library, NOTES);
    expect([same.status, same.json.outcome, same.json.id]).toEqual([200, "unchanged", made.json.id]);
    expect([await jobsOf(h), await audit(), await uploadsOf(h)]).toEqual([jobs, changes, []]);
    const other = await upload(h, library, "# Planes\n\nNo flights on Sunday.\n");
    expect([other.status, other.json.outcome, other.json.id]).toEqual([200, "replaced", made.json.id]);
    expect(other.json).toMatchObject({ status: "waiting", searchable: true, title: "Trains" });
    expect(await chunksOf(made.json.id)).toEqual(before);
    await h.settle();
    const after = await chunksOf(made.json.id);
    expect(after.map(({ revision }) => revision)).toEqual(after.map(() => 2));
    expect(after.map(({ text }) => text).join()).toContain("Sunday");
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "ready", title: "Planes" });
    expect(await strays(before.map(({ id }) => id))).toBe(0);
  });

  it("that cannot be read fails with the reason, and what was read before stays", async () => {
    const made = await upload(h, library, NOTES);
    await h.settle();
    const before = await chunksOf(made.json.id);
    await upload(h, library, new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]));
    await h.settle();
    const failed = await fileOf(h, "handbook", made.json.id);
    expect(failed).toMatchObject({ status: "failed", searchable: true, error: expect.stringContaining("PNG") });
    expect(await chunksOf(made.json.id)).toEqual(before);
    expect((await jobsOf(h)).find(({ kind }) => kind === "files.read")?.result).toMatchObject({ outcome: "failed" });
    // Kept, so that a later release can read it.
    expect(await uploadsOf(h)).toHaveLength(1);
    const again = await h.fetch<FileView>("POST", `/v1/sources/handbook/files/${made.json.id}/read`, { body: {}, user: null });
    expect([again.status, again.json.status]).toEqual([200, "waiting"]);
    await h.settle();
    expect((await fileOf(h, "handbook", made.json.id)).status).toBe("failed");
    await upload(h, library, "Read at last.");
    await h.settle();
    expect(await fileOf(h, "handbook", made.json.id)).toMatchObject({ status: "ready", error: null });
    const ready = await h.fetch<Problem>("POST", `/v1/sources/handbook/files/${made.json.id}/read`, { body: {}, user: null });
    expect(ready.json).toMatchObject({ code: "conflict", detail: expect.stringContaining("upload it again") });
  });

  it("stores no secret: neither in a chunk, nor in a title", async () => {
    const key = "AKIAIOSFODNN7EXAMPLQ";
    const secret = "The password is hunter2secret!";
    const made = await upload(h, library, `# ${secret}\n\n${secret}\n\naws_secret_access_key = ${key}\n`);
    await h.settle();
    const { title } = await fileOf(h, "handbook", made.json.id);
    const text = [title, ...(await chunksOf(made.json.id)).flatMap((chunk) => [chunk.text, chunk.headings])].join();
    expect(text).toContain("[redacted:");
    expect(text).not.toContain("hunter2secret");
  });

  it.each([
    ["../etc/passwd", "leaves the source"],
    ["/etc/passwd", "absolute"],
    ["a\\b", "backslash"],
    ["x".repeat(501), "500 characters"],
    ["a\u0000b", "control character"],
  ])("to %j is refused: 422", async (path, reason) => {
    const refused = await upload<Problem>(h, { sourceId: "handbook", path }, NOTES);
    expect([refused.status, refused.json.fields?.[0]?.path, refused.json.detail]).toEqual([
      422,
      "path",
      expect.stringContaining(reason),
    ]);
    expect(await uploadsOf(h)).toEqual([]);
  });

  it("needs the length of its body, some bytes, and no more than 25 MB", async () => {
    const put = async (length: string | undefined, body: Uint8Array | undefined) =>
      await h.fetch<Problem>("PUT", "/v1/sources/handbook/files?path=a.md", {
        ...{ body, user: null },
        headers: length === undefined ? {} : { "content-length": length },
      });
    expect((await put(undefined, new Uint8Array([65]))).json).toMatchObject({
      status: 400,
      fields: [{ path: "content-length" }],
    });
    expect((await put("0", undefined)).json).toMatchObject({ status: 422, fields: [{ path: "body" }] });
    expect((await put("26214401", new Uint8Array([65]))).json).toMatchObject({ status: 413, code: "payload_too_large" });
    expect((await put("5", new Uint8Array([65, 66]))).json).toMatchObject({ status: 400, code: "invalid_input" });
    expect(await uploadsOf(h)).toEqual([]);
    expect((await h.fetch<Page<FileView>>("GET", "/v1/sources/handbook/files")).json.items).toEqual([]);
  });
});

describe("texts in one request", () => {
  it("are stored, replaced or left, all or none", async () => {
    await makeSource(h, "handbook");
    const send = async (files: { path: string; content: string }[]) =>
      await h.fetch<UploadedManyView & Problem>("POST", "/v1/sources/handbook/files", { body: { files }, user: null });
    const made = await send([
      { path: "a.md", content: "# One\n\nfirst" },
      { path: "b/c.md", content: "second" },
    ]);
    expect(made.json.items.map(({ path, outcome }) => [path, outcome])).toEqual([
      ["a.md", "created"],
      ["b/c.md", "created"],
    ]);
    await h.settle();
    const again = await send([
      { path: "a.md", content: "# One\n\nfirst" },
      { path: "b/c.md", content: "changed" },
      { path: "d.md", content: "third" },
    ]);
    expect(again.json.items.map(({ outcome }) => outcome)).toEqual(["unchanged", "replaced", "created"]);
    await h.settle();
    const refused = await send([
      { path: "e.md", content: "fifth" },
      { path: "./e.md", content: "fifth too" },
    ]);
    expect(refused.json).toMatchObject({ status: 422, fields: [{ path: "files[1].path" }] });
    const { json } = await h.fetch<Page<FileView>>("GET", "/v1/sources/handbook/files?limit=2");
    expect(json.items.map(({ path, status }) => [path, status])).toEqual([
      ["a.md", "ready"],
      ["b/c.md", "ready"],
    ]);
    const next = await h.fetch<Page<FileView>>("GET", `/v1/sources/handbook/files?limit=2&cursor=${json.nextCursor}`);
    expect(next.json.items.map(({ path }) => path)).toEqual(["d.md"]);
  });
});

describe("what a source has", () => {
  beforeEach(async () => {
    await makeSource(h, "handbook");
    const files = ["guide0.md", "guide/a.md", "guide/deep/b.md", "guide/deep/c.md", "guide.md", "Ümlaut/ß.md", "zeta.md"].map(
      (path) => ({
        path,
        content: `The file ${path}.`,
      }),
    );
    await h.fetch("POST", "/v1/sources/handbook/files", { body: { files }, user: null });
  });

  const tree = async (query: string) => (await h.fetch<Page<TreeEntry>>("GET", `/v1/sources/handbook/tree?${query}`)).json;

  it("is compared by hash", async () => {
    const files = [
      { path: "./guide/a.md", sha256: await hex("The file guide/a.md.") },
      { path: "guide.md", sha256: await hex("other") },
      { path: "none.md", sha256: await hex("other") },
    ];
    const { json, text } = await h.fetch<{ items: unknown[] }>("POST", "/v1/sources/handbook/files/compare", {
      body: { files },
      user: null,
    });
    expect(json.items, text).toEqual([
      { path: "./guide/a.md", state: "same" },
      { path: "guide.md", state: "changed" },
      { path: "none.md", state: "missing" },
    ]);
  });

  it("is a tree, folder by folder, page by page", async () => {
    const names = ({ items }: Page<TreeEntry>) => items.map(({ kind, path, files }) => `${kind} ${path} ${files}`);
    const root = ["file guide.md 1", "folder guide 3", "file guide0.md 1", "file zeta.md 1", "folder Ümlaut 1"];
    expect(names(await tree(""))).toEqual(root);
    expect(names(await tree("path=guide"))).toEqual(["file guide/a.md 1", "folder guide/deep 2"]);
    expect(names(await tree("path=guide/deep/"))).toEqual(["file guide/deep/b.md 1", "file guide/deep/c.md 1"]);
    expect(names(await tree(`path=${encodeURIComponent("Ümlaut")}`))).toEqual(["file Ümlaut/ß.md 1"]);
    expect(names(await tree("path=none"))).toEqual([]);
    const paged: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Page<TreeEntry> = await tree(`limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      paged.push(...names(page));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(root);
  });

  it("is deleted file by file: row and bytes at once, chunks and words by a job", async () => {
    await h.settle();
    const { items } = (await h.fetch<Page<FileView>>("GET", "/v1/sources/handbook/files?limit=1")).json;
    const [file] = items;
    const id = file?.id ?? "";
    const chunks = await chunksOf(id);
    expect(chunks.length).toBeGreaterThan(0);
    expect((await h.fetch("DELETE", `/v1/sources/handbook/files/${id}`, { user: null })).status).toBe(204);
    expect((await h.fetch("GET", `/v1/sources/handbook/files/${id}`)).status).toBe(404);
    expect((await h.fetch("DELETE", `/v1/sources/handbook/files/${id}`, { user: null })).status).toBe(404);
    await h.settle();
    expect(await strays(chunks.map((chunk) => chunk.id))).toBe(0);
    const audit = await rows<{ detail: string }>(
      "select detail from audit where tenant_id = ? and action = 'file.removed'",
      h.tenantId,
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]?.detail).not.toContain("guide");
  });

  it("is deleted before it was read: the job reads nothing, and the bytes are gone", async () => {
    const { items } = (await h.fetch<Page<FileView>>("GET", "/v1/sources/handbook/files?limit=100")).json;
    for (const { id } of items) await h.fetch("DELETE", `/v1/sources/handbook/files/${id}`, { user: null });
    expect(await uploadsOf(h)).toEqual([]);
    await h.settle();
    expect(await rows("select id from chunks where tenant_id = ?", h.tenantId)).toEqual([]);
  });
});

/** How many of these chunks are left as rows or words. */
async function strays(ids: readonly number[]): Promise<number> {
  const list = ids.join(",");
  const [left] = await rows<{ n: number }>(
    `select (select count(*) from chunks where id in (${list})) + (select count(*) from chunk_fts_docsize where id in (${list})) as n`,
  );
  return left?.n ?? -1;
}

async function hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
