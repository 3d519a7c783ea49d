import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACTING_USER, type SaidMessage, saidFacts } from "./said-facts.ts";
import { MAX_RANK } from "./schemas.ts";
import { createTopicIndex } from "./topics.ts";

const topicIndex = createTopicIndex([]);
const message = (text: string, more: Partial<SaidMessage> = {}): SaidMessage => ({
  text,
  userId: ACTING_USER,
  occurredAt: 1,
  messageId: null,
  offset: 0,
  ordinal: 0,
  ...more,
});
const colors = (...names: string[]) => `My favorite colors are ${names.map((name, i) => `${i + 1}) ${name}`).join(", ")}`;
const said = (...messages: SaidMessage[]) => saidFacts(messages, topicIndex);
const slots = (...messages: SaidMessage[]) =>
  (said(...messages)?.slots ?? []).map(({ userId, topic, rank, value }) =>
    [userId === ACTING_USER ? "" : userId, topic, rank, value].join(" ").trim(),
  );

describe("saidFacts", () => {
  it("is null where there is no list", () => {
    expect(said(message("Hello there, my friend"))).toBeNull();
  });

  it("returns the slots of a list, the whole list, and the last topic, with its message", () => {
    const found = said(message(colors("Blue", "Green"), { messageId: "m1", offset: 3, occurredAt: 7 }));
    const where = { userId: ACTING_USER, topic: "favorite_colors", at: 7, messageId: "m1", offset: 3 };
    expect(found).toEqual({
      slots: [
        { ...where, rank: 1, value: "Blue" },
        { ...where, rank: 2, value: "Green" },
      ],
      wholes: [where],
      last: [where],
    });
  });

  it("lets a later whole list replace all, and a single rank one", () => {
    const third = "My third favorite color is Gold";
    expect(slots(message(colors("Blue", "Green", "Red")), message(colors("Teal", "Lime")))).toEqual([
      "favorite_colors 1 Teal",
      "favorite_colors 2 Lime",
    ]);
    expect(slots(message(colors("Blue", "Green", "Red")), message(third))).toEqual([
      "favorite_colors 1 Blue",
      "favorite_colors 2 Green",
      "favorite_colors 3 Gold",
    ]);
    expect(slots(message(third), message(colors("Blue", "Green")))).toEqual([
      "favorite_colors 1 Blue",
      "favorite_colors 2 Green",
    ]);
  });

  it("keeps users apart", () => {
    expect(
      slots(
        message(colors("Blue", "Green"), { userId: 3 }),
        message(colors("Teal", "Lime"), { userId: 3 }),
        message(colors("Red", "Rose")),
      ),
    ).toEqual(["3 favorite_colors 1 Teal", "3 favorite_colors 2 Lime", "favorite_colors 1 Red", "favorite_colors 2 Rose"]);
  });

  it("takes nothing from memory that was put into a message", () => {
    expect(said(message(`<edgewise-memory>${colors("Blue", "Green")}</edgewise-memory> Thanks`))).toBeNull();
  });

  it("keeps as many ranks as there may be", () => {
    const many = said(
      message(
        colors(...Array.from({ length: MAX_RANK + 5 }, (_, i) => `Shade ${"abcdefghij"[i % 10]}${"klmnop"[Math.floor(i / 10)]}`)),
      ),
    );
    expect(Math.max(...(many?.slots ?? []).map(({ rank }) => rank))).toBeLessThanOrEqual(MAX_RANK);
  });

  it("comes to the same in whichever order messages of different times are given", () => {
    const texts = [
      colors("Blue", "Green", "Red"),
      colors("Teal", "Lime"),
      "My third favorite color is Gold",
      "My first favorite color is Pink",
    ];
    const messages = texts.map((text, i) => message(text, { occurredAt: i }));
    fc.assert(
      fc.property(fc.shuffledSubarray(messages, { minLength: 4 }), (shuffled) => {
        expect(said(...shuffled)).toEqual(said(...messages));
      }),
    );
  });
});

describe("values that a topic makes secrets", () => {
  const slots = (text: string) =>
    said({ text, userId: ACTING_USER, occurredAt: 0, messageId: null, offset: 0, ordinal: 0 })?.slots.map(({ value }) => value) ??
    [];

  it.each(["my favorite passwords are 1) Xk9#mQ2v 2) Zp8$wer2", "my top 2 passwords are 1) Xk9#mQ2v 2) Zp8$wer2"])(
    "%j: no fact keeps one",
    (text) => {
      expect(slots(text).join(" ")).not.toMatch(/Xk9|Zp8/);
    },
  );

  it("are others' neither", () => {
    expect(slots("my favorite colors are 1) red 2) blue")).toEqual(["red", "blue"]);
    expect(slots("my favorite password managers are 1) Bitwarden 2) KeePass2024")).toHaveLength(2);
  });
});
