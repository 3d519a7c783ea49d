import { beforeEach, describe, expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";

const chat = chatChannel();
const ask = (init: RequestInit = {}) =>
  fetch(`${chat.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }] }),
    ...init,
  });

beforeEach(() => chat.reset());

describe("the chat server, from inside workerd", () => {
  it("answers, fails and records as configured", async () => {
    await chat.answer("first");
    await chat.misbehave({ status: 429, retryAfter: "2" });
    const [refused, first, second] = [await ask(), await ask(), await ask()];
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(await first.text()).toContain('"content":"first"');
    expect(await second.text()).toContain("You said: hello");
    expect(await chat.requests()).toHaveLength(3);
  });

  it("keeps channels apart, and sees that a client left", async () => {
    await chat.misbehave("hang");
    await ask({ signal: AbortSignal.timeout(50) }).catch(() => undefined);
    await expect.poll(async () => (await chat.requests()).map(({ aborted }) => aborted)).toEqual([true]);
    expect(await chatChannel().requests()).toEqual([]);
  });
});
