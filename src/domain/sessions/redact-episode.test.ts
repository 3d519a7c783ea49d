import { expect, it } from "vitest";
import { redactEpisode } from "./parse-episodes-input.ts";

const KEY = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
const redacted = (text: string, speaker?: string) => redactEpisode({ messages: [{ role: "user", content: text, speaker }] });

it("puts a marker in place of each secret, in texts and in speakers, and tells the kinds once", () => {
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
