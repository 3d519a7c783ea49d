import { expect, it } from "vitest";
import { createHarness } from "#test/harness";
import { ask } from "./fact-requests.ts";

it("what is known as a memory is not denied, to whom may see it", async () => {
  const h = await createHarness();
  const question = "What is my second favorite color?";
  const asked = async (userId: string) => (await ask(h, question, { userId })).json.routed;
  await h.fetch("POST", "/v1/memories", {
    body: { userId: "ann", type: "preference", content: "Her color of choice is teal" },
  });
  await h.fetch("POST", "/v1/memories", { body: { userId: "bob", type: "preference", content: "Likes tea" } });
  expect(await asked("ann")).toBe(false);
  expect(await asked("bob")).toBe(true);
});
