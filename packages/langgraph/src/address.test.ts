import { describe, expect, it } from "vitest";
import { keyOf, scopeIdOf } from "./address.ts";

const long = "x".repeat(300);

describe("keyOf", () => {
  it("is readable where it fits, and a hash of the whole where it does not", async () => {
    expect(await keyOf(["a", "b"], "k")).toBe('langgraph:["a","b","k"]');
    const keys = await Promise.all([
      keyOf(["a"], `${long}1`),
      keyOf(["a"], `${long}2`),
      keyOf(["a", long], "1"),
      keyOf(["b"], `${long}1`),
    ]);
    for (const key of keys) expect(key).toMatch(/^langgraph:sha256:[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("keeps namespaces and keys apart", async () => {
    const keys = await Promise.all([keyOf(["a", "b"], "c"), keyOf(["a"], 'b","c'), keyOf(["a"], "b"), keyOf(["a,b"], "c")]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("scopeIdOf", () => {
  it.each([long, "..", "", "a\u0000", "\ud800"])("is a hash for the label %j, which is no id", async (label) => {
    expect(await scopeIdOf(label)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("is the label otherwise, and another for each", async () => {
    expect(await scopeIdOf("users")).toBe("users");
    expect(await scopeIdOf(`${long}1`)).not.toBe(await scopeIdOf(`${long}2`));
  });
});
