import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import type { FileView } from "#domain/sources";
import { chunksOf, fileOf, makeSource, upload, uploadsOf } from "#test/document-requests";
import { createHarness, type Harness } from "#test/harness";
import { download, emptyDatabase, importLines } from "./export-rows.ts";
import type { Page } from "./requests.ts";

const OLD = "# Old\n\nThe sleeper to Lisbon leaves at nine.\n";
const NEW = "# New\n\nThe ferry to Tangier is slow.\n";
const FILE = { sourceId: "handbook", path: "a.md" };

let whileStoring: (() => Promise<unknown>) | null = null;
let h: Harness;
beforeEach(async () => {
  whileStoring = null;
  h = await createHarness({ replace: ({ files }) => ({ log: () => undefined, files: pausing(files) }) });
  await makeSource(h, "handbook");
});

/** Does something once, before the bytes of the next upload are stored: they may take minutes to come. */
function pausing(files: Services["files"]): Services["files"] {
  return {
    ...files,
    put: async (key, body, bytes) => {
      const meanwhile = whileStoring;
      whileStoring = null;
      await meanwhile?.();
      await files.put(key, body, bytes);
    },
  };
}

const filesOf = async () => (await h.fetch<Page<FileView>>("GET", "/v1/sources/handbook/files")).json.items;

describe("an upload of what the file held when it began", () => {
  it("replaces what was stored meanwhile, since it is stored later", async () => {
    const made = await upload(h, FILE, OLD);
    await h.settle();
    whileStoring = () => upload(h, FILE, NEW);
    const late = await upload(h, FILE, OLD);
    expect(late.json).toMatchObject({ id: made.json.id, outcome: "replaced", sha256: made.json.sha256 });
    await h.settle();
    expect((await chunksOf(made.json.id)).map(({ text }) => text).join()).toContain("Lisbon");
    expect(await uploadsOf(h)).toEqual([]);
  });

  it("makes the file anew, under another id, if it was deleted meanwhile", async () => {
    const made = await upload(h, FILE, OLD);
    await h.settle();
    whileStoring = () => h.fetch("DELETE", `/v1/sources/handbook/files/${made.json.id}`, { user: null });
    const late = await upload(h, FILE, OLD);
    expect([late.status, late.json.outcome]).toEqual([201, "created"]);
    expect(late.json.id).not.toBe(made.json.id);
    await h.settle();
    expect((await filesOf()).map(({ id, status }) => [id, status])).toEqual([[late.json.id, "ready"]]);
  });
});

describe("texts of which one was changed meanwhile", () => {
  it("are stored as they are sent, the unchanged one too", async () => {
    const made = await upload(h, FILE, OLD);
    await h.settle();
    whileStoring = () => upload(h, FILE, NEW);
    const files = [
      { path: FILE.path, content: OLD },
      { path: "b.md", content: "Something else." },
    ];
    const { json } = await h.fetch<{ items: { outcome: string }[] }>("POST", "/v1/sources/handbook/files", {
      body: { files },
      user: null,
    });
    expect(json.items.map(({ outcome }) => outcome)).toEqual(["replaced", "created"]);
    await h.settle();
    expect((await chunksOf(made.json.id)).map(({ text }) => text).join()).toContain("Lisbon");
    expect(await uploadsOf(h)).toEqual([]);
  });
});

describe("a file that could not be read", () => {
  it("is read anew when the same content comes again", async () => {
    const made = await upload(h, FILE, "\u0000\u0001\u0002broken");
    await h.settle();
    expect((await fileOf(h, "handbook", made.json.id)).status).toBe("failed");
    const again = await upload(h, FILE, "\u0000\u0001\u0002broken");
    expect(again.json).toMatchObject({ outcome: "replaced", status: "waiting" });
  });

  it("because it was exported too early is asked for again, and accepted", async () => {
    const { sha256 } = (await upload(h, FILE, OLD)).json;
    const { lines } = await download(h);
    await emptyDatabase();
    h = await createHarness({ replace: () => ({ log: () => undefined }) });
    await importLines(h, lines);
    const compared = await h.fetch("POST", "/v1/sources/handbook/files/compare", {
      body: { files: [{ path: FILE.path, sha256 }] },
      user: null,
    });
    expect(compared.json).toMatchObject({ items: [{ state: "changed" }] });
    expect((await upload(h, FILE, OLD)).json.outcome).toBe("replaced");
    await h.settle();
    expect((await filesOf()).map(({ status }) => status)).toEqual(["ready"]);
  });
});
