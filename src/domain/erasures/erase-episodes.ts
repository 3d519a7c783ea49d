import { sql } from "drizzle-orm";
import { readRows, select } from "#db/client";
import { integer, nullable, row } from "#db/row";
import { vectorRefs } from "#domain/indexing";
import { EPISODES, type EpisodeToForget, episodeDeletions } from "#domain/sessions";
import { eraseEntitiesIn } from "./erase-documents.ts";
import { eraseVectors } from "./erase-vectors.ts";
import { carryOut, count, type Part, type Progress } from "./progress.ts";
import { episodesOf } from "./rows.ts";
import { listOf } from "./scope.ts";
import type { StepCtx } from "./step.ts";

const EPISODES_A_STEP = 200;

const FOUND = row({
  id: integer(sql`e.id`),
  chunkCount: integer(sql`e.chunk_count`),
  spaceId: nullable(integer(sql`s.space_id`)),
});
const MENTIONED = row({ id: integer(sql`en.id`) });

/** Erases the next episodes of the sessions that go. */
export async function eraseSessionEpisodes(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { sessions } = progress.scope;
  if (sessions.length === 0) return true;
  const next = await readRows(
    ctx,
    select(FOUND)`from ${episodesOf(sessions)} left join sessions s on s.id = e.session_id
      where e.tenant_id = ${ctx.tenantId} limit ${EPISODES_A_STEP}`,
  );
  if (next.length === 0) return true;
  const placed = next.flatMap(({ spaceId, ...episode }) => (spaceId === null ? [] : [{ ...episode, spaceId }]));
  await eraseEpisodes(ctx, progress, placed);
  await eraseOrphans(
    ctx,
    progress,
    next.filter(({ spaceId }) => spaceId === null),
  );
  return false;
}

/** Erases episodes that were appended while their session went: their vectors may be in any of the subject's spaces. */
async function eraseOrphans(
  ctx: StepCtx,
  progress: Progress,
  orphans: readonly Omit<EpisodeToForget, "spaceId">[],
): Promise<void> {
  const spaces = [...new Set([...progress.scope.spaces, ...progress.scope.near])];
  const [first = 0, ...others] = spaces;
  for (const spaceId of others)
    await eraseVectors(
      ctx,
      progress,
      orphans.flatMap(({ id, chunkCount }) => vectorRefs(EPISODES, { id, span: chunkCount, space: spaceId })),
    );
  await eraseEpisodes(
    ctx,
    progress,
    orphans.map((orphan) => ({ ...orphan, spaceId: first })),
  );
}

/** Erases episodes whole: their vectors, then their rows with text, keys, lists and mentions, and entities that nothing mentions any more. */
export async function eraseEpisodes(ctx: StepCtx, progress: Progress, episodes: readonly EpisodeToForget[]): Promise<void> {
  if (episodes.length === 0) return;
  const ids = listOf(episodes.map(({ id }) => id));
  const mentioned = await readRows(
    ctx,
    select(MENTIONED)`from entities en where en.tenant_id = ${ctx.tenantId} and en.notes is null
      and en.id in (select em.entity_id from entity_mentions em where em.episode_id in ${ids})`,
  );
  const refs = episodes.flatMap(({ id, chunkCount, spaceId }) => vectorRefs(EPISODES, { id, span: chunkCount, space: spaceId }));
  await eraseVectors(ctx, progress, refs);
  const parts = episodeDeletions(ctx, episodes).map(
    ({ table, statement }): Part => ({ store: table ?? "references", statement }),
  );
  await carryOut(ctx, progress, parts);
  count(
    progress,
    "message_fts",
    episodes.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
  );
  const unmentioned = sql`en.mention_count <= 0 and en.id in ${listOf(mentioned.map(({ id }) => id))}`;
  while (!(await eraseEntitiesIn(ctx, progress, unmentioned)));
}
