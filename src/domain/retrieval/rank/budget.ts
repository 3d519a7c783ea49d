/** Takes entries in rank order while their estimated tokens fit, passing over those that do not; the first is always taken, whatever its size. */
export function withinBudget<T extends { tokens: number }>(entries: readonly T[], maxTokens: number): T[] {
  const taken: T[] = [];
  let left = maxTokens;
  for (const entry of entries) {
    if (entry.tokens > left && taken.length > 0) continue;
    taken.push(entry);
    left -= entry.tokens;
  }
  return taken;
}
