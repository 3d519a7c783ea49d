import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { chat, setUpstream, talkOf } from "./proxy-requests.ts";
import { nth, say } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await setUpstream(h, { url: upstream.url });
});
beforeEach(() => upstream.reset());

const user = (content: string, name?: string) => ({ role: "user", content, ...(name === undefined ? {} : { name }) });
const assistant = (content: string) => ({ role: "assistant", content });
const as = (name: string, session = name) => ({ headers: { "x-edgewise-user": name, "x-edgewise-session": session } });
const SECOND = user("What's my second favorite color?");

async function answerTo(...args: Parameters<typeof chat>): Promise<unknown> {
  const { headers, json } = await chat(...args);
  const by = headers.get("x-edgewise-memory")?.startsWith("answered") ? "facts" : "model";
  return [by, json.choices[0]?.message.content];
}

describe("a question about a fact that only the conversation has", () => {
  const list = user("My favorite colors are 1) Teal 2) Plum");

  it("is answered from it", async () => {
    expect(await answerTo(h, [list, assistant("Nice"), SECOND], as("ann"))).toEqual(["facts", "Plum."]);
    const corrected = [list, assistant("Nice"), user("My second favorite color is Rust."), assistant("Noted"), SECOND];
    expect(await answerTo(h, corrected, as("ann2"))).toEqual(["facts", "Rust."]);
    expect(await answerTo(h, [list, assistant("Nice"), user("And the first?")], as("ann3"))).toEqual([
      "facts",
      expect.stringContaining("Teal."),
    ]);
    expect(await answerTo(h, [list, assistant("Nice"), user("What are my favorite foods?")], as("ann4"))).toEqual([
      "facts",
      "I don't have that stored yet.",
    ]);
  });

  it("is answered from what is stored where that is not new", async () => {
    await say(h, "bea", "My favorite colors are 1) Blue, 2) Green", { userId: "bea" });
    expect(await answerTo(h, [list, assistant("Nice"), SECOND], as("bea"))).toEqual(["facts", "Green."]);
    expect(await answerTo(h, [list, SECOND], as("bea"))).toEqual(["facts", "Plum."]);
  });

  it("goes to the model where nothing is taken from talk", async () => {
    const off = await createHarness();
    await setUpstream(off, { url: upstream.url });
    await off.fetch("PATCH", "/v1/settings", { body: { extraction: "off" } });
    expect(await answerTo(off, [list, assistant("Nice"), SECOND], as("ann"))).toEqual([
      "model",
      "You said: What's my second favorite color?",
    ]);
  });
});

it("that nothing is stored is no talk to keep", async () => {
  expect(await answerTo(h, [SECOND], as("cleo"))).toEqual(["facts", "I don't have that stored yet."]);
  expect(await talkOf(h, "cleo", "cleo")).toEqual([["user: What's my second favorite color?"]]);
});

describe("in a group", () => {
  beforeAll(async () => {
    await h.fetch("PUT", "/v1/sessions/team", { body: { participants: ["hanna", "hugo"] } });
    for (const [name, colors] of [
      ["hanna", "1) Red 2) Green"],
      ["hugo", "1) Blue 2) Black"],
    ])
      await say(h, "team", `My favorite colors are ${colors}`, { userId: name });
  });

  it("the acting user asks, with no name or one of their own, and sees their own", async () => {
    const second = (name?: string) => answerTo(h, [user(SECOND.content, name)], as("hanna", "team"));
    expect([await second(), await second("Hanna")]).toEqual([
      ["facts", "Green."],
      ["facts", "Green."],
    ]);
    expect(await answerTo(h, [user(SECOND.content, "Hugo")], as("hugo", "team"))).toEqual(["facts", "Black."]);
  });

  it("a name that is none of theirs is answered from nobody's facts", async () => {
    expect(await answerTo(h, [user(SECOND.content, "Nobody")], as("hanna", "team"))).toEqual([
      "model",
      expect.stringContaining("You said"),
    ]);
    expect(await answerTo(h, [user(SECOND.content, "Hugo")], as("hanna", "team"))).toEqual(["model", expect.anything()]);
    const said = [user("My favorite colors are 1) Teal 2) Plum", "Ida"), assistant("Nice"), user(SECOND.content, "Hugo")];
    expect(await answerTo(h, said, as("hugo", "team"))).toEqual(["facts", "Black."]);
  });

  it("in private too, another's name is not the user's", async () => {
    await say(h, "hannas", "My favorite colors are 1) White 2) Grey", { userId: "hanna" });
    expect(await answerTo(h, [user(SECOND.content, "hanna")], as("hanna", "hannas"))).toEqual(["facts", "Grey."]);
    expect(await answerTo(h, [user(SECOND.content, "Hugo")], as("hanna", "hannas"))).toEqual([
      "model",
      expect.stringContaining("You said"),
    ]);
  });
});

it("a list that returns in the session of a user's own is the one that answers", async () => {
  const fay = { headers: { "x-edgewise-user": "fay" } };
  for (const color of ["Red", "Blue", "Red"]) {
    await chat(h, `My favorite colors are 1) ${color} 2) Sand`, fay);
    await h.settle();
  }
  // Sent again, and generated again.
  for (const reply of ["Fine", "Well"]) {
    await upstream.answer(reply);
    await chat(h, "My favorite colors are 1) Red 2) Sand", fay);
  }
  expect((await talkOf(h, "proxy:fay", "fay")).map((messages) => nth(messages, 0))).toEqual([
    "user: My favorite colors are 1) Red 2) Sand",
    "user: My favorite colors are 1) Blue 2) Sand",
    "user: My favorite colors are 1) Red 2) Sand",
    "assistant: Fine",
    "assistant: Well",
  ]);
  expect(await answerTo(h, "What's my first favorite color?", fay)).toEqual(["facts", "Red."]);
});
