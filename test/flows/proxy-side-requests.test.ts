import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { chat, setUpstream, type Turn, talkOf } from "./proxy-requests.ts";
import { find, nth, say } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await setUpstream(h, { url: upstream.url });
  await say(h, "seed", "I live in Rapla and I hate dill.", { userId: "alice" });
  await h.settle();
});
beforeEach(() => upstream.reset());

const user = (content: unknown) => ({ role: "user", content });
const HISTORY = "<chat_history>\nUSER: I live in Rapla and I hate dill.\nASSISTANT: Noted.\n</chat_history>";
const TITLE = `### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Chat History:\n${HISTORY}\n### Output:\nJSON format: { "title": "your concise title here" }`;

const ask = (
  messages: Turn[],
  session: string,
  more: { headers?: Record<string, string>; body?: Record<string, unknown> } = {},
) => chat(h, messages, { body: more.body ?? {}, headers: { "x-edgewise-session": session, ...more.headers } });

describe("a side request of a chat app", () => {
  it("is passed on as it came, is not stored, and the answer says so", async () => {
    const messages = [{ role: "system", content: "You are helpful." }, user(TITLE)];
    const answer = await ask(messages, "side");
    expect([answer.status, answer.headers.get("x-edgewise-memory")]).toEqual([200, "side-request"]);
    expect(nth(await upstream.requests(), -1).body.messages).toEqual(messages);
    expect(await talkOf(h, "side")).toEqual([]);
    const { hits } = (await find(h, "concise title with an emoji", { userId: "alice" })).json;
    expect(hits.map(({ content }) => content).join()).not.toContain("emoji");
  });

  it("is one by Open WebUI's metadata, and one of the Responses API too", async () => {
    const body = { metadata: { task: "title_generation", task_body: "{}" } };
    expect((await ask([user("Name it")], "side", { body })).headers.get("x-edgewise-memory")).toBe("side-request");
    const other = await ask([user("Name it")], "task", { body: { metadata: { task: "shopping" } } });
    expect(other.headers.get("x-edgewise-memory")).not.toBe("side-request");
    const request = { body: { model: "echo", input: TITLE }, headers: { "x-edgewise-user": "alice" } };
    expect((await h.fetch("POST", "/v1/responses", request)).headers.get("x-edgewise-memory")).toBe("side-request");
  });

  it("is an ordinary request if the client says that memory is on", async () => {
    const answer = await ask([user(TITLE)], "on", { headers: { "x-edgewise-memory": "on" } });
    expect(answer.headers.get("x-edgewise-memory")).toMatch(/^injected/);
    expect((await talkOf(h, "on")).flat()).toEqual([`user: ${TITLE}`, expect.stringContaining("assistant: ")]);
  });
});

it("the talk of an app whose instructions or metadata look like such a frame's is stored, and has memory", async () => {
  const system = { role: "system", content: "### Task:\nAnswer the customer.\n<chat_history></chat_history>" };
  const question = user("Which dish without what I hate would go with potatoes tonight?");
  for (const [session, messages, body] of [
    ["instructions", [system, question], {}],
    ["metadata", [question], { metadata: { task: "function_calling" } }],
  ] as const) {
    const answer = await ask([...messages], session, { body });
    expect(answer.headers.get("x-edgewise-memory")).toMatch(/^injected/);
    expect((await talkOf(h, session)).flat()[0]).toBe("user: Which dish without what I hate would go with potatoes tonight?");
  }
});

it("what a user writes in the words of such a frame is stored", async () => {
  for (const [i, text] of [
    "### Task:\nWrite a shopping list for Saturday.\n### Guidelines:\n- no dill",
    "Please generate a concise title for my novel about Rapla.",
    "What does <chat_history> mean in the prompts of Open WebUI?",
  ].entries()) {
    expect((await ask([user(text)], `own-${i}`)).headers.get("x-edgewise-memory")).not.toBe("side-request");
    expect((await talkOf(h, `own-${i}`)).flat()[0]).toBe(`user: ${text}`);
  }
});
