import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ExportFile, openExport } from "./export-file.ts";
import { BrokenJson, readItems } from "./json-items.ts";
import { type ZipFile, zipOf } from "./zip-archive.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "edgewise-export-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function opened(name: string, content: string | Uint8Array): Promise<ExportFile> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return await openExport(file);
}
const zipped = (files: readonly ZipFile[]) => opened("export.zip", zipOf(files));
const refusal = async (promise: Promise<unknown>) =>
  await promise.then(
    () => "opened",
    (error: Error) => error.message,
  );

async function itemsOf(file: ExportFile): Promise<unknown[]> {
  const items: unknown[] = [];
  for (const entry of file.conversations)
    for await (const item of readItems(await entry.open(), () => undefined)) items.push(item);
  file.close();
  return items;
}

describe("an export", () => {
  it("is a JSON file, whatever its name and its first bytes", async () => {
    const content = '\ufeff \n [{"a":1},{"b":[2]}]';
    const file = await opened("chats.txt", content);
    expect([file.fileName, file.sha256]).toEqual(["chats.txt", createHash("sha256").update(content).digest("hex")]);
    expect(await itemsOf(file)).toEqual([{ a: 1 }, { b: [2] }]);
  });

  it("is JSON Lines, or one object", async () => {
    expect(await itemsOf(await opened("a.jsonl", '{"a":1}\n{"a":2}\r\n\n{"a":3}'))).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
    expect(await itemsOf(await opened("a.json", '{"mapping":{"x":{}}}\n'))).toEqual([{ mapping: { x: {} } }]);
    expect(await itemsOf(await opened("b.json", "[]"))).toEqual([]);
  });

  it("is JSON Lines of arrays: the first comes as its elements, the others whole, wherever the stream is cut", async () => {
    const lines = ' [{"a":1},{"a":2}]\n[{"b":1}]\r\n\n[{"c":1},{"c":2}]\n';
    const all = [{ a: 1 }, { a: 2 }, [{ b: 1 }], [{ c: 1 }, { c: 2 }]];
    expect(await itemsOf(await opened("a.jsonl", lines))).toEqual(all);
    for (let cut = 1; cut < lines.length; cut += 1) {
      const items: unknown[] = [];
      const parts = [lines.slice(0, cut), lines.slice(cut)].map((part) => Buffer.from(part));
      for await (const item of readItems(Readable.from(parts), () => undefined)) items.push(item);
      expect(items, `cut at ${cut}`).toEqual(all);
    }
  });

  it.each([
    ['[{"a":1}]\n{broken', 11],
    ['[{"a":1}]\n[{"b":1}]\n[{"c":', 26],
    ['[{"a":1}]\nx', 10],
  ])("whose later lines are broken says where: %s", async (content, position) => {
    const reading = itemsOf(await opened("a.jsonl", content));
    await expect(reading).rejects.toMatchObject({ name: "BrokenJson", position });
  });

  it("is a zip archive, whatever its name: its shards are read in their order, and its images are not", async () => {
    const files = ["conversations-001.json", "image.png", "conversations-000.json", "user.json"].map((name, i) => ({
      name,
      content: `[${i}]`,
    }));
    const file = await opened("export.json", zipOf(files));
    expect(file.conversations.map(({ name }) => name)).toEqual(["conversations-000.json", "conversations-001.json"]);
    expect(await itemsOf(file)).toEqual([2, 0]);
  });

  it("says which shards are missing", async () => {
    const file = await zipped([0, 3].map((i) => ({ name: `chats/conversations-00${i}.json`, content: "[]" })));
    file.close();
    expect(file.notes).toEqual(["The archive lacks conversations-001.json, conversations-002.json."]);
  });

  it("says so of the first of very many, and lists no others", async () => {
    const from = vi.spyOn(Array, "from");
    const names = ["conversations-000.json", "conversations-0002.json", "conversations-999999.json"];
    const file = await zipped(names.map((name) => ({ name, content: "[]" })));
    file.close();
    const lengths = from.mock.calls.map(([items]) => (items as { length?: number }).length ?? 0);
    from.mockRestore();
    const missing = [1, 3, 4, 5, 6].map((i) => `conversations-00${i}.json`).join(", ");
    expect(file.notes).toEqual([`The archive lacks ${missing} and more.`]);
    expect(Math.max(0, ...lengths)).toBeLessThan(1_000);
  });

  it("holds Claude's projects, or Gemini's activity in a folder of any language", async () => {
    const claude = await zipped([
      { name: "conversations.json", content: "[]" },
      { name: "projects/a-b.json", content: "{}" },
      { name: "data/projects.json", content: "[]" },
    ]);
    claude.close();
    expect(claude.projects.map(({ name }) => name)).toEqual(["projects/a-b.json", "data/projects.json"]);
    const takeout = [
      { name: "Takeout/Meine Aktivitäten/Suche/MeineAktivitäten.json", content: "[1]" },
      { name: "Takeout/Meine Aktivitäten/Gemini-Apps/MeineAktivitäten.json", content: "[2]" },
    ];
    expect(await itemsOf(await zipped(takeout))).toEqual([2]);
  });
});

