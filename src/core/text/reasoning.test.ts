import { describe, expect, it } from "vitest";
import { replyWithoutReasoning, separateReasoning, withoutReasoning } from "./reasoning.ts";

it.each([
  ["Plain.", "", "Plain."],
  ["<think>hm\nso</think>Blue.", "hm\nso", "Blue."],
  ["<think>hm</think> Blue.", "hm", " Blue."],
  ["\n<thinking>hm</thinking>\n\nBlue.", "hm", "\n\nBlue."],
  ["<think>\nonly thought\n</think>\n", "\nonly thought\n", "\n"],
  ["<think>\nA sketch:\n```js\nlet a;\n```\nGood.\n</think>\nyes", "\nA sketch:\n```js\nlet a;\n```\nGood.\n", "\nyes"],
  ["<think>\nSo <think> is a tag.\n</think>\n\nYes.", "\nSo <think> is a tag.\n", "\n\nYes."],
  ["<think>\nhm\n</think> yes", "\nhm\n", " yes"],
  ["<think> They say hello. </think>\nHello!", " They say hello. ", "\nHello!"],
  ["<think>cut off", "cut off", ""],
  ["The tag <think>hm</think> is one.", "", "The tag <think>hm</think> is one."],
])("%j is told apart", (reply, reasoning, text) => {
  expect(separateReasoning(reply)).toEqual({ reasoning, text });
});

describe("reasoning that is cut off", () => {
  it.each(["<think>\nThe user as", "\n<think>\r\nThe user asks.\n\nSo"])(
    "%j is left out of a reply, and kept in a text",
    (text) => {
      expect(replyWithoutReasoning(text)).toBe("");
      expect(withoutReasoning(text)).toBe(text);
    },
  );
});

it.each([
  "<think> tags are what DeepSeek R1 emits before its answer. Strip them with a regex.",
  "<thinking> tags are a convention of prompts.",
  "<think>",
  "<think> and </think> are the tags of R1.",
  "<think> tags wrap the reasoning, which ends with </think>",
  "<think> tags wrap the reasoning, which ends with </think>\nThe answer follows.",
  "<think>: the reasoning begins.\n</think>: it ends.",
  "<think> Tags stehen vorn, am Ende steht </think>\nDann folgt die Antwort.",
  "<think>…</think>, the tags of R1, come first.",
  "<think> opens the reasoning, `</think>` closes it.",
  "<think> opens it:\n```\nreasoning\n</think>\nanswer\n```",
  "<think> opens it, as in\n\n<think>\nreasoning\n</think>\n\nAnswer",
])("%j begins with a mention, and is whole", (text) => {
  expect(withoutReasoning(text)).toBe(text);
  expect(replyWithoutReasoning(text)).toBe(text);
});

describe("reasoning whose opening tag the server keeps", () => {
  it.each([
    // Qwen3 behind vLLM, DeepSeek R1, GLM, MiniMax.
    ["The user asks about a secret elephant.\n</think>\n\nThe ferry leaves at seven.", "The ferry leaves at seven."],
    ["Okay.\n\nSo the answer is blue.\n</think>\n\nBlue.\n\n- one\n- two", "Blue.\n\n- one\n- two"],
    ["It wants a colour.</think>Blue.", "Blue."],
    ["It wants a colour.\n</think>Blue.", "Blue."],
    ["Does it want a colour? (It does.)</thinking>**Blue**", "**Blue**"],
    ["它想要一种颜色。</think>\n\n蓝色。", "蓝色。"],
    ["2 + 2 = 4\n</think>\n\nIt is 4.", "It is 4."],
    ['I say "blue."\n</think>\n\nBlue.', "Blue."],
    ["\n</think>\n\nBlue.", "Blue."],
    ["</think>Blue.", "Blue."],
    ["Hm.\r\n</think>\r\n\r\nBlue.", "Blue."],
    ["I write code:\n```js\nlet a;\n```\nThat will do.\n</think>\n\nHere:\n```js\nlet a;\n```", "Here:\n```js\nlet a;\n```"],
  ])("%j ends at its closing tag", (reply, text) => {
    expect(separateReasoning(reply).text.trim()).toBe(text);
    expect(separateReasoning(reply).reasoning).not.toContain("</think>");
    expect([withoutReasoning(reply), replyWithoutReasoning(reply)]).toEqual([text, text]);
  });

  it.each([
    "Your dose is 5 mg twice a day.\n</think>\nAnything else?",
    "Your dose is 5 mg twice a day.</think>\nAnything else?",
    "My plan:\n1. open\n2. write\n</think>",
    "Only thought about it.\n</think>\n",
    "</think>",
    "The template ends the prompt with\n</think>\nso that the model answers at once.",
    "The template ends the prompt with\n\n</think>\n\nso that the model answers at once.",
    "The template ends the prompt with:\n\n</think>\n\nThe model answers at once.",
    "The form is reasoning</think>answer.",
    'Split "It wants a colour.</think>Blue." at the tag.',
    "One.\n</think>\n\nThe template ends with `</think>`.",
    "It ends so.\n\n</think>\n\nAnd not so.\n\n</thinking>\n\nAgreed?",
    "The model closes its reasoning with `</think>` and then answers.",
    "The model closes its reasoning with </think> and then answers.",
    "</think> is the tag that ends it.",
    'Split the text at "</think>" and take the last part.',
    "Split the text at '</think>'.",
    "The marker is </think>.",
    "It is (</think>) there.",
    "> It wants a colour.\n> </think>\n\nThat is a quote.",
    "Use this:\n```python\nanswer = text.split('''\n</think>\n''')[-1]\n```\nThat is all.",
    "Use this:\n\n~~~\nreasoning.\n</think>\n\nanswer\n~~~\n",
    "Use this:\n\n    reasoning.\n    </think>\n\n    answer\n",
    "The form is:\n<think>\nreasoning\n</think>\nanswer",
    '{"quote":"it said hm.</think>Blue"}',
    "- `<think>`: begins\n- `</think>`: ends",
  ])("%j mentions it, and is whole", (reply) => {
    expect(separateReasoning(reply)).toEqual({ reasoning: "", text: reply });
    expect([withoutReasoning(reply), replyWithoutReasoning(reply)]).toEqual([reply, reply]);
  });
});

it.each(["`</think>` ", "</think>\n\n", "<think>", "<think>\n</think>", "```\n", "\n", "\n "])(
  "a text of many %j is read in time that grows with it",
  (piece) => {
    for (const reply of [piece.repeat(50_000), `${piece.repeat(50_000)}.</think>\n\nBlue.`])
      expect(withoutReasoning(reply).length).toBeGreaterThan(0);
  },
);
