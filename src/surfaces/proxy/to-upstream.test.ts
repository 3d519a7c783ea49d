import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_LINEAR_GROWTH, workOf } from "#test/text-work";
import { changeTurns } from "./change-turns.ts";
import { headersToUpstream, setMember, spliceBody } from "./to-upstream.ts";

it("takes a few headers to the upstream, and no credential, cookie or word of ours", () => {
  const given = new Headers({
    accept: "text/event-stream",
    authorization: "Bearer ew_client",
    cookie: "a=b",
    "x-edgewise-user": "alice",
    "x-edgewise-memory": "off",
    "x-forwarded-for": "10.0.0.1",
    "cf-connecting-ip": "10.0.0.1",
    host: "edgewise.test",
    "content-length": "5",
    "x-api-key": "secret",
    "openai-organization": "org-1",
    "openai-beta": "x=1",
    "idempotency-key": "once",
    "x-title": "My app",
  });
  expect(headersToUpstream(given)).toEqual({
    accept: "text/event-stream",
    "openai-organization": "org-1",
    "openai-beta": "x=1",
    "idempotency-key": "once",
    "x-title": "My app",
  });
});

const ahead = { role: "system", content: 'known "so"' };
const block = JSON.stringify(ahead);
const model = setMember("model", "c");
const memory = {
  name: "messages",
  write: (json: string | null) => changeTurns(json ?? "[]", [{ kind: "insert", role: "system", text: ahead.content }], "text"),
};

describe("a body that is changed", () => {
  it("keeps every other byte", () => {
    const text =
      '\n{ "seed" : 9007199254740993,\r\n\t"temperature":1.0, "top_p":1E0, "model":"ours" ,"messages" : [ {"role":"user","content":"Gr\\u00fc\\u00dfe \\"]}\\" 🦊 \\ud800"} ] , "x":{"messages":[1],"model":"deep"}, "y":[{"model":"z"}]}\n';
    expect(spliceBody(text, [setMember("model", "theirs"), memory])).toBe(
      text.replace('"ours"', '"theirs"').replace('"messages" : [', `"messages" : [${block},`),
    );
    expect(spliceBody(text, [memory])).toBe(text.replace('"messages" : [', `"messages" : [${block},`));
    expect(spliceBody(text, [])).toBe(text);
  });

  it.each([
    [
      "the last of two members of one name",
      '{"messages":[1],"model":"a","messages":[2],"model":"b"}',
      '{"messages":[1],"model":"a","messages":[BLOCK,2],"model":"c"}',
    ],
    ["a name that is escaped", '{"mess\\u0061ges":[2],"m\\u006fdel":"b"}', '{"mess\\u0061ges":[BLOCK,2],"m\\u006fdel":"c"}'],
    [
      "names within others, and strings that look like them",
      '{"a":"\\"messages\\":[","b\\\\":{"messages":[1]},"model":"b","messages":[ 2]}',
      '{"a":"\\"messages\\":[","b\\\\":{"messages":[1]},"model":"c","messages":[BLOCK, 2]}',
    ],
    ["no messages", '{"model":"b","messages":[ \n]}', '{"model":"c","messages":[BLOCK \n]}'],
  ])("is changed in the right place: %s", (_, text, changed) => {
    expect(spliceBody(text, [model, memory])).toBe(changed.replace("BLOCK", block));
  });

  it("is written anew where there is no such place", () => {
    expect(JSON.parse(spliceBody('{"messages":[2],"n":1}', [model, memory]))).toEqual({
      model: "c",
      messages: [ahead, 2],
      n: 1,
    });
  });

  it("reads as the same object with the change, whatever it holds", () => {
    const blank = fc.constantFrom("", " ", "\n\t", "\r\n");
    const member = fc.tuple(
      fc.oneof(fc.constantFrom("model", "messages", "a\\b", 'a"b', "__proto__"), fc.string()),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(member), fc.array(fc.jsonValue()), blank, (members, messages, gap) => {
        const all = [...members, ["messages", messages] as const, ["model", "m"] as const];
        const written = all.map(
          ([name, value]) => `${gap}${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(value, null, gap)}${gap}`,
        );
        const text = `${gap}{${written.join(",")}}${gap}`;
        const spliced = spliceBody(text, [model, memory]);
        expect(JSON.parse(spliced)).toEqual({
          ...JSON.parse(text),
          model: "c",
          messages: [ahead, ...JSON.parse(JSON.stringify(messages))],
        });
        expect(spliced.length).toBe(text.length + block.length + (messages.length > 0 ? 1 : 0));
      }),
    );
  });
});

describe("a message of a conversation", () => {
  const append = { kind: "append", at: 1, text: 'known "so"' } as const;
  const prepend = { kind: "prepend", at: 1, part: 1, text: 'known "so"' } as const;
  const KNOWN = String.raw`known \"so\"`;
  const [before, after] = ['[ {"n":1.0, "content":"a"} ,\n', ', {"content":"\\u00fc"}]'];

  it.each([
    ['{"role":"x","content":"Be \\u00fc\\\\ brief."}', append, `{"role":"x","content":"Be \\u00fc\\\\ brief.\\n\\n${KNOWN}"}`],
    ['{"content":""}', append, `{"content":"${KNOWN}"}`],
    ['{"content": null}', append, `{"content": "${KNOWN}"}`],
    ['{"role":"x"}', append, `{"content":"${KNOWN}","role":"x"}`],
    ['{"content":[ {"a":1.0} ]}', append, `{"content":[ {"a":1.0},{"type":"text","text":"${KNOWN}"} ]}`],
    ['{"content":[ ]}', append, `{"content":[{"type":"text","text":"${KNOWN}"} ]}`],
    ['{"content":"Hi"}', prepend, `{"content":"${KNOWN}\\n\\nHi"}`],
    ['{"content":[1, 2,3]}', prepend, `{"content":[1, {"type":"text","text":"${KNOWN}"},2,3]}`],
    ['{"content":[1]}', prepend, `{"content":[1,{"type":"text","text":"${KNOWN}"}]}`],
  ])("%s has one more text, and every other byte stays", (message, change, changed) => {
    expect(changeTurns(`${before}${message}${after}`, [change], "text")).toBe(`${before}${changed}${after}`);
  });

  it("is left out, and the others stay", () => {
    const changes = [{ kind: "remove", at: 0 } as const, prepend];
    expect(changeTurns('[ {"a":1.0} , {"content":"Hi"}, 3]', changes, "text")).toBe(`[{"content":"${KNOWN}\\n\\nHi"},3]`);
  });

  it("is found among many in work that grows with them", () => {
    const many = (messages: number) => `[${'{"content":"a"},'.repeat(messages)}{"content":"a"}]`;
    const work = (messages: number) => () => changeTurns(many(messages), [append], "text");
    expect(workOf(work(20_000)) / workOf(work(2_000))).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
