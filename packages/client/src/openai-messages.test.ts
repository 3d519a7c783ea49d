import type {
  ChatCompletion,
  ChatCompletionContentPart,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { expect, it } from "vitest";
import { Edgewise } from "./edgewise.ts";

/** Compiled only: the messages of the openai package are what the client takes, without a conversion. */
export async function append(edgewise: Edgewise, history: ChatCompletionMessageParam[], reply: ChatCompletion): Promise<void> {
  const message: ChatCompletionMessage | undefined = reply.choices[0]?.message;
  const parts: ChatCompletionContentPart[] = [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }];
  const toStore = message === undefined ? history : [...history, message];
  await edgewise.episodes.append({ sessionId: "chat", userId: "alice", messages: toStore });
  await edgewise.episodes.append({ sessionId: "chat", userId: "alice", episodes: [{ messages: toStore }] });
  await edgewise.episodes.append({ sessionId: "chat", userId: "alice", messages: [{ role: "user", content: parts }] });
  await edgewise.context({ userId: "alice", messages: history });
  if (message !== undefined) await edgewise.context({ userId: "alice", messages: [...history, message] });
  await edgewise.extract({ userId: "alice", messages: history });
  // @ts-expect-error: there is no such field.
  const misspelled: Stored[number] = { role: "user", user_id: "bob" };
  await edgewise.episodes.append({ sessionId: "chat", messages: [misspelled] });
}

type Stored = Extract<Parameters<Edgewise["episodes"]["append"]>[0], { messages: unknown }>["messages"];

it("they are sent as they are", async () => {
  const sent: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json({});
  };
  const edgewise = new Edgewise({ baseUrl: "http://edgewise.test", token: "ew_1", fetch, maxRetries: 0 });
  const messages: ChatCompletionMessageParam[] = [
    { role: "developer", content: "Be brief." },
    { role: "assistant", content: null, refusal: null, tool_calls: [] },
    { role: "tool", content: "22 °C", tool_call_id: "call_1" },
  ];
  await edgewise.episodes.append({ sessionId: "chat", userId: "alice", messages });
  expect(sent).toEqual([{ userId: "alice", messages }]);
});
