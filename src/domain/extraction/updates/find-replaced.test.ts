import { describe, expect, it } from "vitest";
import { findReplaced } from "./find-replaced.ts";

const known = (...contents: string[]) => contents.map((content) => ({ content }));
const replaced = (said: string, ...contents: string[]) => findReplaced(said, known(...contents))?.content ?? null;

const OTHERS = ["My sister Ines lives in Porto", "I sing in the Harbour Choir", "The gas boiler is serviced in May"];

describe("a statement with a sign of change replaces what it is about", () => {
  it.each([
    ["we called off the barbecue, too much rain", "We have a barbecue for the whole street on Sunday"],
    ["the kayak course moved to Thursdays at 7", "Kayak course is Tuesdays at 6"],
    ["sold the Berlingo, I take the tram now", "I drive a red Berlingo"],
    ["der Keramikkurs ist abgesagt", "Mein Keramikkurs ist immer freitags"],
    ["he vendido la furgoneta", "Tengo una furgoneta azul"],
    ["j'ai vendu la caravane", "On a une caravane au bord du lac"],
    ["青岛的机票退了", "五一去青岛，机票订好了"],
  ])("%s", (said, before) => {
    expect(replaced(said, before, ...OTHERS)).toBe(before);
  });
});

describe("a statement replaces nothing", () => {
  it.each([
    ["without a sign of change", "The kayak course costs 80", "Kayak course is Tuesdays at 6"],
    ["if it only supposes the change", "if we cancelled the barbecue, would they mind", "We have a barbecue on Sunday"],
    ["that is about something else", "I moved the piano to the attic", "I live in Rotterdam"],
    ["of another subject", "my sister moved to Turin", "I live in Oslo"],
    ["of another drink", "I like coffee now", "I like tea"],
    ["that tells what happened", "we sold the caravan", "Last year we went to Wales with the caravan"],
    ["that differs in a number", "Invoice 1042 is open now", "Invoice 1041 is paid"],
  ])("%s", (_, said, before) => {
    expect(replaced(said, before)).toBeNull();
  });

  it("that says more than what is replaced", () => {
    const before = `I drive a red Berlingo, ${"and on most weekends I take the twins to swimming lessons, ".repeat(3)}`;
    expect(replaced("sold the Berlingo", before)).toBeNull();
  });

  it("of which it is not sure which is meant", () => {
    expect(replaced("we cancelled the quartet", "The quartet rehearses on Mondays", "The quartet plays in Lund")).toBeNull();
  });
});
