import { describe, expect, it } from "vitest";
import { readForgetRequest } from "#core/language/forget-requests";
import { redactSpans } from "#core/text/redacted";
import { chooseWords } from "./choose-words.ts";

/** What is left of these messages, the latest first, after the request. */
function left(asked: string, ...said: string[]): string[] {
  const request = readForgetRequest(asked);
  if (request === null) throw new Error(`No request: ${asked}`);
  const chosen = chooseWords(
    request,
    said.map((text) => ({ text, isHere: true, isList: text.includes(": ") })),
  );
  return said.map((text, i) =>
    redactSpans(
      text,
      chosen.flatMap(({ of, spans }) => (of === i ? spans : [])),
    ).replace(/█+/gu, "…"),
  );
}

describe("the words that a request means", () => {
  it("are the latest statement, if it names nothing", () => {
    const said = ["what's for lunch?", "Ruth owes me forty pounds", "The tap drips"];
    expect(left("please forget that", ...said)).toEqual(["what's for lunch?", "…", "The tap drips"]);
  });

  it("are those that share its words, whenever they were said", () => {
    const said = ["The tap drips", "My nephew was arrested on Sunday", "My niece won a medal"];
    expect(left("delete what i told you about my nephew", ...said)).toEqual(["The tap drips", "…", "My niece won a medal"]);
  });

  it("are all that were said of it, if it asks for all", () => {
    const said = ["Gus moved out", "The tap drips", "Gus likes jazz"];
    expect(left("forget everything about Gus", ...said)).toEqual(["…", "The tap drips", "…"]);
  });

  it("are the private statement, if it is named in other words", () => {
    const said = ["The tap drips on the left side", "I was diagnosed with epilepsy in spring"];
    expect(left("can you get rid of that stuff i told you on my illness", ...said)).toEqual([said[0], "…"]);
  });

  it("leave what may stay", () => {
    const said = "The studio is at 9 Mill Row, the door code is 4821";
    expect(left("wipe the door code. keep the address", said)).toEqual(["The studio is at 9 Mill Row, …"]);
    expect(left("take the code back out, the rest is fine", said)).toEqual(["The studio is at 9 Mill Row, …"]);
  });

  it("leave another subject of the same message", () => {
    const said = "Ivo failed his driving test. anyway, we painted the shed green";
    expect(left("forget what i said about Ivo", said)).toEqual(["…. anyway, we painted the shed green"]);
  });

  it("leave the other sentences, if certain words are named that one sentence says", () => {
    const said = "The boiler is a Vaillant. The alarm code is 5512.";
    expect(left("please remove the alarm code", said)).toEqual(["The boiler is a Vaillant. …."]);
  });

  it("are none of an everyday verb whose object was not said, or that edits a list", () => {
    expect(left("drop the parcel", "The tap drips")).toEqual(["The tap drips"]);
    expect(left("remove the milk", "Shopping: milk, eggs")).toEqual(["Shopping: milk, eggs"]);
  });
});
