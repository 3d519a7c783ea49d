import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { asksToForget } from "#core/language/forget-requests";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { nullable, row, text } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { actingUser, userIdOf } from "#domain/tenants";
import { GRACE_MS } from "./carry-out.ts";
import type { ForgettingListInput, ForgettingView } from "./schemas.ts";

const LISTED = row({
  ...FORGETTING.of(sql`f`, "id", "publicId", "originals", "forgottenAt", "undoneAt"),
  asking: nullable(
    text(sql`(
      select e.messages ->> ('$[' || substr(f.asked_by, instr(f.asked_by, ':') + 1) || '].text') from episodes e
      where f.session_id is not null and e.id = cast(substr(f.asked_by, 1, instr(f.asked_by, ':') - 1) as integer) and e.tenant_id = f.tenant_id)`),
  ),
  askedIn: nullable(text(sql`(select s.external_id from sessions s where s.id = f.session_id)`)),
});

/**
 * What the user forgot with the words that said it, newest first, as long as it can be undone: counts and times, never the words.
 * @throws invalid_input if a user is needed and none is named.
 */
export async function listForgettings(ctx: Ctx<"db" | "now">, input: ForgettingListInput): Promise<Page<ForgettingView>> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, input.userId);
  const before = input.cursor === undefined ? null : decodeCursor("forgettings", input.cursor, ["string"])[0];
  const found = await readRows(
    ctx,
    select(LISTED)`from forgettings f where f.user_id = ${userIdOf(ctx.tenantId, user)} and f.tenant_id = ${ctx.tenantId}
      and f.forgotten_at >= ${ctx.now() - GRACE_MS} and ${before === null ? sql`true` : sql`f.public_id < ${before}`}
      order by f.id desc limit ${input.limit + 1}`,
  );
  return toPage(found, input.limit, {
    list: "forgettings",
    item: ({ publicId, originals, forgottenAt, undoneAt, askedIn, asking }) => ({
      id: publicId,
      askedIn,
      explicit: asking === null ? null : asksToForget(asking),
      memories: originals.memories.length,
      facts: originals.facts.length,
      passages: originals.words.length,
      forgottenAt: toIso(forgottenAt),
      undoUntil: toIso(forgottenAt + GRACE_MS),
      undoneAt: undoneAt === null ? null : toIso(undoneAt),
    }),
    position: ({ publicId }) => [publicId],
  });
}
