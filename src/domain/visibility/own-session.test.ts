import { expect, it } from "vitest";
import { isOwnSessionOfOther, ownSession } from "./own-session.ts";

const named = (userId: string, projectId?: string) => ownSession({ userId, projectId });

it("a session of one's own is another for each user and each project", () => {
  expect([named("alice"), named("alice", "garden")]).toEqual(["proxy:alice", "proxy:alice/garden"]);
  const all = [named("a/b"), named("a", "b"), named("a%2Fb"), named(":key_1"), named("a", "b/c"), named("a/b", "c")];
  expect(new Set(all).size).toBe(all.length);
});

it("belongs to its user alone", () => {
  const isOther = (externalId: string, userId: string) => isOwnSessionOfOther({ externalId, user: { externalId: userId } });
  for (const [userId, projectId] of [["alice"], ["a/b", "c/d"], ["Jürgen", "garden"]] as const)
    expect([isOther(named(userId, projectId), userId), isOther(named(userId, projectId), "mallory")]).toEqual([false, true]);
  // The chats of a key that once could act for nobody in particular.
  expect(["key_1", ":key_1", "key:key_1"].map((userId) => isOther("proxy::key_1", userId))).toEqual([true, true, true]);
  expect(["proxy:", "proxy:alice2", "proxy:Alice"].map((name) => isOther(name, "alice"))).toEqual([true, true, true]);
  expect(["proxy", "my-proxy:bob", "chat"].map((name) => isOther(name, "alice"))).toEqual([false, false, false]);
});
