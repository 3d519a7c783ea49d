import { expect, it } from "vitest";
import { createHarness } from "#test/harness";
import { say } from "./requests.ts";

it("exports", async () => {
  const h = await createHarness({});
  await say(h, "s1", "My favorite colors are 1. red 2. green");
  await h.fetch("POST", "/v1/memories", { body: { userId: "me", content: "I like tea", key: "drink" } });
  await h.settle();
  const { text, status } = await h.fetch("GET", "/v1/exports", { user: null });
  console.log(status, text);
  const own = await h.fetch("GET", "/v1/exports?userId=me");
  console.log(own.status, own.text);
  expect(status).toBe(200);
});
