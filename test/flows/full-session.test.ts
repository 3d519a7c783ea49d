import { expect, it } from "vitest";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { createHarness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { append, history, type Problem, rows, say } from "./requests.ts";

it("a session that is filled between the look at it and the append stores nothing beyond its end", async () => {
  const interruption = createInterruption();
  const h = await createHarness({
    replace: ({ db }) => ({ db: interruption.in(db) }),
  });
  await say(h, "full", "the beginning");
  interruption.afterBatch(1, () => rows("update sessions set next_seq = ? where external_id = 'full'", CHUNKS_PER_SESSION - 1));
  const messages = ["two more", "do not fit"].map((text) => ({ role: "user", content: text }));
  const refused = await append<Problem>(h, "full", { messages });
  expect([refused.status, refused.json.detail]).toEqual([409, "This session is full. Go on in a new one."]);
  expect(interruption.isPending()).toBe(false);
  expect((await history(h, "full")).json.items).toHaveLength(1);
  expect(await rows("select next_seq from sessions where external_id = 'full'")).toEqual([{ next_seq: CHUNKS_PER_SESSION - 1 }]);
});
