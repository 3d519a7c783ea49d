import { beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { append, rows } from "./requests.ts";

let h: Harness;
const interruption = createInterruption();
beforeEach(async () => {
  h = await createHarness({
    replace: ({ db }) => ({ db: interruption.in(db) }),
  });
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
  await h.fetch("PUT", "/v1/projects/garden/members/ben?userId=ann");
});

const said = async () => await rows("select 1 from episodes where messages like '%too late%' and tenant_id = ?", h.tenantId);
const tooLate = { messages: [{ role: "user", content: "too late" }] };
const putOut = () => rows("delete from project_members");

it("whoever is put out of a project between the look at a session and the append says nothing in it", async () => {
  await append(h, "bens", { userId: "ben", projectId: "garden", messages: [{ role: "user", content: "in time" }] });
  interruption.afterBatch(1, putOut);
  expect((await append(h, "bens", { userId: "ben", ...tooLate })).status).toBe(404);
  expect(await said()).toEqual([]);
});

it("nor opens a session there", async () => {
  interruption.afterBatch(1, putOut);
  expect((await append(h, "late", { userId: "ben", projectId: "garden", ...tooLate })).status).toBe(404);
  expect(await said()).toEqual([]);
  expect(await rows("select 1 from sessions where external_id = 'late'")).toEqual([]);
});

it("whoever has left a group in between says nothing in it", async () => {
  await h.fetch("PUT", "/v1/sessions/club", { body: { participants: ["ann", "ben"] } });
  interruption.afterBatch(1, () =>
    rows("update participants set left_at = 1 where user_id in (select id from users where external_id = 'ben')"),
  );
  expect((await append(h, "club", { userId: "ben", ...tooLate })).status).toBe(404);
  expect(await said()).toEqual([]);
});