it("says that what a platform itself remembers is left out", async () => {
  const files = [
    { name: "conversations.json", content: "[]" },
    { name: "memories.json", content: '[{"conversations_memory":"x"}]' },
  ];
  const file = await zipped(files);
  file.close();
  expect(file.notes).toEqual([expect.stringContaining("memories.json")]);
  const none = await zipped([
    { name: "conversations.json", content: "[]" },
    { name: "memories.json", content: "[]" },
  ]);
  none.close();
  expect(none.notes).toEqual([]);
});

describe("what is refused", () => {
  it("HTML, in a zip or not, with what to do", async () => {
    expect(await refusal(opened("MyActivity.json", "<!DOCTYPE html><html>"))).toContain("Takeout");
    expect(await refusal(zipped([{ name: "Takeout/My Activity/Gemini Apps/MyActivity.html", content: "<html>" }]))).toContain(
      "Takeout",
    );
  });

  it("what is no export", async () => {
    expect(await refusal(opened("a.json", "hello"))).toContain("neither a zip archive nor JSON");
    expect(await refusal(opened("a.json", ""))).toContain("neither a zip archive nor JSON");
    expect(
      await refusal(
        zipped([
          { name: "a.json", content: "[]" },
          { name: "b.json", content: "[]" },
        ]),
      ),
    ).toContain("no conversations");
    expect(await refusal(openExport(path.join(folder, "none.zip")))).toContain("There is no file");
    expect(await refusal(openExport(folder))).toContain("is a folder. Give the zip");
    expect(await refusal(opened("a.zip", "PK\u0003\u0004 and no more"))).toContain("damaged");
  });

  it.each(["../conversations.json", "/etc/conversations.json", "a\\..\\..\\conversations.json", "C:/conversations.json"])(
    "an archive with a path out of it: %s",
    async (name) => {
      expect(await refusal(zipped([{ name, content: "[]" }]))).toContain("files outside of itself");
    },
  );

  it("an archive that unpacks to far more than it should", async () => {
    expect(await refusal(zipped([{ name: "conversations.json", content: Buffer.alloc(20_000_000, "[") }]))).toContain(
      "would unpack",
    );
    const many = Array.from({ length: 1_700 }, (_, i) => ({
      name: `projects/${i}.json`,
      content: "{}",
      claimedBytes: 10_000_000,
    }));
    expect(await refusal(zipped(many))).toContain("would unpack");
  });

  it("an archive whose file is longer than its directory says", async () => {
    const file = await zipped([
      { name: "conversations.json", content: JSON.stringify(["x".repeat(100_000)]), claimedBytes: 100 },
    ]);
    await expect(itemsOf(file)).rejects.toThrow();
    file.close();
  });
});

describe("JSON that breaks", () => {
  const whole = JSON.stringify([{ a: 1 }, { b: 2 }, { c: "three" }]);
  async function read(content: string): Promise<{ items: unknown[]; position: number | null }> {
    const file = await opened("cut.json", content);
    const items: unknown[] = [];
    try {
      for (const entry of file.conversations)
        for await (const item of readItems(await entry.open(), () => undefined)) items.push(item);
    } catch (error) {
      if (!(error instanceof BrokenJson)) throw error;
      return { items, position: error.position };
    }
    return { items, position: null };
  }

  it("gives what came before, wherever it is cut off, and says where", async () => {
    for (let length = 1; length < whole.length; length += 1) {
      const { items, position } = await read(whole.slice(0, length));
      const complete = [7, 15].filter((end) => end < length).length;
      expect([length, items, position]).toEqual([length, [{ a: 1 }, { b: 2 }, { c: "three" }].slice(0, items.length), length]);
      expect(items.length).toBeGreaterThanOrEqual(complete);
    }
    expect((await read(whole)).position).toBeNull();
  });

  it("gives what came before a wrong character, and says where", async () => {
    expect(await read('[{"a":1},{"b":oops}]')).toEqual({ items: [{ a: 1 }], position: 14 });
    expect(await read('{"a":1}\n{"a":2\n{"a":3}')).toMatchObject({ items: [{ a: 1 }] });
  });
});
