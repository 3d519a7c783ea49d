import { expect, it } from "vitest";
import { packExchange, type Said } from "./read-turns.ts";

const said = (count: number, text = "hello"): Said[] =>
  Array.from({ length: count }, (_, i) => ({ role: "user", content: text, messageId: `m${i}` }));
const sizes = (messages: Said[]) => packExchange(messages).map((append) => append.map((episode) => episode.messages.length));

it("an exchange is one episode, and of more messages than it holds several in one append", () => {
  expect([sizes([]), sizes(said(2)), sizes(said(50)), sizes(said(120))]).toEqual([[], [[2]], [[50]], [[50, 50, 20]]]);
  expect(packExchange(said(120)).flatMap((append) => append.flatMap(({ messages }) => messages))).toEqual(said(120));
});

it("an append has a million bytes at most, whatever the script", () => {
  expect(sizes(said(24, "東".repeat(60_000)))).toEqual([[5], [5], [5], [5], [4]]);
});
