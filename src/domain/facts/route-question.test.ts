import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routeQuestion } from "./route-question.ts";
import { createTopicIndex } from "./topics.ts";

const topicIndex = createTopicIndex([
  {
    key: "pets",
    nouns: [
      { noun: "pet", language: "en" },
      { noun: "Haustier", language: "de" },
    ],
  },
]);
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const NOUNS = {
  color: "favorite_colors",
  crypto: "favorite_cryptos",
  "tv show": "favorite_tv",
  candy: "favorite_candies",
  pet: "pets",
  "board game": "favorite_board_games",
};

describe("an ordinal question", () => {
  const ways: readonly ((ordinal: string, noun: string) => string)[] = [
    (ordinal, noun) => `What's my ${ordinal} favorite ${noun}?`,
    (ordinal, noun) => `hey, do you remember what my ${ordinal} favourite ${noun} is`,
    (ordinal, noun) => `tell me my ${ordinal} fav ${noun} please`,
    (ordinal, noun) => `Which ${noun} is my ${ordinal} favorite?`,
    (ordinal, noun) => `What did I say my ${ordinal} favorite ${noun} was?`,
    (ordinal, noun) => `what's the ${ordinal} one on my list of favorite ${noun}s`,
  ];
  const rank = fc.integer({ min: 1, max: 10 });

  it("asks for its rank and topic, however it is put", () => {
    fc.assert(
      fc.property(
        rank,
        fc.constantFrom(...Object.entries(NOUNS)),
        fc.constantFrom(...ways),
        fc.boolean(),
        (at, [noun, topic], way, upper) => {
          const text = way(ORDINALS[at - 1] ?? "", noun);
          expect(routeQuestion(upper ? text.toUpperCase() : text, topicIndex)).toEqual({ ask: "rank", rank: at, topic });
        },
      ),
      { numRuns: 400 },
    );
  });

  it("is not routed with another person's name, a condition or a further request", () => {
    const others: readonly ((text: string) => string)[] = [
      (text) => text.replace(/\bmy\b/gi, "Bob's"),
      (text) => `If I had to choose, ${text}`,
      (text) => `${text.replace(/\?$/, "")} and why?`,
      (text) => `${text} Write a poem about it.`,
      (text) => text.replace(/favou?rite|fav/, "least favorite"),
    ];
    fc.assert(
      fc.property(
        rank,
        fc.constantFrom(...Object.keys(NOUNS)),
        fc.constantFrom(...ways),
        fc.constantFrom(...others),
        (at, noun, way, other) => {
          expect(routeQuestion(other(way(ORDINALS[at - 1] ?? "", noun)), topicIndex)).toBeNull();
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("a follow-up", () => {
  it.each(["the third one", "third?", "the second one please", "I like the weather. And the third?", "and the third reich?"])(
    "is not %j",
    (text) => expect(routeQuestion(text, topicIndex)).toBeNull(),
  );
  it.each(["the third one?", "And the third?", "ok, and the third one?"])("is %j", (text) =>
    expect(routeQuestion(text, topicIndex)).toEqual({ ask: "rank", rank: 3, topic: null }),
  );
});

it("finds a tenant's noun in another language", () => {
  expect(
    routeQuestion(
      "Was sind meine Lieblingshaustiere?",
      createTopicIndex([{ key: "pets", nouns: [{ noun: "Haustier", language: "de" }] }]),
    ),
  ).toEqual({ ask: "list", topic: "pets" });
});

it("leaves a long message to the model", () => {
  expect(routeQuestion("What's my second favorite color?", topicIndex)).not.toBeNull();
  expect(routeQuestion(`I had a ${"very ".repeat(60)}long day. What's my second favorite color?`, topicIndex)).toBeNull();
});
