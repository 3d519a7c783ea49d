import { describe, expect, it } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

describe("BoundedCache", () => {
  it("forgets at the age, not before", () => {
    const cache = new BoundedCache<number>({ limit: 2, ttlMs: 10 });
    cache.set("a", 1, 0);
    expect([cache.get("a", 9), cache.get("a", 10)]).toEqual([1, undefined]);
  });

  it("has what is past its age for whoever asks for that, as long as they say", () => {
    const cache = new BoundedCache<number>({ limit: 2, ttlMs: 10 });
    cache.set("a", 1, 0);
    expect(cache.get("a", 10)).toBeUndefined();
    expect([cache.getStale("a", 14, 5), cache.getStale("a", 15, 5), cache.getStale("b", 0, 5)]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    cache.delete("a");
    expect(cache.getStale("a", 0, 5)).toBeUndefined();
  });

  it("drops the least recently used beyond its limit", () => {
    const cache = new BoundedCache<number>({ limit: 2, ttlMs: 10 });
    cache.set("a", 1, 0);
    cache.set("b", 2, 0);
    cache.get("a", 1);
    cache.set("c", 3, 1);
    expect([cache.get("a", 2), cache.get("b", 2), cache.get("c", 2)]).toEqual([1, undefined, 3]);
  });

  it("counts hits and misses", () => {
    const cache = new BoundedCache<number>({ limit: 2, ttlMs: 10 });
    cache.get("a", 0);
    cache.set("a", 1, 0);
    cache.get("a", 0);
    expect(cache.counts()).toEqual({ hits: 1, misses: 1, size: 1 });
  });
});
