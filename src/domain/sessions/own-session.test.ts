import { expect, it } from "vitest";
import type { Caller } from "#context";
import { isOwnSessionOfOther, ownSession } from "./own-session.ts";

const caller = (id = "key_1"): Caller => ({
  tenantId: 1,
  actor: { kind: "key", id, keyId: 1, defaultUserId: 7, permissions: [] },
  requestId: "r",
  idempotent: null,
});
const named = (userId?: string, projectId?: string) => ownSession(caller(), { userId, projectId });

it("a session of one's own is another for each user and each project", () => {
  expect([named("alice"), named("alice", "garden"), named(), named(undefined, "garden")]).toEqual([
    "proxy:alice",
    "proxy:alice/garden",
    "proxy::key_1",
    "proxy::key_1/garden",
  ]);
  const all = [named("a/b"), named("a", "b"), named("a%2Fb"), named(":key_1"), named(), named("a", "b/c"), named("a/b", "c")];
  expect(new Set(all).size).toBe(all.length);
});

it("belongs to its user alone", () => {
  const isOther = (externalId: string, userId: string | null, id?: string) =>
    isOwnSessionOfOther(caller(id), { externalId, user: userId === null ? { id: 7 } : { externalId: userId } });
  for (const [userId, projectId] of [["alice"], ["a/b", "c/d"], ["Jürgen", "garden"]])
    expect([isOther(named(userId, projectId), userId ?? ""), isOther(named(userId, projectId), "mallory")]).toEqual([
      false,
      true,
    ]);
  expect([
    isOther(named(), null),
    isOther(named(), null, "key_2"),
    isOther(named(), "key_1"),
    isOther(named(), ":key_1"),
  ]).toEqual([false, true, true, true]);
  expect(["proxy:", "proxy:alice2", "proxy:Alice"].map((name) => isOther(name, "alice"))).toEqual([true, true, true]);
  expect(["proxy", "my-proxy:bob", "chat"].map((name) => isOther(name, "alice"))).toEqual([false, false, false]);
});
