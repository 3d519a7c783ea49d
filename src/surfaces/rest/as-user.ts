import { z } from "@hono/zod-openapi";
import type { Caller } from "#context";
import { breaksRule } from "#core/errors";
import { UserId } from "#core/fields";
import { refuseOtherUsers } from "#domain/tenants";

/** The user for whom a request acts, in the query or in the body. PATCH and DELETE accept either. */
export const AsUser = z.strictObject({ userId: UserId.optional() });

type Named = z.infer<typeof AsUser>;

/** The body of a DELETE, which may name the user. */
export const USER_IN_BODY: z.input<typeof AsUser> = { userId: "alice" };

/**
 * One part of a request, with the user that it or the other part names.
 * @throws forbidden if either is not the user to whom the caller is bound
 * @throws unprocessable if they are two users
 * @example
 * forgetMemory(ctx, id, withUser(ctx, c.req.valid("query"), c.req.valid("json")));
 */
export function withUser<T extends Named>(caller: Caller, part: T, other: Named): T {
  refuseOtherUsers(caller, [part.userId, other.userId]);
  if (part.userId !== undefined && other.userId !== undefined && part.userId !== other.userId)
    throw breaksRule("userId", "The query and the body name two users. Name the user once.");
  return { ...part, userId: part.userId ?? other.userId };
}
