import { describe, expect, it } from "vitest";
import { parseDateTime, parseEvidence, parseLocomo } from "./locomo.ts";

const file = [
  {
    sample_id: "made-up",
    conversation: {
      speaker_a: "Ann",
      session_10_date_time: "12:05 am on 1 July, 2023",
      session_10: [{ speaker: "Ann", dia_id: "D10:1", text: "", blip_caption: "a red kite" }],
      session_2_date_time: "1:56 pm on 8 May, 2023",
      session_2: [{ speaker: "Bea", dia_id: "D2:1", text: "Hello", blip_caption: "a boat" }],
      session_3_date_time: "1:00 pm on 9 May, 2023",
      session_3: [],
    },
    qa: [
      { question: "What?", answer: 3, evidence: ["D2:1; D10:1"], category: 1 },
      { question: 2022, evidence: ["D99:1"], category: 4 },
      { question: "Why?", category: 4 },
    ],
  },
];

describe("parseLocomo", () => {
  const [conversation] = parseLocomo(JSON.stringify(file));

  it("puts sessions in the order of their numbers, without empty ones, with their time", () => {
    expect(conversation?.sessions.map(({ number, occurredAt }) => [number, occurredAt.toISOString()])).toEqual([
      [2, "2023-05-08T13:56:00.000Z"],
      [10, "2023-07-01T00:05:00.000Z"],
    ]);
  });

  it("sends a picture as its caption", () => {
    expect(conversation?.sessions.flatMap(({ turns }) => turns)).toEqual([
      { id: "D2:1", speaker: "Bea", text: "Hello [photo: a boat]" },
      { id: "D10:1", speaker: "Ann", text: "[photo: a red kite]" },
    ]);
  });

  it("keeps the questions whose evidence is there", () => {
    expect(conversation?.questions).toEqual([{ text: "What?", category: 1, evidence: new Set(["D2:1", "D10:1"]) }]);
  });
});

describe("parseEvidence", () => {
  it.each([
    ["D1:3", ["D1:3"]],
    ["D8:6; D9:17", ["D8:6", "D9:17"]],
    ["D9:1 D4:4", ["D9:1", "D4:4"]],
    ["D:11:26", ["D11:26"]],
    ["D30:05", ["D30:5"]],
    ["D", []],
  ])("reads %j", (text, ids) => {
    expect(parseEvidence(text)).toEqual(ids);
  });
});

describe("parseDateTime", () => {
  it.each([
    ["12:30 pm on 29 February, 2024", "2024-02-29T12:30:00.000Z"],
    ["9:05 am on 3 June 2023", "2023-06-03T09:05:00.000Z"],
  ])("reads %j", (text, iso) => {
    expect(parseDateTime(text).toISOString()).toBe(iso);
  });
});
