import { describe, expect, it } from "vitest";
import { isPublicId, looksLikeKey, newKey, publicId, sha256, uuidv7 } from "./ids.ts";

describe("uuidv7", () => {
  it("holds the time in its first 48 bits, the version and the variant", () => {
    expect(uuidv7(0x0190_1234_5678, new Uint8Array(16).fill(0xff))).toBe("01901234-5678-7fff-bfff-ffffffffffff");
  });

  it("sorts by time", () => {
    expect(publicId("episode", 1_700_000_000_000) < publicId("episode", 1_700_000_000_001)).toBe(true);
  });
});

describe("isPublicId", () => {
  it("accepts its own kind only", () => {
    const id = publicId("episode", Date.now());
    expect([isPublicId("episode", id), isPublicId("session", id), isPublicId("episode", "epi_1")]).toEqual([true, false, false]);
  });
});

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
