import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEpisodesInput } from "./parse-episodes-input.ts";

const draft = (...texts: string[]) =>
  parseEpisodesInput([{ messages: texts.map((text) => ({ role: "user" as const, content: text })) }], {
    now: 1000,
    newId: () => "epi_1",
  });

describe("draftEpisodes", () => {
  it("takes the time of the message, else of the episode, else now; an episode is as late as its last message", () => {
    const [first, second] = parseEpisodesInput(
      [
        {
          occurredAt: "2020-01-01T00:00:00Z",
          messages: [
            { role: "user", content: "a", occurredAt: "2021-01-01T00:00:00+01:00" },
            { role: "assistant", content: "b" },
          ],
        },
        { messages: [{ role: "user", content: "c" }] },
      ],
      { now: 5, newId: () => "epi_1" },
    );
    expect(first?.messages.map(({ occurredAt }) => occurredAt)).toEqual([Date.UTC(2020, 11, 31, 23), Date.UTC(2020, 0, 1)]);
    expect([first?.occurredAt, second?.occurredAt]).toEqual([Date.UTC(2020, 11, 31, 23), 5]);
  });

  it("counts chunks through all episodes of a call", () => {
    const long = Array.from({ length: 60 }, (_, i) => `Sentence number ${i} of a long message.`).join(" ");
    const [a, b, c] = parseEpisodesInput(
      [long, "short", long].map((text) => ({ messages: [{ role: "user" as const, content: text }] })),
      { now: 0, newId: () => "epi_1" },
    );
    expect(a?.chunks.length).toBeGreaterThan(1);
    expect([a?.offset, b?.offset, c?.offset]).toEqual([0, a?.chunks.length, (a?.chunks.length ?? 0) + 1]);
  });

  it("places each passage alike in code units and in code points, in any text", () => {
    const text = fc
      .array(
        fc.oneof(fc.string({ unit: "binary" }), fc.constant("A sentence. "), fc.constant("😀𠮷"), fc.constant("天气很好。")),
        { maxLength: 400 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (one, other) => {
        for (const { messages, chunks, tokens } of draft(one, other)) {
          expect(tokens).toHaveLength(chunks.length);
          for (const { m, s, e, p, n } of chunks) {
            const whole = messages[m]?.text ?? "";
            expect([...whole].slice(p, p + n).join("")).toBe(whole.slice(s, e));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
