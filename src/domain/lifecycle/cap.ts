import { type SQL, sql } from "drizzle-orm";
import { type Query, read, statement } from "#db/client";
import { integer, nullable, row, text } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { ALL_ROWS, type Place, placeOf, placesCte, type Step, toCursor } from "#domain/indexing";
import { MEMORIES, type MemoryType } from "#domain/memories";
import { getSettings } from "#domain/settings";
import { AGE_STEP_MS, type Evictable, evictionOrder } from "./eviction-order.ts";
import { EPHEMERAL_TYPES, forgetRows } from "./forget-rows.ts";
import { emptyStep, type PreparedStep, type UpkeepCtx } from "./step.ts";

/** Memories that a step counts, in how many spaces at most, and how many of them it can evict. A space with more is a step of its own. */
const COUNTED_A_STEP = 10_000;
const MAX_PLACES = 500;
const CUTS_A_STEP = 20;

/** Whether the row `m` counts toward its space's cap. Waiting memories do, superseded ones do not. */
const isActive = sql`m.deleted_at is null and m.superseded_by is null and m.status in ('approved', 'pending')`;

type Counted = { stage: number; at: number; space: number | null; active: number; loose: number };
type Cut = { space: number; take: number };

/**
 * Evicts from each space the memories beyond `maxEntries`, in the order of `evictionOrder`. It counts and ranks no more than the cap plus
 * what one step may evict: the lowest of those are also among the lowest of all, because as many as the cap allows rank higher. So a space
 * that is far beyond its cap is cut in several steps, with the same result.
 */
export async function cap(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<PreparedStep> {
  const { maxEntries } = await getSettings(ctx);
  if (maxEntries === null) return emptyStep(null);
  const places = Math.min(Math.max(2, Math.floor(COUNTED_A_STEP / (maxEntries + limit))), MAX_PLACES);
  const counted = await countSpaces(ctx, { from: placeOf(cursor), places, maxEntries, limit });
  const { cuts, left } = cutsOf(counted, { maxEntries, limit });
  const found = await read(
    ctx,
    Object.fromEntries(cuts.map(({ space, take }) => [space, leastOf(ctx, space, { maxEntries, take })])),
  );
  const victims = cuts.flatMap(({ space }) => ranked(ctx, found[space] ?? []).map(({ id }) => ({ id, space })));
  const still = sql`m.tenant_id = ${ctx.tenantId} and m.pinned = 0 and ${isActive}`;
  const last = counted.length < places ? undefined : counted.at(-1);
  const next = left ?? (last === undefined ? null : { stage: last.stage, at: last.at, after: ALL_ROWS });
  return { ...forgetRows(ctx, victims, { because: "cap", still }), next: toCursor(next) };
}

/** The next places, with how many active memories the space of each has, and how many of them may be evicted. */
async function countSpaces(
  ctx: UpkeepCtx,
  { from, places, maxEntries, limit }: { from: Place; places: number; maxEntries: number; limit: number },
): Promise<Counted[]> {
  const countUpTo = (most: number, condition: SQL) =>
    integer(sql`(select count(*) from (select 1 from memories m where m.space_id = w.space and ${condition} limit ${most}))`);
  const shape = row({
    stage: integer(sql`w.stage`),
    at: integer(sql`w.at`),
    space: nullable(integer(sql`w.space`)),
    active: countUpTo(maxEntries + limit, isActive),
    loose: countUpTo(limit, sql`${isActive} and m.pinned = 0`),
  });
  const { counted } = await read(ctx, {
    counted: statement(shape, sql`with ${placesCte(MEMORIES.places, ctx.tenantId, from, places)} select ${shape.columns} from w`),
  });
  return counted;
}

/** How much this step evicts from which space, and the space at which the next step continues, if memories are left over. */
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
    // A count that reached its limit may be too low.
    if (take < most || take === limit) return { cuts, left: { stage, at, after: 0 } };
  }
  return { cuts, left: null };
}

const EVICTABLE = row({
  ...MEMORY.of(sql`v`, "id", "pinned", "confidence", "lastSeenAt", "recalledAt", "expiresAt"),
  type: text<MemoryType>(sql`v.type`),
});

/** The lowest ranked memories of a space: `evictionOrder` in SQL. */
function leastOf(ctx: UpkeepCtx, space: number, { maxEntries, take }: { maxEntries: number; take: number }): Query<Evictable> {
  const now = ctx.now();
  return statement(
    EVICTABLE,
    sql`select ${EVICTABLE.columns} from (
        select m.* from memories m where m.space_id = ${space} and m.tenant_id = ${ctx.tenantId} and m.pinned = 0 and ${isActive}
        order by m.id limit ${maxEntries + take}) v
      order by expires_at is null or expires_at > ${now}, type not in (${EPHEMERAL_TYPES}),
        -cast((${now} - last_seen_at) / ${AGE_STEP_MS} as integer), recalled_at is not null, confidence, last_seen_at, id
      limit ${take}`,
  );
}

/** SQL has ranked already; the pure order checks again. If they ever differ, nothing is evicted and the log reports it. */
function ranked(ctx: UpkeepCtx, memories: readonly Evictable[]): readonly Evictable[] {
  const order = evictionOrder(memories, ctx.now());
  if (memories.every(({ id }, i) => id === order[i]?.id)) return memories;
  ctx.log("eviction.disagreement", { tenantId: ctx.tenantId, memories: memories.length });
  return [];
}
