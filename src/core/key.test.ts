import { describe, expect, it } from "vitest";
import { looksLikeKey, newKey, sha256 } from "./key.ts";

describe("newKey", () => {
  it("makes keys of one shape, never the same twice, that begin with their prefix", () => {
    const keys = Array.from({ length: 50 }, newKey);
    expect(new Set(keys.map((made) => made.key)).size).toBe(50);
    expect(keys.every((made) => looksLikeKey(made.key) && made.key.startsWith(made.prefix) && made.prefix.length === 9)).toBe(
      true,
    );
  });
});

it.each(["", "ew_", "sk_0123456789", "ew_012345678901234567890123456789012345678!"])("does not take %j for a key", (value) => {
  expect(looksLikeKey(value)).toBe(false);
});

it("hashes as SHA-256 does", async () => {
  expect(await sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
