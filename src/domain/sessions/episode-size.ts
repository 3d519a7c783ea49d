import { AppError } from "#core/errors";
import type { EpisodeDraft } from "./parse-episodes-input.ts";

/** D1 takes 2,000,000 bytes a row and a text; what else a row holds is far less than the rest. */
export const MAX_EPISODE_BYTES = 1_990_000;

/** 413 for an episode that no row can hold. */
export function refuseTooLong(drafts: readonly Pick<EpisodeDraft, "messages" | "chunks">[]): void {
  const encoder = new TextEncoder();
  for (const { messages, chunks } of drafts) {
    const bytes = encoder.encode(JSON.stringify(messages) + JSON.stringify(chunks)).length;
    if (bytes > MAX_EPISODE_BYTES)
      throw new AppError("payload_too_large", `An episode may have ${MAX_EPISODE_BYTES} bytes. Send its messages as several.`);
  }
}
