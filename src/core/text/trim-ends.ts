type Ends = { start?: ReadonlySet<string>; end?: ReadonlySet<string> };

/** A text without these characters at its ends. They are skipped one by one: a pattern takes quadratic time over a long run of them. */
export function trimEnds(text: string, { start, end }: Ends): string {
  let [from, to] = [0, text.length];
  while (start !== undefined && from < to && start.has(text.charAt(from))) from += 1;
  while (end !== undefined && to > from && end.has(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
