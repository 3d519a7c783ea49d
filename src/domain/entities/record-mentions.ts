import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { read, type Statement, statement } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { flag, integer, nullable, row, text } from "#db/row";
import { rowsOf } from "#db/rows";
import { ENTITY } from "#db/schema/entities";
import { type AuditEntry, commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { type DecidedEntity, decideEntities, isChanged, type KnownEntity, type NamedEntity } from "./decide-entities.ts";
import { type EntityDraft, type EntityInput, parseEntityInput } from "./names.ts";
import { storeStatements } from "./store-entities.ts";

export type NamedByEpisode = {
  /** The episode's internal id. */
  episodeId: number;
  /** When it was said, Unix milliseconds. */
  at: number;
  entities: readonly EntityInput[];
};

/** `dropped`: without a name, or with a secret. `outside`: of episodes that were deleted or belong to no project. */
export type MentionCounts = { made: number; changed: number; mentioned: number; dropped: number; outside: number };

type RecordCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "wait" | "random">;

/**
 * Records which entities episodes mention, tagged with the current project of the episode's session. If a session moves between the read
 * and the batch, the batch fails and is decided again. Sessions without a project have no entities. Idempotent. Two round trips for any
 * number.
 */
export async function recordMentions(
  ctx: RecordCtx,
  { episodes }: { episodes: readonly NamedByEpisode[] },
): Promise<MentionCounts> {
  requirePermission(ctx.actor, "write");
  const drafts = episodes.flatMap(({ episodeId, at, entities }) =>
    entities.flatMap((entity) => {
      const draft = parseEntityInput(entity);
      return draft === null ? [] : [{ ...draft, episodeId, at }];
    }),
  );
  const dropped = episodes.reduce((sum, { entities }) => sum + entities.length, 0) - drafts.length;
  if (drafts.length === 0) return { made: 0, changed: 0, mentioned: 0, dropped, outside: 0 };
  return await retryLostRace(ctx, "These entities are being changed by others at the same moment. Try again.", async () => {
    const look = await lookUp(ctx, drafts);
    const decided = decideEntities(look.namedEntities, look.known, () => ctx.newId("entity"));
    const news = decided.filter((entity) => isNewOrChanged(entity, look.mentioned));
    const counts = { ...countsOf(news, look.mentioned), dropped, outside: drafts.length - look.namedEntities.length };
    return news.length === 0 || (await storeMentions(ctx, news, look)) === "stored" ? counts : "lost";
  });
}

type Draft = EntityDraft & { episodeId: number; at: number };

type Look = {
  namedEntities: NamedEntity[];
  known: KnownEntity[];
  /** Episodes and the projects that their sessions are in. */
  places: Map<number, { projectId: number; projectPublicId: string }>;
  /** Mentions that are stored already, as `mentionOf` names them. */
  mentioned: ReadonlySet<string>;
};

const LOOK_ROW = row({
  draft: integer(sql`j.c0`),
  projectId: integer(sql`p.id`),
  projectPublicId: text(sql`p.public_id`),
  spaceId: integer(sql`p.space_id`),
  id: nullable(integer(sql`en.id`)),
  ...ENTITY.of(sql`en`, "publicId", "name", "notes", "version"),
  isMentioned: flag(sql`exists (select 1 from entity_mentions em where em.entity_id = en.id and em.episode_id = j.c1)`),
});

/** For each draft the project of its episode's session, and the existing entity. */
async function lookUp(ctx: RecordCtx, drafts: readonly Draft[]): Promise<Look> {
  const { rows } = await read(ctx, {
    rows: statement(
      LOOK_ROW,
      sql`
    select ${LOOK_ROW.columns} from ${rowsOf(drafts.map(({ episodeId, type, key }, i) => [i, episodeId, type, key]))} j
    cross join episodes e on e.id = j.c1 and +e.tenant_id = ${ctx.tenantId}
    cross join sessions s on s.id = e.session_id
    cross join projects p on p.id = s.project_id and +p.tenant_id = ${ctx.tenantId}
    left join entities en on en.project_id = p.id and en.type = j.c2 and en.name_key = j.c3
    order by j.c0`,
    ),
  });
  const found = rows.flatMap((place) => {
    const draft = drafts[place.draft];
    return draft === undefined ? [] : [{ place, draft }];
  });
  const known = new Map<number, KnownEntity>();
  for (const { place, draft } of found) {
    if (place.id !== null) known.set(place.id, { ...place, id: place.id, type: draft.type, key: draft.key });
  }
  return {
    namedEntities: found.map(({ place, draft }) => ({ ...draft, projectId: place.projectId, spaceId: place.spaceId })),
    known: [...known.values()],
    places: new Map(found.map(({ place, draft }) => [draft.episodeId, place])),
    mentioned: new Set(
      found.flatMap(({ place, draft }) => (place.isMentioned ? [mentionOf(place.publicId, draft.episodeId)] : [])),
    ),
  };
}

function mentionOf(publicId: string, episodeId: number): string {
  return `${publicId} ${episodeId}`;
}

function isNewOrChanged(entity: DecidedEntity, mentioned: ReadonlySet<string>): boolean {
  if (entity.known === null || isChanged(entity)) return true;
  return entity.mentions.some(({ episodeId }) => !mentioned.has(mentionOf(entity.publicId, episodeId)));
}

function countsOf(news: readonly DecidedEntity[], mentioned: ReadonlySet<string>) {
  return {
    made: news.filter(({ known }) => known === null).length,
    changed: news.filter(isChanged).length,
    mentioned: news
      .flatMap(({ publicId, mentions }) => mentions.map(({ episodeId }) => mentionOf(publicId, episodeId)))
      .filter((mention) => !mentioned.has(mention)).length,
  };
}

async function storeMentions(ctx: RecordCtx, news: readonly DecidedEntity[], look: Look): Promise<"stored" | "lost"> {
  const jobId = ctx.newId("job");
  try {
    await commit(ctx, {
      statements: [guardPlaces(ctx, news, look), ...storeStatements(ctx, news, jobId)],
      audit: auditOf(news, look),
    });
  } catch (error) {
    if (isLostRace(error) || isUniqueViolation(error)) return "lost";
    throw error;
  }
  if (news.some((entity) => entity.known === null || isChanged(entity))) dispatch(ctx, [jobId]);
  return "stored";
}

/** Checked again at the time of the write: each episode exists, and its session is still in the same project. */
function guardPlaces(ctx: RecordCtx, news: readonly DecidedEntity[], { places }: Look): Statement {
  const episodes = new Set(news.flatMap(({ mentions }) => mentions.map(({ episodeId }) => episodeId)));
  const read = [...episodes].map((id) => [id, places.get(id)?.projectId ?? 0]);
  return failUnless(
    ctx.db,
    sql`(
      select count(*) from ${rowsOf(read)} j cross join episodes e on e.id = j.c0 and +e.tenant_id = ${ctx.tenantId}
      cross join sessions s on s.id = e.session_id where s.project_id = j.c1) = ${read.length}`,
  );
}

/** One row for each project. */
function auditOf(news: readonly DecidedEntity[], { places }: Look): AuditEntry[] {
  const projects = new Map([...places.values()].map(({ projectId, projectPublicId }) => [projectId, projectPublicId]));
  return [...Map.groupBy(news, ({ projectId }) => projectId)].map(([projectId, entities]) => ({
    action: "entity.noted",
    objectId: projects.get(projectId) ?? "",
    userId: null,
    detail: {
      made: entities.filter(({ known }) => known === null).map(({ publicId }) => publicId),
      changed: entities.filter(isChanged).map(({ publicId }) => publicId),
      mentioned: entities.length,
    },
  }));
}
