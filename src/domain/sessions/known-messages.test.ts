import { describe, expect, it } from "vitest";
import { withoutStored as decision, type StoredOnce, type StoredUnnamed } from "./known-messages.ts";
import type { EpisodeInput } from "./schemas.ts";

const message = (messageId?: string, text = `text of ${messageId}`) => ({ role: "user" as const, content: text, messageId });
const episode = (...messages: EpisodeInput["messages"]): EpisodeInput => ({ messages });
const stored = (messageId: string, publicId: string, text = `text of ${messageId}`): StoredOnce => ({
  messageId,
  text,
  publicId,
  messageIds: [],
  occurredAt: 0,
  createdAt: 0,
  vectorModel: null,
});
const withoutStored = (episodes: readonly EpisodeInput[], named: readonly StoredOnce[], unnamed: readonly StoredUnnamed[] = []) =>
  decision(episodes, { named, unnamed, userIdOf: ({ userId }) => (userId === undefined ? null : Number(userId)) });
const idsOf = (episodes: readonly EpisodeInput[]) => episodes.map(({ messages }) => messages.map(({ messageId }) => messageId));
const answersOf = (decision: ReturnType<typeof withoutStored>) =>
  decision.slots.map(({ fresh, created, known, skippedMessageIds }) => [
    fresh === null ? known?.publicId : `draft ${fresh}`,
    created,
    skippedMessageIds,
  ]);

describe("withoutStored", () => {
  it("knows a forgotten message by its id alone: beside it, one without an id is new, whatever its length", () => {
    const fill = "\u2588".repeat(8);
    const forgotten: StoredUnnamed = { publicId: "epi_1", place: "1:1", role: "user", speaker: null, text: fill, userId: null };
    const sent = [episode(message("a", "the cat!"), message(undefined, "new text"))];
    const { fresh } = withoutStored(sent, [stored("a", "epi_1", fill)], [forgotten]);
    expect(fresh[0]?.messages.map(({ content }) => content)).toEqual(["new text"]);
  });

  it("keeps messages without an id, however often they come", () => {
    expect(withoutStored([episode(message(undefined, "hi"), message(undefined, "hi"))], []).fresh[0]?.messages).toHaveLength(2);
  });

  it("leaves out what is stored and answers with the episode that holds the first of it", () => {
    const decision = withoutStored(
      [episode(message("a"), message("b")), episode(message("b"), message("c"))],
      [stored("a", "epi_1"), stored("b", "epi_2")],
    );
    expect(idsOf(decision.fresh)).toEqual([["c"]]);
    expect(answersOf(decision)).toEqual([
      ["epi_1", false, ["a", "b"]],
      ["draft 0", true, ["b"]],
    ]);
  });

  it("leaves out repeats within the request and answers with the draft that they repeat", () => {
    const decision = withoutStored(
      [episode(message("a"), message("a")), episode(message("a")), episode(message("b"), message("a"))],
      [],
    );
    expect(idsOf(decision.fresh)).toEqual([["a"], ["b"]]);
    expect(answersOf(decision)).toEqual([
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
    const redacted = "The key is [redacted:stripe_key].";
    const known = stored("a", "epi_1", "The key is sk_live_4eC39HqLyjWDarjtT1zdp7dc.");
    expect(withoutStored([episode(message("a", redacted))], [known]).fresh).toEqual([]);
    expect(() => withoutStored([episode(message("a", `${redacted} Really.`))], [known])).toThrow("another text");
  });
});

describe("a retry of an exchange in which only one message has a messageId", () => {
  const says = (text: string, messageId?: string, speaker?: string) => ({
    role: "user" as const,
    content: text,
    messageId,
    speaker,
  });
  const replies = (text: string, messageId?: string) => ({ role: "assistant" as const, content: text, messageId });
  const unnamed = (publicId: string, text: string, role = "assistant", speaker: string | null = null): StoredUnnamed => ({
    ...{ publicId, place: `${publicId} ${text}`, role, speaker, text, userId: null },
  });
  const textsOf = (episodes: readonly EpisodeInput[]) => episodes.map(({ messages }) => messages.map(({ content }) => content));
  const asked = stored("q", "epi_1", "Is it open?");

  it("stores nothing twice, whichever of them has the id", () => {
    const exchange = episode(says("Is it open?", "q"), replies("Until six."));
    const first = withoutStored([exchange], [asked], [unnamed("epi_1", "Until six.")]);
    expect([first.fresh, answersOf(first)]).toEqual([[], [["epi_1", false, ["q"]]]]);
    const reply = stored("r", "epi_1", "Until six.");
    const second = withoutStored(
      [episode(says("Is it open?"), replies("Until six.", "r"))],
      [reply],
      [unnamed("epi_1", "Is it open?", "user")],
    );
    expect([second.fresh, answersOf(second)]).toEqual([[], [["epi_1", false, ["r"]]]]);
  });

  it("within one request too", () => {
    const exchange = episode(says("Is it open?", "q"), replies("Until six."));
    const twice = withoutStored([exchange, exchange], []);
    expect(textsOf(twice.fresh)).toEqual([["Is it open?", "Until six."]]);
    expect(answersOf(twice)).toEqual([
      ["draft 0", true, []],
      ["draft 0", false, ["q"]],
    ]);
  });

  it("stores what it says beyond that: other words, another speaker, the same words once more", () => {
    const held = [unnamed("epi_1", "Until six."), unnamed("epi_1", "Yes.", "user", "Ann")];
    const textsBeside = (...messages: EpisodeInput["messages"]) =>
      textsOf(withoutStored([episode(says("Is it open?", "q"), ...messages)], [asked], held).fresh);
    expect(textsBeside(replies("Until seven."))).toEqual([["Until seven."]]);
    expect(textsBeside(says("Yes.", undefined, "Bob"))).toEqual([["Yes."]]);
    expect(textsBeside(says("Until six."))).toEqual([["Until six."]]);
    expect(textsBeside(replies("Until six."), replies("Until six."))).toEqual([["Until six."]]);
    expect(textsBeside(says("Yes.", undefined, "Ann"), replies("Until six."))).toEqual([]);
    // The same words are another message where another user is named as having said them.
    expect(textsBeside({ ...says("Yes.", undefined, "Ann"), userId: "7" })).toEqual([["Yes."]]);
  });

  it("looks only where its own ids are, in each of those episodes", () => {
    const both = [asked, stored("p", "epi_2", "And on Sunday?")];
    const held = [unnamed("epi_1", "Until six."), unnamed("epi_2", "Closed.")];
    const whole = episode(says("Is it open?", "q"), replies("Until six."), says("And on Sunday?", "p"), replies("Closed."));
    expect(withoutStored([whole], both, held).fresh).toEqual([]);
    expect(textsOf(withoutStored([episode(says("Is it open?", "q"), replies("Closed."))], both, held).fresh)).toEqual([
      ["Closed."],
    ]);
    expect(textsOf(withoutStored([episode(replies("Until six."))], both, held).fresh)).toEqual([["Until six."]]);
  });
});
