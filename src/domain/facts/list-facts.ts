import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, statement } from "#db/client";
import type { RowOf } from "#db/row";
import { seesEpisodesOf, viewerCte } from "#domain/visibility";
import { candidates, findPlace } from "./candidates.ts";
import { atRank, chooseList } from "./choose-list.ts";
import { createFactsNow, type FactNow } from "./facts-now.ts";
import { findListTurns } from "./list-messages.ts";
import { noSuchPlace, topicNamed, viewerAt } from "./place.ts";
import type { FactListInput, FactParams, FactPlaceInput, FactView } from "./schemas.ts";
import { topicIndexOf } from "./topics-of.ts";
import { FACT_COLUMNS, FACT_ROW, toFact } from "./view.ts";

/**
 * The fact that answers for this rank in the user's place, as later messages left it.
 * @throws not_found if none does.
 */
export async function getFact(ctx: Ctx<"db" | "now" | "caches">, named: FactParams, place: FactPlaceInput): Promise<FactView> {
  requirePermission(ctx.actor, "read");
  const topicIndex = await topicIndexOf(ctx);
  const topic = topicNamed(topicIndex, named.topic, "topic");
  const viewer = viewerAt(ctx, place);
  const {
    place: found,
    facts,
    turns,
  } = await read(ctx, {
    place: findPlace(viewer, topic),
    facts: candidates(ctx, viewer, { topic, columns: FACT_COLUMNS }),
    turns: findListTurns(ctx, viewer),
  });
  const refusal = found.length === 0 ? noSuchPlace(place) : null;
  if (refusal !== null) throw refusal;
  const nowOf = createFactsNow(turns, topicIndex);
  const list = (chooseList(facts)?.facts ?? []).flatMap((fact) => factNow(fact, nowOf(fact)));
  const fact = atRank(list, named.rank);
  if (fact === undefined) throw notFound("fact");
  return toFact(fact, fact.standing);
}

type FactRow = RowOf<typeof FACT_ROW>;

/** A fact with the value that later messages left; none if they took it away. */
function factNow<F extends FactRow>(fact: F, now: FactNow): (F & Pick<FactView, "standing">)[] {
  if (now.standing !== "changed") return [{ ...fact, standing: now.standing }];
  if (now.value === null) return [];
  // What was stored with it said another value.
  return [{ ...fact, value: now.value, standing: now.standing, messageId: null, episodeId: null }];
}

/**
 * The user's own facts that are visible in their place, list by list: by topic, then by session, project or user, then by rank, as later
 * messages left them: a page can have fewer than its limit. One round trip; a page reads the user's facts until it is full.
 */
export async function listFacts(ctx: Ctx<"db" | "now" | "caches">, input: FactListInput): Promise<Page<FactView>> {
  requirePermission(ctx.actor, "read");
  const viewer = viewerAt(ctx, input);
  const topicIndex = await topicIndexOf(ctx);
  const topic = input.topic === undefined ? null : topicNamed(topicIndex, input.topic, "topic");
  const filters = [
    ...(topic === null ? [] : [sql`f.topic = ${topic}`]),
    ...(input.rank === undefined ? [] : [sql`f.rank = ${input.rank}`]),
    ...(input.kind === undefined ? [] : [sql`f.kind = ${input.kind}`]),
    ...(input.cursor === undefined ? [] : [after(ctx, input.cursor)]),
  ];
  const { place, facts, turns } = await read(ctx, {
    place: findPlace(viewer, ""),
    turns: findListTurns(ctx, viewer),
    facts: statement(
      FACT_ROW,
      sql`
      with ${viewerCte(viewer)}
      select ${FACT_ROW.columns} from facts f cross join viewer v left join sessions s on s.id = f.session_id
      where f.user_id = (select user_id from viewer) and +f.tenant_id = ${ctx.tenantId} and f.value is not null
        and ${isVisible(ctx, input.everywhere)} and ${sql.join([sql`true`, ...filters], sql` and `)}
      order by f.topic, f.session_id, f.project_id, f.kind, f.rank limit ${input.limit + 1}`,
    ),
  });
  const refusal = place.length === 0 ? noSuchPlace(input) : null;
  if (refusal !== null) throw refusal;
  const nowOf = createFactsNow(turns, topicIndex);
  const { items, nextCursor } = toPage(facts, input.limit, {
    list: "facts",
    item: (fact) => factNow(fact, nowOf(fact)).map(({ standing, ...row }) => toFact(row, standing)),
    position: (fact) => [fact.topic, fact.sessionId ?? "", fact.projectId ?? "", fact.kind, fact.rank],
  });
  return { items: items.flat(), nextCursor };
}

/** Whether the fact row `f`, whose session is `s`, is visible to `v`. */
function isVisible(ctx: Ctx, everywhere: boolean): SQL {
  return sql`case
    when f.session_id > 0 then ${seesEpisodesOf(ctx.tenantId, sql`s`)}
      and (f.session_id = v.session_id or v.pool = 'project' or ${everywhere ? 1 : 0})
    when f.project_id > 0 then v.pool = 'project' and f.project_id = v.project_id
    else v.pool = 'user'
  end`;
}

/** The facts after the last one of a page. If the user has no fact of the topic in that place, the list ends. */
function after(ctx: Ctx, cursor: string): SQL {
  const [topic, sessionId, projectId, kind, rank] = decodeCursor("facts", cursor, [
    "string",
    "string",
    "string",
    "string",
    "number",
  ]);
  const idIn = (table: SQL, column: SQL, name: unknown) =>
    name === ""
      ? sql`0`
      : sql`(select k.id from ${table} k where k.tenant_id = ${ctx.tenantId} and k.external_id = ${name} and exists (
          select 1 from facts o where o.user_id = (select user_id from viewer) and o.topic = ${topic} and ${column} = k.id))`;
  const session = idIn(sql`sessions`, sql`o.session_id`, sessionId);
  const project = idIn(sql`projects`, sql`o.session_id = 0 and o.project_id`, projectId);
  return sql`(f.topic, f.session_id, f.project_id, f.kind, f.rank) > (${topic}, ${session}, ${project}, ${kind}, ${rank})`;
}
