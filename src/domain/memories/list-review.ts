import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { isPublicId } from "#core/ids";
import { decodeCursor, encodeCursor } from "#core/page";
import { isAdmin, requirePermission } from "#core/permission";
import { runBatch } from "#domain/audit";
import { actingUser, userIdOf } from "#domain/tenants";
import { memoryColumns, OF_QUEUE } from "./columns.ts";
import type { MemoryPageView, ReviewListInput } from "./schemas.ts";
import { type MemoryRow, toMemory } from "./view.ts";

/**
 * The review queue, newest first: a user's own memories that wait or were rejected. A key with `admin` that names no user sees
 * what waits in the whole tenant, groups' memories too.
 */
export async function listReview(
  ctx: Ctx<"db" | "embedder">,
  input: ReviewListInput,
  filter: SQL = sql`true`,
): Promise<MemoryPageView> {
  requirePermission(ctx.actor, "read");
  const whole = isAdmin(ctx.actor) && input.userId === undefined;
  if (whole && input.status === "rejected")
    throw new AppError("invalid_input", "Name a user to see what was rejected.", {
      fields: [{ path: "userId", message: "Whose rejected memories?" }],
    });
  const user = whole ? null : actingUser(ctx, input.userId);
  const queue: SQL = whole
    ? sql`m.tenant_id = ${ctx.tenantId} and m.status = 'pending'`
    : sql`m.space_id = (select u.space_id from users u where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)})
        and m.owner_id = r.user_id and +m.tenant_id = ${ctx.tenantId} and ${input.status === "pending" ? sql`m.status = 'pending'` : sql`m.status = 'rejected'`}`;
  const [found] = await runBatch(ctx, [
    ctx.db.all(sql`
    select ${memoryColumns(OF_QUEUE)} from memories m
    cross join (select ${userIdOf(ctx.tenantId, user)} as user_id) r
    where ${queue} and m.deleted_at is null and m.superseded_by is null and ${filter} and ${olderThan(ctx, "review", input.cursor)(sql`m.id`)} order by m.id desc limit ${input.limit + 1}`),
  ]);
  const rows = (found?.rows ?? []) as MemoryRow[];
  const last = rows.length > input.limit ? rows[input.limit - 1] : undefined;
  return {
    items: rows.slice(0, input.limit).map((row) => toMemory(row, { model: ctx.embedder.model, visibilityReason: "own" })),
    nextCursor: last === undefined ? null : encodeCursor("review", [last.publicId]),
  };
}

/** A memory's place in the order of storing, without its internal id in the cursor. */
export function olderThan(ctx: Ctx, list: "memories" | "review", cursor: string | undefined): (id: SQL) => SQL {
  if (cursor === undefined) return () => sql`true`;
  const [id] = decodeCursor(list, cursor, ["string"]);
  if (!isPublicId("memory", String(id))) throw breaksRule("cursor", "This cursor was not made by this list.");
  return (column) =>
    sql`${column} < (select mc.id from memories mc where mc.public_id = ${id} and mc.tenant_id = ${ctx.tenantId})`;
}
