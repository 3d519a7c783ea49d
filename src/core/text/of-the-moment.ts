/** Words that tie a statement to the moment in which it is said, in English, German, Spanish, French and Chinese. */
const MOMENT_WORDS =
  /(?<![\p{L}\p{N}])(?:right now|just now|at the moment|for now|in a (?:minute|moment|second|sec|bit)|gerade|gleich|im moment|momentan|heute|ahora mismo|en este momento|de momento|hoy|en ce moment|pour l'instant|tout de suite|aujourd[’']hui|today|tonight|this (?:morning|afternoon|evening))(?![\p{L}\p{N}])|现在|马上|接下来|此刻|今天|今晚/iu;

/** What somebody does or where they are at that moment: "is presenting next", "are in the lobby now", "ist als Nächste dran". */
const MOMENT_ACTIONS =
  /(?<![\p{L}\p{N}])(?:(?:is|are|am|be|i[’']m|(?:he|she|it|that|who)[’']s|(?:we|you|they)[’']re) (?:\S{1,40} ){0,6}(?:next|now|soon)(?![\p{L}\p{N}])|als nächste[rs]? |el siguiente|la siguiente|a continuación|est (?:le|la) prochaine?)/iu;

/** Types of statements about the current state. */
const MOMENT_TYPES: ReadonlySet<string> = new Set(["context", "observation"]);

/**
 * Whether a statement is about the moment in which it is said ("Bob is presenting next"), and so of little use elsewhere. It reads
 * words, not meaning: "is moving to Rome soon" counts too.
 */
export function isOfTheMoment({ content, type }: { content: string; type: string }): boolean {
  return MOMENT_TYPES.has(type) || MOMENT_WORDS.test(content) || MOMENT_ACTIONS.test(content);
}
