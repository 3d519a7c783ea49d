/** The marks around injected memory, by which it is recognised and never stored as a message. */
export const FENCE_OPEN = "<edgewise-memory>";
export const FENCE_CLOSE = "</edgewise-memory>";

/** The name in any case, with anything that a model or a template may have appended. */
const OPEN = /<\s*edgewise-memory\b[^>]{0,200}>/giu;
const CLOSE = /<\s*\/\s*edgewise-memory\s*>/giu;

/** The text without the memory in it. A block without an end goes to the end of the text, and an end without a beginning goes back to the start. */
export function withoutMemory(text: string): string {
  let kept = "";
  let from = 0;
  for (const { start, end } of memorySpans(text)) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}

/** The spans that `withoutMemory` removes, in order, none within another. */
export function memorySpans(text: string): { start: number; end: number }[] {
  if (!/edgewise-memory/iu.test(text)) return [];
  const marks = [
    ...[...text.matchAll(OPEN)].map((match) => ({ at: match.index, end: match.index + match[0].length, opens: true })),
    ...[...text.matchAll(CLOSE)].map((match) => ({ at: match.index, end: match.index + match[0].length, opens: false })),
  ].sort((a, b) => a.at - b.at);
  let spans: { start: number; end: number }[] = [];
  let opened = 0;
  let depth = 0;
  for (const { at, end, opens } of marks) {
    if (opens) {
      if (depth === 0) opened = at;
      depth += 1;
    } else if (depth === 0) {
      spans = [{ start: 0, end }];
    } else {
      depth -= 1;
      if (depth === 0) spans.push({ start: opened, end });
    }
  }
  return depth > 0 ? [...spans, { start: opened, end: text.length }] : spans;
}

/** Text that cannot open or close a fence, for what is put inside one. */
export function fenced(text: string): string {
  return text.replace(/<(\s*(?:\/\s*)?)edgewise-memory/giu, "<$1edgewise memory");
}
