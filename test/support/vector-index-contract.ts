import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { VectorFilter, VectorIndex, VectorItem, VectorMatch } from "#ports/vector-index";
import { passesFilter } from "./reference-filter.ts";
import { at, cosineOf, item, seeded } from "./vectors.ts";

/** `settled` returns when everything written so far can be found. */
export type IndexUnderTest = { index: VectorIndex; settled: () => Promise<void> };

const PRECISION = 2;

/** The contract of every vector index. `create` makes an index of eight dimensions that is empty for `tenant` and the one after it. */
export function vectorIndexContract(name: string, create: (tenant: number) => Promise<IndexUnderTest> | IndexUnderTest): void {
  describe(`vector index: ${name}`, () => {
    let tenant = 1;
    let index: VectorIndex;
    let settled: () => Promise<void>;

    beforeEach(async () => {
      tenant += 2;
      ({ index, settled } = await create(tenant));
    });

    async function store(items: readonly VectorItem[], owner = tenant): Promise<void> {
      await index.upsert(owner, items);
      await settled();
    }

    function ask(filter: VectorFilter = {}, spaces: readonly number[] = [1], topK = 100): Promise<VectorMatch[]> {
      return index.query(tenant, { vector: at(0), spaces, filter, topK });
    }

    async function idsOf(filter: VectorFilter = {}, spaces: readonly number[] = [1], topK = 100): Promise<string[]> {
      return (await ask(filter, spaces, topK)).map(({ id }) => id);
    }

    it("answers the nearest first, with the cosine", async () => {
      await store([item("far", at(150)), item("near", at(10)), item("across", at(90)), item("middle", at(45))]);
      const matches = await ask();
      expect(matches.map(({ id }) => id)).toEqual(["near", "middle", "across", "far"]);
      for (const [i, degrees] of [10, 45, 90, 150].entries()) expect(matches[i]?.score).toBeCloseTo(cosineOf(degrees), PRECISION);
    });

    it("answers at most topK, and those are the nearest", async () => {
      const degrees = Array.from({ length: 150 }, (_, i) => (i * 7) % 150);
      await store(degrees.map((angle) => item(`v${angle}`, at(angle))));
      expect(await idsOf({}, [1], 3)).toEqual(["v0", "v1", "v2"]);
      expect(await idsOf({}, [1], 100)).toEqual(Array.from({ length: 100 }, (_, angle) => `v${angle}`));
    });

    it("finds nothing where nothing is asked for or nothing is stored", async () => {
      expect(await ask()).toEqual([]);
      await index.upsert(tenant, []);
      await index.remove(tenant, []);
      await index.retag(tenant, [], { project: 3 });
      await store([item("a", at(0))]);
      expect(await idsOf({}, [])).toEqual([]);
      expect(await idsOf({}, [1], 0)).toEqual([]);
    });

    describe("walls", () => {
      it("never answers, removes or retags another tenant's vectors, even of the same id and space", async () => {
        await store([item("same", at(10), { type: "mine" }), item("only-mine", at(20))]);
        await store([item("same", at(60), { type: "theirs" }), item("only-theirs", at(0))], tenant + 1);
        expect((await ask()).map(({ id }) => id)).toEqual(["same", "only-mine"]);
        expect((await ask())[0]?.score).toBeCloseTo(cosineOf(10), PRECISION);

        await index.remove(tenant + 1, [
          { id: "same", space: 1 },
          { id: "only-mine", space: 1 },
        ]);
        await settled();
        await index.retag(tenant + 1, [{ id: "only-mine", space: 1 }], { type: "taken" });
        await settled();
        expect(await idsOf()).toEqual(["same", "only-mine"]);
        expect(await idsOf({ type: "taken" })).toEqual([]);
        const theirs = await index.query(tenant + 1, { vector: at(0), spaces: [1], filter: {}, topK: 10 });
        expect(theirs.map(({ id }) => id)).toEqual(["only-theirs"]);
      });

      it("does not let another tenant's nearer vectors take the places of its own", async () => {
        await store([item("mine", at(120))]);
        await store(
          Array.from({ length: 130 }, (_, i) => item(`theirs${i}`, at(i / 10))),
          tenant + 1,
        );
        expect(await idsOf({}, [1], 3)).toEqual(["mine"]);
        expect(await idsOf({}, [1], 100)).toEqual(["mine"]);
      });

      it("never looks into a space that was not asked for", async () => {
        await store([item("one", at(30), { space: 1 }), item("two", at(20), { space: 2 }), item("three", at(10), { space: 3 })]);
        expect(await idsOf({}, [1])).toEqual(["one"]);
        expect(await idsOf({}, [2, 1])).toEqual(["two", "one"]);
        expect(await idsOf({}, [4])).toEqual([]);
      });

      it("merges many spaces into one ranking, each vector once", async () => {
        const spaces = Array.from({ length: 220 }, (_, i) => 9_000_000_000 + i);
        await store([
          item("first", at(5), { space: 9_000_000_000 }),
          item("last", at(1), { space: 9_000_000_219 }),
          item("middle", at(3), { space: 9_000_000_110 }),
        ]);
        expect(await idsOf({}, [...spaces, ...spaces])).toEqual(["last", "middle", "first"]);
        expect(await idsOf({}, spaces, 2)).toEqual(["last", "middle"]);
      });
    });

    describe("writing", () => {
      it("replaces values and metadata of the same id", async () => {
        await store([item("a", at(80), { type: "old" })]);
        expect((await ask())[0]?.score).toBeCloseTo(cosineOf(80), PRECISION);
        await store([item("a", at(10), { type: "new" })]);
        const matches = await ask();
        expect(matches).toHaveLength(1);
        expect(matches[0]?.score).toBeCloseTo(cosineOf(10), PRECISION);
        expect(await idsOf({ type: "old" })).toEqual([]);
        expect(await idsOf({ type: "new" })).toEqual(["a"]);
      });

      it("keeps the last of one id in one call", async () => {
        await store([item("a", at(80)), item("b", at(40)), item("a", at(10))]);
        const matches = await ask();
        expect(matches.map(({ id }) => id)).toEqual(["a", "b"]);
        expect(matches[0]?.score).toBeCloseTo(cosineOf(10), PRECISION);
      });

      it("removes what is named and nothing else; an unknown id is no error", async () => {
        await store([item("a", at(0)), item("b", at(1)), item("c", at(2))]);
        expect(await idsOf()).toEqual(["a", "b", "c"]);
        await index.remove(tenant, [
          { id: "b", space: 1 },
          { id: "never", space: 1 },
          { id: "never", space: 77 },
        ]);
        await settled();
        expect(await idsOf()).toEqual(["a", "c"]);
      });

      it("can be filled again after the last vector has gone", async () => {
        await store([item("a", at(0))]);
        await index.remove(tenant, [{ id: "a", space: 1 }]);
        await settled();
        expect(await idsOf()).toEqual([]);
        await store([item("b", at(0))]);
        expect(await idsOf()).toEqual(["b"]);
      });

      it("takes more than one call's worth of vectors, removals and retags", async () => {
        const items = Array.from({ length: 1_203 }, (_, i) => item(`v${i}`, at(i / 10), { session: i }));
        await store(items);
        expect(await idsOf({ session: 1_202 })).toEqual(["v1202"]);
        await index.remove(
          tenant,
          items.slice(0, 250).map(({ id }) => ({ id, space: 1 })),
        );
        await settled();
        expect((await idsOf({}, [1], 1))[0]).toBe("v250");
        await index.retag(
          tenant,
          items.slice(240, 300).map(({ id }) => ({ id, space: 1 })),
          { project: 5 },
        );
        await settled();
        expect(await idsOf({ project: 5 })).toEqual(Array.from({ length: 50 }, (_, i) => `v${250 + i}`));
      });

      it("retags without touching the values or the other keys", async () => {
        await store([item("a", at(25), { project: 1, scope: "s", type: "fact" }), item("b", at(50), { project: 1, scope: "s" })]);
        await index.retag(tenant, [{ id: "a", space: 1 }], { project: 7, type: undefined });
        await settled();
        const [match, ...others] = await ask({ project: 7, scope: "s", type: "fact", model: "m@8", kind: "memory" });
        expect(others).toEqual([]);
        expect(match?.id).toBe("a");
        expect(match?.score).toBeCloseTo(cosineOf(25), PRECISION);
        expect(await idsOf({ project: 1 })).toEqual(["b"]);
      });

      it("lets nothing come into being by a retag, nor changes what lives in another space", async () => {
        await store([item("a", at(25), { space: 1 })]);
        await index.retag(
          tenant,
          [
            { id: "never", space: 1 },
            { id: "a", space: 2 },
          ],
          { project: 7 },
        );
        await settled();
        expect(await idsOf({ project: 7 }, [1, 2])).toEqual([]);
        expect(await idsOf({}, [1, 2])).toEqual(["a"]);
      });
    });

    describe("what it holds", () => {
      const ref = (id: string, space = 1) => ({ id, space });

      it("returns which of the given ids are stored, each in its space and tenant", async () => {
        await store([item("a", at(0)), item("b", at(1)), item("c", at(2), { space: 2 })]);
        await store([item("theirs", at(0))], tenant + 1);
        const asked = [ref("a"), ref("never"), ref("b", 2), ref("c", 2), ref("theirs")];
        expect((await index.stored(tenant, asked)).toSorted()).toEqual(["a", "c"]);
        expect(await index.stored(tenant + 1, asked)).toEqual(["theirs"]);
        expect(await index.stored(tenant, [])).toEqual([]);
      });

      it("is listed page by page, each id once, if it can be listed", async () => {
        if (index.list === undefined) return;
        const ids = Array.from({ length: 25 }, (_, i) => `v${i}`);
        await store([...ids.map((id, i) => item(id, at(i))), item("elsewhere", at(0), { space: 2 })]);
        await store([item("theirs", at(0))], tenant + 1);
        const pages: string[][] = [];
        let after: string | null = null;
        do {
          const page: { ids: string[]; next: string | null } = await index.list(tenant, 1, { after, limit: 10 });
          pages.push(page.ids);
          after = page.next;
        } while (after !== null);
        expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
        expect(pages.flat().toSorted()).toEqual(ids.toSorted());
        expect(await index.list(tenant, 3, { after: null, limit: 10 })).toEqual({ ids: [], next: null });
      });
    });

    it("keeps models apart by their name", async () => {
      await store([item("old", at(1), { model: "a@8" }), item("new", at(50), { model: "b@8" })]);
      expect(await idsOf({ model: "b@8" })).toEqual(["new"]);
      expect(await idsOf({ model: "a@8" })).toEqual(["old"]);
      await index.retag(tenant, [{ id: "old", space: 1 }], { model: "b@8" });
      await settled();
      expect(await idsOf({ model: "b@8" })).toEqual(["old", "new"]);
    });

    describe("filters", () => {
      const rows = [
        item("a", at(1), { session: 1, type: "fact", createdDay: 10, workspace: "w" }),
        item("b", at(2), { session: 2, type: "event", createdDay: 20, workspace: "" }),
        item("c", at(3), { session: 3, type: "fact", createdDay: 30, workspace: "Ü" }),
        item("d", at(4), { session: 0, type: "", createdDay: 30, workspace: "w2" }),
      ];

      const cases: [VectorFilter, string][] = [
        [{}, "abcd"],
        [{ type: "fact" }, "ac"],
        [{ session: 0 }, "d"],
        [{ workspace: "" }, "b"],
        [{ type: { $eq: "event" } }, "b"],
        [{ type: { $ne: "fact" } }, "bd"],
        [{ session: { $ne: 0 } }, "abc"],
        [{ session: { $in: [3, 1, 99] } }, "ac"],
        [{ session: { $nin: [3, 1, 99] } }, "bd"],
        [{ workspace: { $in: ["w", "Ü"] } }, "ac"],
        [{ session: { $in: [] } }, ""],
        [{ session: { $nin: [] } }, "abcd"],
        [{ createdDay: { $lt: 20 } }, "a"],
        [{ createdDay: { $lte: 20 } }, "ab"],
        [{ createdDay: { $gt: 20 } }, "cd"],
        [{ createdDay: { $gte: 20 } }, "bcd"],
        [{ createdDay: { $gte: 20, $lt: 30 } }, "b"],
        [{ createdDay: { $gt: 10, $lte: 30 } }, "bcd"],
        [{ workspace: { $gte: "w", $lt: "x" } }, "ad"],
        [{ type: "fact", createdDay: { $gt: 10 } }, "c"],
        [{ type: { $in: ["fact", "event"] }, session: { $nin: [1] }, workspace: { $ne: "" } }, "c"],
        [{ session: { $in: Array.from({ length: 700 }, (_, i) => 1_000_000 + i).concat(2) } }, "b"],
        [{ type: undefined, session: { $eq: undefined } }, "abcd"],
      ];

      it.each(cases.map(([filter, expected]) => ({ filter, expected, shown: JSON.stringify(filter).slice(0, 80) })))(
        "$shown",
        async ({ filter, expected }) => {
          await store(rows);
          expect((await idsOf(filter)).join("")).toBe(expected);
        },
      );

      it.each<VectorFilter>([
        { session: { $eq: 1, $ne: 2 } },
        { session: { $in: [1], $nin: [2] } },
        { createdDay: { $gt: 1, $gte: 2 } },
        { createdDay: { $gt: 1, $lt: 9, $ne: 5 } },
      ])("refuses what no index combines: %j", async (filter) => {
        await store(rows);
        await expect(ask(filter)).rejects.toMatchObject({ code: "internal" });
      });

      it("agree with the reference on anything", async () => {
        const random = seeded(7);
        const pick = <T>(values: readonly [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0];
        const items = Array.from({ length: 60 }, (_, i) =>
          item(`v${i}`, at(i), {
            kind: pick(KINDS),
            session: pick(NUMBERS),
            project: pick(NUMBERS),
            workspace: pick(TEXTS),
            type: pick(TEXTS),
            createdDay: pick(NUMBERS),
          }),
        );
        await store(items);
        await fc.assert(
          fc.asyncProperty(anyFilter, async (filter) => {
            const expected = items.filter(({ metadata }) => passesFilter(metadata, filter)).map(({ id }) => id);
            expect(await idsOf(filter)).toEqual(expected);
          }),
          { numRuns: 80 },
        );
      });
    });
  });
}

const KINDS: [string, ...string[]] = ["memory", "episode", "chunk"];
const NUMBERS: [number, ...number[]] = [0, 1, 2, 3, 20_000, -1];
const TEXTS: [string, ...string[]] = ["", "a", "A", "ä", "😀", "～", "a'; DROP TABLE vectors; --", '"', "%", "null"];

function anyCondition<V>(values: readonly V[]) {
  const value = fc.constantFrom(...values);
  const list = fc.array(value, { maxLength: 4 });
  return fc.oneof(
    value,
    fc.record({ $eq: value }),
    fc.record({ $ne: value }),
    fc.record({ $in: list }),
    fc.record({ $nin: list }),
    fc.record({ $gt: value }),
    fc.record({ $gte: value }),
    fc.record({ $lt: value }),
    fc.record({ $lte: value }),
    fc.record({ $gt: value, $lt: value }),
    fc.record({ $gt: value, $lte: value }),
    fc.record({ $gte: value, $lt: value }),
    fc.record({ $gte: value, $lte: value }),
  );
}

const anyFilter: fc.Arbitrary<VectorFilter> = fc.record(
  {
    kind: anyCondition(KINDS),
    session: anyCondition(NUMBERS),
    project: anyCondition(NUMBERS),
    workspace: anyCondition(TEXTS),
    type: anyCondition(TEXTS),
    createdDay: anyCondition(NUMBERS),
  },
  { requiredKeys: [] },
);
