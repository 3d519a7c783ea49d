import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { readRows, select } from "#db/client";
import { row } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { actingUser, userIdOf } from "#domain/tenants";
import type { ContextInput } from "./schemas.ts";

const RECENT_MS = 86_400_000;
const MAX_SHOWN = 5;

const FORGOT = row(FORGETTING.of(sql`f`, "publicId", "forgottenAt"));

/** What the user asked to be forgotten in this session within a day, and was not undone; the latest first. Only for a context of all kinds. */
export async function findForgot(
  ctx: Ctx<"db" | "now">,
  { userId, sessionId, kinds }: Pick<ContextInput, "userId" | "sessionId" | "kinds">,
): Promise<{ id: string; forgottenAt: string }[]> {
  if (sessionId === undefined || kinds !== undefined) return [];
  const found = await readRows(
    ctx,
    select(FORGOT)`from forgettings f where f.user_id = ${userIdOf(ctx.tenantId, actingUser(ctx, userId))}
      and f.tenant_id = ${ctx.tenantId} and f.undone_at is null and f.forgotten_at >= ${ctx.now() - RECENT_MS}
      and f.session_id = (select s.id from sessions s where s.tenant_id = ${ctx.tenantId} and s.external_id = ${sessionId})
      order by f.id desc limit ${MAX_SHOWN}`,
  );
  return found.map(({ publicId, forgottenAt }) => ({ id: publicId, forgottenAt: toIso(forgottenAt) }));
}
