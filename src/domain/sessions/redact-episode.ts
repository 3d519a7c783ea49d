import { redactSecrets, type SecretKind } from "#core/safety/find-secrets";
import { storable } from "#core/text/normalize";
import type { EpisodeInput } from "./schemas.ts";

/** An episode as it may be stored: its texts and speakers without secrets, and which kinds there were. */
export function redactEpisode(episode: EpisodeInput): { episode: EpisodeInput; kinds: SecretKind[] } {
  const kinds = new Set<SecretKind>();
  const redacted = (text: string): string => {
    const found = redactSecrets(storable(text));
    for (const kind of found.kinds) kinds.add(kind);
    return found.text;
  };
  const messages = episode.messages.map((message) => ({
    ...message,
    content: redacted(message.content),
    ...(message.speaker === undefined ? {} : { speaker: redacted(message.speaker) }),
  }));
  return { episode: { ...episode, messages }, kinds: [...kinds] };
}
