import { chunkText, countWords, UNITS_PER_CHUNK, WORDS_PER_CHUNK } from "#core/text/chunk";
import { BLOCK_BREAK, type Block, textOf } from "./blocks.ts";

export type DocumentChunk = { text: string; start: number; end: number; page: number | null; headings: readonly string[] };

/** A section of so many words is merged with a neighbour of as few, although another of the upper headings is between them. */
const TINY_WORDS = 50;
/** Sections that share this many of their headings are merged while they fit a chunk. */
const UPPER_HEADINGS = 2;

/** Neighbouring blocks that become one chunk, or, if they are too long for one, several. */
type Group = { start: number; end: number; words: number; page: number | null; headings: readonly string[]; isHeading: boolean };

/**
 * Passages of about 200 words, on the borders of blocks and of sentences. `offset`: characters of the file before these blocks, the break
 * before them included. `start` and `end` are offsets in the file's whole text, which is its blocks joined by BLOCK_BREAK.
 */
export function chunkBlocks(blocks: readonly Block[], offset: number): DocumentChunk[] {
  const whole = textOf(blocks);
  return groupsOf(blocks).flatMap((group) => {
    const text = whole.slice(group.start, group.end);
    return chunkText(text).map((span) => ({
      text: text.slice(span.start, span.end),
      start: offset + group.start + span.start,
      end: offset + group.start + span.end,
      page: group.page,
      headings: group.headings,
    }));
  });
}

function groupsOf(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  let at = 0;
  for (const block of blocks) {
    const group = {
      ...block,
      start: at,
      end: at + block.text.length,
      words: countWords(block.text),
      isHeading: isOnlyHeading(block),
    };
    at = group.end + BLOCK_BREAK.length;
    const last = groups.at(-1);
    const merged = last === undefined ? null : merge(last, group);
    if (merged === null) groups.push(group);
    else groups.splice(-1, 1, merged);
  }
  return groups;
}

/** Null if the two stay apart. Of two sections, the headings that they share remain; the text holds the others. */
function merge(last: Group, next: Group): Group | null {
  if (last.page !== next.page) return null;
  const shared = sharedHeadings(last.headings, next.headings);
  const both = { ...last, end: next.end, words: last.words + next.words, isHeading: last.isHeading && next.isHeading };
  // A heading without text of its own belongs to what follows below it.
  if (last.isHeading && shared.length === last.headings.length) return { ...both, headings: next.headings };
  if (both.words > WORDS_PER_CHUNK || both.end - both.start > UNITS_PER_CHUNK) return null;
  const isSame = shared.length === Math.max(last.headings.length, next.headings.length);
  const areTiny = last.words <= TINY_WORDS && next.words <= TINY_WORDS;
  return isSame || shared.length >= UPPER_HEADINGS || areTiny ? { ...both, headings: shared } : null;
}

function sharedHeadings(one: readonly string[], other: readonly string[]): readonly string[] {
  const differs = one.findIndex((heading, depth) => heading !== other[depth]);
  return differs === -1 ? one : one.slice(0, differs);
}

/** Whether a block is nothing but its own heading, with the marks of Markdown or without. */
function isOnlyHeading({ text, headings }: Block): boolean {
  const own = headings.at(-1);
  return (
    own !== undefined &&
    text
      .replace(/^#+\s+/, "")
      .replace(/\n(?:=+|-+)$/, "")
      .trim() === own
  );
}
