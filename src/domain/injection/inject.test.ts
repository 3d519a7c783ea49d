import { describe, expect, it } from "vitest";
import { type Insertion, placeBlock, takesSystemRole } from "./inject.ts";

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
  const [system, user, reply] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi" },
  ];
  const how = (more: Partial<Insertion> = {}): Insertion => ({
    block: "known",
    placement: "system",
    takesSystemRole: true,
    ...more,
  });

  it("is appended to the first system or developer message, else inserted as one", () => {
    expect(placeBlock([user, system, system], how())).toEqual([{ kind: "append", at: 1, text: "known" }]);
    expect(placeBlock([{ role: "developer", content: [] }, user], how())).toEqual([{ kind: "append", at: 0, text: "known" }]);
    expect(placeBlock([user, reply], how())).toEqual([{ kind: "insert", role: "system", text: "known" }]);
    expect(placeBlock([{ role: "system", content: 7 }, user], how())).toEqual([
      { kind: "insert", role: "system", text: "known" },
    ]);
  });

  it("stands before the text of the last user message, where that is asked for and there is one", () => {
    const latest = how({ placement: "latest" });
    const parts = { role: "user", content: [{ type: "image_url" }, { type: "text", text: "What is it?" }] };
    expect(placeBlock([system, user, reply, user, reply], latest)).toEqual([{ kind: "prepend", at: 3, part: 0, text: "known" }]);
    expect(placeBlock([parts], latest)).toEqual([{ kind: "prepend", at: 0, part: 1, text: "known" }]);
    expect(placeBlock([{ role: "user", content: [{ type: "image_url" }] }], latest)).toMatchObject([{ part: 1 }]);
    expect(placeBlock([system, reply], latest)).toEqual([{ kind: "append", at: 0, text: "known" }]);
  });

  it("of a model that refuses the system role is in the first user message, with the client's own instructions", () => {
    const without = how({ takesSystemRole: false });
    expect(placeBlock([system, user, reply, user], without, "Own.")).toEqual([
      { kind: "remove", at: 0 },
      { kind: "prepend", at: 1, part: 0, text: "Own.\n\nBe brief.\n\nknown" },
    ]);
    expect(placeBlock([system, reply], without)).toEqual([
      { kind: "remove", at: 0 },
      { kind: "insert", role: "user", text: "Be brief.\n\nknown" },
    ]);
    expect(placeBlock([system, user, reply, user], { ...without, placement: "latest" })).toEqual([
      { kind: "remove", at: 0 },
      { kind: "prepend", at: 1, part: 0, text: "Be brief." },
      { kind: "prepend", at: 3, part: 0, text: "known" },
    ]);
    expect(placeBlock([user, reply, user], { ...without, placement: "latest" })).toHaveLength(1);
  });
});
