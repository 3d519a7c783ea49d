import { beforeEach, describe, expect, it } from "vitest";
import type { ProfileView } from "#domain/profile";
import { createHarness, type Harness } from "#test/harness";
import { memoriesOf } from "./extraction-requests.ts";
import { say } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

/** The wishes in Ann's profile after she has said this, one message a session, and what each replaced. */
async function wishesAfter(...said: readonly string[]): Promise<(readonly [content: string, replaced: readonly string[]])[]> {
  for (const [i, text] of said.entries()) {
    await say(h, `s${i}`, text, { userId: "ann" });
    await h.settle();
  }
  const { json } = await h.fetch<ProfileView>("GET", "/v1/users/ann/profile");
  return json.entries
    .filter(({ section }) => section === "wishes")
    .map(({ content, replaced }) => [content, replaced.map((before) => before.content)] as const);
}

describe("a standing wish for how the assistant behaves is in the profile", () => {
  it.each([
    ["told flatly", "no emojis ever", "no emojis ever"],
    ["as a polite question", "could you always give me metric please", "could you always give me metric"],
    [
      "beside a question",
      "What is torque? And always start with an everyday example before any maths.",
      "always start with an everyday example before any maths",
    ],
    ["about the speaker's household", "Dinner ideas for four? And never suggest meat to us.", "never suggest meat to us"],
    ["in the middle of what is asked", "keep it brief when you reply", "keep it brief when you reply"],
  ])("%s", async (_, said, wish) => {
    const [[content] = []] = await wishesAfter(said);
    expect(content).toContain(wish);
  });

  it.each([
    "that's private",
    "kitchen, Cleo - hall",
    "he slouches",
    "make it shorter pls",
    "in spanish this time, the nanny reads it",
  ])("and nothing else is one: %s", async (said) => {
    expect(await wishesAfter(said)).toEqual([]);
  });
});

describe("a wish is taken back", () => {
  it.each([
    ["Always talk to me like a pirate", "you can stop talking like a pirate now lol the kids are in bed"],
    ["Always end your answers with a rhyme", "You can stop the rhymes now, thank you, it was fun for a day."],
    ["Answer me in Spanish from now on", "English is fine again"],
    ["Antworte mir ab jetzt immer auf Englisch", "du kannst wieder auf Deutsch antworten"],
    ["Please never use emojis", "du kannst wieder Emojis benutzen"],
  ])("%s → %s", async (wish, withdrawal) => {
    const wishes = await wishesAfter(wish, withdrawal);
    expect(wishes).toHaveLength(1);
    const [[content, replaced] = ["", []]] = wishes;
    expect(withdrawal).toContain(content);
    expect(replaced).toHaveLength(1);
    expect(wish).toContain(replaced[0]);
  });

  it("by a newer one to the contrary", async () => {
    const wishes = await wishesAfter("answer in Spanish please", "answer in English again");
    expect(wishes).toEqual([["answer in English again", ["answer in Spanish"]]]);
  });

  it("and no other with it", async () => {
    const wishes = await wishesAfter(
      "Never use the word delve",
      "Always talk to me like a pirate",
      "Stop using the word tapestry with me, ever",
    );
    expect(wishes).toHaveLength(3);
  });

  it("only where there is such a wish", async () => {
    await wishesAfter("English is fine again");
    expect((await memoriesOf(h)).filter(({ type }) => type === "procedural")).toEqual([]);
  });
});
