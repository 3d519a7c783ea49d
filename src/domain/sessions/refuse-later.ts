import { refuseSaidLater } from "#core/fields";
import type { EpisodeInput } from "./schemas.ts";

type Times = Pick<EpisodeInput, "occurredAt"> & { messages: readonly Pick<EpisodeInput["messages"][number], "occurredAt">[] };

/** Throws `invalid_input` for the first episode or message that claims to have been said more than a day from now. */
export function refuseLater(episodes: readonly Times[], { now, many }: { now: number; many: boolean }): void {
  for (const [i, { occurredAt, messages }] of episodes.entries()) {
    const path = many ? `episodes[${i}].` : "";
    refuseSaidLater(occurredAt, { now, path: `${path}occurredAt` });
    for (const [j, message] of messages.entries())
      refuseSaidLater(message.occurredAt, { now, path: `${path}messages[${j}].occurredAt` });
  }
}
