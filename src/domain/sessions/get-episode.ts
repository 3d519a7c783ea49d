import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { seesEpisodesOf, viewerCte } from "#domain/visibility";
import { episodeColumns, viewerAt } from "./list-episodes.ts";
import type { EpisodeView, PlaceInput } from "./schemas.ts";
import { type EpisodeRow, toEpisode } from "./view.ts";

/** One episode of a session. 404 if it is not in it, or the viewer may not see it. */
export async function getEpisode(
  ctx: Ctx<"db" | "embedder">,
  named: { sessionExternalId: string; episodeId: string },
  place: PlaceInput,
): Promise<EpisodeView> {
  requirePermission(ctx.actor, "read");
  const viewer = viewerAt(ctx, named.sessionExternalId, place);
  if (!isPublicId("episode", named.episodeId)) throw notFound("episode");
  const [row] = await ctx.db.all<EpisodeRow>(sql`
    with ${viewerCte(viewer)}
    select ${episodeColumns} from viewer v cross join episodes e cross join sessions s on s.id = e.session_id
    where e.public_id = ${named.episodeId} and e.tenant_id = ${ctx.tenantId} and s.external_id = ${named.sessionExternalId}
      and ${seesEpisodesOf(ctx.tenantId, sql`s`)}`);
  if (row === undefined) throw notFound("episode");
  return toEpisode(row, ctx.embedder.model);
}
