import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import OpenAI from "openai";

// The user comes from your own login. Here it is the first argument.
const user = process.argv[2] ?? "alice";
const { EDGEWISE_URL = "http://127.0.0.1:8787", EDGEWISE_KEY, MODEL = "gpt-4o-mini" } = process.env;

const openai = new OpenAI({
  baseURL: `${EDGEWISE_URL}/v1`,
  apiKey: EDGEWISE_KEY,
  defaultHeaders: {
    // Ids are percent-encoded, because a header can hold ASCII only.
    "x-edgewise-user": encodeURIComponent(user),
    // Each run is a new conversation. Memory of earlier ones is found by user.
    "x-edgewise-session": `chat-loop-${randomUUID()}`,
  },
});

// The conversation so far, as without Edgewise. Memory is added on the way to the model, not here.
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: "You are a friendly assistant." }];

process.stdout.write("you> ");
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== "") await reply(line);
  process.stdout.write("you> ");
}

async function reply(content: string): Promise<void> {
  messages.push({ role: "user", content });
  const { data, response } = await openai.chat.completions.create({ model: MODEL, messages, stream: true }).withResponse();
  let answer = "";
  process.stdout.write("bot> ");
  for await (const chunk of data) {
    const text = chunk.choices[0]?.delta.content ?? "";
    answer += text;
    process.stdout.write(text);
  }
  messages.push({ role: "assistant", content: answer });
  // What was done for this reply: injected, answered (by a fact, without the model), none, skipped or off.
  console.log(`\n     (memory: ${response.headers.get("x-edgewise-memory")})`);
}
