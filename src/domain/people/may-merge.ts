import type { Caller } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { isAdmin } from "#core/permission";
import { judgeMerge, type MergeRefusal } from "./merge-rule.ts";
import type { PersonRow } from "./view.ts";

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

/** Throws what `judgeMerge` has against it. */
export function requireMayMerge({ actor }: Caller, { from, into }: { from: PersonRow; into: PersonRow }): void {
  const judgement = judgeMerge({ from: toParty(from), into: toParty(into), isAdmin: actor.kind !== "key" || isAdmin(actor) });
  if (judgement !== "allowed") throw REFUSAL[judgement]();
}

function toParty(person: PersonRow) {
  return { isUser: person.userId !== null, isCreator: person.isCreator === 1 };
}
