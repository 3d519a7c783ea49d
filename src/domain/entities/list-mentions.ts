import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { isPublicId } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { runBatch } from "#domain/audit";
import { seesEntity, seesEpisodesOf, viewerCte } from "#domain/visibility";
import { entityViewer } from "./place.ts";
import type { MentionListInput, MentionView } from "./schemas.ts";

type MentionRow = { episodeId: string; sessionId: string; at: number };

/** The episodes that named an entity and that the viewer may hear, the latest first: those of sessions that moved away are not among them. */
export async function listMentions(ctx: Ctx<"db">, entityId: string, input: MentionListInput): Promise<Page<MentionView>> {
  requirePermission(ctx.actor, "read");
  const viewer = entityViewer(ctx, input);
  if (!isPublicId("entity", entityId)) throw notFound("entity");
  const entity = sql`(select en.id from entities en where en.public_id = ${entityId} and ${seesEntity(ctx.tenantId, sql`en`)})`;
  const [found, rows] = await runBatch(ctx, [
    ctx.db.all(sql`with ${viewerCte(viewer)} select 1 as known where ${entity} is not null`),
    ctx.db.all(sql`
      with ${viewerCte(viewer)}
      select e.public_id as episodeId, s.external_id as sessionId, em.at as at
      from entity_mentions em indexed by entity_mentions_at cross join episodes e on e.id = em.episode_id
      cross join sessions s on s.id = e.session_id cross join viewer v
      where em.entity_id = ${entity} and ${olderThan(input.cursor)} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}
      order by em.at desc, em.episode_id desc limit ${input.limit + 1}`),
  ]);
  if (found?.rows.length !== 1) throw notFound("entity");
  return toPage((rows?.rows ?? []) as MentionRow[], input.limit, {
    list: "mentions",
    item: (row) => ({ ...row, at: toIso(row.at) }),
    position: (row) => [row.at, row.episodeId],
  });
}

function olderThan(cursor: string | undefined): SQL {
  if (cursor === undefined) return sql`true`;
  const [at, episodeId] = decodeCursor("mentions", cursor, ["number", "string"]);
  return sql`(em.at, em.episode_id) < (${at}, coalesce((select c.id from episodes c where c.public_id = ${episodeId}), 0))`;
}
