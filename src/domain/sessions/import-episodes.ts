import { requirePermission } from "#core/permission";
import type { NamedUser } from "#domain/tenants";
import { type AppendCtx, append, type Imported } from "./append-episodes.ts";
import { redactEpisode, refuseLater } from "./parse-episodes-input.ts";
import type { EpisodeInput } from "./schemas.ts";

/**
 * Stores episodes of an import as `appendEpisodes` does, all or none, without a job and an audit row of their own. The caller has checked
 * that it may act for the user.
 *
 * @throws not_found for a session or a project that the user does not belong to.
 * @throws conflict for a project that the session is not in, and a full session.
 */
export async function importEpisodes(
  ctx: AppendCtx,
  externalId: string,
  input: { user: NamedUser; projectId: string | null; episodes: readonly EpisodeInput[]; imported: Imported },
): Promise<void> {
  requirePermission(ctx.actor, "write");
  refuseLater(input.episodes, { now: ctx.now(), many: true });
  const redacted = input.episodes.map(redactEpisode);
  await append(ctx, {
    externalId,
    user: input.user,
    speakers: [],
    projectExternalId: input.projectId,
    many: true,
    episodes: redacted.map(({ episode }) => episode),
    redacted: redacted.map(({ kinds }) => kinds),
    imported: input.imported,
  });
}
