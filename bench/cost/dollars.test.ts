import { expect, it } from "vitest";
import type { Counts } from "./counts.ts";
import { dollarsPerMillion, storageMonth, vectorMonth } from "./dollars.ts";

const NONE: Counts = {
  trips: 0,
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  embeddings: 0,
  embeddingTokens: 0,
  vectorQueries: 0,
  vectorsWritten: 0,
  messages: 0,
  requests: 0,
};

it("prices an append by its rows, its message and its request", () => {
  const dollars = dollarsPerMillion({ ...NONE, rowsRead: 20, rowsWritten: 12, messages: 1, requests: 1 });
  expect(dollars.rowsRead).toBeCloseTo(0.02);
  expect(dollars.rowsWritten).toBeCloseTo(12);
  expect(dollars.queues).toBeCloseTo(1.2);
  expect(dollars.requests).toBeCloseTo(0.3);
  expect(dollars.total).toBeCloseTo(13.52);
});

it("prices a search by its question's tokens and its query's dimensions", () => {
  const dollars = dollarsPerMillion({ ...NONE, rowsRead: 1_000, embeddingTokens: 50, vectorQueries: 1, requests: 1 });
  expect(dollars.embeddings).toBeCloseTo(0.6);
  expect(dollars.vectorQueries).toBeCloseTo(10.24);
  expect(dollars.total).toBeCloseTo(1 + 0.6 + 10.24 + 0.3);
});

it("charges nothing for trips, statements and calls as such", () => {
  expect(dollarsPerMillion({ ...NONE, trips: 9, statements: 9, embeddings: 9, vectorsWritten: 9 }).total).toBe(0);
});

it("prices a month of storage as the pricing pages' own examples do", () => {
  expect(vectorMonth()).toBeCloseTo(10.752);
  expect(storageMonth(1_000)).toBeCloseTo(0.75);
});
