import { describe, expect, it } from "vitest";
import { changesOf } from "./change-settings.ts";
import { DEFAULT_SETTINGS } from "./defaults.ts";

describe("changesOf", () => {
  it("names what differs, with the values before and after", () => {
    const change = changesOf(DEFAULT_SETTINGS, { maxTokens: 500, autoGc: true, strategy: "recent" });
    expect(change).toMatchObject({
      names: ["maxTokens", "strategy"],
      from: { maxTokens: 2000, strategy: "hybrid" },
      to: { maxTokens: 500, strategy: "recent" },
    });
    expect(change.after).toEqual({ ...DEFAULT_SETTINGS, version: undefined, maxTokens: 500, strategy: "recent" });
  });

  it("keeps what is not named and stores only what differs from the defaults", () => {
    const before = { ...DEFAULT_SETTINGS, version: 3, retentionDays: 7, maxEntries: 10 };
    expect(changesOf(before, { legacyDisclosure: true }).data).toEqual({
      retentionDays: 7,
      maxEntries: 10,
      legacyDisclosure: true,
    });
    expect(changesOf(before, { retentionDays: 30, maxEntries: null }).data).toEqual({});
  });

  it("puts back to the default what is null", () => {
    const before = { ...DEFAULT_SETTINGS, piiReview: false, allowedOrigins: ["https://a.example"] };
    const { names, to } = changesOf(before, { piiReview: null, allowedOrigins: null, maxTokens: null });
    expect(names.toSorted()).toEqual(["allowedOrigins", "piiReview"]);
    expect(to).toEqual({ piiReview: true, allowedOrigins: [] });
  });

  it("finds nothing where nothing changes", () => {
    const before = { ...DEFAULT_SETTINGS, allowedOrigins: ["https://a.example"] };
    expect(changesOf(before, {}).names).toEqual([]);
    expect(changesOf(before, { allowedOrigins: ["https://a.example"], autoGc: null, maxEntries: null }).names).toEqual([]);
  });
});
