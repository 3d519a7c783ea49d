import { type SQL, sql } from "drizzle-orm";
import { runBatch } from "#domain/audit";
import { typesOf } from "#domain/memories";
import { getSettings } from "#domain/settings";
import { AGE_STEP_MS, type Evictable, evictionOrder } from "./eviction-order.ts";
import { forgetRows } from "./forget-rows.ts";
import { emptyStep, type PreparedStep, type Step, type UpkeepCtx } from "./step.ts";
import { ALL_ROWS, type Place, placeOf, placesCte, toCursor } from "./walk-spaces.ts";

/** Memories that a step counts, of how many spaces at most, and how many of these it can cut. A space that holds more is a step of its own. */
const COUNTED_A_STEP = 10_000;
const MAX_PLACES = 500;
const CUTS_A_STEP = 20;

/** Of the row `m`: it takes one of its space's places. What waits for approval does, history does not. */
const isActive = sql`m.deleted_at is null and m.superseded_by is null and m.status in ('approved', 'pending')`;

/** `after` is beyond 0 for the space that the step before has done. */
type Counted = Place & { space: number | null; active: number; loose: number };
type Cut = { space: number; take: number };

/**
 * Evicts from each space what it holds beyond `maxEntries`, in the order of `evictionOrder`. It counts no further than the cap and what one
 * step may evict, and ranks no more than that: what is the least of the first so many is among the least of all, since as many as the
 * cap allows are worth more. So a space that is far beyond its cap is cut in steps, to the same end.
 */
export async function cap(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<PreparedStep> {
  const { maxEntries } = await getSettings(ctx);
  if (maxEntries === null) return emptyStep(null);
  const places = Math.min(Math.max(2, Math.floor(COUNTED_A_STEP / (maxEntries + limit))), MAX_PLACES);
  const countUpTo = (most: number, condition: SQL) => sql`iif(p.after > 0, 0, (
    select count(*) from (select 1 from memories m where m.space_id = p.space and ${condition} limit ${most})))`;
  const counted = await ctx.db.all<Counted>(sql`
    with ${placesCte(ctx.tenantId, placeOf(cursor), places)}
    select p.stage as stage, p.at as at, p.space as space, p.after as after, ${countUpTo(maxEntries + limit, isActive)} as active,
      ${countUpTo(limit, sql`${isActive} and m.pinned = 0`)} as loose
    from places p`);
  const { cuts, left } = cutsOf(counted, { maxEntries, limit });
  const found = await runBatch(
    ctx,
    cuts.map(({ space, take }) => ctx.db.all(leastOf(ctx, space, { maxEntries, take }))),
  );
  const victims = cuts.flatMap(({ space }, i) =>
    ranked(ctx, (found[i]?.rows ?? []) as EvictableRow[]).map(({ id }) => ({ id, space })),
  );
  const still = sql`m.tenant_id = ${ctx.tenantId} and m.pinned = 0 and ${isActive}`;
  const last = counted.length < places ? undefined : counted.at(-1);
  const next = left ?? (last === undefined ? null : { stage: last.stage, at: last.at, after: ALL_ROWS });
  return { ...forgetRows(ctx, victims, { because: "cap", still }), next: toCursor(next) };
}

/** How much of which space this step takes, and the space at which the next one goes on, if this one leaves something over. */
function cutsOf(
  counted: readonly Counted[],
  { maxEntries, limit }: { maxEntries: number; limit: number },
): { cuts: Cut[]; left: Place | null } {
  let room = limit;
  const cuts: Cut[] = [];
  for (const { stage, at, space, active, loose } of counted) {
    const most = Math.min(active - maxEntries, loose);
    if (space === null || most <= 0) continue;
    const take = cuts.length === CUTS_A_STEP ? 0 : Math.min(most, room);
    if (take > 0) cuts.push({ space, take });
    room -= take;
    // What was counted up to the limit may be more.
    if (take < most || take === limit) return { cuts, left: { stage, at, after: 0 } };
  }
  return { cuts, left: null };
}

/** Written out so that a list takes no parameters. */
const EPHEMERAL = sql.raw(
  typesOf("episodic")
    .map((type) => `'${type}'`)
    .join(", "),
);

type EvictableRow = Omit<Evictable, "pinned"> & { pinned: number };

/** The lowest in value of the first so many memories of a space: `evictionOrder` in SQL. */
function leastOf(ctx: UpkeepCtx, space: number, { maxEntries, take }: { maxEntries: number; take: number }): SQL {
  const now = ctx.now();
  return sql`
    select id, type, pinned, confidence, last_seen_at as lastSeenAt, recalled_at as recalledAt, expires_at as expiresAt from (
      select m.* from memories m where m.space_id = ${space} and m.tenant_id = ${ctx.tenantId} and m.pinned = 0 and ${isActive}
      order by m.id limit ${maxEntries + take})
    order by expires_at is null or expires_at > ${now}, type not in (${EPHEMERAL}),
      -cast((${now} - last_seen_at) / ${AGE_STEP_MS} as integer), recalled_at is not null, confidence, last_seen_at, id
    limit ${take}`;
}

/** SQL has ranked; the pure order is asked again. Should they ever differ, nothing is evicted and the log says so. */
function ranked(ctx: UpkeepCtx, rows: readonly EvictableRow[]): Evictable[] {
  const memories = rows.map((row) => ({ ...row, pinned: row.pinned === 1 }));
  const order = evictionOrder(memories, ctx.now());
  if (memories.every(({ id }, i) => id === order[i]?.id)) return memories;
  ctx.log("eviction.disagreement", { tenantId: ctx.tenantId, memories: memories.length });
  return [];
}
