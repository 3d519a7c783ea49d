import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "#context";
import { forgetMemory } from "#domain/forgetting";
import { approve, remember, revise } from "#domain/memories";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { add, approveOne, change, forgetOne, get, group, personOf, queue, rejectOne, restoreOne } from "./memory-requests.ts";
import { type Problem, rows } from "./requests.ts";

let h: Harness;
/** May read and write, but not review for others. */
let plain: string;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await h.fetch("PATCH", "/v1/settings", { body: { legacyDisclosure: true } });
  plain = await h.as(["read", "write"]);
  await h.fetch("PUT", "/v1/users/out");
  await h.fetch("PUT", "/v1/sessions/diary", { body: { userId: "ann" } });
  // Dan took part in the club and has left it.
  await group(h, "club", ["ann", "ben", "dan"]);
  await group(h, "club", ["ann", "ben"]);
  await group(h, "team", ["ann", "dan"]);
});

const job = (): Caller => ({
  tenantId: h.tenantId,
  actor: { kind: "job", id: "job_by-hand" },
  requestId: "by-hand",
  idempotent: null,
});

let number = 0;
/** A memory that says something that nobody has said. */
const made = async (extra: object) => {
  number += 1;
  const { status, json } = await add(h, { content: `Whistles tune ${number}.`, ...extra });
  expect(status).toBe(201);
  return json;
};

type Kind = "personal" | "personal about ben" | "told in confidence" | "group" | "group about dan" | "shared";
/** Not private, as it is by default: who may not change it may see it. */
const OPEN = { sensitivity: "public", portable: true };
const kinds: Record<Kind, () => Promise<object>> = {
  personal: async () => ({ userId: "ann", ...OPEN }),
  "personal about ben": async () => ({ userId: "ann", ...OPEN, subjects: [await personOf(h, "ben")] }),
  "told in confidence": async () => ({
    userId: "ann",
    ...OPEN,
    subjects: [await personOf(h, "ben")],
    learnedIn: { sessionId: "diary" },
  }),
  group: async () => ({ userId: "ann", sessionId: "club" }),
  "group about dan": async () => ({ userId: "ann", sessionId: "club", subjects: [await personOf(h, "dan")] }),
  shared: async () => ({ shared: true }),
};

/** Who, standing where, and with what each of changing, forgetting and bringing back is answered. */
const changes: [Kind, string, string, number, number, number][] = [
  ["personal", "its owner", "userId=ann", 200, 200, 204],
  ["personal", "its owner in a group", "userId=ann&sessionId=club", 200, 200, 204],
  ["personal", "another user", "userId=ben", 404, 404, 404],
  ["personal", "a user who is not known", "userId=nobody", 404, 404, 404],
  ["personal", "a key that names no user", "", 400, 400, 400],
  ["personal about ben", "its owner", "userId=ann", 200, 200, 204],
  ["personal about ben", "whoever it is about", "userId=ben", 403, 403, 404],
  ["personal about ben", "another user, who may hear it", "userId=out", 403, 403, 404],
  ["told in confidence", "another user", "userId=out", 404, 404, 404],
  ["group", "who said it", "userId=ann&sessionId=club", 200, 200, 204],
  ["group", "who takes part", "userId=ben&sessionId=club", 200, 200, 204],
  ["group", "who takes part, elsewhere", "userId=ben", 404, 200, 204],
  ["group", "who takes part, in another group", "userId=ann&sessionId=team", 404, 200, 204],
  ["group", "who has left", "userId=dan", 404, 404, 404],
  ["group", "who has left, as if there", "userId=dan&sessionId=club", 404, 404, 404],
  ["group", "an outsider", "userId=out", 404, 404, 404],
  ["group", "an outsider, as if there", "userId=out&sessionId=club", 404, 404, 404],
  ["group about dan", "who has left but may hear it", "userId=dan", 403, 403, 404],
  ["group about dan", "who takes part", "userId=ben&sessionId=club", 200, 200, 204],
  ["shared", "a key that names no user", "", 200, 200, 204],
  ["shared", "a user", "userId=ann", 403, 403, 404],
];

