import { expect, it } from "vitest";
import { convolve, encode, greatest, means } from "./network.ts";
import { unpackTable } from "./packed.ts";

it("a word is the sum of its vector, its bucket and its flags, and nothing below 0", () => {
  const encoder = {
    width: 2,
    vectors: Float32Array.of(1, 2, -1, -1),
    buckets: Float32Array.of(0, 0, 0.5, 0.25),
    flags: Float32Array.of(1, 1),
    bias: Float32Array.of(0.1, 0.1),
  };
  const words = [
    { vector: Float32Array.of(1, 1), bucket: 1, flags: [0] },
    { vector: null, bucket: -1, flags: [] },
  ];
  expect([...encode(encoder, words)].map((value) => value.toFixed(2))).toEqual(["4.60", "0.00", "0.10", "0.10"]);
});

it("a layer reads the words before and after, at its step", () => {
  const layer = { from: 1, to: 1, weights: Float32Array.of(1, 10, 100), bias: Float32Array.of(0) };
  expect([...convolve({ ...layer, step: 1 }, Float32Array.of(1, 2, 3))]).toEqual([210, 321, 32]);
  expect([...convolve({ ...layer, step: 2 }, Float32Array.of(1, 2, 3))]).toEqual([310, 20, 31]);
});

it("words are summed up by their greatest values and by their means", () => {
  const values = Float32Array.of(1, 0, 3, 0, 2, 5);
  expect(greatest(values, 2, [0, 1])).toEqual({ values: Float32Array.of(3, 0), words: Int32Array.of(1, -1) });
  expect([...means(values, 2, [0, 2])]).toEqual([1.5, 2.5]);
});

it("tables are stored as signed bytes", () => {
  expect([...unpackTable({ weights: btoa(String.fromCharCode(1, 255, 127)), scale: 2 })]).toEqual([2, -2, 254]);
});
