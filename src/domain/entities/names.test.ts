import { describe, expect, it } from "vitest";
import { entityKey, entityType, MAX_NAME, MAX_NOTES, parseEntityInput } from "./names.ts";

describe("entityKey", () => {
  it("is the same for spellings of one name", () => {
    expect(new Set(["Café Müller", "cafe  MULLER", "Cafe-Müller"].map(entityKey)).size).toBe(1);
  });

  it("distinguishes names that differ by a sign", () => {
    expect(new Set(["C", "C++", "C#", ".NET", "Net"].map(entityKey)).size).toBe(5);
  });

  it("keeps names of any script, and is empty without a letter", () => {
    expect(entityKey("北京大学")).toBe("北京大学");
    expect(entityKey("!!")).toBe("");
  });
});

describe("draftEntity", () => {
  it("writes types in lower case and names on one line", () => {
    expect(entityType("  Tool ")).toBe("tool");
    expect(parseEntityInput({ type: "TOOL", name: " Post\n gres ", notes: " a database " })).toEqual({
      type: "tool",
      name: "Post gres",
      key: "post gres",
      notes: "a database",
    });
  });

  it("leaves out what has no name, no type, or a secret in it", () => {
    expect(parseEntityInput({ type: "tool", name: "…" })).toBeNull();
    expect(parseEntityInput({ type: " ", name: "Vault" })).toBeNull();
    expect(parseEntityInput({ type: "tool", name: "Vault", notes: "the password is hunter2" })).toBeNull();
    expect(parseEntityInput({ type: "tool", name: "my password is hunter2" })).toBeNull();
    expect(parseEntityInput({ type: "tool", name: "password:", notes: "hunter2" })).toBeNull();
  });

  it("cuts what is too long without halving a character", () => {
    const draft = parseEntityInput({ type: "x".repeat(50), name: "🦊a".repeat(100), notes: "word ".repeat(200) });
    expect(draft?.name.isWellFormed()).toBe(true);
    expect(draft?.name.length).toBeLessThanOrEqual(MAX_NAME);
    expect(draft?.notes?.length).toBeLessThanOrEqual(MAX_NOTES);
    expect(draft?.notes?.endsWith("word")).toBe(true);
  });
});
