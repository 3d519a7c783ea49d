import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { termValues } from "#core/rank/ranking";
import type { QueryTerm } from "#core/text/query";
import { PRESENCE, rankByPresence, SESSION_STRIDE } from "./rank-by-presence.ts";

const at = (session: number, seq: number) => session * SESSION_STRIDE + seq;
const ids = (ranked: readonly { id: number }[]) => ranked.map(({ id }) => id);
const one = [{ term: "dog", weight: 1 }];
type Search = { terms: QueryTerm[]; postings: number[][]; total: number; limit: number };
const rankTerms = ({ terms, postings, total, limit }: Search) =>
  rankByPresence({ values: termValues(terms, { holders: postings.map((list) => list.length), total }), postings, limit });
const rank = (postings: number[][], total = 1_000, limit = 1_000) =>
  rankTerms({ terms: postings.map((_, i) => ({ term: `t${i}`, weight: 1 })), postings, total, limit });

/** The definition, term by term and chunk by chunk. */
function byDefinition(postings: readonly (readonly number[])[], total: number): Map<number, number> {
  const { k1, previous, beforePrevious, next, afterNext, session, sessionK } = PRESENCE;
  const sessionOf = (id: number) => Math.floor(id / SESSION_STRIDE);
  const scores = new Map<number, number>();
  const candidates = new Set(
    postings.flatMap((list) =>
      list.flatMap((id) => [-2, -1, 0, 1, 2].map((d) => id + d).filter((other) => sessionOf(other) === sessionOf(id))),
    ),
  );
  for (const id of candidates) {
    let score = 0;
    for (const list of postings) {
      const has = (other: number) => (sessionOf(other) === sessionOf(id) && list.includes(other) ? 1 : 0);
      const f = has(id) + previous * has(id - 1) + beforePrevious * has(id - 2) + next * has(id + 1) + afterNext * has(id + 2);
      const idf = Math.log(1 + (total - list.length + 0.5) / (list.length + 0.5));
      const n = list.filter((other) => sessionOf(other) === sessionOf(id)).length;
      score += (idf * f * (1 + k1)) / (f + k1) + (session * idf * n) / (n + sessionK);
    }
    scores.set(id, score);
  }
  return scores;
}

describe("rankByPresence", () => {
  it("agrees with its definition, in order and in parts", () => {
    const list = fc
      .uniqueArray(
        fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 12 })).map(([s, q]) => at(s, q)),
        { maxLength: 20 },
      )
      .map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 5 }), (postings) => {
        const expected = byDefinition(postings, 100);
        const ranked = rank(postings, 100);
        expect(new Set(ids(ranked))).toEqual(new Set(expected.keys()));
        for (const { id, score, terms, session } of ranked) {
          expect(score).toBeCloseTo(expected.get(id) ?? Number.NaN, 5);
          expect(terms.reduce((sum, part) => sum + part, session)).toBeCloseTo(score, 10);
        }
        for (let i = 1; i < ranked.length; i++) expect((ranked[i - 1]?.score ?? 0) + 1e-4).toBeGreaterThan(ranked[i]?.score ?? 0);
      }),
    );
  });

  it("has neighbours that hold no term as candidates", () => {
    const ranked = rank([[at(7, 5)]]);
    expect(ids(ranked)).toEqual([at(7, 5), at(7, 6), at(7, 7), at(7, 4), at(7, 3)]);
  });

  it("stays inside the session, at its head and at the last id it can have", () => {
    expect(ids(rank([[at(7, 0)]])).every((id) => id >= at(7, 0) && id < at(8, 0))).toBe(true);
    expect(ids(rank([[at(8, 0) - 1]])).every((id) => id >= at(7, 0) && id < at(8, 0))).toBe(true);
    const [first] = rank([[at(7, 0) - 1], [at(7, 0)]]);
    expect(first?.terms.filter((part) => part > 0)).toHaveLength(1);
  });

  it("gives a rare term more than a common one, and a light one less", () => {
    const common = Array.from({ length: 50 }, (_, i) => at(i + 1, 10));
    expect(rank([common, [at(99, 10)]])[0]?.id).toBe(at(99, 10));
    const weighted = rankTerms({
      terms: [
        { term: "a", weight: 0.1 },
        { term: "b", weight: 1 },
      ],
      postings: [[at(1, 5)], [at(2, 5)]],
      total: 100,
      limit: 9,
    });
    expect(weighted[0]?.id).toBe(at(2, 5));
  });

  it("still ranks when every chunk holds the term", () => {
    expect(rankTerms({ terms: one, postings: [[at(1, 0), at(1, 1)]], total: 2, limit: 5 })[0]?.score).toBeGreaterThan(0);
    expect(rankTerms({ terms: one, postings: [[at(1, 0), at(1, 1)]], total: 0, limit: 5 })[0]?.score).toBeGreaterThan(0);
  });

  it("returns the best `limit`, the newer of equals first", () => {
    const far = Array.from({ length: 2_000 }, (_, i) => at(i + 1, 9));
    expect(ids(rank([far], 10_000, 3))).toEqual([at(2_000, 9), at(1_999, 9), at(1_998, 9)]);
    expect(rank([far], 10_000, 0)).toEqual([]);
  });

  it("takes postings in any order, none at all, and terms without weight", () => {
    expect(rank([[at(2, 1), at(1, 1)]])).toEqual(rank([[at(1, 1), at(2, 1)]]));
    expect(rank([])).toEqual([]);
    expect(rank([[], []])).toEqual([]);
    expect(rankTerms({ terms: [{ term: "a", weight: 0 }], postings: [[at(1, 1)]], total: 9, limit: 9 })).toEqual([]);
  });
});
