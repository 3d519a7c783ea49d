import { beforeAll, expect, it } from "vitest";
import type { AppendedView } from "#domain/sessions";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, textsIn } from "./context-requests.ts";
import { fieldsOf } from "./memory-requests.ts";
import { append, find, history, nth, type Problem } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Graz"}' } };
const CONVERSATION = [
  { role: "developer", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "Is it warm in Graz?" },
      { type: "image_url", image_url: { url: "https://a.test/b.png" } },
    ],
  },
  { role: "assistant", content: null, refusal: null, annotations: [], audio: null, function_call: null, tool_calls: [call] },
  { role: "tool", content: '{"celsius":22}', tool_call_id: "call_1" },
  { role: "assistant", content: "It has 22 degrees in Graz.", refusal: null, annotations: [], name: "helper" },
];

it("a conversation with tools is stored and used as it came", async () => {
  const body = { userId: "ann", messages: CONVERSATION };
  const stored = await append(h, "weather", body);
  expect([stored.status, stored.json.messages?.length], stored.text).toEqual([201, 5]);
  expect(
    (await append<{ items: AppendedView[] }>(h, "many", { userId: "ann", episodes: [{ messages: CONVERSATION }] })).status,
  ).toBe(201);
  await h.settle();
  const { messages } = nth((await history(h, "weather", "?userId=ann")).json.items, 0);
  expect(messages.map(({ role, content, speaker }) => [role, content, speaker])).toEqual([
    ["system", "Be brief.", null],
    ["user", "Is it warm in Graz?", null],
    ["assistant", "", null],
    ["tool", '{"celsius":22}', null],
    ["assistant", "It has 22 degrees in Graz.", "helper"],
  ]);
  const context = await contextFor(h, {
    userId: "ann",
    messages: [...CONVERSATION, { role: "user", content: "How warm is it in Graz?" }],
  });
  expect(context.status, context.text).toBe(200);
  const preview = await h.fetch("POST", "/v1/extract", { body });
  expect(preview.status, preview.text).toBe(200);
});

it("an exchange without a word is stored, found by nothing, and hinders nothing after it", async () => {
  const before = await append(h, "silent", {
    userId: "bea",
    messages: [{ role: "assistant", content: null, tool_calls: [call] }],
  });
  expect(before.status, before.text).toBe(201);
  const picture = { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.test/b.png" } }], messageId: "m1" };
  expect((await append(h, "silent", { userId: "bea", messages: [picture] })).status).toBe(201);
  expect((await append(h, "silent", { userId: "bea", messages: [picture] })).json).toMatchObject({ created: false });
  expect((await append(h, "silent", { userId: "bea", messages: [{ role: "user", content: "Quince jam." }] })).status).toBe(201);
  await h.settle();
  const talk = (await history(h, "silent", "?userId=bea")).json.items.map(({ messages }) =>
    messages.map(({ content }) => content),
  );
  expect(talk).toEqual([[""], [""], ["Quince jam."]]);
  for (const strategy of ["recent", "hybrid", "semantic"])
    expect(
      (await find(h, "quince", { userId: "bea", strategy })).json.hits.map(({ content }) => content),
      strategy,
    ).toEqual(["Quince jam."]);
  expect(textsIn(await contextFor(h, { userId: "bea", query: "" }))).toEqual(["Quince jam."]);
  expect((await h.fetch("DELETE", `/v1/sessions/silent/episodes/${before.json.id}?userId=bea`)).status).toBe(204);
});

it("a reply object of a refusal, and of a spoken reply, is what it says", async () => {
  const messages = [
    { role: "assistant", content: null, refusal: "I cannot help with that.", annotations: [] },
    {
      role: "assistant",
      content: null,
      refusal: null,
      audio: { id: "a", data: "UklGRg==", expires_at: 1, transcript: "Good evening." },
    },
  ];
  expect((await append(h, "replies", { userId: "ann", messages })).status).toBe(201);
  const stored = nth((await history(h, "replies", "?userId=ann")).json.items, 0).messages.map(({ content }) => content);
  expect(stored).toEqual(["I cannot help with that.", "Good evening."]);
  const context = await contextFor(h, { userId: "ann", messages: [...messages, { role: "user", content: "And now?" }] });
  expect(context.status, context.text).toBe(200);
});

it("misspelled fields of this API are refused with the right name", async () => {
  const wrong = await append<Problem>(h, "wrong", { userId: "ann", messages: [{ role: "user", content: "Hi", user_id: "ann" }] });
  expect([wrong.status, fieldsOf(wrong as never)]).toEqual([400, ["messages[0].user_id"]]);
  expect(wrong.json.detail).toContain("Did you mean `userId`?");
  const nothing = await append<Problem>(h, "wrong", { userId: "ann", messages: [{ role: "user", tool_calls: [call] }] });
  expect([nothing.status, fieldsOf(nothing as never)]).toEqual([422, ["messages[0].content"]]);
  const bare = await append<Problem>(h, "wrong", { userId: "ann", messages: [{ role: "assistant" }] });
  expect([bare.status, fieldsOf(bare as never)]).toEqual([400, ["messages[0].content"]]);
});
