import { beforeEach, expect, it } from "vitest";
import { createLexicalEmbedder } from "#adapters/lexical-embedder";
import type { Services } from "#context";
import { sweep } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { rows } from "./requests.ts";
import { plant, remember } from "./upkeep-rows.ts";

let replaced: Partial<Services> = {};
let embedded = 0;
let h: Harness;
beforeEach(async () => {
  // Every tenant gets a job, and those of the tests before must not be in the way.
  for (const table of ["jobs", "memories"]) await rows(`delete from ${table}`);
  [replaced, embedded] = [{}, 0];
  h = await createHarness({
    replace: (): Partial<Services> => ({ log: () => undefined, ...replaced }),
  });
});

function changeModel(dimensions: number): string {
  const embedder = createLexicalEmbedder({ dimensions });
  replaced = {
    embedder: {
      ...embedder,
      embed: async (texts, purpose) => {
        embedded += texts.length;
        return await embedder.embed(texts, purpose);
      },
    },
  };
  return embedder.model;
}

it("a change of model embeds every memory of every space anew, step by step, and none twice", async () => {
  await sweep(h.services());
  await h.fetch("PUT", "/v1/sessions/club", { body: { userId: "ann", participants: ["ann", "bob"] } });
  await remember(h, "the club meets on Mondays", { sessionId: "club" });
  await h.fetch("POST", "/v1/memories", { body: { content: "closed on Sundays", shared: true } });
  await plant(h, "ann", 620);
  await plant(h, "bob", 3);
  const forgotten = await remember(h, "nobody needs this");
  await h.fetch("DELETE", `/v1/memories/${forgotten}?userId=ann`);
  await h.settle();
  const model = changeModel(256);
  expect((await sweep(h.services())).modelChanged).toBe(true);
  await h.settle();
  expect(
    await rows(
      "select vector_model as model, count(*) as n from memories where tenant_id = ? and deleted_at is null group by 1",
      h.tenantId,
    ),
  ).toEqual([{ model, n: 625 }]);
  expect(embedded).toBe(625);
  expect(
    await rows("select 1 from memories where tenant_id = ? and deleted_at is not null and vector_model is not null", h.tenantId),
  ).toEqual([]);
  const steps = await rows("select 1 from jobs where tenant_id = ? and kind = 'memories.reembed'", h.tenantId);
  expect(steps.length).toBeGreaterThan(1);
});

it("and leaves to the next run what does not fit into one", async () => {
  await sweep(h.services());
  await plant(h, "ann", 600);
  const model = changeModel(384);
  let late = 0;
  replaced = { ...replaced, now: () => Date.now() + late };
  const { embedder } = replaced;
  if (embedder === undefined) throw new Error("There is an embedder.");
  replaced = {
    ...replaced,
    embedder: {
      ...embedder,
      embed: async (texts, purpose) => {
        late += 61_000;
        return await embedder.embed(texts, purpose);
      },
    },
  };
  await sweep(h.services());
  await h.settle();
  expect(await rows("select count(*) as n from memories where tenant_id = ? and vector_model = ?", h.tenantId, model)).toEqual([
    { n: 600 },
  ]);
  expect(embedded).toBe(600);
});
