import { expect, it } from "vitest";
import { createHarness } from "#test/harness";
import { answerTo, appendText } from "./fact-requests.ts";
import { append } from "./requests.ts";

const PLACE = { userId: "ann", sessionId: "a1" };
const second = "what's my second favorite food?";

it("a stored list does not answer where an edit of it may be older than what a question reads", async () => {
  const h = await createHarness();
  await appendText(h, "a1", "My favorite foods are 1) pizza 2) tacos 3) sushi", { userId: "ann" });
  await appendText(h, "a1", "remove tacos from my favorite foods", { userId: "ann" });
  expect(await answerTo(h, second, PLACE)).toBe("sushi.");
  for (let part = 0; part < 10; part += 1) {
    const messages = Array.from({ length: 40 }, (_, i) => ({
      role: "user",
      content: `add ${part * 40 + i} bricks to the order`,
    }));
    expect((await append(h, "a1", { messages, userId: "ann" })).status).toBeLessThan(300);
  }
  expect(await answerTo(h, second, PLACE)).toBeNull();
  await appendText(h, "a1", "My favorite foods are 1) rice 2) beans", { userId: "ann" });
  expect(await answerTo(h, second, PLACE)).toBe("beans.");
});