describe.each(changes)("a memory that is %s: %s (%s)", (kind, _, place, changed, forgotten, restored) => {
  it(`may change it: ${changed}`, async () => {
    const memory = await made(await kinds[kind]());
    const answer = await change(h, memory.id, { content: `Hums tune ${number}.` }, place, { key: plain, user: null });
    expect(answer.status).toBe(changed);
    const [row] = await rows("select version, content from memories where public_id = ?", memory.id);
    expect(row).toEqual(
      changed === 200 ? { version: 2, content: `Hums tune ${number}.` } : { version: 1, content: memory.content },
    );
    expect(await rows("select 1 from audit where object_id = ?", memory.id)).toHaveLength(changed === 200 ? 2 : 1);
  });

  it(`may forget it: ${forgotten}`, async () => {
    const memory = await made(await kinds[kind]());
    expect((await forgetOne(h, memory.id, place, { key: plain, user: null })).status).toBe(forgotten);
    const [row] = await rows("select deleted_at is not null as gone from memories where public_id = ?", memory.id);
    expect(row).toEqual({ gone: forgotten === 200 ? 1 : 0 });
    expect(await rows("select 1 from audit where object_id = ?", memory.id)).toHaveLength(forgotten === 200 ? 2 : 1);
  });

  it(`may bring it back: ${restored}`, async () => {
    const memory = await made(await kinds[kind]());
    const home = kind === "shared" ? "" : "userId=ann";
    expect((await forgetOne(h, memory.id, home, { user: null })).status).toBe(200);
    expect((await restoreOne(h, memory.id, place, { user: null })).status).toBe(restored);
    const [row] = await rows("select deleted_at is not null as gone from memories where public_id = ?", memory.id);
    expect(row).toEqual({ gone: restored === 204 ? 0 : 1 });
  });
});

