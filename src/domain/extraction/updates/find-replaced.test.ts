import { describe, expect, it } from "vitest";
import { findChanged, findReplaced } from "./find-replaced.ts";

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
    ["We had to put Bruno down", "My dog Bruno is 12"],
    ["I switched dentists, I go to Dr. Lind now", "My dentist is Dr. Weber"],
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
    ["of another person", "My mum stopped taking ramipril.", "I take ramipril for my blood pressure."],
    ["of another's thing", "Mein Bruder hat seinen VW Golf verkauft", "Ich fahre einen VW Golf"],
    ["of another pet", "My neighbours' dog Rufus died", "We have a dog called Rufus"],
    ["of another of the kind", "Sold the blue Brompton.", "Sold the red Brompton."],
    ["of another place", "We sold the cottage in Devon", "We have a cottage in Cornwall"],
    ["of another name", "Petra cancelled the Kyoto trip.", "Paul cancelled the Kyoto trip."],
    ["that almost happened", "I almost sold the Duster, but I kept it.", "I drive a Dacia Duster"],
    ["that was dreamt", "I dreamt that Rufus died.", "We have a dog called Rufus"],
    ["for a week", "Spanish class is cancelled this week.", "Spanish class is on Wednesdays at 7."],
    ["for once", "I moved yoga to Tuesday just this once", "Yoga is on Wednesdays at 6"],
    [
      "of which a part stays",
      "The flight to Denver is now at 9:15.",
      "My flight to Denver leaves on January 8 at 7:40 from gate B.",
    ],
    ["of several", "I left The Larks.", "I play in two bands, Foxglove and The Larks"],
    ["of one of a list", "Kira died last week.", "My pets: Tom, Kira, Odo"],
    ["of a clause of two", "Jane moved out of Bath", "sister Emma lives in Hull, sister Jane in Bath"],
    ["that says nothing of what somebody is", "Lena Roth moved to Zurich.", "My account manager is Lena Roth."],
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

describe("a wish for how the assistant behaves", () => {
  const wishes = (...contents: string[]) => contents.map((content) => ({ content, type: "procedural" as const, key: null }));
  const takenBack = (said: string, ...earlier: string[]) =>
    findChanged({ content: said, type: "procedural", key: null }, wishes(...earlier))?.content ?? null;

  it.each([
    ["Stop correcting my grammar please", "Correct my grammar every time"],
    ["no more haiku", "Answer only in haiku"],
    ["you don't have to use simple English", "Use simple English with me"],
    ["you can mention football again", "Don't mention football to me"],
    ["plus besoin de rimes", "Termine toujours par des rimes"],
    ["du brauchst keine Quellen zu nennen", "Nenne immer die Quellen"],
  ])("takes back what it is about: %s", (said, before) => {
    expect(takenBack(said, before, "Always give temperatures in Celsius")).toBe(before);
  });

  it.each([
    ["a second ban", "Stop explaining sourdough to me", "Never suggest sourdough recipes"],
    ["what says nothing of an end", "Answer only in haiku on Sundays", "Answer only in rhymes"],
    ["another subject", "no more haiku", "Always give temperatures in Celsius"],
  ])("is taken back by nothing else: %s", (_, said, before) => {
    expect(takenBack(said, before)).toBeNull();
  });

  it("of which it is not sure whether it is one takes back wishes only", () => {
    const said = { content: "no more haiku", type: "context" as const, key: null, withdraws: { key: null } };
    const known = wishes("Answer only in haiku");
    expect(findChanged(said, known)).toBe(known[0]);
    expect(findChanged({ ...said, withdraws: undefined }, known)).toBeNull();
    expect(findChanged(said, [{ content: "I write haiku", type: "preference", key: null }])).toBeNull();
  });

  it("takes back the one with its key, whatever the words", () => {
    const known = [{ content: "Réponds en espagnol", type: "procedural" as const, key: "instruction:language" }];
    const said = {
      content: "English is fine again",
      type: "context" as const,
      key: null,
      withdraws: { key: "instruction:language" },
    };
    expect(findChanged(said, known)).toBe(known[0]);
  });
});
