import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, select } from "#db/client";
import { row } from "#db/row";
import { SESSION } from "#db/schema/sessions";
import { actingUser } from "#domain/tenants";
import { seesEpisodesOf, type ViewerRef, viewerCte } from "#domain/visibility";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import { viewerIn } from "./find-session.ts";
import type { EpisodeView, HistoryInput, PlaceInput } from "./schemas.ts";
import { EPISODE_ROW, toEpisode } from "./view.ts";

const VISIBLE = row(SESSION.of(sql`s`, "id"));

/**
 * A page of a session's history in the order in which it was stored.
 *
 * @throws not_found unless the viewer sees the session's episodes.
 * @throws unprocessable for a cursor of another list.
 */
export async function listEpisodes(
  ctx: Ctx<"db" | "embedder">,
  externalId: string,
  input: HistoryInput,
): Promise<Page<EpisodeView>> {
  requirePermission(ctx.actor, "read");
  const viewer = viewerCte(viewerAt(ctx, externalId, input));
  const descending = input.order === "desc";
  // Positions are counted in the session, so that a cursor never holds an internal id.
  const from = sql.raw(String(CHUNKS_PER_SESSION));
  const seq = input.cursor === undefined ? null : seqOf(input.cursor);
  const range = descending
    ? sql`e.id >= s.id * ${from} and e.id < s.id * ${from} + coalesce(${seq}, ${from})`
    : sql`e.id > s.id * ${from} + coalesce(${seq}, -1) and e.id < (s.id + 1) * ${from}`;
  const visible = sql`s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}`;
  const { sessions, episodes } = await read(ctx, {
    sessions: select(VISIBLE, viewer)`from viewer v cross join sessions s where ${visible}`,
    episodes: select(EPISODE_ROW, viewer)`
      from viewer v cross join sessions s cross join episodes e on e.session_id = s.id and ${range}
      where ${visible} order by e.id ${descending ? sql`desc` : sql`asc`} limit ${input.limit + 1}`,
  });
  if (sessions.length === 0) throw notFound("session");
  return toPage(episodes, input.limit, {
    list: "episodes",
    item: (row) => toEpisode(row, ctx.embedder.model),
    position: (row) => [row.id % CHUNKS_PER_SESSION],
  });
}

/** A position in the session. Any other number would address the ids of neighbouring sessions. */
function seqOf(cursor: string): number {
  const [position] = decodeCursor("episodes", cursor, ["number"]);
  const seq = Number(position);
  if (!Number.isInteger(seq) || seq < 0 || seq >= CHUNKS_PER_SESSION)
    throw breaksRule("cursor", "This cursor was not made by this list.");
  return seq;
}

/**
 * One episode of a session.
 *
 * @throws not_found if it is not in the session, or the viewer does not see the session's episodes.
 */
export async function getEpisode(
  ctx: Ctx<"db" | "embedder">,
  named: { sessionExternalId: string; episodeId: string },
  place: PlaceInput,
): Promise<EpisodeView> {
  requirePermission(ctx.actor, "read");
  const viewer = viewerAt(ctx, named.sessionExternalId, place);
  return await findEpisode(ctx, viewer, { id: named.episodeId, where: sql`s.external_id = ${named.sessionExternalId}` });
}

/**
 * An episode by its id alone, if a search from this place could find it: the reader is where the answer will be read, not in the episode's
 * session. A private reader sees the groups that they take part in too.
 *
 * @throws not_found if the viewer does not see it from there.
 */
export async function getEpisodeFrom(
  ctx: Ctx<"db" | "embedder">,
  episodeId: string,
  { userId, sessionId = null, projectId = null }: ReaderPlace,
): Promise<EpisodeView> {
  requirePermission(ctx.actor, "read");
  const viewer: ViewerRef = {
    tenantId: ctx.tenantId,
    user: actingUser(ctx, userId),
    sessionExternalId: sessionId,
    projectExternalId: projectId,
    includeGroups: true,
    sessionMayBeNew: true,
  };
  return await findEpisode(ctx, viewer, { id: episodeId, where: sql`true` });
}

/** Where a reader is, as a search names it. */
export type ReaderPlace = {
  userId?: string | undefined;
  sessionId?: string | null | undefined;
  projectId?: string | null | undefined;
};

async function findEpisode(
  ctx: Ctx<"db" | "embedder">,
  viewer: ViewerRef,
  { id, where }: { id: string; where: SQL },
): Promise<EpisodeView> {
  if (!isPublicId("episode", id)) throw notFound("episode");
  const {
    found: [found],
  } = await read(ctx, {
    found: select(EPISODE_ROW, viewerCte(viewer))`from viewer v cross join episodes e cross join sessions s on s.id = e.session_id
      where e.public_id = ${id} and e.tenant_id = ${ctx.tenantId} and ${where} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}`,
  });
  if (found === undefined) throw notFound("episode");
  return toEpisode(found, ctx.embedder.model);
}

/** A reader is in the session itself or, by naming a project, in the project without a session. */
function viewerAt(ctx: Ctx, externalId: string, { userId, projectId }: PlaceInput): ViewerRef {
  const place = projectId === undefined ? { sessionExternalId: externalId } : { projectExternalId: projectId };
  return viewerIn(ctx, actingUser(ctx, userId), place);
}
