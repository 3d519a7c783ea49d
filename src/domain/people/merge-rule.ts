import type { Caller } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { isAdmin, isClient } from "#core/permission";
import type { PersonRow } from "./view.ts";

/** What the rule needs to know of a person: whether it is a user's own, and whether the acting user created it. */
type Party = { isUser: boolean; isCreator: boolean };

type MergeRefusal = "two_users" | "needs_admin" | "user_stays" | "needs_creator";

/**
 * Whether two persons may be merged, or a merge of them undone. A subject of a memory may see what others may not, so turning an invented
 * person into a user needs a key with `admin`.
 */
export function judgeMerge({ from, into, isAdmin }: { from: Party; into: Party; isAdmin: boolean }): MergeRefusal | "allowed" {
  if (from.isUser && into.isUser) return "two_users";
  if (from.isUser || into.isUser) {
    if (!isAdmin) return "needs_admin";
    return from.isUser ? "user_stays" : "allowed";
  }
  return from.isCreator && into.isCreator ? "allowed" : "needs_creator";
}

const REFUSAL: Record<MergeRefusal, () => AppError> = {
  two_users: () => breaksRule("from", "Two users are two people."),
  needs_admin: () =>
    new AppError(
      "forbidden",
      'Only a key with the permission "admin" may merge a person into a user\'s own, or part them again.',
    ),
  user_stays: () => breaksRule("from", "A user's own person is the one that stays: merge the other into it."),
  needs_creator: () => new AppError("forbidden", "Only who made both persons may merge them, or part them again."),
};

/**
 * @throws unprocessable if the two can never be one.
 * @throws forbidden for a merge that needs another key or another user.
 */
export function requireMayMerge({ actor }: Caller, { from, into }: { from: PersonRow; into: PersonRow }): void {
  const judgement = judgeMerge({ from: toParty(from), into: toParty(into), isAdmin: !isClient(actor) || isAdmin(actor) });
  if (judgement !== "allowed") throw REFUSAL[judgement]();
}

function toParty(person: PersonRow) {
  return { isUser: person.userId !== null, isCreator: person.isCreator };
}
