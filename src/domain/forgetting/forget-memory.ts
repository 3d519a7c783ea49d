import { sql } from "drizzle-orm";
import { retryLostRace } from "#core/retry-lost-race";
import { read } from "#db/client";
import { loadForgettable, type NewSession, type StoredMemory, type Writer } from "#domain/memories";
import { type Cut, type EpisodeWords, findEpisodeWords, firstChunkOf, sessionOf } from "#domain/sessions";
import { userIdOf } from "#domain/tenants";
import { carryOut, type ForgetCtx } from "./carry-out.ts";
import { echoesOf } from "./echoes.ts";
import { findGone, findOwner, type Gone, toOwner } from "./find-source.ts";
import { isOwnMessage, type Owner } from "./own-words.ts";
import type { ForgetInput, ForgottenView } from "./schemas.ts";
import { spansStating } from "./words-of.ts";

/**
 * Forgets a memory: no read returns it from now on. With it go, unless `keepSource` says otherwise, the words of the writer that it was
 * learned from and what else was learned from them. Without words to go, the memory was wrong: what it replaced is current again. It can be
 * undone until it is purged.
 * @throws forbidden for a user who may see it but not forget it.
 * @throws not_found for anybody else.
 * @throws conflict if concurrent calls keep changing the same.
 */
export async function forgetMemory(
  ctx: ForgetCtx,
  memoryId: string,
  { keepSource, ...place }: ForgetInput & NewSession,
): Promise<ForgottenView> {
  const message = "What it was learned from is being changed by others at the same moment. Try again.";
  return await retryLostRace(ctx, message, async () => {
    const { writer, memory } = await loadForgettable(ctx, memoryId, place);
    const { workspaceId } = memory;
    const keepsWords = keepSource === "true";
    const { owner, gone } = await findSource(ctx, { writer, memory, keepSource: keepsWords });
    const outcome = await carryOut(ctx, {
      writer,
      userId: owner?.userId ?? null,
      ...{ ...gone, extractedAgain: [], hidden: [], askedBy: { memory: memoryId } },
      bringsBack: keepsWords || memory.episodeId === null,
      memories: [memory, ...gone.memories.filter(({ id }) => id !== memory.id)],
      audit: ({ detail }) => ({
        ...{ action: "memory.forgotten", objectId: memoryId, userId: userIdOf(ctx.tenantId, writer.user), workspaceId, detail },
      }),
    });
    return outcome === "known" ? "lost" : outcome;
  });
}

/** Episodes, from that of the words on, in which the assistant may repeat them. */
const EPISODES_AFTER = 4;

const NOTHING: Gone = { rewritten: [], memories: [], facts: [], versions: [], persons: [], extractedAgain: [] };

/** The words of the writer that a memory was learned from, and what else they told. */
async function findSource(
  ctx: ForgetCtx,
  { writer, memory, keepSource }: { writer: Writer; memory: StoredMemory; keepSource: boolean },
): Promise<{ owner: Owner | null; gone: Gone }> {
  if (keepSource || writer.user === null || memory.episodeId === null) return { owner: null, gone: NOTHING };
  const {
    owner: [user],
    episodes,
  } = await read(ctx, {
    owner: findOwner(ctx, writer.user),
    episodes: findEpisodeWords(
      ctx,
      writer.user,
      sql`e.id in (
        select f.id from episodes f where f.id >= ${memory.episodeId} and f.id < ${firstChunkOf(sessionOf(memory.episodeId) + 1)}
        order by f.id limit ${EPISODES_AFTER})`,
    ),
  });
  const episode = episodes.find(({ id }) => id === memory.episodeId);
  if (user === undefined || episode === undefined) return { owner: null, gone: NOTHING };
  const owner = toOwner(user);
  const cuts = new Map([[episode, cutsOf(episode, memory.content, owner)]]);
  return { owner, gone: await findGone(ctx, { writer, owner, ids: [] }, echoesOf(episodes, cuts, { owner, asking: null })) };
}

/** The parts of the owner's own messages that state it. */
function cutsOf(episode: EpisodeWords, content: string, owner: Owner): Cut[] {
  return episode.messages.flatMap(({ role, text }, message) =>
    role === "user" && isOwnMessage(episode, message, owner)
      ? spansStating(text, content).map((span) => ({ message, ...span }))
      : [],
  );
}
