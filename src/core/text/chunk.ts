export type Span = { start: number; end: number };

/** Of a passage that is cut out of a longer text. */
export const WORDS_PER_CHUNK = 200;
/** A text of up to so many words stays whole, and so does a remainder that would be too short by itself. */
const WORDS_UNCUT = 240;
/** UTF-16 units. */
export const UNITS_PER_CHUNK = 2_000;
/** The last sentence is repeated at the start of the next chunk if it has no more words than this. */
const OVERLAP_WORDS = 40;

const SENTENCES = new Intl.Segmenter("und", { granularity: "sentence" });
const WORDS = new Intl.Segmenter("und", { granularity: "word" });

const LETTERS = /[\p{L}\p{M}\p{N}'’]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

type Piece = Span & { words: number };

/**
 * Passages of about 200 words on sentence borders, each repeating the last sentence of the one before. Offsets are UTF-16 units; white space
 * around a passage is left out, all else is covered. Words are those of UAX #29, in any script. Blank text has no passage.
 */
export function chunkText(text: string): Span[] {
  const pieces = sentencePieces(text);
  const chunks: Span[] = [];
  let left = pieces.reduce((sum, piece) => sum + piece.words, 0);
  let unread = pieces.length === 0 ? 0 : text.length;
  for (let first = 0, from = 0; from < pieces.length; ) {
    const whole = left <= WORDS_UNCUT && unread <= UNITS_PER_CHUNK;
    const until = whole ? pieces.length : chunkEnd(pieces, from, first);
    push(chunks, text, pieces[first]?.start ?? 0, pieces[until - 1]?.end ?? text.length);
    for (; from < until; from++) left -= pieces[from]?.words ?? 0;
    unread = text.length - (pieces[until - 1]?.end ?? text.length);
    const last = pieces[until - 1];
    first = last !== undefined && last.words <= OVERLAP_WORDS && until - 1 > first ? until - 1 : until;
  }
  return chunks;
}

/** One past the last piece of the chunk whose overlap starts at `first` and whose new text starts at `from`: at least one new piece. */
function chunkEnd(pieces: readonly Piece[], from: number, first: number): number {
  const start = pieces[first]?.start ?? 0;
  let words = 0;
  for (let i = first; i < from; i++) words += pieces[i]?.words ?? 0;
  let until = from;
  for (; until < pieces.length; until++) {
    const piece = pieces[until];
    if (piece === undefined) break;
    words += piece.words;
    if (until > from && (words > WORDS_PER_CHUNK || piece.end - start > UNITS_PER_CHUNK)) break;
  }
  return until;
}

function push(chunks: Span[], text: string, start: number, end: number): void {
  const inner = text.slice(start, end);
  const lead = inner.length - inner.trimStart().length;
  const trimmed = inner.trim().length;
  if (trimmed > 0) chunks.push({ start: start + lead, end: start + lead + trimmed });
}

/** Sentences, of which those too long for a chunk are cut between words. */
function sentencePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { segment, index } of SENTENCES.segment(text)) {
    if (segment.trim() === "") continue;
    const words = countWords(segment);
    const fits = words <= WORDS_PER_CHUNK && segment.length <= UNITS_PER_CHUNK;
    if (fits) pieces.push({ start: index, end: index + segment.length, words });
    else pieces.push(...cutSentence(text, index, segment));
  }
  return pieces;
}

/** Letters in a row are a word, except in scripts without spaces, where a dictionary decides. */
export function countWords(sentence: string): number {
  if (!UNSPACED.test(sentence)) return sentence.match(LETTERS)?.length ?? 0;
  let words = 0;
  for (const { isWordLike } of WORDS.segment(sentence)) if (isWordLike === true) words++;
  return words;
}

function cutSentence(text: string, index: number, sentence: string): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece = { start: index, end: index, words: 0 };
  for (const word of WORDS.segment(sentence)) {
    const end = index + word.index + word.segment.length;
    if (piece.words >= WORDS_PER_CHUNK || end - piece.start > UNITS_PER_CHUNK) {
      if (piece.end > piece.start) pieces.push(piece);
      piece = { start: piece.end, end: piece.end, words: 0 };
    }
    for (; end - piece.start > UNITS_PER_CHUNK; piece = { start: piece.end, end: piece.end, words: 0 }) {
      piece.end = betweenCharacters(text, piece.start + UNITS_PER_CHUNK);
      pieces.push({ ...piece, words: 1 });
    }
    piece.end = end;
    if (word.isWordLike === true) piece.words++;
  }
  return [...pieces, piece];
}

function betweenCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
