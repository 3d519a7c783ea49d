import { describe, expect, it } from "vitest";
import { createVectorizeIndex } from "#adapters/vectorize";
import { refused, SimulatedVectorize } from "#test/simulated-vectorize";
import { vectorIndexContract } from "#test/vector-index-contract";
import { at, CONTRACT_DIMENSIONS as dimensions, item } from "#test/vectors";

const pause = async () => {};
const question = { vector: at(0), spaces: [1], filter: {}, topK: 10 };

function simulated(options: Partial<ConstructorParameters<typeof SimulatedVectorize>[0]> = {}) {
  const binding = new SimulatedVectorize({ dimensions, ...options });
  return { binding, index: createVectorizeIndex({ index: binding, dimensions, pause }) };
}

vectorIndexContract("Vectorize", () => ({ index: simulated().index, settled: pause }));

vectorIndexContract("Vectorize, visible late", () => {
  const { binding, index } = simulated({ delayed: true });
  return { index, settled: async () => binding.process() };
});

describe("Vectorize", () => {
  it("asks for a hundred at most", async () => {
    const { index } = simulated();
    await index.upsert(
      1,
      Array.from({ length: 120 }, (_, i) => item(`v${i}`, at(i))),
    );
    expect(await index.query(1, { ...question, topK: 5_000 })).toHaveLength(100);
  });

  it("answers none of another tenant's ids, even from an index that takes no notice of namespaces", async () => {
    const { binding, index } = simulated();
    await index.upsert(1, [item("mine", at(9))]);
    await index.upsert(2, [item("theirs", at(1))]);
    const careless = { ...failing(binding, []), query: (vector: VectorFloatArray | number[]) => binding.query(vector) };
    const answered = await createVectorizeIndex({ index: careless, dimensions, pause }).query(1, question);
    expect(answered.map(({ id }) => id)).toEqual(["mine"]);
  });

  it("leaves alone by a retag what is not visible yet", async () => {
    const { binding, index } = simulated({ delayed: true });
    await index.upsert(1, [item("a", at(0))]);
    await index.retag(1, [{ id: "a", space: 1 }], { project: 4 });
    binding.process();
    expect(await index.query(1, { ...question, filter: { project: 0 } })).toHaveLength(1);
  });

  it("distinguishes texts that are equal in the 64 bytes that an index reads", async () => {
    const { index } = simulated();
    const [one, two] = [`${"x".repeat(70)}1`, `${"x".repeat(70)}2`];
    await index.upsert(1, [item("one", at(1), { workspace: one }), item("two", at(2), { workspace: two })]);
    const idsIn = async (filter: object) => (await index.query(1, { ...question, filter })).map(({ id }) => id);
    expect(await idsIn({ workspace: one })).toEqual(["one"]);
    expect(await idsIn({ workspace: { $in: [two] } })).toEqual(["two"]);
    await index.retag(1, [{ id: "one", space: 1 }], { workspace: two });
    expect(await idsIn({ workspace: two })).toEqual(["one", "two"]);
  });

  it("asks an index for its dimensions once", async () => {
    const { binding, index } = simulated();
    await index.query(1, question);
    await createVectorizeIndex({ index: binding, dimensions }).query(2, question);
    expect(binding.calls).toEqual(["describe", "query", "query"]);
  });

  it("works on when an index cannot be described", async () => {
    const { binding, index } = simulated({ failures: [new Error("down")] });
    await index.upsert(1, [item("a", at(0))]);
    expect(await index.query(1, question)).toHaveLength(1);
    expect(binding.calls).toEqual(["describe", "upsert", "describe", "query"]);
  });

  it("refuses an index of other dimensions, and says what to do", async () => {
    const index = createVectorizeIndex({ index: new SimulatedVectorize({ dimensions: 768 }), dimensions, pause });
    const refusal = {
      code: "misconfigured",
      message: expect.stringMatching(/768 dimensions.*8 are configured.*EMBEDDING_DIMENSIONS to 768.*--dimensions=8/),
    };
    await expect(index.query(1, question)).rejects.toMatchObject(refusal);
    await expect(index.upsert(1, [item("a", at(0))])).rejects.toMatchObject(refusal);
  });

  it("refuses a vector of other dimensions before anything is written", async () => {
    const { binding, index } = simulated();
    await expect(index.upsert(1, [item("a", at(0)), item("b", at(0, 4))])).rejects.toMatchObject({ code: "misconfigured" });
    await expect(index.query(1, { ...question, vector: at(0, 4) })).rejects.toMatchObject({ code: "misconfigured" });
    expect(binding.calls).not.toContain("upsert");
  });

  it("refuses an id over 64 bytes, its tenant's number included", async () => {
    const { index } = simulated();
    await index.upsert(12, [item("x".repeat(61), at(0))]);
    await expect(index.upsert(12, [item("x".repeat(62), at(0))])).rejects.toMatchObject({ code: "internal" });
    await expect(index.upsert(12, [item("ü".repeat(31), at(0))])).rejects.toMatchObject({ code: "internal" });
  });

  it("splits the spaces of a question so that each filter fits, however many there are", async () => {
    const { binding, index } = simulated();
    await index.upsert(1, [item("a", at(3), { space: 1_000_000_000 })]);
    for (let count = 175; count < 190; count++) {
      const spaces = Array.from({ length: count }, (_, i) => 1_000_000_000 + i);
      for (let length = 1; length <= 11; length++) {
        const filter = { workspace: { $ne: "w".repeat(length) } };
        expect(await index.query(1, { ...question, spaces, filter })).toHaveLength(1);
      }
    }
    expect(binding.calls.filter((call) => call === "query").length).toBeLessThan(2 * 15 * 11);
  });

  it("refuses a filter that does not fit and cannot be split", async () => {
    const { index } = simulated();
    const $nin = Array.from({ length: 400 }, (_, i) => 1_000_000 + i);
    await expect(index.query(1, { ...question, filter: { session: { $nin } } })).rejects.toMatchObject({ code: "internal" });
  });

  it("tries again after too many requests and after no answer", async () => {
    for (const failure of [
      refused("VECTOR_UPSERT_ERROR", 40041, "Too Many Requests"),
      refused("VECTOR_UPSERT_ERROR", 50000, "internal error"),
      new Error("VECTOR_UPSERT_ERROR: Status + 500"),
    ]) {
      const { binding, index } = simulated();
      await createVectorizeIndex({ index: failing(binding, [failure, failure]), dimensions, pause }).upsert(1, [
        item("a", at(0)),
      ]);
      expect(await index.query(1, question)).toHaveLength(1);
    }
  });

  it("gives up after three attempts", async () => {
    const failures = Array.from({ length: 4 }, () => new Error("internal error"));
    const index = createVectorizeIndex({ index: failing(simulated().binding, failures), dimensions, pause });
    await expect(index.upsert(1, [item("a", at(0))])).rejects.toMatchObject({ code: "upstream_failed" });
    expect(failures).toHaveLength(1);
  });

  it("repeats neither a refused call nor what was sent", async () => {
    const failures = [refused("VECTOR_UPSERT_ERROR", 40023, "cannot parse secret words")];
    const index = createVectorizeIndex({ index: failing(simulated().binding, failures), dimensions, pause });
    const error = await index.upsert(1, [item("a", at(0))]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "upstream_failed", message: "Vectorize refused the request (40023)." });
  });
});

/** The binding, with upserts that first throw `failures`. */
function failing(binding: SimulatedVectorize, failures: Error[]) {
  return {
    describe: () => binding.describe(),
    query: (...args: Parameters<SimulatedVectorize["query"]>) => binding.query(...args),
    getByIds: (ids: string[]) => binding.getByIds(ids),
    deleteByIds: (ids: string[]) => binding.deleteByIds(ids),
    upsert: async (vectors: VectorizeVector[]) => {
      const failure = failures.shift();
      if (failure) throw failure;
      return binding.upsert(vectors);
    },
  };
}
