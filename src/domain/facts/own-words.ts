const OF_ONES_OWN =
  /favou?r|\bfav|liebling|liebst|pr[eé]f[eé]r|predilect|\b(?:my|our|mine|top|best|rank\w*|mein\w*|mis?|mes|mon|ma)\b|[我最喜愛爱]/iu;

/** Whether a text has one of the words that speak of what is one's own and liked: a list of favourites has, and most messages have none. */
export function speaksOfOwn(text: string): boolean {
  return OF_ONES_OWN.test(text);
}
