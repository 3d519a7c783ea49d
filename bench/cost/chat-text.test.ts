import { expect, it } from "vitest";
import { COMMON_WORDS, chatText, randomOf } from "./chat-text.ts";

it("writes the same text from the same seed, of as many words as asked for", () => {
  expect(chatText(randomOf(1), 30)).toBe(chatText(randomOf(1), 30));
  expect(chatText(randomOf(1), 30)).not.toBe(chatText(randomOf(2), 30));
  expect(chatText(randomOf(3), 30).split(" ")).toHaveLength(30);
});

it("uses the common words in a few of a hundred messages each, in whoever's messages", () => {
  for (const seed of [11, 12]) {
    const random = randomOf(seed);
    const messages = Array.from(
      { length: 3_000 },
      () =>
        new Set(
          chatText(random, 30)
            .toLowerCase()
            .match(/[a-z]+/g),
        ),
    );
    for (const word of COMMON_WORDS.slice(0, 60)) {
      const share = messages.filter((message) => message.has(word)).length / messages.length;
      expect(share, word).toBeGreaterThan(0.01);
      expect(share, word).toBeLessThan(0.15);
    }
  }
});
