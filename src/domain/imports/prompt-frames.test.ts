import { expect, it } from "vitest";
import { framesOf, promptIn } from "./prompt-frames.ts";

const framed = (lead: string, count: number, tail = "") =>
  Array.from({ length: count }, (_, i) => `${lead}${"abcdefghijklmnop"[i]} ${i}${tail}`);
const of = (titles: readonly string[], isAnswered = false) => framesOf(titles.map((title) => ({ title, isAnswered })));

it("takes the words that nearly all titles with the same first word begin with", () => {
  expect(of(framed("Eingegebener Prompt: ", 10)).leads).toEqual(["Eingegebener Prompt: ", "Prompted "]);
  // One of ten goes on otherwise, and one of five.
  expect(of([...framed("You asked: ", 9), "You liked it"]).leads).toContain("You asked: ");
  expect(of([...framed("You asked: ", 8), "You liked it", "You left"]).leads).not.toContain("You asked: ");
});

it("takes no word that too few titles begin with, and none behind the usual one", () => {
  expect(of(framed("Preguntaste: ", 9)).leads).toEqual(["Prompted "]);
  expect(of([...framed("Prompted ", 16), ...framed("Rated ", 3)]).leads).toEqual(["Prompted "]);
});

it("leaves the words of prompts that begin or end alike", () => {
  const asked = ["pesto", "satay", "marzipan"].map((food) => `Prompted I am allergic to nuts. What about ${food}?`);
  const many = framed("Prompted Translate to German: ", 16, " for my son Max?");
  for (const titles of [asked, many])
    expect(titles.map((title) => promptIn(title, of(titles, true)).prompt)).toEqual(
      titles.map((title) => title.slice("Prompted ".length)),
    );
});

it("takes no part of a prompt that was sent again and again", () => {
  expect(of(["Prompted stop", "Prompted stop", "Prompted stop"])).toEqual({ leads: ["Prompted "], tails: [] });
});

it.each([
  ["Japanese", "", " と入力しました"],
  ["Turkish", "", " istemini girdiniz"],
  ["German", "Du hast ", " eingegeben"],
  ["Korean", "", " 프롬프트를 입력함"],
])("takes the words that titles end with, where the verb does: %s", (_, lead, tail) => {
  const titles = framed(lead, 12, tail);
  const frames = of([...titles, "Feedback"], true);
  expect(titles.map((title) => promptIn(title, frames).prompt)).toEqual(framed("", 12));
});

it("takes nothing that only some questions begin or end with", () => {
  const asked = ["What is it", "What was that please", "How so please", "What now", "Why not please", "Tell me", "Where to"];
  expect(of(asked, true)).toEqual({ leads: ["Prompted "], tails: [] });
});

it("finds the longest frame of a title, and the usual one in an export that is too small to show any", () => {
  expect(promptIn("You asked: Why?", { leads: ["You ", "You asked: "], tails: [] })).toEqual({ prompt: "Why?", isFramed: true });
  expect(promptIn("Prompted Why?", of(["Prompted Why?"]))).toEqual({ prompt: "Why?", isFramed: true });
  expect(promptIn("Gave feedback", of([]))).toEqual({ prompt: "Gave feedback", isFramed: false });
});
