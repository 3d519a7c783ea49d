import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import { readRows, runBatch, select } from "#db/client";
import { integer, nullable, row, text } from "#db/row";
import { EPISODE } from "#db/schema/sessions";
import { vectorRefs } from "#domain/indexing";
import {
  authorOf,
  EPISODES,
  type EpisodeWords,
  findEpisodeWords,
  redactWords,
  rewriteStatements,
  type Sender,
} from "#domain/sessions";
import { buryRows } from "./bury-rows.ts";
import { eraseEntitiesIn } from "./erase-documents.ts";
import { eraseEpisodes } from "./erase-episodes.ts";
import { eraseMemoriesIn } from "./erase-memories.ts";
import { eraseVectors } from "./erase-vectors.ts";
import { changesBefore, count, type Progress } from "./progress.ts";
import { episodesOf, isTouched } from "./rows.ts";
import { listOf } from "./scope.ts";
import type { StepCtx } from "./step.ts";

const EPISODES_A_STEP = 40;

const NAMES = row({
  name: nullable(text(sql`u.name`)),
  externalId: text(sql`u.external_id`),
  person: nullable(text(sql`pe.name`)),
});
const ID = row({ id: integer(sql`e.id`) });
const ENTITY = row({ id: integer(sql`w.id`) });

/**
 * Erases the user's words in groups that stay: episodes in which nobody else spoke go whole, with the assistant's reply; in others their
 * messages lose text, label, user and id. `cursor` is the last episode that was handled.
 */
export async function eraseGroupWords(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { groups, id: user } = progress.scope;
  if (groups.length === 0) return true;
  const next = await readRows(
    ctx,
    select(ID)`from ${episodesOf(groups)} where e.tenant_id = ${ctx.tenantId} and e.id > ${progress.cursor} and ${isTouched(user)}
      order by e.id limit ${EPISODES_A_STEP}`,
  );
  if (next.length === 0) return true;
  const ids = next.map(({ id }) => id);
  const sender = await findSender(ctx, user);
  const { found, alone, mixed } = await readEpisodes(ctx, { ids, user, sender });
  await buryRows(
    ctx,
    progress.scope,
    found.map(({ publicId }) => ({ kind: "episode", publicId })),
  );
  await eraseLearned(ctx, progress, { alone: alone.map(({ id }) => id), mixed: mixed.map(({ id }) => id) });
  await eraseEpisodes(
    ctx,
    progress,
    alone.map(({ id, chunkCount, spaceId }) => ({ id, chunkCount, spaceId })),
  );
  for (const episode of mixed) await redact(ctx, progress, { episode, sender });
  progress.cursor = ids.at(-1) ?? progress.cursor;
  return false;
}

/** Episodes in groups: those in which only the user spoke, and others. */
export async function readEpisodes(
  ctx: Ctx<"db">,
  { ids, user, sender }: { ids: readonly number[]; user: number; sender: Sender },
): Promise<Record<"found" | "alone" | "mixed", Episode[]>> {
  const found = await readRows(ctx, findEpisodeWords(ctx, { id: user }, sql`e.id in ${listOf(ids)}`));
  const alone = found.filter((episode) => isAlone(episode, sender));
  return { found, alone, mixed: found.filter((episode) => !alone.includes(episode)) };
}

export async function findSender(ctx: Ctx<"db">, user: number): Promise<Sender> {
  const [found] = await readRows(
    ctx,
    select(NAMES)`from users u left join persons pe on pe.user_id = u.id where u.id = ${user} and u.tenant_id = ${ctx.tenantId}`,
  );
  const names = [found?.name, found?.externalId, found?.person].filter((name) => typeof name === "string");
  return { userId: user, names: names.filter((name) => nameKey(name) !== "") };
}

type Episode = EpisodeWords;

/** The indexes of the user's messages. Only of what the user sent does a label without a user say that it is theirs. */
function ownMessages({ messages, sentBy }: Episode, sender: Sender): number[] {
  const by = sentBy === sender.userId ? sender : { userId: sentBy, names: [] };
  return messages.flatMap((message, i) => (authorOf(message, by) === sender.userId ? [i] : []));
}

function isAlone(episode: Episode, sender: Sender): boolean {
  const own = new Set(ownMessages(episode, sender));
  return own.size > 0 && episode.messages.every(({ role }, i) => role !== "user" || own.has(i));
}

type Learned = { alone: readonly number[]; mixed: readonly number[]; persons: readonly number[] };

/** Which memories `m` go with the episodes, by internal ids. */
export function learnedFrom({ alone, mixed, persons }: Learned): SQL {
  return sql`(m.episode_id in ${listOf(alone)}
    or (m.episode_id in ${listOf(mixed)} and (m.stated_by is null or m.stated_by in ${listOf(persons)}))
    or m.id in (select e.summary_id from episodes e where e.id in ${listOf([...alone, ...mixed])}))`;
}

