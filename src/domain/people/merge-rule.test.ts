import { expect, it } from "vitest";
import { judgeMerge } from "./merge-rule.ts";

const MINE = { isUser: false, isCreator: true };
const THEIRS = { isUser: false, isCreator: false };
/** The creator of a user's own person is that user, who may well be the one who acts. */
const MYSELF = { isUser: true, isCreator: true };
const USER = { isUser: true, isCreator: false };

it.each([
  ["my own two", MINE, MINE, "allowed", "allowed"],
  ["another's into mine", THEIRS, MINE, "needs_creator", "needs_creator"],
  ["mine into another's", MINE, THEIRS, "needs_creator", "needs_creator"],
  ["another's two", THEIRS, THEIRS, "needs_creator", "needs_creator"],
  ["mine into myself", MINE, MYSELF, "needs_admin", "allowed"],
  ["mine into a user", MINE, USER, "needs_admin", "allowed"],
  ["another's into a user", THEIRS, USER, "needs_admin", "allowed"],
  ["myself into mine", MYSELF, MINE, "needs_admin", "user_stays"],
  ["a user into another's", USER, THEIRS, "needs_admin", "user_stays"],
  ["myself into a user", MYSELF, USER, "two_users", "two_users"],
  ["a user into a user", USER, USER, "two_users", "two_users"],
] as const)("%s", (_, from, into, byAnyone, byAdmin) => {
  expect(judgeMerge({ from, into, isAdmin: false })).toBe(byAnyone);
  expect(judgeMerge({ from, into, isAdmin: true })).toBe(byAdmin);
});
