import { describe, expect, it } from "vitest";
import { blockTurn, takesSystemRole } from "./inject.ts";

const withoutSystemRole = ["o1", "o1-mini", "o1-preview", "glm", "glmt", "glm-cn", "zai", "qianfan"];
const refuses = (model: string) => !takesSystemRole({ model, withoutSystemRole });

describe("models that refuse the system role", () => {
  it.each([
    ...withoutSystemRole,
    "openai/o1-mini",
    "openrouter/openai/o1",
    "o1-2024-12-17",
    "o1-mini-2024-09-12",
    "o1-preview-2024-09-12",
    "O1-Mini",
    "o1:free",
    "o1@20241217",
    "o1-latest",
    "zai/glm-4.6",
    "glm-4.6",
    "glm-4",
    "glm-4.5-air",
    "glm-4v-plus",
    "glm4",
    "glm/4.6",
    "glm-cn/glm-4-plus",
    "glmt/whatever",
    "qianfan/ernie-4.0-8k",
    "z-models/glm-4.5",
  ])("%s", (model) => expect(refuses(model)).toBe(true));

  it.each([
    "o1-pro",
    "o1-pro-2025-03-19",
    "o10",
    "o1.5",
    "o1x",
    "o3",
    "o3-mini",
    "openai/o3",
    "gpt-4o",
    "gpt-4o-mini",
    "foo1",
    "solo1-mini",
    "glm-air",
    "glmx",
    "zaira",
    "qianfan-like/model",
    "claude-3-5-sonnet-latest",
    "",
    "/",
  ])("and not %s", (model) => expect(refuses(model)).toBe(false));

  it("are a setting: an empty list has none, and an empty name means nothing", () => {
    expect(takesSystemRole({ model: "o1", withoutSystemRole: [] })).toBe(true);
    expect(takesSystemRole({ model: "4.1", withoutSystemRole: [""] })).toBe(true);
    expect(takesSystemRole({ model: "acme/parrot-2", withoutSystemRole: ["ACME"] })).toBe(false);
  });
});

describe("a block", () => {
  it("is a system message", () => {
    expect(blockTurn("known", { model: "gpt-4o", withoutSystemRole })).toEqual({ role: "system", content: "known" });
  });

  it("is a user message for a model that refuses the system role", () => {
    expect(blockTurn("known", { model: "openai/o1-mini", withoutSystemRole })).toEqual({ role: "user", content: "known" });
  });
});
