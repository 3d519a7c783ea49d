import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createObjectIndex } from "#adapters/vector-object/object-index";
import type { VectorObject } from "#adapters/vector-object/vector-object";
import type { VectorIndex, VectorItem } from "#ports/vector-index";
import { vectorIndexContract } from "#test/vector-index-contract";
import { at, cosineOf, item, seeded } from "#test/vectors";

const index = createObjectIndex({ namespace: env.VECTORS });

vectorIndexContract("Durable Objects", () => ({ index, settled: async () => {} }));

it("Durable Objects can be listed", () => expect(index.list).toBeDefined());

let tenant = 1_000_000;

/** A space that no other test has, with the object behind it. */
function freshSpace() {
  tenant += 1;
  const owner = tenant;
  const object = env.VECTORS.getByName(`${owner}/1`);
  return {
    object,
    owner,
    upsert: (...items: VectorItem[]) => index.upsert(owner, items),
    remove: (...ids: string[]) =>
      index.remove(
        owner,
        ids.map((id) => ({ id, space: 1 })),
      ),
    ask: (filter = {}, vector = at(0), topK = 100) => index.query(owner, { vector, spaces: [1], filter, topK }),
    tables: () =>
      runInDurableObject(object, (_, { storage }) =>
        storage.sql
          .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
          .toArray()
          .map(({ name }) => name),
      ),
  };
}

describe("a space's object", () => {
  it("answers the same after it has left memory", async () => {
    const { object, upsert, ask } = freshSpace();
    await upsert(item("a", at(10)), item("b", at(20), { type: "fact" }), item("c", at(30)));
    const before = await ask();
    await evictDurableObject(object);
    expect(await ask()).toEqual(before);
    expect(before.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect((await ask({ type: "fact" })).map(({ id }) => id)).toEqual(["b"]);
  });

  it("takes over the tables of an object that was made before vectors had a scope", async () => {
    const { object, upsert, ask } = freshSpace();
    await upsert(item("old", at(10)));
    await runInDurableObject(object, (_, { storage }) => {
      storage.sql.exec("ALTER TABLE vectors DROP COLUMN scope");
      storage.sql.exec("ALTER TABLE vectors ADD COLUMN owner INTEGER NOT NULL DEFAULT 0");
    });
    await evictDurableObject(object);
    await upsert(item("new", at(20), { scope: "s" }));
    expect((await ask()).map(({ id }) => id)).toEqual(["old", "new"]);
    expect((await ask({ scope: "s" })).map(({ id }) => id)).toEqual(["new"]);
  });

  it("does not compare vectors of different lengths", async () => {
    const { upsert, ask } = freshSpace();
    await upsert(item("eight", at(10)), item("sixteen", at(20, 16)));
    expect((await ask()).map(({ id }) => id)).toEqual(["eight"]);
    expect((await ask({}, at(0, 16))).map(({ id }) => id)).toEqual(["sixteen"]);
    expect(await ask({}, at(0, 24))).toEqual([]);
  });

  it("moves a vector that is replaced by one of another length", async () => {
    const { upsert, ask } = freshSpace();
    await upsert(item("a", at(10)), item("b", at(20)));
    await ask();
    await ask({}, at(0, 16));
    await upsert(item("a", at(30, 16)));
    expect((await ask()).map(({ id }) => id)).toEqual(["b"]);
    const [moved] = await ask({}, at(0, 16));
    expect(moved?.id).toBe("a");
    expect(moved?.score).toBeCloseTo(cosineOf(30), 2);
  });

  it("scores the direction alone, whatever the length of a vector; no direction is never found by one", async () => {
    const { upsert, ask } = freshSpace();
    const long = (degrees: number) => at(degrees).map((value) => value * 40);
    await upsert(item("long", long(60)), item("short", at(50)));
    const matches = await ask({}, long(0));
    expect(matches.map(({ id }) => id)).toEqual(["short", "long"]);
    expect(matches[1]?.score).toBeCloseTo(0.5, 2);
    expect(await ask({}, new Float32Array(8))).toEqual([]);
  });

  it("keeps no storage before the first vector and after the last", async () => {
    const { upsert, remove, ask, tables } = freshSpace();
    expect(await ask()).toEqual([]);
    await remove("a");
    expect(await tables()).not.toContain("vectors");
    await upsert(item("a", at(0)), item("b", at(0)));
    await remove("a");
    expect(await tables()).toContain("vectors");
    await ask();
    await remove("b");
    expect(await tables()).not.toContain("vectors");
    expect(await ask()).toEqual([]);
    await upsert(item("c", at(30)));
    expect((await ask()).map(({ id }) => id)).toEqual(["c"]);
  });

  it("loses nothing that is written while the last vector goes", async () => {
    const { upsert, remove, ask } = freshSpace();
    for (let i = 0; i < 20; i++) {
      await upsert(item(`old${i}`, at(0)));
      await Promise.all([remove(`old${i}`), upsert(item(`new${i}`, at(0)))]);
      expect((await ask()).map(({ id }) => id)).toEqual([`new${i}`]);
      await remove(`new${i}`);
    }
  });

  it("writes all of a call or nothing, in storage and in memory, and the error repeats nothing of it", async () => {
    const { upsert, ask, tables } = freshSpace();
    const broken = { ...item("secret words", at(5)), metadata: { ...item("x", at(0)).metadata, session: Number.NaN } };
    const failure = { code: "upstream_failed", message: "The vectors of a space could not be reached." };
    await expect(upsert(item("first", at(1)), broken)).rejects.toMatchObject(failure);
    expect(await tables()).not.toContain("vectors");
    await upsert(item("kept", at(40)));
    await ask();
    await expect(upsert(item("new", at(1)), item("kept", at(2)), broken)).rejects.toMatchObject(failure);
    const matches = await ask();
    expect(matches.map(({ id }) => id)).toEqual(["kept"]);
    expect(matches[0]?.score).toBeCloseTo(cosineOf(40), 2);
  });

  it("reads from storage what is too much for memory, with the same ranking", async () => {
    const { upsert, ask, remove } = freshSpace();
    const dimensions = 1_500_000;
    for (let i = 0; i < 23; i++) await upsert(item(`v${i}`, at(i * 3, dimensions), { session: i % 2 }));
    await remove("v22", "v21");
    const all = await ask({}, at(0, dimensions));
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, i) => `v${i}`));
    for (const [i, { score }] of all.entries()) expect(score).toBeCloseTo(cosineOf(i * 3), 2);
    expect((await ask({ session: 1 }, at(0, dimensions), 2)).map(({ id }) => id)).toEqual(["v1", "v3"]);
  });

  it("keeps memory and storage alike through any sequence of changes", async () => {
    const random = seeded(3);
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 12 }), async (changes) => {
        const { object, owner, ask } = freshSpace();
        const model = new Map<string, { degrees: number; project: number }>();
        for (const change of changes) {
          await change.run(index, owner, model);
          if (random() < 0.5) await ask();
        }
        const expected = [...model].map(([id, { degrees }]) => ({ id, score: expect.closeTo(cosineOf(degrees), 1) }));
        const tagged = [...model].filter(([, { project }]) => project === 1).map(([id]) => id);
        const warm = await ask();
        expect(warm).toHaveLength(expected.length);
        expect(warm).toEqual(expect.arrayContaining(expected));
        expect((await ask({ project: 1 })).map(({ id }) => id).sort()).toEqual(tagged.sort());
        await evictDurableObject(object);
        expect(await ask()).toEqual(warm);
      }),
      { numRuns: 40 },
    );
  });
});

