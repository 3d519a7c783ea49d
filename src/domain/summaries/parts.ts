import { estimateTokens } from "#core/text/estimate-tokens";

/** What one summary covers at most. */
const PART = { tokens: 4_000, episodes: 100 };
/** The share of what it covers that a summary may have, and its bounds. */
const SHARE = 0.2;
const TOKENS = { least: 40, most: 700 };

/** Tokens of what was said in an episode. */
export function tokensOf({ messages }: { messages: readonly { text: string }[] }): number {
  return messages.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

/**
 * How many of a session's episodes, the newest first, the budget keeps as they are: the first that does not fit ends it, and everything
 * older is beyond it.
 */
export function keptWithin(newestFirst: readonly number[], keepTokens: number): number {
  let tokens = 0;
  const at = newestFirst.findIndex((one) => {
    tokens += one;
    return tokens > keepTokens;
  });
  return at < 0 ? newestFirst.length : at;
}

/** Divides episodes, in order, into what one summary each covers. A longer episode is a part of its own. */
export function partsOf<E extends { tokens: number }>(episodes: readonly E[]): E[][] {
  const parts: E[][] = [];
  let tokens = 0;
  for (const episode of episodes) {
    const part = parts.at(-1);
    tokens += episode.tokens;
    if (part !== undefined && tokens <= PART.tokens && part.length < PART.episodes) part.push(episode);
    else {
      parts.push([episode]);
      tokens = episode.tokens;
    }
  }
  return parts;
}

/** How many tokens the summary of so many may have. */
export function roomFor(tokens: number): number {
  return Math.min(TOKENS.most, Math.max(TOKENS.least, Math.floor(tokens * SHARE)));
}
