import { asksToForget } from "#core/language/forget-requests";
import { sentencesOf } from "#core/language/sentences";
import { isRedacted, type Span } from "#core/text/redacted";
import { type Cut, type EpisodeWords, redactWords } from "#domain/sessions";
import { isOwnMessage, type Owner } from "./own-words.ts";
import { lostWords, tellingWords } from "./words-of.ts";

/** A sentence elsewhere repeats what was redacted if it has so many of its words, and this share of them or of its own. */
const REPEATED_WORDS = 2;
const REPEATED_SHARE = 0.6;

/**
 * What is said again in the owner's messages of these episodes, by the owner or only by the assistant in answers. In what directly follows the
 * words or the request, the assistant's sentence with any one of the words goes.
 */
export function echoesOf(
  episodes: readonly EpisodeWords[],
  cuts: ReadonlyMap<EpisodeWords, readonly Cut[]>,
  { owner, asking, by }: { owner: Owner; asking: number | null; by: "anyone" | "assistant" },
): Map<EpisodeWords, Cut[]> {
  const all = new Map<EpisodeWords, Cut[]>([...cuts].map(([episode, of]) => [episode, [...of]]));
  const lost = new Set(
    [...cuts].flatMap(([episode, of]) =>
      [...lostWords(episode, redactWords(episode, of)).words].filter((word) => word.length > 1),
    ),
  );
  const direct = new Set([...(asking === null ? [] : [asking]), ...[...cuts.keys()].map(({ id }) => id)]);
  for (const episode of episodes) {
    for (const [message, { role, text }] of episode.messages.entries()) {
      const isCut = (cuts.get(episode) ?? []).some((cut) => cut.message === message);
      if (isCut || isRedacted(text) || !isOwnMessage(episode, message, owner)) continue;
      if (role === "user" && (by === "assistant" || episode.id === asking || asksToForget(text))) continue;
      const needed = role === "assistant" && direct.has(episode.id) ? 1 : REPEATED_WORDS;
      const spans = sentencesOf(text).filter((sentence) => repeats(text, sentence, { lost, needed }));
      if (spans.length > 0)
        all.set(episode, [...(all.get(episode) ?? []), ...spans.map(({ start, end }) => ({ message, start, end }))]);
    }
  }
  return all;
}

function repeats(text: string, { start, end }: Span, { lost, needed }: { lost: ReadonlySet<string>; needed: number }): boolean {
  const said = tellingWords(text.slice(start, end));
  const same = [...said].filter((word) => lost.has(word)).length;
  if (same < needed) return false;
  return needed === 1 || same >= Math.min(said.size, lost.size) * REPEATED_SHARE;
}
