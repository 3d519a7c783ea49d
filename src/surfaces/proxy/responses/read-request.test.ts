import { describe, expect, it } from "vitest";
import type { Insertion } from "#domain/injection";
import { spliceBody } from "#surfaces/proxy/to-upstream";
import { type ResponseBody, readResponse, takesPlainAnswer } from "./read-request.ts";

describe("memory", () => {
  const insert = (text: string, more: Partial<Insertion> = {}) => {
    const { insertBlock } = readResponse(JSON.parse(text));
    return spliceBody(text, insertBlock({ block: 'known "so"', placement: "system", takesSystemRole: true, ...more }));
  };
  const BLOCK = String.raw`known \"so\"`;

  it.each([
    ['{"input":"x"}', `{"instructions":"${BLOCK}","input":"x"}`],
    ['{"input":"x", "instructions" : null}', `{"input":"x", "instructions" : "${BLOCK}"}`],
    ['{"input":"x", "instructions" : ""}', `{"input":"x", "instructions" : "${BLOCK}"}`],
    [
      String.raw`{"instructions":"Be \u00fc\ud800 brief.","input":[],"seed":9007199254740993}`,
      String.raw`{"instructions":"Be \u00fc\ud800 brief.\n\n${BLOCK}","input":[],"seed":9007199254740993}`,
    ],
    ['{"instructions":"Brief.","prompt":{"id":"p"}}', `{"instructions":"Brief.\\n\\n${BLOCK}","prompt":{"id":"p"}}`],
  ])("of %s is put at the end of the instructions, and every other byte stays", (text, changed) => {
    expect(insert(text)).toBe(changed);
  });

  it.each([
    ['{"prompt":{"id":"p"}}', `{"input":[{"role":"system","content":"${BLOCK}"}],"prompt":{"id":"p"}}`],
    [
      '{"instructions":["x"],"input":"x"}',
      `{"instructions":["x"],"input":[{"role":"system","content":"${BLOCK}"},{"role":"user","content":"x"}]}`,
    ],
    [
      '{"input":[ {"role":"system" , "content":[ ] },{"role":"user"} ]}',
      `{"input":[ {"role":"system" , "content":[{"type":"input_text","text":"${BLOCK}"} ] },{"role":"user"} ]}`,
    ],
  ])("of %s is in the items where there is no place in the instructions", (text, changed) => {
    expect(insert(text)).toBe(changed);
  });

  it.each([
    ['{"input":"x"}', `{"input":"${BLOCK}\\n\\nx"}`],
    ['{"input":[ {"role":"user"} ]}', `{"input":[ {"content":"${BLOCK}","role":"user"} ]}`],
    ['{"instructions":"Brief.","input":"x"}', `{"instructions":null,"input":"Brief.\\n\\n${BLOCK}\\n\\nx"}`],
    ['{"previous_response_id":"r"}', `{"input":[{"role":"user","content":"${BLOCK}"}],"previous_response_id":"r"}`],
  ])("of %s for a model without a system role is in the first user item", (text, changed) => {
    expect(insert(text, { takesSystemRole: false })).toBe(changed);
  });

  it.each([
    ['{"instructions":"Brief.","input":"x"}', `{"instructions":"Brief.","input":"${BLOCK}\\n\\nx"}`],
    ['{"instructions":"Brief.","input":[]}', `{"instructions":"Brief.\\n\\n${BLOCK}","input":[]}`],
  ])("of %s that goes into the latest message is there, if there is one", (text, changed) => {
    expect(insert(text, { placement: "latest" })).toBe(changed);
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
