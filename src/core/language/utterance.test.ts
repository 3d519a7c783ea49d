import { describe, expect, it } from "vitest";
import { readUtterance } from "./utterance.ts";

const kindsOf = (texts: readonly string[]) => new Set(texts.map((text) => readUtterance(text).kind));

describe("what an utterance does", () => {
  it("an acknowledgement says nothing, in any language", () => {
    expect(
      kindsOf([
        "ok",
        "lol ok",
        "thanks!!",
        "Thank you",
        "cheers pal",
        "Good morning!",
        "merci",
        "danke dir, bis morgen",
        "buenas noches",
        "晚安",
        "vale gracias",
        "好的，谢谢",
      ]),
    ).toEqual(new Set(["acknowledgement"]));
  });

  it("one word may be an answer", () => {
    expect(kindsOf(["rhubarb", "on tuesday"])).toEqual(new Set(["answer"]));
  });

  it("a question that states nothing is only a question", () => {
    expect(kindsOf(["how do I descale a kettle?", "¿dónde compro harina de centeno?", "wie lange kocht ein Ei?"])).toEqual(
      new Set(["question"]),
    );
  });

  it("what comes before a question is a statement", () => {
    expect(kindsOf(["The kettle in our caravan is full of limescale. How do I clean it?"])).toEqual(new Set(["statement"]));
    expect(kindsOf(["Our kettle is full of limescale since we moved to the chalk hills, what should I do?"])).toEqual(
      new Set(["statement"]),
    );
  });

  it("thanks beside news is news", () => {
    expect(kindsOf(["thanks, the kettle works again", "nah we have a white caravan, cheers"])).toEqual(new Set(["statement"]));
  });

  it("shows by its words that something changed", () => {
    expect(readUtterance("we sold the caravan").showsChange).toBe(true);
    expect(readUtterance("the caravan is white").showsChange).toBe(false);
  });
});
