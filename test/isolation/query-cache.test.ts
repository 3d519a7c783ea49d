import { beforeAll, expect, it } from "vitest";
import type { SearchView } from "#domain/retrieval";
import { createHarness, type Harness } from "#test/harness";

let one: Harness;
let other: Harness;
beforeAll(async () => {
  [one, other] = [await createHarness(), await createHarness()];
  for (const h of [one, other]) {
    await h.fetch("POST", "/v1/sessions/birds/episodes", {
      body: { messages: [{ role: "user", content: "a heron in the reeds" }] },
    });
  }
});

it("discloses to no tenant by its speed that another has asked the same", async () => {
  const body = { query: "where did the heron build its nest?", strategy: "semantic", explain: true };
  const ask = async (h: Harness) => (await h.fetch<SearchView>("POST", "/v1/search", { body })).json.explain?.queryEmbedding;
  expect([await ask(one), await ask(one)]).toEqual(["computed", "cached"]);
  expect([await ask(other), await ask(other)]).toEqual(["computed", "cached"]);
});

it("discloses to no user by its answer or its speed that another user of the tenant has asked the same", async () => {
  const ask = async (userId: string) => {
    const body = { userId, query: "is anybody here pregnant?", strategy: "semantic", explain: true };
    return (await one.fetch<SearchView>("POST", "/v1/search", { body })).json.explain?.queryEmbedding;
  };
  for (const userId of ["ann", "bob"]) await one.fetch("PUT", `/v1/users/${userId}`);
  expect([await ask("ann"), await ask("ann")]).toEqual(["computed", "cached"]);
  expect([await ask("bob"), await ask("bob")]).toEqual(["computed", "cached"]);
});
