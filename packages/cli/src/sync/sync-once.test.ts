import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Edgewise, EdgewiseError } from "@edgewise/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ignoredBy } from "./ignored.ts";
import type { Pushed, Target } from "./push.ts";
import { syncOnce } from "./sync-once.ts";
import { watch } from "./watch.ts";

let root = "";
let files = new Map<string, string>();
/** Called after each upload. */
let uploaded: () => void = () => undefined;
/** Answers the next request in place of the source. */
let fails: { upload?: number | undefined; remove?: number | undefined } = {};

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "edgewise-sync-"));
  [files, fails, uploaded] = [new Map(), {}, () => undefined];
});
afterEach(() => rm(root, { recursive: true, force: true }));

function refuse(kind: "upload" | "remove"): void {
  const status = fails[kind];
  fails[kind] = undefined;
  if (status !== undefined) throw new EdgewiseError({ status, detail: `Status ${status}.`, code: "x" } as never);
}

const hashOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");

/** A source in memory: files by path in the composed form, as the service stores them, read at once and without a failure. */
const sources = {
  get: async () => ({ statistics: { files: { waiting: 0, reading: 0 } } }),
  compare: async ({ files: asked }: { files: { path: string; sha256: string }[] }) => ({
    items: asked.map((one) => {
      const stored = files.get(one.path.normalize("NFC"));
      return { path: one.path, state: stored === undefined ? "missing" : stored === one.sha256 ? "same" : "changed" };
    }),
  }),
  upload: async ({ path: own, body }: { path: string; body: Uint8Array<ArrayBuffer> }) => {
    refuse("upload");
    const outcome = files.has(own.normalize("NFC")) ? "replaced" : "created";
    files.set(own.normalize("NFC"), await hashOf(body));
    uploaded();
    return { outcome };
  },
  listFiles: async function* ({ status }: { status?: string }) {
    if (status === "failed") return;
    for (const own of files.keys()) yield { id: own, path: own };
  },
  removeFile: async ({ fileId }: { fileId: string }) => {
    refuse("remove");
    files.delete(fileId);
  },
};

const write = (name: string, text = name) => writeFile(path.join(root, name), text);
const target = (): Target => ({ edgewise: asEdgewise({ sources }), root, sourceId: "docs" });

/** The client, of which synchronising uses `sources` alone. */
function asEdgewise(part: object): Edgewise {
  return part as Edgewise;
}

async function sync(deletes = true, signal = new AbortController().signal): Promise<Pushed> {
  return await syncOnce(target(), ignoredBy("*.tmp\n"), { dryRun: false, deletes, signal, say: () => undefined });
}

it("deletes what the folder no longer has, and not what it skips or ignores", async () => {
  for (const name of ["a.md", "b.md", "c.md"]) await write(name);
  await sync();
  await write("a.md", "");
  await rm(path.join(root, "b.md"));
  await write("d.tmp");
  expect(await sync(false)).toMatchObject({ deleted: [], unchanged: 1, skipped: [{ path: "a.md", reason: "It is empty." }] });
  expect((await sync()).deleted).toEqual(["b.md"]);
  expect([...files.keys()]).toEqual(["a.md", "c.md"]);
});

it("takes a name in another form of Unicode for the same file", async () => {
  await write("cafe\u0301.md");
  await sync();
  expect([...files.keys()]).toEqual(["caf\u00e9.md"]);
  expect(await sync()).toMatchObject({ created: [], replaced: [], deleted: [], unchanged: 1 });
});

it("skips a file that the service refuses, and ends with any other failure", async () => {
  for (const name of ["a.md", "b.md"]) await write(name);
  fails = { upload: 422 };
  expect(await sync()).toMatchObject({ created: ["b.md"], skipped: [{ path: "a.md", reason: "Status 422." }] });
  fails = { upload: 503 };
  await expect(sync()).rejects.toThrow("Status 503.");
});

it("counts a file that somebody else has deleted meanwhile as deleted", async () => {
  files.set("gone.md", "x");
  fails = { remove: 404 };
  expect((await sync()).deleted).toEqual(["gone.md"]);
  fails = { remove: 403 };
  await expect(sync()).rejects.toThrow("Status 403.");
});

it("changes nothing once it was stopped", async () => {
  await write("a.md");
  await expect(sync(true, AbortSignal.abort())).rejects.toThrow();
  expect(files.size).toBe(0);
});

it("begins no upload after it was stopped", async () => {
  for (let i = 0; i < 20; i += 1) await write(`${i}.md`);
  const stop = new AbortController();
  uploaded = () => stop.abort();
  await expect(sync(true, stop.signal)).rejects.toThrow();
  // Four are under way at a time.
  expect(files.size).toBeLessThanOrEqual(4);
});

it("while it watches, sends what could not be sent with the next change, and deletes only if it is told to", async () => {
  for (const deletes of [false, true]) {
    files = new Map([["old.md", await hashOf(new TextEncoder().encode("old.md"))]]);
    await write("old.md");
    const stop = new AbortController();
    const failures: unknown[] = [];
    const pushed: Pushed[] = [];
    let isReady = false;
    const watching = watch(target(), {
      ...{ ignored: ignoredBy("*.tmp\n"), deletes, signal: stop.signal },
      onReady: () => {
        isReady = true;
      },
      onPushed: (one) => void pushed.push(one),
      onFailure: (error) => void failures.push(error),
    });
    await expect.poll(() => isReady).toBe(true);
    fails = { upload: 503 };
    await write(`first-${deletes}.md`);
    await write("ignored.tmp");
    await expect.poll(() => failures.length).toBe(1);
    await write(`second-${deletes}.md`);
    await rm(path.join(root, "old.md"));
    const wanted = [...(deletes ? [] : ["old.md"]), `first-${deletes}.md`, `second-${deletes}.md`];
    await expect.poll(() => [...files.keys()].toSorted()).toEqual(wanted.toSorted());
    stop.abort();
    await watching;
    expect(pushed.flatMap(({ deleted }) => deleted)).toEqual(deletes ? ["old.md"] : []);
  }
});
