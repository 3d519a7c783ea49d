import { expect, it } from "vitest";
import { parseRound } from "./talk.ts";

it("reads a message a line, with more fields than it needs, and leaves out empty lines", () => {
  const line = JSON.stringify({
    id: "m-1",
    lang: "en",
    text: "we have 2 cats",
    keep: true,
    facts: [{ about: "us", says: "Two cats", mustContain: ["cats", 2] }],
    why: "aside",
  });
  expect(parseRound(`${line}\n\n`)).toEqual([
    { id: "m-1", lang: "en", text: "we have 2 cats", keep: true, facts: [{ says: "Two cats", mustContain: ["cats", "2"] }] },
  ]);
});

it("refuses a fact without words: everything would keep it", () => {
  const line = JSON.stringify({ id: "m-1", lang: "en", text: "a", keep: true, facts: [{ mustContain: [] }] });
  expect(() => parseRound(line)).toThrow("mustContain");
});
