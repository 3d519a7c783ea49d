import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors";
import { MAX_EPISODE_BYTES, parseEpisodesInput, redactEpisode, refuseTooLong } from "./parse-episodes-input.ts";

const draft = (...texts: string[]) =>
  parseEpisodesInput([{ messages: texts.map((text) => ({ role: "user" as const, content: text })) }], {
    now: 1000,
    newId: () => "epi_1",
  });

describe("parseEpisodesInput", () => {
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

describe("redactEpisode", () => {
  const KEY = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
  const redacted = (text: string, speaker?: string) => redactEpisode({ messages: [{ role: "user", content: text, speaker }] });

  it("replaces each secret by a marker, in texts and in speakers, and returns each kind once", () => {
    const { episode, kinds } = redacted(`Take ${KEY}, or ${KEY}.`, `Ann ${KEY}`);
    expect(episode.messages[0]).toMatchObject({
      content: "Take [redacted:stripe_key], or [redacted:stripe_key].",
      speaker: "Ann [redacted:stripe_key]",
    });
    expect(kinds).toEqual(["stripe_key"]);
  });

  it("leaves what has no secret as it is, but storable", () => {
    expect(redacted("x\u0000\ud800 the otter", "Ann")).toEqual({
      episode: { messages: [{ role: "user", content: "x\ufffd\ufffd the otter", speaker: "Ann" }] },
      kinds: [],
    });
  });

  it("changes nothing that is redacted already", () => {
    const once = redacted(`The password is hunter2hunter2, the key ${KEY}.`);
    expect(redactEpisode(once.episode)).toEqual({ episode: once.episode, kinds: [] });
  });
});

describe("refuseTooLong", () => {
  const drafts = (...texts: string[][]) =>
    texts.map((all) => ({
      messages: all.map((text) => ({ role: "user", text, speaker: null, occurredAt: 0, messageId: null })),
      chunks: [],
    }));

  it("an episode that fits a row is taken, and so are several that together are longer", () => {
    const million = Array.from({ length: 16 }, () => "a".repeat(60_000));
    expect(() => refuseTooLong(drafts(million, million, million))).not.toThrow();
  });

  it("an episode that no row can hold is refused in our words, by its bytes and not its characters", () => {
    const long = Array.from({ length: 24 }, () => "東".repeat(60_000));
    const refused = () => refuseTooLong(drafts(["short"], long));
    expect(refused).toThrow(AppError);
    expect(refused).toThrow(
      expect.objectContaining({ code: "payload_too_large", message: expect.stringContaining(String(MAX_EPISODE_BYTES)) }),
    );
  });
});
