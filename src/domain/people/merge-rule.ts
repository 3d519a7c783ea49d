/** What the rule needs to know of a person: whether it is a user's own, and whether the acting user made it. */
export type Party = { isUser: boolean; isCreator: boolean };

export type MergeRefusal = "two_users" | "needs_admin" | "user_stays" | "needs_creator";

/**
 * Whether two persons may be merged, or a merge of them undone. A subject of a memory may hear what others may not, so a made-up
 * person must never become a user by the word of who made it up: that takes a key with `admin`.
 */
export function judgeMerge({ from, into, isAdmin }: { from: Party; into: Party; isAdmin: boolean }): MergeRefusal | "allowed" {
  if (from.isUser && into.isUser) return "two_users";
  if (from.isUser || into.isUser) {
    if (!isAdmin) return "needs_admin";
    return from.isUser ? "user_stays" : "allowed";
  }
  return from.isCreator && into.isCreator ? "allowed" : "needs_creator";
}
