import { describe, expect, it } from "vitest";
import { assistantSlotOf, namesSeveral, speakerSlotOf } from "./slots.ts";

describe("the slot of the speaker that a statement fills or empties", () => {
  it.each([
    ["I don't live in Ghent any more, I'm in Liège now", "home"],
    ["moved back in with my parents", "home"],
    ["quit Lidl, starting at the post office on Monday", "work"],
    ["I got laid off on Friday", "work"],
    ["I'm not vegetarian anymore", "diet"],
    ["Lena and I broke up", "partner"],
    ["bin nach Jena gezogen", "home"],
    ["hab gestern gekündigt", "work"],
    ["ya no soy vegano", "diet"],
    ["on s'est séparés", "partner"],
    ["我们分手了", "partner"],
    ["after three years at Bosch I got laid off", "work"],
    ["mein Mann und ich sind nach Jena gezogen", "home"],
    ["handed in my notice today", "work"],
    ["Moved in! Boxes everywhere", "home"],
    ["I have been given the bungalow! Moved in on Monday with two kettles", "home"],
    ["eating fish again, so pescatarian now", "diet"],
    ["Daniel and I are back together", "partner"],
    ["ich esse wieder Fleisch", "diet"],
  ])("%s", (text, slot) => {
    expect(speakerSlotOf(text)).toBe(slot);
  });

  it.each([
    "Lena and I split the rent",
    "den Garten haben wir gekündigt",
    "I moved the piano to the attic",
    "if I moved back in with my parents, I could save",
    "I got laid off and Lena and I broke up",
    "I heard that my colleague got laid off",
    "half my team got laid off",
    "my sister is done with Aldi, moved to Leeds last month",
    "My brother is not vegetarian anymore",
    "My mate Dave quit Lidl, starting at the post office on Monday",
    "Mein Kollege hat bei Bosch gekündigt",
    "meine Schwester wohnt jetzt nicht mehr in Köln, sie ist wieder nach Bonn gezogen",
    "我哥哥离职了",
    "I nearly quit my job yesterday",
    "I dreamt that I got laid off",
    "we almost broke up last week",
    "I'm thinking about going vegan",
    "would you say I got fired?",
  ])("none, or not sure: %s", (text) => {
    expect(speakerSlotOf(text)).toBeNull();
  });
});

describe("what an instruction to the assistant is about", () => {
  it.each([
    ["answer me in German", "language"],
    ["antworte bitte auf Englisch", "language"],
    ["you can use emojis again", "emoji"],
    ["keep your answers short", "length"],
    ["call me Ro", "called"],
    ["bitte duz mich", "address"],
  ])("%s", (text, slot) => {
    expect(assistantSlotOf(text)).toBe(slot);
  });

  it.each(["answer in Welsh when my nan is here", "no emojis, and keep your answers short", "don't call me sir"])(
    "none, or not sure: %s",
    (text) => {
      expect(assistantSlotOf(text)).toBeNull();
    },
  );
});

describe("several values in one text", () => {
  it.each([
    ["My plants: fern, cactus, basil", true],
    ["I speak French, Dutch and Danish", true],
    ["I have two jobs, barista and cleaner", true],
    ["I live in Ghent, near the station", false],
    ["I drive a red Berlingo", false],
  ])("%s", (text, expected) => {
    expect(namesSeveral(text)).toBe(expected);
  });
});