describe("calls to an object", () => {
  it("hold one id once, because they may arrive in any order", async () => {
    const sent: string[] = [];
    const upsert = async (items: VectorItem[]) => {
      sent.push(...items.map(({ id }) => id));
    };
    const items = Array.from({ length: 900 }, (_, i) => item(`v${i % 600}`, at(i)));
    await createObjectIndex({ namespace: asNamespace({ getByName: () => ({ upsert }) }) }).upsert(1, items);
    expect(sent).toHaveLength(600);
  });

  const failing = (...failures: object[]) => {
    const thrown: unknown[] = [];
    const getByName = (name: string) => ({
      query: (query: Parameters<VectorObject["query"]>[0]) => {
        const failure = failures.shift();
        if (failure === undefined) return env.VECTORS.getByName(name).query(query);
        thrown.push(failure);
        return Promise.reject(Object.assign(new Error("secret words"), failure));
      },
    });
    return { thrown, flaky: createObjectIndex({ namespace: asNamespace({ getByName }), pause: async () => {} }) };
  };

  it("are repeated when the runtime says that this may help", async () => {
    const { owner, upsert } = freshSpace();
    await upsert(item("a", at(0)));
    const { flaky, thrown } = failing({ retryable: true }, { retryable: true });
    expect(await flaky.query(owner, { vector: at(0), spaces: [1], filter: {}, topK: 5 })).toHaveLength(1);
    expect(thrown).toHaveLength(2);
  });

  it.each([{}, { retryable: false }, { retryable: true, overloaded: true }])("fail at once otherwise: %j", async (failure) => {
    const { flaky, thrown } = failing(failure);
    const asked = flaky.query(1, { vector: at(0), spaces: [1], filter: {}, topK: 5 });
    await expect(asked).rejects.toMatchObject({
      code: "upstream_failed",
      message: "The vectors of a space could not be reached.",
    });
    expect(thrown).toHaveLength(1);
  });
});

type Change = { run(index: VectorIndex, owner: number, model: Map<string, { degrees: number; project: number }>): Promise<void> };

const ids = fc.constantFrom("a", "b", "c", "d", "e");

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.array(fc.record({ id: ids, degrees: fc.integer({ min: 0, max: 180 }) }), { minLength: 1, maxLength: 3 }).map((vectors) => ({
    async run(changed: VectorIndex, owner: number, model: Map<string, { degrees: number; project: number }>) {
      for (const { id, degrees } of vectors) model.set(id, { degrees, project: 0 });
      await changed.upsert(
        owner,
        vectors.map(({ id, degrees }) => item(id, at(degrees))),
      );
    },
    toString: () => `upsert ${JSON.stringify(vectors)}`,
  })),
  fc.array(ids, { minLength: 1, maxLength: 3 }).map((removed) => ({
    async run(changed: VectorIndex, owner: number, model: Map<string, { degrees: number; project: number }>) {
      for (const id of removed) model.delete(id);
      await changed.remove(
        owner,
        removed.map((id) => ({ id, space: 1 })),
      );
    },
    toString: () => `remove ${removed.join()}`,
  })),
  ids.map((id) => ({
    async run(changed: VectorIndex, owner: number, model: Map<string, { degrees: number; project: number }>) {
      const known = model.get(id);
      if (known) model.set(id, { ...known, project: 1 });
      await changed.retag(owner, [{ id, space: 1 }], { project: 1 });
    },
    toString: () => `retag ${id}`,
  })),
);

/** Only `getByName` and `query` are called. */
function asNamespace(part: { getByName: unknown }): DurableObjectNamespace<VectorObject> {
  return part as DurableObjectNamespace<VectorObject>;
}
