import { expect, it } from "vitest";
import type { Fused } from "#core/rank/ranking";
import type { HitRef } from "./hit.ts";
import { cutDocuments, orderDocuments } from "./order-documents.ts";

const entry = (kind: HitRef["kind"], id: number, score: number, by: { text?: number; semantic?: number }): Fused<HitRef> => ({
  ...{ kind, id, score },
  channels: Object.fromEntries(Object.entries(by).map(([name, value], i) => [name, { rank: i + 1, score: value }])),
});

it("orders documents by words and vectors in the places that they have, with the scores of these places", () => {
  const fused = [
    entry("chunk", 1, 0.9, { text: 6, semantic: 0.1 }),
    entry("episode", 2, 0.8, { text: 5 }),
    entry("chunk", 3, 0.7, { text: 5, semantic: 0.5 }),
    entry("memory", 4, 0.6, { text: 4, semantic: 0.6 }),
    entry("chunk", 5, 0.5, { semantic: 0.45 }),
  ];
  const ordered = orderDocuments(fused, 10).map(({ kind, id, score }) => `${kind} ${id} ${score}`);
  expect(ordered).toEqual(["chunk 3 0.9", "episode 2 0.8", "chunk 5 0.7", "memory 4 0.6", "chunk 1 0.5"]);
});

it("leaves the order of words where no vectors were compared", () => {
  const fused = [entry("chunk", 1, 0.9, { text: 6 }), entry("chunk", 2, 0.7, { text: 5 })];
  expect(orderDocuments(fused, 10)).toEqual(fused);
});

it("cuts documents that have little of the question, and nothing else", () => {
  const fused = [
    entry("chunk", 1, 0.9, { text: 4 }),
    entry("chunk", 2, 0.8, { text: 3.9, semantic: 0.34 }),
    entry("episode", 3, 0.7, { text: 1 }),
    entry("chunk", 4, 0.6, { semantic: 0.36 }),
  ];
  const idsWith = (cosines: { floor: number; unrelated: number } | null) =>
    cutDocuments(fused, { ideal: 10, cosines }).map(({ id }) => id);
  expect(idsWith({ floor: 0.15, unrelated: 0.05 })).toEqual([1, 3, 4]);
  expect(idsWith({ floor: 0.2, unrelated: 0.7 })).toEqual([1, 3]);
  expect(idsWith(null)).toEqual([1, 3]);
});
