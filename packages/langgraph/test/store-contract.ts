import { type BaseStore, InvalidNamespaceError } from "@langchain/langgraph-checkpoint";
import { beforeEach, describe, expect, it } from "vitest";

const keysOf = (items: { key: string }[]) => items.map(({ key }) => key).sort();

/** What every LangGraph store does. It runs against LangGraph's own store too, so that it asks for nothing that is only ours. */
export function storeContract(newStore: () => BaseStore): void {
  let store: BaseStore;
  beforeEach(() => {
    store = newStore();
  });

  describe("put, get and delete", () => {
    it("returns a value as it was put, with its place and its times", async () => {
      const value = { text: "Likes pizza", tags: ["food", "it"], nested: { n: 1.5, on: true, none: null }, ключ: "日本" };
      const before = Date.now();
      await store.put(["profiles", "food"], "pizza", value);
      const item = await store.get(["profiles", "food"], "pizza");
      expect(item).toMatchObject({ namespace: ["profiles", "food"], key: "pizza", value });
      expect(item?.value).toEqual(value);
      expect(item?.createdAt).toBeInstanceOf(Date);
      expect(Math.abs(Number(item?.createdAt) - before)).toBeLessThan(60_000);
      expect(item?.updatedAt).toEqual(item?.createdAt);
    });

    it("replaces a value whole, keeps its first time and renews its last", async () => {
      await store.put(["a"], "k", { text: "one", only: "first" });
      const first = await store.get(["a"], "k");
      const createdAt = new Date(Number(first?.createdAt));
      await new Promise((resolve) => setTimeout(resolve, 10));
      await store.put(["a"], "k", { text: "two" });
      const second = await store.get(["a"], "k");
      expect(second?.value).toEqual({ text: "two" });
      expect(second?.createdAt).toEqual(createdAt);
      expect(Number(second?.updatedAt)).toBeGreaterThan(Number(createdAt));
      await store.put(["a"], "k", { text: "two", n: 2 });
      expect((await store.get(["a"], "k"))?.value).toEqual({ text: "two", n: 2 });
    });

    it("keeps places apart: other keys, other namespaces, the same value", async () => {
      const value = { text: "Likes pizza" };
      const places: [string[], string][] = [
        [["a"], "k"],
        [["a"], "K"],
        [["a", "b"], "k"],
        [["b"], "k"],
        [["a"], "b"],
      ];
      for (const [namespace, key] of places) await store.put(namespace, key, { ...value });
      await store.delete(["a"], "k");
      const found = await Promise.all(places.map(([namespace, key]) => store.get(namespace, key)));
      expect(found.map((item) => item?.value ?? null)).toEqual([null, value, value, value, value]);
      expect(await store.search([])).toHaveLength(4);
    });

    it("has nothing where nothing was put, or where it was deleted, and takes it anew", async () => {
      expect(await store.get(["a"], "none")).toBeNull();
      await store.delete(["a"], "none");
      await store.put(["a"], "k", { text: "one" });
      await store.delete(["a"], "k");
      expect(await store.get(["a"], "k")).toBeNull();
      expect(await store.search(["a"])).toEqual([]);
      await store.put(["a"], "k", { text: "one" });
      expect((await store.get(["a"], "k"))?.value).toEqual({ text: "one" });
    });

    it("takes empty values, and any key", async () => {
      const keys = [
        "",
        " ",
        ".",
        "a/b?c#d%",
        "Ключ 🗝",
        "a:b",
        'quote"d',
        "x".repeat(300),
        `${"x".repeat(300)}y`,
        "é",
        "e\u0301",
        "line\nbreak\u0001",
      ];
      for (const [i, key] of keys.entries()) await store.put(["keys"], key, i === 0 ? {} : { i });
      const values = await Promise.all(keys.map(async (key) => (await store.get(["keys"], key))?.value));
      expect(values).toEqual(keys.map((_, i) => (i === 0 ? {} : { i })));
      expect(keysOf(await store.search(["keys"], { limit: 20 }))).toEqual([...keys].sort());
    });

    it.each([[[]], [["a.b"]], [["a", ""]], [["a:b"]], [["langgraph"]]])("refuses the namespace %j", async (namespace) => {
      await expect(store.put(namespace, "k", { text: "one" })).rejects.toBeInstanceOf(InvalidNamespaceError);
    });
  });

  describe("search", () => {
    beforeEach(async () => {
      await store.put(["docs", "work"], "1", { text: "Quarterly report", year: 2024, status: "done" });
      await store.put(["docs", "work"], "2", { text: "Annual report", year: 2025, status: "open" });
      await store.put(["docs", "work", "old"], "3", { text: "Old report", year: 1999, status: "done" });
      await store.put(["docs", "workshop"], "4", { text: "Plan of the garden", year: 2025, status: "open" });
      await store.put(["notes"], "5", { text: "Buy milk" });
    });

    it("finds what is in a namespace and below it", async () => {
      const found = async (prefix: string[]) => keysOf(await store.search(prefix));
      expect(await found([])).toEqual(["1", "2", "3", "4", "5"]);
      expect(await found(["docs"])).toEqual(["1", "2", "3", "4"]);
      expect(await found(["docs", "work"])).toEqual(["1", "2", "3"]);
      expect(await found(["docs", "work", "old"])).toEqual(["3"]);
      expect(await found(["work"])).toEqual([]);
      const [item] = await store.search(["notes"]);
      expect(item).toMatchObject({ namespace: ["notes"], key: "5", value: { text: "Buy milk" }, createdAt: expect.any(Date) });
    });

    it.each([
      [{ status: "open" }, ["2", "4"]],
      [{ status: "open", text: "Annual report" }, ["2"]],
      [{ year: { $gt: 1999 } }, ["1", "2", "4"]],
      [{ year: { $gte: 1999, $lt: 2025 } }, ["1", "3"]],
      [{ year: { $lte: 1999 } }, ["3"]],
      [{ year: { $eq: 2024 } }, ["1"]],
      [{ year: { $ne: 2025 } }, ["1", "3"]],
      [{ year: { $in: [1999, 2024] } }, ["1", "3"]],
      [{ year: { $nin: [1999, 2024] } }, ["2", "4"]],
      [{ missing: "x" }, []],
    ])("filters by %j", async (filter, keys) => {
      expect(keysOf(await store.search(["docs"], { filter }))).toEqual(keys);
    });

    it("returns pages that have everything once", async () => {
      const pages = [];
      for (const offset of [0, 2, 4, 6]) pages.push(await store.search([], { limit: 2, offset }));
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1, 0]);
      expect(keysOf(pages.flat())).toEqual(["1", "2", "3", "4", "5"]);
      expect(await store.search([], { filter: { year: 2025 }, limit: 1, offset: 1 })).toHaveLength(1);
    });

    it("returns ten at most unless told otherwise", async () => {
      for (let i = 10; i < 22; i += 1) await store.put(["many"], `${i}`, { i });
      expect(await store.search(["many"])).toHaveLength(10);
      expect(await store.search(["many"], { limit: 12 })).toHaveLength(12);
    });
  });

  describe("listNamespaces", () => {
    const namespaces = [
      ["a", "b", "c"],
      ["a", "b", "d", "e"],
      ["a", "b", "d", "i"],
      ["a", "c", "f"],
      ["b", "a", "f"],
      ["users", "123"],
    ];
    beforeEach(async () => {
      for (const namespace of namespaces) await store.put(namespace, "k", { text: namespace.join(" ") });
      await store.put(["users", "123"], "other", { text: "other" });
    });

    it("lists each once, in order", async () => {
      expect(await store.listNamespaces()).toEqual(namespaces);
    });

    it.each([
      [{ prefix: ["a", "b"] }, namespaces.slice(0, 3)],
      [{ suffix: ["f"] }, [namespaces[3], namespaces[4]]],
      [{ prefix: ["a"], suffix: ["f"] }, [namespaces[3]]],
      [{ prefix: ["a", "*", "d"] }, [namespaces[1], namespaces[2]]],
      [{ prefix: ["*", "c"] }, [namespaces[3]]],
      [{ suffix: ["d", "*"] }, [namespaces[1], namespaces[2]]],
      [{ prefix: ["x"] }, []],
      [{ maxDepth: 1 }, [["a"], ["b"], ["users"]]],
      [
        { prefix: ["a"], maxDepth: 2 },
        [
          ["a", "b"],
          ["a", "c"],
        ],
      ],
      [
        { maxDepth: 2, limit: 2, offset: 1 },
        [
          ["a", "c"],
          ["b", "a"],
        ],
      ],
      [{ limit: 1 }, [namespaces[0]]],
    ])("lists by %j", async (options, expected) => {
      expect(await store.listNamespaces(options)).toEqual(expected);
    });
  });

  describe("batch", () => {
    it("answers each operation, finds no value of the same batch, and stores the last of a place", async () => {
      await store.put(["a"], "k", { n: 0 });
      const results = await store.batch([
        { namespace: ["a"], key: "k", value: { n: 1 } },
        { namespace: ["a"], key: "k" },
        { namespace: ["a"], key: "k", value: { n: 2 } },
        { namespacePrefix: ["a"] },
        { namespace: ["a"], key: "l", value: { n: 3 } },
        { namespace: ["a"], key: "l", value: null },
        { matchConditions: undefined, maxDepth: undefined, limit: 10, offset: 0 },
      ]);
      expect(results.map((result) => result ?? null)).toMatchObject([
        ...[null, { key: "k" }, null],
        ...[[{ key: "k" }], null, null, [["a"]]],
      ]);
      expect((await store.get(["a"], "k"))?.value).toEqual({ n: 2 });
      expect(await store.get(["a"], "l")).toBeNull();
    });
  });
}
