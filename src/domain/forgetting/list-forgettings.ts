import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { asksToForget } from "#core/language/forget-requests";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { nullable, type RowOf, row, text } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { actingUser, boundUserOf, userIdOf } from "#domain/tenants";
import { GRACE_MS } from "./carry-out.ts";
import type { ForgettingListInput, ForgettingView } from "./schemas.ts";

const LISTED = row({
  ...FORGETTING.of(sql`f`, "id", "publicId", "originals", "forgottenAt", "undoneAt"),
  userId: text(sql`(select u.external_id from users u where u.id = f.user_id)`),
  askedIn: nullable(text(sql`(select s.external_id from sessions s where s.id = f.session_id)`)),
  /** The text of the message that asked, in its episode. */
  asking: nullable(
    text(sql`(
      select e.messages ->> ('$[' || substr(f.asked_by, instr(f.asked_by, ':') + 1) || '].text') from episodes e
      where f.session_id is not null and e.tenant_id = f.tenant_id and json_valid(e.messages)
        and e.id = cast(substr(f.asked_by, 1, instr(f.asked_by, ':') - 1) as integer))`),
  ),
});

type Listed = RowOf<typeof LISTED>;

/**
 * What the user forgot with the words that said it, newest first, as long as it can be undone: counts and times, never the words. With
 * `review`, only what was forgotten because of a message that is no explicit request and was not undone: with a key that acts for any user,
 * and none named, of all users. A page may have fewer items than there are.
 * @throws invalid_input if a user is needed and none is named.
 * @throws forbidden for a review of all users without the permission `admin`.
 */
export async function listForgettings(ctx: Ctx<"db" | "now">, input: ForgettingListInput): Promise<Page<ForgettingView>> {
  requirePermission(ctx.actor, "read");
  const review = input.review === "true";
  const before = input.cursor === undefined ? null : decodeCursor("forgettings", input.cursor, ["string"])[0];
  const found = await readRows(
    ctx,
    select(LISTED)`from forgettings f where f.tenant_id = ${ctx.tenantId} and f.forgotten_at >= ${ctx.now() - GRACE_MS}
      and ${placeOf(ctx, input, { review, before })} limit ${input.limit + 1}`,
  );
  const page = toPage(found, input.limit, { list: "forgettings", item: toForgetting, position: ({ publicId }) => [publicId] });
  const toReview = ({ explicit, undoneAt }: ForgettingView) => explicit === false && undoneAt === null;
  return review ? { ...page, items: page.items.filter(toReview) } : page;
}

type Wanted = { review: boolean; before: string | number | null | undefined };

/** Whose forgettings, from where on, and in which order. */
function placeOf(ctx: Ctx<"db" | "now">, { userId }: ForgettingListInput, { review, before }: Wanted): SQL {
  if (review && userId === undefined && boundUserOf(ctx) === null) {
    requirePermission(ctx.actor, "admin");
    // In the order of an index of the tenant's.
    const from = sql`f.asked_by > (select l.asked_by from forgettings l where l.public_id = ${before} and l.tenant_id = ${ctx.tenantId})`;
    return sql`f.session_id is not null and ${before === null ? sql`true` : from} order by f.asked_by`;
  }
  const user = userIdOf(ctx.tenantId, actingUser(ctx, userId));
  const asked = review ? sql`f.session_id is not null` : sql`true`;
  return sql`f.user_id = ${user} and ${asked} and ${before === null ? sql`true` : sql`f.public_id < ${before}`} order by f.id desc`;
}

function toForgetting({ publicId, userId, originals, forgottenAt, undoneAt, askedIn, asking }: Listed): ForgettingView {
  return {
    id: publicId,
    userId,
    askedIn,
    explicit: asking === null ? null : asksToForget(asking),
    memories: originals.memories.length,
    facts: originals.facts.length,
    passages: originals.words.length,
    forgottenAt: toIso(forgottenAt),
    undoUntil: toIso(forgottenAt + GRACE_MS),
    undoneAt: undoneAt === null ? null : toIso(undoneAt),
  };
}
