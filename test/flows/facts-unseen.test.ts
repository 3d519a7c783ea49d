import { expect, it } from "vitest";
import type { Db } from "#db/client";
import { createHarness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { answerTo, appendText, COLORS } from "./fact-requests.ts";

let standsAnyhow = false;

/** The same database, in which the statement that says who may stand where is answered with yes. */
function lenient(db: Db): Db {
  return aroundBatches(db, async (run) => {
    const results = await run();
    if (standsAnyhow && results[0]?.results.length === 0) results[0].results.push({ topic: "favorite_colors" });
    return results;
  });
}

it("facts of a session whose episodes are not to be seen do not answer there, even were its door open", async () => {
  const h = await createHarness({ replace: ({ db }) => ({ db: lenient(db) }) });
  const second = () => answerTo(h, "What's my second favorite color?", { userId: "bob", sessionId: "b1" });
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
  await h.fetch("PUT", "/v1/projects/garden/members/bob?userId=ann");
  await appendText(h, "b1", COLORS, { userId: "bob", projectId: "garden" });
  expect(await second()).toBe("Green.");
  await h.fetch("DELETE", "/v1/projects/garden/members/bob?userId=ann");
  expect(await second()).toBe(404);
  standsAnyhow = true;
  expect(await second()).toBe("I don't have that stored yet.");
});
