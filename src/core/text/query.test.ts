import { describe, expect, it } from "vitest";
import { analyse } from "./analyse.ts";
import { queryTerms } from "./query.ts";

const terms = (question: string) => queryTerms(question).terms.map(({ term }) => term);

describe("queryTerms", () => {
  it("leaves stop words out and names each term once", () => {
    expect(terms("What did she paint, and where did she paint it?")).toEqual(["paint"]);
  });

  it("leaves out no word that a German stem of an English stop word would be", () => {
    expect(terms("What did Sam and Whil do there?")).toEqual(["sam", "whil"]);
  });

  it("keeps stop words when nothing else is left", () => {
    expect(terms("who are you?")).toEqual(analyse("who are you"));
  });

  it("halves the weight of words that frame a question", () => {
    const weights = Object.fromEntries(queryTerms("What kind of dog?").terms.map(({ term, weight }) => [term, weight]));
    expect(weights).toEqual({ kind: 0.5, dog: 1 });
  });

  it("gives a character inside a longer Chinese word little weight of its own", () => {
    const weights = Object.fromEntries(queryTerms("北京").terms.map(({ term, weight }) => [term, weight]));
    expect(weights).toEqual({ 北京: 1, 北: 0.3, 京: 0.3 });
    expect(queryTerms("狗").terms).toEqual([{ term: "狗", weight: 1 }]);
  });

  it("takes May for a month and not for a verb", () => {
    expect(terms("What happened in May 2023?")).toContain("mai");
    expect(terms("May I see the dog?")).not.toContain("mai");
    expect(terms("What may the dog eat?")).not.toContain("mai");
  });

  it("keeps at most 64 terms of a long text, the repeated and the long among them", () => {
    const filler = Array.from(
      { length: 200 },
      (_, i) => `w${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`,
    );
    const kept = terms(`${filler.join(" ")} extraordinarily zzz zzz zzz zzz zzz zzz`);
    expect(kept).toHaveLength(64);
    expect(kept).toEqual(expect.arrayContaining(["zzz", analyse("extraordinarily")[0]]));
  });

  it.each([
    "When did I go?",
    "What year was it?",
    "Wann war das?",
    "你什么时候去的?",
    "いつ行きましたか",
    "¿Cuándo?",
    "คุณไปเมื่อไหร่",
  ])("hears %s ask for a time", (question) => {
    expect(queryTerms(question).asksWhen).toBe(true);
  });

  it("finds no time, no present and no first person where there is none", () => {
    expect(queryTerms("What did Whena paint?")).toMatchObject({ asksWhen: false, namesNow: false, firstPerson: false });
  });

  it("finds the present and the first person", () => {
    expect(queryTerms("Where do I work now?")).toMatchObject({ namesNow: true, firstPerson: true });
    expect(queryTerms("我现在住在哪里")).toMatchObject({ namesNow: true, firstPerson: true });
  });

  it("keeps every word for matching names", () => {
    expect(queryTerms("What does Will Smith do?").words).toEqual(analyse("What does Will Smith do?"));
  });

  it.each([
    ["你什么时候去的北京", "北京"],
    ["東京はどこですか", "東京"],
    ["แมวอยู่ที่ไหน", "แมว"],
    ["Wo ist der Hund?", "hund"],
  ])("finds what is asked for in %s", (question, term) => {
    expect(terms(question)).toContain(term);
    for (const framing of ["什么", "的", "は", "どこ", "ไหน", "ist", "der"]) expect(terms(question)).not.toContain(framing);
  });
});

it.each([
  ["what do you know about me?", true],
  ["who am I", true],
  ["Was weißt du über mich?", true],
  ["¿Qué sabes sobre mí?", true],
  ["что ты знаешь обо мне", true],
  ["你了解我吗", true],
  ["what is my favourite color", false],
  ["tell me about the meeting", false],
])("knows whether a question is about the asker at large: %s", (question, expected) => {
  expect(queryTerms(question).aboutSelf).toBe(expected);
});
