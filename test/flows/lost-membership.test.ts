import { beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { afterEachBatch } from "./after-each-batch.ts";
import { append, rows } from "./requests.ts";

let h: Harness;
let meanwhile: (() => Promise<unknown>) | null = null;
beforeEach(async () => {
  h = await createHarness({
    replace: ({ db }) => ({
      db: afterEachBatch(db, async () => {
        const happens = meanwhile;
        meanwhile = null;
        await happens?.();
      }),
    }),
  });
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
  await h.fetch("PUT", "/v1/projects/garden/members/ben?userId=ann");
});

const said = async () => await rows("select 1 from episodes where messages like '%too late%' and tenant_id = ?", h.tenantId);
const tooLate = { messages: [{ role: "user", content: "too late" }] };
const putOut = () => rows("delete from project_members");

it("whoever is put out of a project between the look at a session and the append says nothing in it", async () => {
  await append(h, "bens", { userId: "ben", projectId: "garden", messages: [{ role: "user", content: "in time" }] });
  meanwhile = putOut;
  expect((await append(h, "bens", { userId: "ben", ...tooLate })).status).toBe(404);
  expect(await said()).toEqual([]);
});

it("nor opens a session there", async () => {
  meanwhile = putOut;
  expect((await append(h, "late", { userId: "ben", projectId: "garden", ...tooLate })).status).toBe(404);
  expect(await said()).toEqual([]);
  expect(await rows("select 1 from sessions where external_id = 'late'")).toEqual([]);
});

it("whoever has left a group in between says nothing in it", async () => {
  await h.fetch("PUT", "/v1/sessions/club", { body: { participants: ["ann", "ben"] } });
  meanwhile = () => rows("update participants set left_at = 1 where user_id in (select id from users where external_id = 'ben')");
  expect((await append(h, "club", { userId: "ben", ...tooLate })).status).toBe(404);
  expect(await said()).toEqual([]);
});