/** Memories that were learned there: all of what goes whole; of the others what the user stated, or nobody is known to have stated. */
async function eraseLearned(
  ctx: StepCtx,
  progress: Progress,
  { alone, mixed }: { alone: number[]; mixed: number[] },
): Promise<void> {
  const { persons } = progress.scope;
  const isLearned = learnedFrom({ alone, mixed, persons });
  const either = (deleted: SQL) => sql`${deleted} and ${isLearned}`;
  while (!(await eraseMemoriesIn(ctx, progress, either(sql`m.episode_id is not null and m.deleted_at is null`))));
  while (!(await eraseMemoriesIn(ctx, progress, either(sql`m.deleted_at is not null`))));
  const all = listOf([...alone, ...mixed]);
  while (!(await eraseMemoriesIn(ctx, progress, sql`m.id in (select e.summary_id from episodes e where e.id in ${all})`)));
  const versions = ctx.db.run(sql`
    delete from memory_versions where data ->> 'episodeId' in ${listOf(alone)}
      or (data ->> 'episodeId' in ${listOf(mixed)} and coalesce(data ->> 'statedBy', 0) in (select 0 union all select value from json_each(${JSON.stringify(persons)})))`);
  const results = await runBatch(ctx, [versions]);
  count(progress, "memory_versions", results.changes(versions));
}

/** The episode without the user's words, and the indexes of the passages that had them. */
export function hide(episode: Episode, sender: Sender) {
  const own = new Set(ownMessages(episode, sender));
  const cuts = [...own].map((message) => ({ message, start: 0, end: episode.messages[message]?.text.length ?? 0 }));
  const redacted = redactWords(episode, cuts);
  return { own, redacted, hidden: redacted.chunks.flatMap(({ m }, i) => (own.has(m) ? [i] : [])) };
}

async function redact(
  ctx: StepCtx,
  progress: Progress,
  { episode, sender }: { episode: Episode; sender: Sender },
): Promise<void> {
  const { own, redacted, hidden } = hide(episode, sender);
  const messages = redacted.messages.map((message, i) => {
    if (!own.has(i)) return message;
    const { userId: _, ...rest } = message;
    return { ...rest, speaker: null, messageId: null };
  });
  await eraseVectors(
    ctx,
    progress,
    hidden.flatMap((i) => vectorRefs(EPISODES, { id: episode.id + i, span: 1, space: episode.spaceId })),
  );
  const gone = await readRows(ctx, select(ENTITY)`from (${namedIn(ctx, { id: episode.id, messages })}) w`);
  const before = { ...episode, sentBy: episode.sentBy === sender.userId ? null : episode.sentBy };
  const keys = ctx.db.run(sql`
    delete from message_keys where session_id = ${episode.sessionId} and episode_id = ${sql.raw(String(episode.id))}
      and ordinal in ${listOf([...own])}`);
  const deleted = changesBefore();
  const results = await runBatch(ctx, [
    ...rewriteStatements(ctx, { before, messages, chunks: redacted.chunks }, { jobId: ctx.newId("job") }),
    // The words may have been redacted before; label, user and id go all the same.
    ctx.db.run(sql`
      update episodes set ${EPISODE.set({ messages, sentBy: before.sentBy, summaryId: null })}
      where id = ${sql.raw(String(episode.id))} and tenant_id = ${ctx.tenantId}`),
    keys,
    deleted,
    ...unmention(
      ctx,
      episode.id,
      gone.map(({ id }) => id),
    ),
  ]);
  count(progress, "message_keys", results.rows(deleted)[0]?.n ?? 0);
  count(progress, "message_fts", hidden.length);
  count(progress, "episodes", 1);
  const unmentioned = sql`en.notes is null and en.mention_count <= 0 and en.id in ${listOf(gone.map(({ id }) => id))}`;
  while (!(await eraseEntitiesIn(ctx, progress, unmentioned)));
}

/** The ids of the entities that an episode mentions and whose names are in none of the words that are left. */
export function namedIn({ tenantId }: { tenantId: number }, { id, messages }: Left): SQL {
  const left = messages
    .map(({ text, speaker }) => `${speaker ?? ""} ${text}`)
    .join(" ")
    .toLowerCase();
  return sql`select em.entity_id as id from entity_mentions em cross join entities en on en.id = em.entity_id
    where em.episode_id = ${sql.raw(String(id))} and +en.tenant_id = ${tenantId} and instr(${left}, lower(en.name)) = 0`;
}

type Left = { id: number; messages: readonly { text: string; speaker: string | null }[] };

function unmention(ctx: StepCtx, episodeId: number, entities: readonly number[]) {
  return [
    ctx.db.run(sql`
      update entities set mention_count = mention_count - 1 where id in ${listOf(entities)} and +tenant_id = ${ctx.tenantId}`),
    ctx.db.run(sql`
      delete from entity_mentions where episode_id = ${sql.raw(String(episodeId))} and entity_id in ${listOf(entities)}`),
  ];
}
