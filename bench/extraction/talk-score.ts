/** A message after it was read: whether there is something to keep, the words that each of its facts needs, and what was stored from it. */
export type ReadMessage = {
  lang: string;
  keep: boolean;
  facts: readonly (readonly string[])[];
  stored: readonly string[];
};

export type TalkCounts = {
  messages: number;
  facts: number;
  /** Facts of which one stored content has all words. */
  kept: number;
  stored: number;
  /** Stored contents with any word of any fact of their message. */
  right: number;
  /** Messages with nothing to keep, and those of them from which something was stored. */
  nothing: number;
  storedFromNothing: number;
};

/** Compares without regard to case. */
export function scoreTalk(messages: readonly ReadMessage[]): TalkCounts {
  const counts = { messages: 0, facts: 0, kept: 0, stored: 0, right: 0, nothing: 0, storedFromNothing: 0 };
  for (const { keep, facts, stored } of messages) {
    counts.messages += 1;
    counts.facts += facts.length;
    counts.kept += facts.filter((words) => stored.some((content) => words.every((word) => has(content, word)))).length;
    counts.stored += stored.length;
    counts.right += stored.filter((content) => facts.some((words) => words.some((word) => has(content, word)))).length;
    if (keep) continue;
    counts.nothing += 1;
    if (stored.length > 0) counts.storedFromNothing += 1;
  }
  return counts;
}

/** English, all others together, then each of the others; groups without messages are left out. */
export function byLanguage<T extends { lang: string }>(messages: readonly T[]): [name: string, messages: T[]][] {
  const others = [...new Set(messages.map(({ lang }) => lang))].filter((lang) => lang !== "en").sort();
  const groups: [string, T[]][] = [
    ["en", messages.filter(({ lang }) => lang === "en")],
    ["other", messages.filter(({ lang }) => lang !== "en")],
    ...others.map((name): [string, T[]] => [name, messages.filter(({ lang }) => lang === name)]),
  ];
  return groups.filter(([, of]) => of.length > 0);
}

/**
 * The chance that a message with something to keep scores higher than one without: the area under the ROC curve, ties counted as half (Mann
 * and Whitney). NaN where there is no message of a kind.
 */
export function areaUnderCurve(scored: readonly { score: number; isKept: boolean }[]): number {
  const sorted = scored.toSorted((a, b) => a.score - b.score);
  let [ranks, kept] = [0, 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1;
    const keptHere = sorted.slice(from, to).filter(({ isKept }) => isKept).length;
    ranks += (keptHere * (from + 1 + to)) / 2;
    kept += keptHere;
    from = to;
  }
  return (ranks - (kept * (kept + 1)) / 2) / (kept * (sorted.length - kept));
}

export function share(part: number, of: number): string {
  return of === 0 ? "" : (part / of).toFixed(3);
}

/** Whether a text has a word, regardless of case. */
export function has(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}
