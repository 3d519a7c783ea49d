import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, read } from "#db/client";
import { isInSessions, type MemoryStatement, type Writer } from "#domain/memories";
import { type Cut, type EpisodeWords, findEpisodeWords, firstChunkOf, sessionOf } from "#domain/sessions";
import { echoesOf } from "./echoes.ts";
import { isOwnMessage, type Owner } from "./own-words.ts";
import { spansStating } from "./words-of.ts";

/** Episodes, from that of the words on, in which the assistant may repeat them. */
const EPISODES_AFTER = 4;

/** Parts of the messages of episodes. */
export type Cuts = ReadonlyMap<EpisodeWords, readonly Cut[]>;

/**
 * The episodes in which a statement's words, and what repeats them, may stand: the one that it was learned from, and those after it. None of
 * a session that the caller's token is not for.
 */
export function findStatingEpisodes(
  ctx: Ctx<"db">,
  user: NonNullable<Writer["user"]>,
  { episodeId }: Pick<MemoryStatement, "episodeId">,
): Query<EpisodeWords> {
  return findEpisodeWords(
    ctx,
    user,
    sql`e.id in (
      select f.id from episodes f where f.id >= ${episodeId} and f.id < ${firstChunkOf(sessionOf(episodeId) + 1)}
        and ${isInSessions(ctx, sql`f`)}
      order by f.id limit ${EPISODES_AFTER})`,
  );
}

/** The parts of the owner's own messages that state it, and of those after them that repeat it. */
export function cutsStating(
  episodes: readonly EpisodeWords[],
  { content, episodeId }: MemoryStatement,
  owner: Owner,
): Map<EpisodeWords, Cut[]> {
  const here = episodes.filter(({ id }) => id >= episodeId && sessionOf(id) === sessionOf(episodeId));
  const [episode, ...after] = here.toSorted((a, b) => a.id - b.id).slice(0, EPISODES_AFTER);
  if (episode?.id !== episodeId) return new Map();
  const cuts = episode.messages.flatMap(({ role, text }, message) =>
    role === "user" && isOwnMessage(episode, message, owner)
      ? spansStating(text, content).map((span) => ({ message, ...span }))
      : [],
  );
  return echoesOf([episode, ...after], new Map([[episode, cuts]]), { owner, asking: null, by: "anyone" });
}

/** The words of the owner that state these, in each episode once. */
export async function findStatedWords(
  ctx: Ctx<"db">,
  { user, owner }: { user: NonNullable<Writer["user"]>; owner: Owner },
  statements: readonly MemoryStatement[],
): Promise<Map<EpisodeWords, Cut[]>[]> {
  const places = [...new Set(statements.map(({ episodeId }) => episodeId))];
  const { episodes } = await read(ctx, { episodes: places.map((episodeId) => findStatingEpisodes(ctx, user, { episodeId })) });
  return statements.map((statement) => cutsStating(episodes, statement, owner));
}

/** All of these together: an episode that was read more than once counts once, and so does a part within another. */
export function joinCuts(all: readonly Cuts[]): Map<EpisodeWords, Cut[]> {
  const joined = new Map<number, { episode: EpisodeWords; cuts: Cut[] }>();
  for (const [episode, cuts] of all.flatMap((one) => [...one])) {
    const known = joined.get(episode.id) ?? { episode, cuts: [] };
    joined.set(episode.id, known);
    for (const cut of cuts) if (!known.cuts.some((other) => isWithin(cut, other))) known.cuts.push(cut);
  }
  return new Map([...joined.values()].map(({ episode, cuts }) => [episode, cuts]));
}

function isWithin(cut: Cut, other: Cut): boolean {
  return cut.message === other.message && cut.start >= other.start && cut.end <= other.end;
}
