import { expect, it } from "vitest";
import { createHarness } from "#test/harness";
import { callTool, connect } from "#test/mcp-client";

it.each([
  ["remember", { text: "I like tea." }, "There is no field `text`. Did you mean `content`?"],
  ["search", { q: "tea" }, "There is no field `q`. Did you mean `query`?"],
  ["search", { query: "tea", top_k: 1 }, "There is no field `top_k`. Did you mean `limit`?"],
  ["fetch", { memory_id: "mem_1" }, "There is no field `memory_id`. Did you mean `id`?"],
  ["forget", { memoryId: "mem_1" }, "There is no field `memoryId`. Did you mean `id`?"],
  [
    "search",
    { query: "tea", user_id: "alice" },
    "There is no field `user_id`. Leave it out; there are `query`, `types`, `about`, `from`, `to`, `limit`.",
  ],
])("%s answers %j with the argument that is meant", async (name, args, advice) => {
  const client = await connect(await createHarness());
  const { isError, text } = await callTool(client, name, args);
  expect([isError, text.slice(0, advice.length)]).toEqual([true, advice]);
});
