import { describe, expect, it } from "vitest";
import { type StoredOnce, withoutStored } from "./known-messages.ts";
import type { EpisodeInput } from "./schemas.ts";

const message = (messageId?: string, text = `text of ${messageId}`) => ({ role: "user" as const, text, messageId });
const episode = (...messages: EpisodeInput["messages"]): EpisodeInput => ({ messages });
const stored = (messageId: string, publicId: string, text = `text of ${messageId}`): StoredOnce => ({
  messageId,
  text,
  publicId,
  messageIds: "[]",
  occurredAt: 0,
  createdAt: 0,
  vectorModel: null,
});
const idsOf = (episodes: readonly EpisodeInput[]) => episodes.map(({ messages }) => messages.map(({ messageId }) => messageId));
const answersOf = (plan: ReturnType<typeof withoutStored>) =>
  plan
    .answers((index) => `draft ${index}`)
    .map(({ draft, created, known, skippedMessageIds }) => [draft ?? known?.publicId, created, skippedMessageIds]);

describe("withoutStored", () => {
  it("keeps messages without an id, however often they come", () => {
    expect(withoutStored([episode(message(undefined, "hi"), message(undefined, "hi"))], []).fresh[0]?.messages).toHaveLength(2);
  });

  it("leaves out what is stored and answers with the episode that holds the first of it", () => {
    const plan = withoutStored(
      [episode(message("a"), message("b")), episode(message("b"), message("c"))],
      [stored("a", "epi_1"), stored("b", "epi_2")],
    );
    expect(idsOf(plan.fresh)).toEqual([["c"]]);
    expect(answersOf(plan)).toEqual([
      ["epi_1", false, ["a", "b"]],
      ["draft 0", true, ["b"]],
    ]);
  });

  it("leaves out repeats within the request and answers with the draft that they repeat", () => {
    const plan = withoutStored(
      [episode(message("a"), message("a")), episode(message("a")), episode(message("b"), message("a"))],
      [],
    );
    expect(idsOf(plan.fresh)).toEqual([["a"], ["b"]]);
    expect(answersOf(plan)).toEqual([
      ["draft 0", true, ["a"]],
      ["draft 0", false, ["a"]],
      ["draft 1", true, ["a"]],
    ]);
  });

  it.each([
    ["than what is stored", [episode(message("a", "other"))], [stored("a", "epi_1")]],
    ["than in the same episode", [episode(message("a"), message("a", "other"))], []],
  ] as const)("refuses an id with another text %s", (_, episodes, known) => {
    expect(() => withoutStored(episodes, known)).toThrow(expect.objectContaining({ code: "conflict" }));
  });

  it("takes a text that was stored when fewer secrets were known for the same", () => {
    const told = "The key is [redacted:stripe_key].";
    const known = stored("a", "epi_1", "The key is sk_live_4eC39HqLyjWDarjtT1zdp7dc.");
    expect(withoutStored([episode(message("a", told))], [known]).fresh).toEqual([]);
    expect(() => withoutStored([episode(message("a", `${told} Really.`))], [known])).toThrow("another text");
  });
});
