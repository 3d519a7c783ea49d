import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timed, toEpisodes } from "./to-episodes.ts";

const message = (id: string, role: "user" | "assistant", text: string, at: number | null = 7) => ({ id, role, text, at });

describe("episodes", () => {
  it("are what the user says and what follows until they speak again", () => {
    const messages = [
      message("a", "user", "1"),
      message("b", "user", "2"),
      message("c", "assistant", "3"),
      message("d", "assistant", "4"),
      message("e", "user", "5"),
    ];
    const episodes = toEpisodes(timed(messages, { at: null, now: 9 }));
    expect(episodes.map((episode) => episode.messages.map(({ messageId }) => messageId))).toEqual([["a", "b", "c", "d"], ["e"]]);
  });

  it("hold no more than an episode may, whatever the conversation", () => {
    const length = fc.integer({ min: 1, max: 200_000 });
    const said = fc.array(fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), length }), {
      maxLength: 120,
    });
    fc.assert(
      fc.property(said, (list) => {
        const messages = list.map((one, i) => message(`m${i}`, one.role, "é".repeat(one.length)));
        const episodes = toEpisodes(timed(messages, { at: null, now: 9 }));
        for (const { messages: stored } of episodes) {
          expect(stored.length).toBeLessThanOrEqual(50);
          for (const { content } of stored) expect(content.length).toBeLessThanOrEqual(64_000);
          expect(stored.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(256_000);
        }
        const all = episodes.flatMap((episode) => episode.messages.map(({ content }) => content)).join("");
        expect(all.length).toBe(list.reduce((sum, one) => sum + one.length, 0));
      }),
      { numRuns: 30 },
    );
  });

  it("hold 50 messages at most, and the next one begins another", () => {
    const messages = Array.from({ length: 51 }, (_, i) => message(`m${i}`, "user", "x"));
    expect(toEpisodes(timed(messages, { at: null, now: 9 })).map((episode) => episode.messages.length)).toEqual([50, 1]);
  });

  it("cut long texts at white space, and never a surrogate pair", () => {
    const words = timed([message("a", "user", "word ".repeat(20_000))], { at: null, now: 9 });
    expect(words.map(({ id, text }) => [id, text.endsWith("word ") || text.endsWith("word")])).toEqual([
      ["a", true],
      ["a part 2", true],
    ]);
    for (const { text } of timed([message("a", "user", `x${"😀".repeat(50_000)}`)], { at: null, now: 9 }))
      expect(text.isWellFormed()).toBe(true);
    expect(timed([message("a", "user", "a\ud800b\0")], { at: null, now: 9 })[0]?.text).toBe("a\ufffdb\ufffd");
  });

  it("have the time of the message before where there is none", () => {
    const at = (list: (number | null)[], begun: number | null) =>
      timed(
        list.map((one, i) => message(`m${i}`, "user", "x", one)),
        { at: begun, now: 9 },
      ).map((one) => one.at);
    expect(at([null, 5, null, 3], 2)).toEqual([2, 5, 5, 3]);
    expect(at([null, 5], null)).toEqual([5, 5]);
    expect(at([null], null)).toEqual([9]);
  });
});