describe("a group's forgotten memory", () => {
  const takePart = async (name: string, participants: string[]) => {
    // Joining and forgetting in one millisecond would be at the same time.
    await new Promise((resolve) => setTimeout(resolve, 2));
    await h.fetch("PUT", `/v1/sessions/${name}`, { body: { userId: "ann", participants } });
    await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const restoredBy = async (id: string, userId: string, name: string) =>
    await h.fetch<Problem>("POST", `/v1/memories/${id}/restore?userId=${userId}&sessionId=${name}`);

  it("cannot be restored by who joins later, nor is its id confirmed to them", async () => {
    await group(h, "later", ["ann", "ben"]);
    const memory = await made({ userId: "ann", sessionId: "later" });
    const expired = await made({ userId: "ann", sessionId: "later", expiresAt: "2199-01-01T00:00:00Z" });
    for (const { id } of [memory, expired]) await forgetOne(h, id, "userId=ann");
    await rows("update memories set expires_at = 1000 where public_id = ?", expired.id);
    await takePart("later", ["ann", "ben", "eve"]);
    const unknown = `mem_${crypto.randomUUID()}`;
    for (const id of [memory.id, expired.id, unknown]) {
      const { status, json } = await restoredBy(id, "eve", "later");
      expect([status, json.code, json.detail]).toEqual([
        404,
        "not_found",
        (await restoredBy(unknown, "eve", "later")).json.detail,
      ]);
    }
    expect((await restoredBy(memory.id, "ben", "later")).status).toBe(204);
  });

  it("cannot be restored by who was away when it was forgotten, and can by who was there and is again", async () => {
    await group(h, "away", ["ann", "ben", "eve"]);
    const memory = await made({ userId: "ann", sessionId: "away" });
    await takePart("away", ["ann", "eve"]);
    await forgetOne(h, memory.id, "userId=ann");
    await takePart("away", ["ann"]);
    expect((await restoredBy(memory.id, "eve", "away")).status).toBe(404);
    await takePart("away", ["ann", "ben", "eve"]);
    expect((await restoredBy(memory.id, "ben", "away")).status).toBe(404);
    expect((await restoredBy(memory.id, "eve", "away")).status).toBe(204);
  });
});

describe("who stores a memory", () => {
  it("is its owner, somebody of its group, or a key that names no user", async () => {
    const said = (body: Record<string, unknown>) => add(h, { content: `Says ${JSON.stringify(body)}`, ...body });
    expect((await said({ userId: "ann", ownerId: "ann" })).status).toBe(201);
    expect((await said({ userId: "ann", ownerId: "ben" })).status).toBe(403);
    expect((await said({ userId: "ben", sessionId: "club" })).status).toBe(201);
    expect((await said({ userId: "dan", sessionId: "club" })).status).toBe(404);
    expect((await said({ userId: "out", sessionId: "club" })).status).toBe(404);
    expect((await said({ userId: "ann", shared: true })).status).toBe(403);
    expect((await said({ shared: true })).status).toBe(201);
  });

  it("has taken part until the moment of storing", async () => {
    await group(h, "choir", ["ann", "ben"]);
    const { db, ...services } = h.services();
    const interruption = createInterruption();
    interruption.beforeBatch(2, () => group(h, "choir", ["ann"]));
    const ctx = { ...services, ...job(), db: interruption.in(db) };
    const said = remember(ctx, { userId: "ben", sessionId: "choir", content: "Too late." });
    await expect(said).rejects.toMatchObject({ code: "not_found" });
    expect(await rows("select 1 from memories where content = 'Too late.'")).toEqual([]);
  });
});

/** Who, with which key, and how approving is answered. */
const reviews: [Kind, string, Record<string, unknown>, "admin" | "plain", number][] = [
  ["personal", "its owner", { userId: "ann" }, "plain", 200],
  ["personal", "an admin key for its owner", { userId: "ann" }, "admin", 200],
  ["personal", "an admin key", {}, "admin", 200],
  ["personal", "an admin key for another user", { userId: "ben" }, "admin", 200],
  ["personal", "another user", { userId: "ben" }, "plain", 404],
  ["personal", "a key that names no user", {}, "plain", 400],
  ["personal about ben", "whoever it is about", { userId: "ben" }, "plain", 404],
  ["group", "who said it", { userId: "ann" }, "plain", 404],
  ["group", "who takes part", { userId: "ben" }, "plain", 404],
  ["group", "an outsider", { userId: "out" }, "plain", 404],
  ["group", "an admin key", {}, "admin", 200],
  ["shared", "a key that names no user", {}, "plain", 400],
  ["shared", "a user", { userId: "ann" }, "plain", 404],
  ["shared", "an admin key", {}, "admin", 200],
];

describe.each(reviews)("a memory that waits and is %s: %s (%j, %s)", (kind, _, body, permission, status) => {
  it.each(["approve", "reject"])(`may %s it: ${status}`, async (action) => {
    const memory = await made({ ...(await kinds[kind]()), confidence: 0.1 });
    const key = permission === "admin" ? h.key : plain;
    const answer = await (action === "approve" ? approveOne : rejectOne)(h, memory.id, body, { key });
    expect(answer.status).toBe(status);
    const stays = action === "approve" ? "approved" : "rejected";
    expect(await rows("select status from memories where public_id = ?", memory.id)).toEqual([
      { status: status === 200 ? stays : "pending" },
    ]);
    const inQueue = (await queue(h, "limit=100")).text.includes(memory.id);
    expect(inQueue).toBe(status !== 200);
  });
});

describe("a job", () => {
  it("acts as itself: the audit names it, and nothing asks it for permissions", async () => {
    const ctx = { ...h.services(), ...job() };
    const [memory] = await remember(ctx, { userId: "ann", content: "Was heard by a job." });
    const id = memory?.id ?? "";
    await revise(ctx, { memoryId: id, versions: null, place: { userId: "ann" } }, { content: "Was heard by a job of ours." });
    await forgetMemory(ctx, id, { userId: "ann", keepSource: "false" });
    expect(
      await rows("select action, actor_kind as kind, actor_id as actor from audit where object_id = ? order by seq", id),
    ).toEqual(
      ["memory.remembered", "memory.revised", "memory.forgotten"].map((action) => ({
        action,
        kind: "job",
        actor: "job_by-hand",
      })),
    );
  });

  it("has no more authority than the user for whom it acts, and is no reviewer", async () => {
    const ctx = { ...h.services(), ...job() };
    const anns = await made({ userId: "ann" });
    await expect(forgetMemory(ctx, anns.id, { userId: "ben", keepSource: "false" })).rejects.toMatchObject({ code: "not_found" });
    await expect(remember(ctx, { userId: "ann", content: "Is everybody's.", shared: true })).rejects.toMatchObject({
      code: "forbidden",
    });
    const waits = await made({ userId: "ann", confidence: 0.1 });
    await expect(approve(ctx, waits.id, { userId: "ben" })).rejects.toMatchObject({ code: "not_found" });
    expect((await get(h, anns.id, "userId=ann")).status).toBe(200);
  });
});
