import { describe, expect, it } from "vitest";
import { isPublicId, publicId, uuidv7 } from "./ids.ts";

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
