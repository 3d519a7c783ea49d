import { expect, it } from "vitest";
import { createHarness } from "#test/harness";
it("works", async () => {
  const h = await createHarness();
  const a = await h.fetch("POST", "/v1/sessions/s1/episodes", { body: { userId: "u", messages: [{ role: "user", text: "I like figs" }] } });
  expect(a.status).toBe(201);
  await h.settle();
  const s = await h.fetch("POST", "/v1/search", { body: { userId: "u", query: "figs", strategy: "semantic", explain: true } });
  console.log(s.text, [...s.headers]);
  console.log(await h.as(["read"]));
});
