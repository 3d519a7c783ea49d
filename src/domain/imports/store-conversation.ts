import { sql } from "drizzle-orm";
import { AppError } from "#core/errors";
import { enqueueRange } from "#domain/jobs";
import { type AppendCtx, type EpisodeInput, importEpisodes } from "#domain/sessions";
import type { NamedUser } from "#domain/tenants";
import type { ConversationToStore } from "./conversation-to-store.ts";
import { toEpisodes } from "./to-episodes.ts";

/** What is stored in one transaction; a longer conversation takes several. */
const EPISODES_A_BATCH = 100;
const CHARACTERS_A_BATCH = 256_000;

/** The import as the storing of a conversation needs it. */
export type Storing = {
  importId: string;
  platform: string;
  user: NamedUser;
  projectId: string | null;
  extraction: "off" | "rules" | "model";
  /** Of the job that will process what the part stores. */
  jobId: string;
};

/**
 * Stores messages at the end of the conversation's session, which is opened if there is none. Everything about them has been checked, so
 * that only a failure of the service can leave a part of them stored; sending them again then stores the rest.
 *
 * @throws not_found and conflict, as `importEpisodes` does, before anything is stored.
 */
export async function storeConversation(
  ctx: AppendCtx,
  { externalId, title, messages }: ConversationToStore,
  storing: Storing & { isNew: boolean },
): Promise<void> {
  const batches = batchesOf(toEpisodes(messages));
  const { importId, platform, user, extraction, jobId } = storing;
  const detail = { importId, platform, episodes: batches.flat().length, messages: messages.length };
  for (const [i, episodes] of batches.entries()) {
    await importEpisodes(ctx, externalId, {
      user,
      // A session that exists stays where it is.
      projectId: storing.isNew && i === 0 ? storing.projectId : null,
      episodes,
      imported: {
        title,
        isRead: extraction !== "off",
        isThere: sql`exists (select 1 from imports i where i.public_id = ${importId} and i.tenant_id = ${ctx.tenantId})`,
        enqueue: ({ from, payload }) =>
          enqueueRange(ctx, { id: jobId, kind: "episodes.import", payload: { extraction }, range: payload, from }),
        audit: i === 0 ? { action: "conversation.imported", detail } : null,
      },
    });
  }
}

function batchesOf(episodes: readonly EpisodeInput[]): EpisodeInput[][] {
  const batches: EpisodeInput[][] = [];
  let characters = 0;
  for (const episode of episodes) {
    const length = episode.messages.reduce((sum, { content }) => sum + content.length, 0);
    const batch = batches.at(-1);
    if (batch === undefined || batch.length >= EPISODES_A_BATCH || characters + length > CHARACTERS_A_BATCH) {
      batches.push([episode]);
      characters = length;
    } else {
      batch.push(episode);
      characters += length;
    }
  }
  return batches;
}

/** Why a conversation could not be stored, in the words of the service; null for a failure after which the part may be sent again. */
export function reasonOf(error: unknown): string | null {
  if (!(error instanceof AppError) || error.code === "internal" || error.code === "upstream_failed") return null;
  if (error.retryAfterSeconds !== undefined) return null;
  return error.message;
}
