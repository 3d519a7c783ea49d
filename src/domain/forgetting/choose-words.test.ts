import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { readForgetRequests } from "#core/language/forget-requests";
import { redactSpans } from "#core/text/redacted";
import { keysIn } from "#domain/extraction";
import { beginsList } from "#domain/facts";
import { WORD_MEANINGS } from "#test/word-meanings";
import { chooseWords } from "./choose-words.ts";

/** What is left of what was said, in order, after a request. */
function leftAfter(asked: string, ...said: string[]): string[] {
  const candidates = said.toReversed().map((text, i) => ({ text, isList: beginsList(text), isPrevious: i === 0 }));
  const chosen = readForgetRequests(asked).flatMap((request) =>
    chooseWords(request, candidates, { keysOf: keysIn, words: WORD_MEANINGS }),
  );
  const spansOf = (i: number) => chosen.filter(({ of }) => of === i).flatMap(({ spans }) => spans);
  return candidates.map(({ text }, i) => redactSpans(text, spansOf(i)).replaceAll(/\u2588+/gu, "_")).toReversed();
}

const BROTHER = "My brother Karim owes 4,000 to a bookie. He hasn't told anybody.";
const FLAT = "The flat is at 9 Mill Row, and my door code is 4821.";

describe("what a request means", () => {
  it("is the sentence that has all its words, and those that go on about it", () => {
    expect(leftAfter("please forget what I told you about Karim", BROTHER, "I bake bread.")).toEqual(["_ _", "I bake bread."]);
  });

  it("is a part of a sentence where the rest stands alone", () => {
    expect(leftAfter("please forget the address of the flat", FLAT)).toEqual(["_, and my door code is 4821."]);
    expect(leftAfter("please forget my door code", FLAT)[0]).toContain("9 Mill Row");
    expect(leftAfter("please forget my door code", FLAT)[0]).not.toContain("4821");
  });

  it("is the best sentence where none has all its words, and nothing where none is clearly better", () => {
    expect(leftAfter("please forget the thing about Karim getting picked up", BROTHER, "I bake bread.")[0]).toMatch(/^_/u);
    const twice = ["My brother Karim plays chess.", "Karim bakes bread."];
    expect(leftAfter("please forget the thing about Karim getting picked up", ...twice)).toEqual(twice);
    expect(leftAfter("please forget what I told you about the funeral", BROTHER)).toEqual([BROTHER]);
  });

  it("is all that names it where everything is meant", () => {
    const twice = ["My brother Karim plays chess.", "Karim bakes bread.", "I like tea."];
    expect(leftAfter("please delete everything you know about Karim", ...twice)).toEqual(["_", "_", "I like tea."]);
  });

  it("is nothing where a verb of deleting names it alone and one of its words is not found", () => {
    expect(leftAfter("delete the door number", FLAT)).toEqual([FLAT]);
  });

  it("is nobody whose name only begins like the one that is named", () => {
    const said = ["My daughter Caroline has asthma.", "And then Carol from work sulked."];
    expect(leftAfter("please forget what I told you about Carol", ...said)).toEqual([said[0], "_"]);
  });

  it("is an item of a list", () => {
    const list = "Shopping list: eggs, pads for my dad, coffee";
    expect(leftAfter("take the pads out of your memory", list)).toEqual(["Shopping list: eggs, _, coffee"]);
  });

  it("is found by what people call it: an address, a job, an illness, money", () => {
    for (const [asked, said] of [
      ["Please delete my address.", "I live at 22 Larch Close in Leeds."],
      ["could you forget where I work?", "I work as a marine electrician at Pelham Shipyard."],
      ["Please forget my diagnosis.", "I have type 1 diabetes."],
      ["forget about my debt, please", "I owe the tax office 6,200 pounds."],
      ["don't keep what we paid for it", "The price was 612k in the end."],
      ["don't remember the bit about the pills", "The doctor put me on 50mg of sertraline."],
      ["I'd rather you didn't retain anything about my faith", "I used to be a Jehovah's Witness."],
      ["Supprime mon adresse, s'il te plaît.", "J'habite au 12 rue des Lilas à Lyon."],
    ] as const)
      expect(leftAfter(asked, said, "I like jazz.")[0]).toMatch(/^_/u);
  });

  it("is the message before where it names that", () => {
    expect(leftAfter("delete my last message", "My mum has dementia.", "She is at Ferncroft.")).toEqual([
      "My mum has dementia.",
      "_",
    ]);
  });

  it("is nothing of a list, nor of a text that is being worked on", () => {
    for (const said of ["Shopping list: rice, milk, my pills", "Draft a letter to my landlord: my address is 9 Mill Row."])
      expect(leftAfter("delete my address", "My address is 9 Mill Row.", said)).toEqual(["My address is 9 Mill Row.", said]);
  });
});

describe("ordinary messages", () => {
  const OUTSIDE = path.resolve(import.meta.dirname, "../../../test/corpora/outside");
  const linesOf = <T>(file: string, schema: z.ZodType<T>) =>
    readFileSync(path.join(OUTSIDE, file), "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [schema.parse(JSON.parse(line))]));

  it("of outside authors that look like requests take nothing", () => {
    const ordinary = linesOf("forgetting/ordinary.jsonl", z.object({ turns: z.array(z.string()), ordinary: z.string() }));
    expect(ordinary.length).toBeGreaterThan(300);
    for (const { turns, ordinary: said } of ordinary) expect(leftAfter(said, ...turns), said).toEqual(turns);
  });

  it("of outside authors take nothing of facts that were said before", () => {
    const Message = z.object({ text: z.string(), keep: z.array(z.unknown()) });
    const talk = readdirSync(path.join(OUTSIDE, "training")).flatMap((file) => linesOf(`training/${file}`, Message));
    const asking = talk.filter(({ text }) => readForgetRequests(text).length > 0);
    const facts = talk.flatMap(({ text, keep }) => (keep.length > 0 ? [text] : []));
    expect(facts.length).toBeGreaterThan(3_000);
    // Each in turn is said after all of them.
    for (const { text } of asking) {
      const before = facts.filter((fact) => fact !== text);
      expect(leftAfter(text, ...before), text).toEqual(before);
    }
  });
});
