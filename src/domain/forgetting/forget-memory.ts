import { retryLostRace } from "#core/retry-lost-race";
import { read } from "#db/client";
import { loadForgettable, type NewSession, type StoredMemory, type Writer } from "#domain/memories";
import { userIdOf } from "#domain/tenants";
import { carryOut, type ForgetCtx } from "./carry-out.ts";
import { findGone, findOwner, type Gone, toOwner } from "./find-source.ts";
import type { Owner } from "./own-words.ts";
import type { ForgetInput, ForgottenView } from "./schemas.ts";
import { cutsStating, findStatingEpisodes } from "./stated-words.ts";

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

const NOTHING: Gone = { rewritten: [], memories: [], facts: [], versions: [], persons: [], extractedAgain: [] };

/** The words of the writer that a memory was learned from, and what else they told. */
async function findSource(
  ctx: ForgetCtx,
  { writer, memory, keepSource }: { writer: Writer; memory: StoredMemory; keepSource: boolean },
): Promise<{ owner: Owner | null; gone: Gone }> {
  if (keepSource || writer.user === null || memory.episodeId === null) return { owner: null, gone: NOTHING };
  const { content, episodeId } = memory;
  const {
    owner: [user],
    episodes,
  } = await read(ctx, {
    owner: findOwner(ctx, writer.user),
    episodes: findStatingEpisodes(ctx, writer.user, { episodeId }),
  });
  if (user === undefined) return { owner: null, gone: NOTHING };
  const owner = toOwner(user);
  const cuts = cutsStating(episodes, { content, episodeId }, owner);
  return { owner, gone: await findGone(ctx, { writer, owner, memories: [memory], ids: [] }, cuts) };
}
