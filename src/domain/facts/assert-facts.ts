import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { refuseSaidLater, toIso, toMillis } from "#core/fields";
import { requirePermission } from "#core/permission";
import { refuseLabelledSecret, refuseSecrets } from "#core/safety/refuse-secrets";
import { storable } from "#core/text/normalize";
import { type Query, statement } from "#db/client";
import { failUnless, isLostRace } from "#db/guard";
import { type RowOf, row } from "#db/row";
import { rowsOf } from "#db/rows";
import { FACT } from "#db/schema/facts";
import { commit } from "#domain/audit";
import { ensureUsers } from "#domain/tenants";
import { recordTopics } from "./fact-statements.ts";
import { type Home, homeOf, idOfHome, noSuchPlace, topicNamed } from "./place.ts";
import type { AssertedView, AssertInput, FactInput } from "./schemas.ts";
import { type Slot, writeSlots } from "./slots.ts";
import type { TopicIndex } from "./topics.ts";
import { topicIndexOf } from "./topics-of.ts";

type AssertCtx = Ctx<"db" | "now" | "newId" | "caches">;

/** A slot to be written. `rank` is 0 for a single fact. */
type Draft = { topic: string; kind: "ranked" | "single"; rank: number; value: string; messageId: string | null; at: number };

/**
 * Stores facts of a user with a session, a project or the user, all decided in one batch. The newer value wins: an older one leaves the
 * stored value, and the answer says so. A future time counts as now; one beyond a day is refused. Writing into a session needs the same
 * access as appending to it.
 * @throws unprocessable for a rank that does not fit the kind, a secret, or a time too far ahead.
 * @throws not_found for a place that the user has no access to.
 */
export async function assertFacts(ctx: AssertCtx, input: AssertInput): Promise<AssertedView[]> {
  requirePermission(ctx.actor, "write");
  const home = homeOf(ctx, input);
  const many = "facts" in input;
  const given: readonly FactInput[] = many ? input.facts : [input];
  const now = ctx.now();
  const topicIndex = await topicIndexOf(ctx);
  const drafts = given.map((fact, i) => parseFactInput(fact, { topicIndex, now, path: many ? `facts[${i}].` : "" }));
  const chosen = latest(drafts);
  const stored = await storeFacts({ ...ctx, now: () => now }, { input, home, drafts: chosen });
  return drafts.map((each) => toAsserted(each, { drafts: chosen, stored }));
}

function parseFactInput(
  fact: FactInput,
  { topicIndex, now, path }: { topicIndex: TopicIndex; now: number; path: string },
): Draft {
  const kind = fact.kind ?? (fact.rank === undefined ? "single" : "ranked");
  if (kind === "ranked" && fact.rank === undefined) throw breaksRule(`${path}rank`, "A ranked fact has a rank.");
  if (kind === "single" && fact.rank !== undefined) throw breaksRule(`${path}rank`, "A single fact has no rank.");
  refuseSaidLater(fact.createdAt, { now, path: `${path}createdAt` });
  refuseSecrets({ topic: fact.topic, value: fact.value }, path);
  refuseLabelledSecret(fact.topic, fact.value, `${path}value`);
  return {
    topic: topicNamed(topicIndex, fact.topic, `${path}topic`),
    kind,
    rank: fact.rank ?? 0,
    value: storable(fact.value).trim(),
    messageId: fact.sourceMessageId ?? null,
    at: fact.createdAt === undefined ? now : Math.min(toMillis(fact.createdAt), now),
  };
}

const STORED_SLOT = row(FACT.of(sql`f`, "topic", "kind", "rank", "value", "createdAt"));
type StoredSlot = RowOf<typeof STORED_SLOT>;
type Stored = { written: ReadonlySet<string>; now: ReadonlyMap<string, StoredSlot> };

const slotOf = ({ topic, kind, rank }: Slot) => JSON.stringify([topic, kind, rank]);

/** For each slot the newest fact, and of those with equal times the last. */
function latest(drafts: readonly Draft[]): Draft[] {
  const bySlot = new Map<string, Draft>();
  for (const each of drafts) {
    const before = bySlot.get(slotOf(each));
    if (before === undefined || each.at >= before.at) bySlot.set(slotOf(each), each);
  }
  return [...bySlot.values()];
}

type Storing = { input: AssertInput; home: Home; drafts: readonly Draft[] };

async function storeFacts(ctx: AssertCtx, { input, home, drafts }: Storing): Promise<Stored> {
  const rows = rowsOf(
    drafts.map(({ topic, kind, rank, value, messageId, at }) => [topic, kind, rank, value, messageId ?? "", at]),
  );
  const placed = sql`(select ${home.userId} as user_id, ${home.sessionId} as session_id, ${home.projectId} as project_id) home`;
  const lastSaid = drafts.reduce((last, each) => (each.at >= last.at ? each : last));
  const slots = {
    from: sql`${placed} cross join ${rows} j`,
    userId: sql`home.user_id`,
    sessionId: sql`home.session_id`,
    projectId: sql`home.project_id`,
    topic: sql`j.c0`,
    kind: sql`j.c1`,
    rank: sql`j.c2`,
    value: sql`j.c3`,
    messageId: sql`nullif(j.c4, '')`,
    episodeId: sql`null`,
    at: sql`j.c5`,
  };
  try {
    const write = writeSlots(ctx, slots);
    const after = findSlots(slots.from);
    const results = await commit(ctx, {
      statements: [
        ...(noSuchPlace(input) === null ? ensureUsers(ctx, [home.user]) : [failUnless(ctx.db, home.mayWrite)]),
        ...(input.sessionId === undefined ? [] : [recordTopics(ctx, spokenOf(placed, lastSaid))]),
        write,
        after,
      ],
      audit: [
        {
          action: "fact.asserted",
          objectId: idOfHome(ctx, home),
          userId: home.userId,
          detail: { facts: drafts.length },
          when: sql`changes() > 0`,
        },
      ],
    });
    return {
      written: new Set(results.rows(write).map(slotOf)),
      now: new Map(results.rows(after).map((slot) => [slotOf(slot), slot])),
    };
  } catch (error) {
    if (isLostRace(error)) throw noSuchPlace(input) ?? error;
    throw error;
  }
}

function spokenOf(placed: SQL, { topic, at }: Draft) {
  return { from: placed, sessionId: sql`home.session_id`, userId: sql`home.user_id`, topic: sql`${topic}`, at: sql`${at}` };
}

/** The rows of the written slots, read after the write. */
function findSlots(from: SQL): Query<StoredSlot> {
  return statement(
    STORED_SLOT,
    sql`
    select ${STORED_SLOT.columns} from ${from} cross join facts f on f.user_id = home.user_id and f.topic = j.c0 and f.session_id = home.session_id
      and f.project_id = home.project_id and f.kind = j.c1 and f.rank = j.c2`,
  );
}

function toAsserted(asked: Draft, { drafts, stored }: { drafts: readonly Draft[]; stored: Stored }): AssertedView {
  const { topic, kind, rank } = asked;
  const now = stored.now.get(slotOf(asked));
  return {
    topic,
    kind,
    rank: kind === "single" ? null : rank,
    written: drafts.includes(asked) && stored.written.has(slotOf(asked)),
    value: now?.value ?? null,
    createdAt: now === undefined ? null : toIso(now.createdAt),
  };
}
