import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { isPublicId } from "#core/ids";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, statement } from "#db/client";
import { flag, integer, row, text } from "#db/row";
import { seesEntity, seesEpisodesOf, viewerCte } from "#domain/visibility";
import { entityViewer } from "./place.ts";
import type { MentionListInput, MentionView } from "./schemas.ts";

const KNOWN = row({ isKnown: flag(sql`1`) });
const MENTION = row({ episodeId: text(sql`e.public_id`), sessionId: text(sql`s.external_id`), at: integer(sql`em.at`) });

/**
 * The episodes that mentioned an entity and that the viewer may see, newest first. Episodes of sessions that moved to another project are
 * left out.
 * @throws not_found for an entity outside the viewer's current project.
 */
export async function listMentions(ctx: Ctx<"db">, entityId: string, input: MentionListInput): Promise<Page<MentionView>> {
  requirePermission(ctx.actor, "read");
  const viewer = entityViewer(ctx, input);
  if (!isPublicId("entity", entityId)) throw notFound("entity");
  const entity = sql`(select en.id from entities en where en.public_id = ${entityId} and ${seesEntity(ctx.tenantId, sql`en`)})`;
  const { known, rows } = await read(ctx, {
    known: statement(KNOWN, sql`with ${viewerCte(viewer)} select ${KNOWN.columns} where ${entity} is not null`),
    rows: statement(
      MENTION,
      sql`
      with ${viewerCte(viewer)}
      select ${MENTION.columns}
      from entity_mentions em indexed by entity_mentions_at cross join episodes e on e.id = em.episode_id
      cross join sessions s on s.id = e.session_id cross join viewer v
      where em.entity_id = ${entity} and ${olderThan(input.cursor)} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}
      order by em.at desc, em.episode_id desc limit ${input.limit + 1}`,
    ),
  });
  if (known.length === 0) throw notFound("entity");
  return toPage(rows, input.limit, {
    list: "mentions",
    item: (mention) => ({ ...mention, at: toIso(mention.at) }),
    position: (mention) => [mention.at, mention.episodeId],
  });
}

function olderThan(cursor: string | undefined): SQL {
  if (cursor === undefined) return sql`true`;
  const [at, episodeId] = decodeCursor("mentions", cursor, ["number", "string"]);
  return sql`(em.at, em.episode_id) < (${at}, coalesce((select c.id from episodes c where c.public_id = ${episodeId}), 0))`;
}
