import { describe, expect, it } from "vitest";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { findJson } from "./find-json.ts";
import { answerFormat, MAX_MEMORIES, type ReadAnswer, readAnswer } from "./read-answer.ts";

const memory = {
  type: "preference",
  content: "Prefers tea",
  quote: "I prefer tea",
  confidence: 0.9,
  sensitivity: "public",
  portable: true,
  subjects: ["speaker"],
  key: "preference:drink",
  replaces: ["K1"],
};
const answer = (memories: unknown, rest: Record<string, unknown> = {}) => JSON.stringify({ memories, people: [], ...rest });

function readOf(text: string): Extract<ReadAnswer, { kind: "read" }> {
  const read = readAnswer(text);
  if (read.kind !== "read") throw new Error(`${read.kind}: ${read.complaint}`);
  return read;
}

const readOne = (change: Record<string, unknown>) => readOf(answer([memory, { ...memory, ...change }])).memories[1];

describe("reading an answer", () => {
  it("reads what follows the schema as it is", () => {
    const people = [{ name: "Lea", aliases: ["Lee"], relationship: "sister" }];
    const entities = [{ type: "Tool", name: "Wrangler", notes: null }];
    expect(readOf(answer([memory], { people, entities }))).toEqual({
      kind: "read",
      memories: [memory],
      people,
      entities: [{ type: "tool", name: "Wrangler", notes: null }],
      invalid: 0,
      tooMany: 0,
    });
  });

  it.each([
    ["a fence", "```json\nJSON\n```"],
    ["a fence with words round it", "Here you are:\n```\nJSON\n```\nAnything else?"],
    ["a preamble and an epilogue with braces", "Sure {as asked}: JSON\nLet me know {if} more is needed."],
    ["the schema told first", '{"type":"object"} JSON'],
    ["blanks", "\n\n  JSON  \n"],
  ])("finds it in %s", (_, frame) => {
    expect(readOf(frame.replace("JSON", () => answer([{ ...memory, content: 'Says "}" and {' }]))).memories).toHaveLength(1);
  });

  it("takes a bare list, and null for none", () => {
    expect(readOf(JSON.stringify([memory])).memories).toHaveLength(1);
    expect(readOf(`\`\`\`json\n${JSON.stringify([memory])}\n\`\`\``).memories).toHaveLength(1);
    expect(readOf('{"memories":null}').memories).toEqual([]);
  });

  it.each([
    ["", "no_json"],
    ["I found nothing.", "no_json"],
    ["[1] is a footnote", "no_json"],
    ['{"memories":[{"type":"preference","subjects":[],"content":"a', "no_json"],
    [answer([memory]).slice(0, -12), "invalid"],
    ["{}", "invalid"],
    ['{"memories":"none"}', "invalid"],
    ['{"answer":{"memories":[]}}', "invalid"],
    ["[1,2]", "invalid"],
    [answer([{ ...memory, type: "opinion" }]), "invalid"],
  ])("tells what is wrong with %j", (text, kind) => {
    expect(readAnswer(text)).toMatchObject({ kind, complaint: expect.any(String) });
  });

  it("complains in our words and repeats nothing of the answer", () => {
    const read = readAnswer(answer([{ ...memory, type: "hunter2", confidence: "hunter2", content: 7 }]));
    expect(read).toMatchObject({
      kind: "invalid",
      complaint: expect.stringMatching(
        /^memories\[0\]\.type has to be one of preference, .*\nmemories\[0\]\.content .*\nmemories\[0\]\.confidence /,
      ),
    });
    expect(JSON.stringify(read)).not.toContain("hunter2");
  });

  it("leaves out one that is wrong and keeps the others", () => {
    const bad = [
      { ...memory, content: "" },
      { ...memory, content: "x".repeat(501) },
      { ...memory, quote: undefined },
      "text",
      null,
    ];
    expect(readOf(answer([...bad, memory]))).toMatchObject({ memories: [memory], invalid: 5 });
    expect(readOf(answer([memory], { people: [{ name: 7 }], entities: "none" }))).toMatchObject({
      people: [],
      entities: [],
      invalid: 1,
    });
  });

  it.each([
    [{ confidence: "0.8" }, { confidence: 0.8 }],
    [{ confidence: "80%" }, { confidence: 0.8 }],
    [{ confidence: 80 }, { confidence: 0.8 }],
    [{ type: " Preference " }, { type: "preference" }],
    [{ content: "  Prefers\n tea " }, { content: "Prefers tea" }],
    [{ subjects: "Lea" }, { subjects: ["Lea"] }],
    [{ subjects: ["Lea", 7, "", null] }, { subjects: ["Lea"] }],
    [{ subjects: undefined }, { subjects: [] }],
    [{ replaces: "[k2]" }, { replaces: ["K2"] }],
    [{ replaces: ["K1", "K1", "K2", "K3", "K4"] }, { replaces: ["K1", "K2", "K3"] }],
    [{ key: "" }, { key: null }],
    [{ key: "null" }, { key: null }],
    [{ key: "Drink of Choice" }, { key: "preference:drink_of_choice" }],
    [{ key: "identity:home" }, { key: "preference:identity_home" }],
    [{ portable: "false" }, { portable: false }],
    [{ portable: undefined }, { portable: true }],
    [{ extra: 1 }, memory],
  ])("is lenient where that does no harm: %j", (change, expected) => {
    expect(readOne(change)).toEqual({ ...memory, ...expected });
  });

  it.each([
    [undefined, "personal"],
    [null, "personal"],
    ["Sensitive", "sensitive"],
    ["top secret", "sensitive"],
    [3, "sensitive"],
  ])("reads the sensitivity %j strictly", (sensitivity, expected) => {
    expect(readOne({ sensitivity })?.sensitivity).toBe(expected);
  });

  it.each([{ confidence: undefined }, { confidence: "very" }, { confidence: -1 }, { confidence: 400 }, { type: undefined }])(
    "does not guess: %j",
    (change) => {
      expect(readOne(change)).toBeUndefined();
    },
  );

  it("stops at a limit", () => {
    const many = Array.from({ length: MAX_MEMORIES + 4 }, (_, i) => ({ ...memory, content: `Likes ${i}` }));
    expect(readOf(answer(many))).toMatchObject({ tooMany: 4, memories: { length: MAX_MEMORIES } });
  });

  it("ends for any text, with work in proportion to its length", () => {
    const hostile: ((units: number) => string)[] = [
      (units) => "{".repeat(units),
      (units) => '{"'.repeat(units / 2),
      (units) => `{"a":"${"\\".repeat(units + 1)}`,
      (units) => '"'.repeat(units + 1),
      (units) => "[".repeat(units),
    ];
    for (const text of hostile) {
      expect(findJson(text(200_000))).toBeUndefined();
      expect(growthOf(findJson, text)).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
    }
  });
});

describe("the schema that is sent", () => {
  const listsOf = (withEntities: boolean) => {
    const { schema } = answerFormat(withEntities);
    return schema.required;
  };

  it("asks for entities only where they belong", () => {
    expect(listsOf(false)).toEqual(["memories", "people"]);
    expect(listsOf(true)).toEqual(["memories", "people", "entities"]);
  });

  it("is what strict modes take: all fields required, no others, no limits", () => {
    const text = JSON.stringify(answerFormat(true).schema);
    expect(text).not.toMatch(/\$schema|maxLength|minLength|maxItems|pattern|"optional"|\$ref|default/);
    expect(text.match(/"type":"object"/g)).toHaveLength(4);
    expect(text.match(/"additionalProperties":false/g)).toHaveLength(4);
  });
});
