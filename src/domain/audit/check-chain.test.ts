import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChainRow, GENESIS, walk } from "./chain.ts";
import { checkChain, type Seal } from "./check-chain.ts";

const START = { seq: 0, hash: GENESIS };
const SPAN = 4;

function rowOf(seq: number): ChainRow {
  return {
    seq,
    id: `aud_${seq}`,
    at: seq,
    actorKind: "key",
    actorId: "key_1",
    workspaceId: null,
    action: "user.saved",
    objectId: `usr_${seq}`,
    requestId: "request",
    userId: seq,
    detail: "{}",
    salt: "00",
    contentHash: null,
    erased: false,
  };
}

/** Rows in stretches of these lengths, each with its seal. */
async function sealed(stretches: readonly number[]): Promise<{ rows: ChainRow[]; seals: Seal[] }> {
  const ends = stretches.map((_, i) => stretches.slice(0, i + 1).reduce((sum, length) => sum + length, 0));
  const rows = Array.from({ length: ends.at(-1) ?? 0 }, (_, i) => rowOf(i + 1));
  const seals: Seal[] = [];
  await walk(START, rows, (seq, hash) => {
    if (ends.includes(seq)) seals.push({ seq, hash });
  });
  return { rows, seals };
}

const stretches = fc.array(fc.integer({ min: 1, max: SPAN }), { minLength: 1, maxLength: 6 });
const check = (rows: readonly ChainRow[], seals: readonly Seal[], start: Seal = START) =>
  checkChain({ start, rows, seals, span: SPAN });

describe("checkChain", () => {
  it("finds nothing wrong with what nobody touched, from any seal on", async () => {
    await fc.assert(
      fc.asyncProperty(stretches, fc.nat(), async (lengths, at) => {
        const { rows, seals } = await sealed(lengths);
        const from = at % seals.length;
        const start = seals[from] ?? START;
        expect(await check(rows, seals)).toEqual({ to: rows.length, problem: null });
        expect(await check(rows.slice(start.seq), seals.slice(from + 1), start)).toEqual({ to: rows.length, problem: null });
      }),
    );
  });

  it("names the stretch of a changed row and no other", async () => {
    await fc.assert(
      fc.asyncProperty(stretches, fc.nat(), async (lengths, at) => {
        const { rows, seals } = await sealed(lengths);
        const seq = (at % rows.length) + 1;
        const changed = rows.map((row) => (row.seq === seq ? { ...row, action: "forged" } : row));
        const index = seals.findIndex((seal) => seal.seq >= seq);
        const since = (seals[index - 1]?.seq ?? 0) + 1;
        const kind = index === seals.length - 1 ? "changed_row_or_seal" : "changed_row";
        expect(await check(changed, seals)).toEqual({ to: since - 1, problem: { kind, since, seq: seals[index]?.seq } });
      }),
    );
  });

  it("names a missing row", async () => {
    await fc.assert(
      fc.asyncProperty(stretches, fc.nat(), async (lengths, at) => {
        const { rows, seals } = await sealed(lengths);
        const seq = (at % rows.length) + 1;
        const { problem } = await check(
          rows.filter((row) => row.seq !== seq),
          seals,
        );
        expect(problem).toEqual({ kind: "missing_row", since: seq, seq });
      }),
    );
  });

  it("distinguishes a changed seal from a changed row by the next seal", async () => {
    await fc.assert(
      fc.asyncProperty(stretches, fc.nat(), async (lengths, at) => {
        const { rows, seals } = await sealed(lengths);
        const index = at % seals.length;
        const forged = seals.map((seal, i) => (i === index ? { ...seal, hash: "f".repeat(64) } : seal));
        const { problem } = await check(rows, forged);
        expect(problem?.kind).toBe(index === seals.length - 1 ? "changed_row_or_seal" : "changed_seal");
        expect(problem?.seq).toBe(seals[index]?.seq);
      }),
    );
  });

  it("does not distinguish them when both are changed", async () => {
    const { rows, seals } = await sealed([2, 2, 2]);
    const changed = rows.map((row) => (row.seq === 2 ? { ...row, action: "forged" } : row));
    const forged = seals.map((seal, i) => (i === 0 ? { ...seal, hash: "f".repeat(64) } : seal));
    expect((await check(changed, forged)).problem).toEqual({ kind: "changed_row_or_seal", since: 1, seq: 2 });
  });

  it("misses a seal where more rows lie between two than one covers", async () => {
    const { rows, seals } = await sealed([4, 4, 4]);
    const without = (seq: number) => seals.filter((seal) => seal.seq !== seq);
    expect(await check(rows, without(4))).toEqual({ to: 0, problem: { kind: "missing_seal", since: 1, seq: 7 } });
    expect(await check(rows, without(8))).toEqual({ to: 4, problem: { kind: "missing_seal", since: 5, seq: 11 } });
  });
});
