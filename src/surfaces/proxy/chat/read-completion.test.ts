import { describe, expect, it } from "vitest";
import { type CompletionBody, choicesOf, takesPlainAnswer, wantsUsage } from "./read-completion.ts";

const body = (more: Record<string, unknown> = {}): CompletionBody => ({ model: "m", messages: [{ role: "user" }], ...more });

describe("a plain answer", () => {
  it.each<[boolean, Record<string, unknown>]>([
    [true, {}],
    [true, { response_format: { type: "text" }, tool_choice: "auto", modalities: ["text"], function_call: "none" }],
    [true, { response_format: null, tool_choice: null, tools: [{}] }],
    [false, { response_format: { type: "json_object" } }],
    [false, { response_format: { type: "json_schema", json_schema: {} } }],
    [false, { response_format: "json" }],
    [false, { tool_choice: "required" }],
    [false, { tool_choice: { type: "function", function: { name: "x" } } }],
    [false, { function_call: { name: "x" } }],
    [false, { modalities: ["text", "audio"] }],
    [false, { guided_json: {} }],
    [false, { guided_choice: ["a"] }],
    [false, { grammar: "root ::= x" }],
    [false, { format: "json" }],
    [false, { format: { type: "object" } }],
    [true, { format: "", guided_json: null }],
    // Wrong, which the model server says.
    [false, { n: 0 }],
    [false, { model: undefined }],
    [false, { stream: "yes" }],
  ])("is %s for %j", (takes, more) => {
    expect(takesPlainAnswer(body(more))).toBe(takes);
  });
});

it("sends usage with a stream where it is asked for", () => {
  expect(
    [{ include_usage: true }, { include_usage: false }, null, undefined].map((wish) =>
      wantsUsage(body({ stream_options: wish })),
    ),
  ).toEqual([true, false, false, false]);
});

it("counts the choices that are asked for", () => {
  expect([undefined, null, 1, 128, 0, 129, 1.5, "2"].map((n) => choicesOf(body({ n })))).toEqual([
    1,
    1,
    1,
    128,
    null,
    null,
    null,
    null,
  ]);
});
