import { describe, expect, it } from "vitest";
import type { BlockTurn } from "#domain/injection";
import { spliceBody } from "#surfaces/proxy/to-upstream";
import { type ResponseBody, readResponse, takesPlainAnswer } from "./read-request.ts";

describe("memory", () => {
  const insert = (text: string, role: BlockTurn["role"] = "system") => {
    const { insertBlock } = readResponse(JSON.parse(text));
    return spliceBody(text, [insertBlock({ role, content: 'known "so"' })]);
  };
  const BLOCK = String.raw`known \"so\"`;

  it.each([
    ['{"input":"x"}', `{"instructions":"${BLOCK}","input":"x"}`],
    ['{"input":"x", "instructions" : null}', `{"input":"x", "instructions" : "${BLOCK}"}`],
    [
      String.raw`{"instructions":"Be \u00fc\ud800 brief.","input":[],"seed":9007199254740993}`,
      String.raw`{"instructions":"${BLOCK}\n\nBe \u00fc\ud800 brief.","input":[],"seed":9007199254740993}`,
    ],
  ])("of %s is put before the instructions, and every other byte stays", (text, changed) => {
    expect(insert(text)).toBe(changed);
  });

  it.each([
    ['{"input":"x"}', "user", `{"input":[{"role":"user","content":"${BLOCK}"},{"role":"user","content":"x"}]}`],
    ['{"input":[ {"role":"user"} ]}', "user", `{"input":[{"role":"user","content":"${BLOCK}"}, {"role":"user"} ]}`],
    ['{"prompt":{"id":"p"}}', "system", `{"input":[{"role":"system","content":"${BLOCK}"}],"prompt":{"id":"p"}}`],
    [
      '{"instructions":["x"],"input":"x"}',
      "system",
      `{"instructions":["x"],"input":[{"role":"system","content":"${BLOCK}"},{"role":"user","content":"x"}]}`,
    ],
  ] as const)("of %s is the first item where there is no place in the instructions", (text, role, changed) => {
    expect(insert(text, role)).toBe(changed);
  });
});

describe("an answer without a model", () => {
  it.each<[boolean, ResponseBody]>([
    [true, {}],
    [true, { text: { format: { type: "text" }, verbosity: "low" }, tool_choice: "auto", tools: [{}], background: false }],
    [true, { text: null, previous_response_id: null, conversation: null }],
    [false, { text: { format: { type: "json_schema", name: "x", schema: {} } } }],
    [false, { text: "json" }],
    [false, { tool_choice: "required" }],
    [false, { tool_choice: { type: "function", name: "x" } }],
    [false, { guided_json: {} }],
    // The client may refer to the answer later, which the model server does not have.
    [false, { store: undefined }],
    [false, { store: true }],
    [false, { previous_response_id: "resp_1" }],
    [false, { conversation: "conv_1" }],
    [false, { conversation: { id: "conv_1" } }],
    [false, { background: true }],
    [false, { prompt: { id: "p" } }],
    // Wrong, which the model server says.
    [false, { model: undefined }],
    [false, { stream: "yes" }],
  ])("is %s for %j", (takes, more) => {
    expect(takesPlainAnswer({ model: "m", input: "x", store: false, ...more })).toBe(takes);
  });
});

describe("what the model server keeps", () => {
  it("is what the request continues", () => {
    const continues = (body: ResponseBody) => readResponse(body).continues;
    expect(
      [{}, { previous_response_id: "resp_1" }, { conversation: "conv_1" }, { conversation: { id: "conv_2" } }].map(continues),
    ).toEqual(["", "resp_1", "conv_1", "conv_2"]);
  });
});
