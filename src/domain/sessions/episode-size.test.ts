import { expect, it } from "vitest";
import { AppError } from "#core/errors";
import { MAX_EPISODE_BYTES, refuseTooLong } from "./parse-episodes-input.ts";

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
  const long = Array.from({ length: 12 }, () => "東".repeat(60_000));
  const parsed = drafts(["short"], long);
  const refused = () => refuseTooLong(parsed);
  expect(refused).toThrow(AppError);
  expect(refused).toThrow(
    expect.objectContaining({ code: "payload_too_large", message: expect.stringContaining(String(MAX_EPISODE_BYTES)) }),
  );
});
