import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { chat, setUpstream, talkOf } from "./proxy-requests.ts";
import { rows } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness();
  await setUpstream(h, { url: upstream.url });
});
beforeEach(() => upstream.reset());

const counts = async () =>
  await rows(
    "select (select count(*) from users where tenant_id = ?1) as users, (select count(*) from sessions where tenant_id = ?1) as sessions, (select count(*) from episodes where tenant_id = ?1) as episodes",
    h.tenantId,
  );

/** The chat is a 400 that names the header; the model server is not asked, and nothing is stored. */
async function expectRefused(headers: Record<string, string>, param: string, message: string): Promise<void> {
  const before = await counts();
  const { status, json } = await chat(h, "Keep this to yourself.", { headers });
  expect([status, json.code, json.error.param], JSON.stringify(headers)).toEqual([400, "invalid_input", param]);
  expect(json.error.message).toContain(message);
  await h.settle();
  expect(await upstream.requests()).toEqual([]);
  expect(await counts()).toEqual(before);
}

describe("11: x-edgewise-memory", () => {
  it.each([
    "false",
    "true",
    "0",
    "1",
    "none",
    "no",
    "disabled",
    "",
    " ",
    "off, on",
    "on, off",
    "off, off",
    "off,",
    "off;",
    '"off"',
    "о ff",
    "injected; items=1; tokens=2",
  ])("%j is a 400 and stores nothing", async (value) => {
    await expectRefused({ "x-edgewise-memory": value }, "x-edgewise-memory", "on or off");
  });

  it("sent twice is a 400, whichever comes first", async () => {
    for (const values of [
      ["off", "on"],
      ["on", "off"],
      ["off", "off"],
    ]) {
      const sent = new Headers();
      for (const value of values) sent.append("x-edgewise-memory", value);
      await expectRefused(Object.fromEntries(sent), "x-edgewise-memory", "once");
    }
  });

  it.each([
    ["on", true],
    ["ON", true],
    [" on ", true],
    ["off", false],
    ["Off", false],
    [" OFF\t", false],
  ])("%j is taken", async (value, isOn) => {
    const session = `memory ${value}`.trim();
    const headers = { "x-edgewise-memory": value, "x-edgewise-session": encodeURIComponent(session) };
    const answer = await chat(h, "Hello there", { headers });
    expect([answer.status, answer.headers.get("x-edgewise-memory") !== "off"]).toEqual([200, isOn]);
    expect(await talkOf(h, session)).toHaveLength(isOn ? 1 : 0);
  });
});

const ID_HEADERS = ["x-edgewise-user", "x-edgewise-session", "x-edgewise-project", "x-edgewise-workspace"] as const;

describe.each(ID_HEADERS)("11: %s", (header) => {
  it.each([
    ["alice, bob", "%2C"],
    ["alice,bob", "%2C"],
    ["alice,", "%2C"],
    ["UTF-8''a,b", "%2C"],
    ["100%", "%25"],
    ["50% off", "%25"],
    ["Jos%E9", "%25"],
    ["%FF", "%25"],
    ["UTF-8''Jos%C3%A9", "%27"],
    ["utf-8'es'alice", "%27"],
    ["iso-8859-1''Jos%E9", "%27"],
    ["José", "Percent-encode"],
    ["Jos%EF%BF%BD", "U+FFFD"],
  ])("%j is a 400 that says what to do", async (value, message) => {
    await expectRefused({ [header]: value }, header, message);
  });

  it("sent twice is a 400", async () => {
    const sent = new Headers([[header, "alice"]]);
    sent.append(header, "bob");
    await expectRefused(Object.fromEntries(sent), header, "more than once");
  });
});

/** Ids of apps, and what stands in the header for them. */
const ENCODED: readonly [string, string][] = [
  ["José", "Jos%C3%A9"],
  ["José", "Jos%c3%a9"],
  ["北京 user", "%E5%8C%97%E4%BA%AC%20user"],
  ["plain name", "plain name"],
  ["Smith, John", "Smith%2C%20John"],
  ["100%", "100%25"],
  ["%41", "%2541"],
  ["a+b", "a+b"],
  ["a/b?c#d", "a/b?c#d"],
  ["rock'n'roll", "rock'n'roll"],
  ["UTF-8''x", "UTF-8%27%27x"],
  ["👩\u200d🚀", encodeURIComponent("👩\u200d🚀")],
];

it.each(ENCODED)("11: %j is named by the header %j", async (name, value) => {
  const session = `of ${value}`;
  const headers = { "x-edgewise-user": value, "x-edgewise-session": encodeURIComponent(session) };
  expect((await chat(h, "Hello", { headers })).status).toBe(200);
  expect(await talkOf(h, session, name)).toHaveLength(1);
});

it("11: whoever encodes an id as encodeURIComponent does names it, or is refused, and is never somebody else", async () => {
  const names = ["José", "a,b", "50% off", "%", "'quoted'", "x;y=z", "Жозе/1", "UTF-8''alice", "utf-8'en'José"];
  for (const name of names) {
    const session = `round ${name}`;
    const headers = { "x-edgewise-user": encodeURIComponent(name), "x-edgewise-session": encodeURIComponent(session) };
    const { status } = await chat(h, "Hello", { headers });
    const refused = name.toLowerCase().startsWith("utf-8'");
    expect([name, status, (await talkOf(h, session, name)).length]).toEqual([name, refused ? 400 : 200, refused ? 0 : 1]);
  }
});

describe("x-edgewise-forgot", () => {
  const SESSION = { "x-edgewise-user": "fay", "x-edgewise-session": "forgets" };
  const ask = async (words: string, headers: Record<string, string> = SESSION) => await chat(h, words, { headers });

  it("has the id of what was forgotten before the reply, which undoes it with what the reply repeated", async () => {
    await ask("I got a fine of 300 dollars for speeding.");
    await h.settle();
    await upstream.answer("Done. I have forgotten the speeding fine. What else?");
    const asked = "please forget what I told you about the fine";
    const forgot = (await ask(asked)).headers.get("x-edgewise-forgot") ?? "";
    expect(forgot).toMatch(/^fgt_/u);
    const [, second] = await upstream.requests();
    expect(JSON.stringify(second)).not.toContain("speeding");
    await h.settle();
    const talk = async () => JSON.stringify(await talkOf(h, "forgets", "fay"));
    expect(await talk()).not.toContain("speeding");
    expect(await talk()).toContain("What else?");
    // The message that asks is stored once.
    expect((await talk()).split(asked)).toHaveLength(2);
    const undone = await h.fetch("POST", `/v1/forgettings/${forgot}/undo`, { body: { userId: "fay" } });
    expect(undone.status).toBe(200);
    expect(await talk()).toContain("300 dollars for speeding");
    expect(await talk()).toContain("I have forgotten the speeding fine");
  });

  it("is absent where nothing was forgotten, and with memory off", async () => {
    expect((await ask("don't forget the milk")).headers.get("x-edgewise-forgot")).toBeNull();
    expect((await ask("please forget what I told you about the moon")).headers.get("x-edgewise-forgot")).toBeNull();
    const off = { ...SESSION, "x-edgewise-memory": "off" };
    expect((await ask("please forget the milk", off)).headers.get("x-edgewise-forgot")).toBeNull();
  });
});
