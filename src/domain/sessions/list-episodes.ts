import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule, notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { runBatch } from "#domain/audit";
import { actingUser } from "#domain/tenants";
import { seesEpisodesOf, viewerCte } from "#domain/visibility";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import type { EpisodeView, HistoryInput, PlaceInput } from "./schemas.ts";
import { type EpisodeRow, toEpisode } from "./view.ts";

/** A page of a session's history in the order in which it was stored. 404 unless the viewer sees the session's episodes. */
export async function listEpisodes(
  ctx: Ctx<"db" | "embedder">,
  externalId: string,
  input: HistoryInput,
): Promise<Page<EpisodeView>> {
  requirePermission(ctx.actor, "read");
  const viewer = viewerAt(ctx, externalId, input);
  const descending = input.order === "desc";
  // Positions are counted in the session, so that a cursor never holds an internal id.
  const from = sql.raw(String(CHUNKS_PER_SESSION));
  const seq = input.cursor === undefined ? null : seqOf(input.cursor);
  const range = descending
    ? sql`e.id >= s.id * ${from} and e.id < s.id * ${from} + coalesce(${seq}, ${from})`
    : sql`e.id > s.id * ${from} + coalesce(${seq}, -1) and e.id < (s.id + 1) * ${from}`;
  const [sessions, episodes] = await runBatch(ctx, [
    visibleSession(ctx, externalId, input),
    ctx.db.all(sql`
      with ${viewerCte(viewer)}
      select ${episodeColumns} from viewer v cross join sessions s cross join episodes e on e.session_id = s.id and ${range}
      where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}
      order by e.id ${descending ? sql`desc` : sql`asc`} limit ${input.limit + 1}`),
  ]);
  if (sessions?.rows.length === 0) throw notFound("session");
  return toPage((episodes?.rows ?? []) as EpisodeRow[], input.limit, {
    list: "episodes",
    item: (row) => toEpisode(row, ctx.embedder.model),
    position: (row) => [row.id % CHUNKS_PER_SESSION],
  });
}

/** A position in the session. Any other number would reach into the ids of the sessions beside it. */
function seqOf(cursor: string): number {
  const [position] = decodeCursor("episodes", cursor, ["number"]);
  const seq = Number(position);
  if (!Number.isInteger(seq) || seq < 0 || seq >= CHUNKS_PER_SESSION)
    throw breaksRule("cursor", "This cursor was not made by this list.");
  return seq;
}

/** The columns of `EpisodeRow`, from `sessions s` and `episodes e`. */
export const episodeColumns = sql`
  e.id as id, e.public_id as publicId, s.external_id as sessionExternalId, e.messages as messages,
  case when instr(e.messages, '"userId":') > 0 then (
    select json_group_object(su.id, su.external_id) from users su
    where su.id in (select sm.value ->> 'userId' from json_each(e.messages) sm)) end as speakers,
  e.occurred_at as occurredAt, e.created_at as createdAt, e.vector_model as vectorModel`;

/** One row if the viewer sees the episodes of the session of that name. */
function visibleSession(ctx: Ctx<"db">, externalId: string, place: PlaceInput): Statement {
  return ctx.db.all(sql`
    with ${viewerCte(viewerAt(ctx, externalId, place))}
    select s.id as id from viewer v cross join sessions s
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}`);
}

/** A reader stands in the session itself, or, naming a project, in the project without a session. */
export function viewerAt(ctx: Ctx, externalId: string, place: PlaceInput) {
  return {
    tenantId: ctx.tenantId,
    user: actingUser(ctx, place.userId),
    sessionExternalId: place.projectId === undefined ? externalId : null,
    projectExternalId: place.projectId ?? null,
    includeGroups: false,
  };
}
