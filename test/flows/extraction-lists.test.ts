import { expect, it } from "vitest";
import { createHarness } from "#test/harness";
import { memoriesOf } from "./extraction-requests.ts";
import { values } from "./fact-requests.ts";
import { say } from "./requests.ts";

it("a ranked list is facts, and replaces no memory of one favourite", async () => {
  const h = await createHarness();
  await say(h, "s", "My favorite color is teal", { userId: "ann" });
  await say(h, "s", "My favorite colors are 1) Blue, 2) Green, 3) Black", { userId: "ann" });
  await h.settle();
  const memories = await memoriesOf(h);
  expect(memories.map(({ content, superseded_by }) => [content, superseded_by])).toEqual([["My favorite color is teal", null]]);
  expect(await values(h, { userId: "ann", sessionId: "s" })).toEqual(["1 Blue", "2 Green", "3 Black"]);
});
