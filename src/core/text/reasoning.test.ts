import { describe, expect, it } from "vitest";
import { separateReasoning } from "./reasoning.ts";

it.each([
  ["Plain.", "", "Plain."],
  ["<think>hm\nso</think>Blue.", "hm\nso", "Blue."],
  ["\n<thinking>hm</thinking>\n\nBlue.", "hm", "\n\nBlue."],
  ["<think>cut off", "cut off", ""],
  ["The tag <think>hm</think> is one.", "", "The tag <think>hm</think> is one."],
])("%j is told apart", (reply, reasoning, text) => {
  expect(separateReasoning(reply)).toEqual({ reasoning, text });
});

describe("reasoning whose opening tag the server keeps", () => {
  it.each([
    // Qwen3 behind vLLM, DeepSeek R1, GLM, MiniMax.
    ["The user asks about a secret elephant.\n</think>\n\nThe ferry leaves at seven.", "The ferry leaves at seven."],
    ["Okay.\n\nSo the answer is blue.\n</think>\n\nBlue.\n\n- one\n- two", "Blue.\n\n- one\n- two"],
    ["It wants a colour.</think>Blue.", "Blue."],
    ["it wants a colour</think>\nBlue.", "Blue."],
    ["it wants a colour</thinking>**Blue**", "**Blue**"],
    ["它想要一种颜色。</think>\n\n蓝色。", "蓝色。"],
    ["\n</think>\n\nBlue.", "Blue."],
    ["</think>Blue.", "Blue."],
    ["Hm.\r\n</think>\r\n\r\nBlue.", "Blue."],
    ["I write code:\n```js\nlet a;\n```\nThat will do.\n</think>\n\nHere:\n```js\nlet a;\n```", "Here:\n```js\nlet a;\n```"],
    ["Only thought about it.\n</think>\n", ""],
    ["One.\n</think>\n\nThe template ends with `</think>`.", "The template ends with `</think>`."],
  ])("%j ends at its closing tag", (reply, text) => {
    expect(separateReasoning(reply).text.trim()).toBe(text);
    expect(separateReasoning(reply).reasoning).not.toContain("</think>");
  });

  it.each([
    "The model closes its reasoning with `</think>` and then answers.",
    "The model closes its reasoning with </think> and then answers.",
    "</think> is the tag that ends it.",
    'Split the text at "</think>" and take the last part.',
    "Split the text at '</think>'.",
    "The marker is </think>.",
    "It is (</think>) there.",
    "Use this:\n```python\nanswer = text.split('''\n</think>\n''')[-1]\n```\nThat is all.",
    "Use this:\n\n~~~\nreasoning\n</think>\nanswer\n~~~\n",
    "Use this:\n\n    reasoning\n    </think>\n    answer\n",
    "The form is:\n<think>\nreasoning\n</think>\nanswer",
    '{"quote":"it said hm</think>Blue"}',
    "- `<think>`: begins\n- `</think>`: ends",
  ])("%j mentions it, and is whole", (reply) => {
    expect(separateReasoning(reply)).toEqual({ reasoning: "", text: reply });
  });

  it("is found in a text of many tags in time that grows with it", () => {
    const reply = "`</think>` ".repeat(50_000);
    expect(separateReasoning(reply).text).toHaveLength(reply.length);
  });
});
