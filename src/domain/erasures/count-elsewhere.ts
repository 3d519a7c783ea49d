import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, select } from "#db/client";
import { integer, row } from "#db/row";
import { ENTITIES } from "#domain/entities";
import { vectorRefs } from "#domain/indexing";
import { EPISODES } from "#domain/sessions";
import type { VectorRef } from "#ports/vector-index";
import { findSender, hide, learnedFrom, namedIn, readEpisodes } from "./erase-groups.ts";
import { episodesOf, isTouched, touchedEpisodes } from "./rows.ts";
import { isUserErasure, listOf, type Scope } from "./scope.ts";

const EPISODES_AT_ONCE = 40;
const REFS_A_CALL = 500;

const ID = row({ id: integer(sql`w.id`), space: integer(sql`w.space`) });

/** What goes from spaces that stay and only shows when the episodes are read: words in groups, and entities that nothing else mentions. */
export type Elsewhere = { memories: { id: number; space: number }[]; counts: Record<string, number> };

export async function countElsewhere(ctx: Ctx<"db" | "vectors">, scope: Scope): Promise<Elsewhere> {
  const words = await readGroups(ctx, scope);
  const memories = await readRows(
    ctx,
    select(ID)`from (
    select m.id, m.space_id as space from memories m where m.tenant_id = ${scope.tenantId}
      and m.space_id not in ${listOf(scope.spaces)} and ${learnedFrom({ ...words, persons: scope.persons })}) w`,
  );
  const entities = await readRows(ctx, select(ID)`from (${entitiesAlone(scope, words)}) w`);
  const refs = [...words.passages, ...entities.flatMap((one) => vectorRefs(ENTITIES, { ...one, span: 1 }))];
  const counts = {
    message_fts: words.passages.length,
    entities: entities.length,
    entity_fts: entities.length,
    vectors: await countStored(ctx, refs),
  };
  return { memories, counts };
}

type Words = { alone: number[]; mixed: number[]; passages: VectorRef[]; mentions: [entity: number, episode: number][] };

const EPISODE = row({ id: integer(sql`e.id`) });
const ENTITY = row({ id: integer(sql`w.id`) });

/** The user's passages in groups that stay, and the mentions of entities that go with them. */
async function readGroups(ctx: Ctx<"db">, scope: Scope): Promise<Words> {
  const words: Words = { alone: [], mixed: [], passages: [], mentions: [] };
  if (!isUserErasure(scope) || scope.groups.length === 0) return words;
  const sender = await findSender(ctx, scope.id);
  const touched = await readRows(
    ctx,
    select(EPISODE)`from ${episodesOf(scope.groups)} where e.tenant_id = ${scope.tenantId} and ${isTouched(scope.id)}`,
  );
  for (let from = 0; from < touched.length; from += EPISODES_AT_ONCE) {
    const ids = touched.slice(from, from + EPISODES_AT_ONCE).map(({ id }) => id);
    const { alone, mixed } = await readEpisodes(ctx, { ids, user: scope.id, sender });
    for (const { id, chunkCount, spaceId } of alone) {
      words.alone.push(id);
      words.passages.push(...vectorRefs(EPISODES, { id, span: chunkCount, space: spaceId }));
    }
    for (const episode of mixed) {
      const { hidden, redacted, own } = hide(episode, sender);
      const messages = redacted.messages.map((message, i) => (own.has(i) ? { ...message, speaker: null } : message));
      const gone = await readRows(ctx, select(ENTITY)`from (${namedIn(ctx, { id: episode.id, messages })}) w`);
      words.mixed.push(episode.id);
      words.mentions.push(...gone.map(({ id }): [number, number] => [id, episode.id]));
      words.passages.push(
        ...hidden.flatMap((i) => vectorRefs(EPISODES, { id: episode.id + i, span: 1, space: episode.spaceId })),
      );
    }
  }
  return words;
}

/** Entities of projects that stay which only what goes mentions, and which have no notes. */
function entitiesAlone(scope: Scope, { alone, mentions }: Words): SQL {
  const whole = sql`select t.id from (${touchedEpisodes({ ...scope, groups: [] })}) t union all select value from ${listOf(alone)}`;
  return sql`select en.id, en.space_id as space from (
      select g.entity_id, count(*) as n from (
        select em.entity_id, em.episode_id from entity_mentions em where em.episode_id in (${whole})
        union select j.value ->> 0, j.value ->> 1 from json_each(${JSON.stringify(mentions)}) j) g group by g.entity_id) c
    cross join entities en on en.id = c.entity_id
    where +en.tenant_id = ${scope.tenantId} and en.notes is null and en.mention_count - c.n <= 0
      and en.project_id not in ${listOf(scope.projects)}`;
}

async function countStored(ctx: Ctx<"vectors">, refs: readonly VectorRef[]): Promise<number> {
  let stored = 0;
  for (let from = 0; from < refs.length; from += REFS_A_CALL)
    stored += (await ctx.vectors.stored(ctx.tenantId, refs.slice(from, from + REFS_A_CALL))).length;
  return stored;
}
