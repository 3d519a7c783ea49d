/** How deep brackets nest in a text of JSON, without parsing it. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  // A string without an end reaches to the end of the text: searched again from each of its quotes, it would take the square of the time.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.?)*(?:"|$)|[[\]{}]/gs)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    else if (token === "]" || token === "}") depth--;
  }
  return deepest;
}

export type Size = { characters: number; depth: number };

/** About how long a value is when printed, and how deep it nests; null as soon as it is longer than `most`. */
export function sizeWithin(value: unknown, most: number): Size | null {
  let left = most;
  const depthBelow = (inner: unknown): number => {
    left -= typeof inner === "string" ? inner.length + 2 : 5;
    if (left < 0 || typeof inner !== "object" || inner === null) return 0;
    let deepest = 0;
    for (const key in inner) {
      if (left < 0) return 0;
      left -= Array.isArray(inner) ? 1 : key.length + 4;
      deepest = Math.max(deepest, depthBelow(Reflect.get(inner, key)));
    }
    return deepest + 1;
  };
  const depth = depthBelow(value);
  return left < 0 ? null : { characters: most - left, depth };
}
