import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChatTurn, injectBlock, takesSystemRole } from "./inject.ts";

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

const messages: ChatTurn[] = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "image_url", image_url: { url: "data:," } },
      { type: "text", text: "And this?" },
    ],
    name: "ann",
  },
  { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }] },
  { role: "tool", tool_call_id: "c1", content: "42" },
];

describe("a block is put before the conversation", () => {
  it("as a system message ahead of those that are there", () => {
    expect(injectBlock(messages, "known", { model: "gpt-4o", withoutSystemRole })).toEqual([
      { role: "system", content: "known" },
      ...messages,
    ]);
  });

  it("as the first user message, one of its own, for a model that refuses the system role", () => {
    expect(injectBlock(messages, "known", { model: "openai/o1-mini", withoutSystemRole })).toEqual([
      { role: "user", content: "known" },
      ...messages,
    ]);
  });

  it("and an empty one adds nothing", () => {
    expect(injectBlock(messages, "", { model: "gpt-4o", withoutSystemRole })).toEqual(messages);
  });

  it("and every message, of whatever shape, stays the same object", () => {
    const turn = fc.record({ role: fc.string(), content: fc.jsonValue() }, { requiredKeys: ["role"] });
    fc.assert(
      fc.property(fc.array(turn), fc.string({ minLength: 1 }), fc.string(), (turns, block, model) => {
        const before = JSON.stringify(turns);
        const injected = injectBlock(turns, block, { model, withoutSystemRole });
        expect(injected).toHaveLength(turns.length + 1);
        turns.forEach((one, i) => void expect(injected[i + 1]).toBe(one));
        expect(JSON.stringify(turns)).toBe(before);
      }),
    );
  });
});
