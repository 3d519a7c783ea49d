import { Parser } from "htmlparser2";
import { UnreadableFile } from "./unreadable-file.ts";

/** What says nothing about text, headings, lists or tables; each has what is inside it. */
const DROPPED: ReadonlySet<string> = new Set(
  `w:rPr w:proofErr w:bookmarkStart w:bookmarkEnd w:lastRenderedPageBreak w:spacing w:tabs w:keepNext w:keepLines w:widowControl w:pBdr w:shd
  w:contextualSpacing w:jc w:sectPr w:tblGrid w:tblBorders w:tblCellMar w:tcW w:tcBorders w:tcMar w:noWrap w:vAlign`.split(/\s+/),
);
/** Ids of editing sessions and of paragraphs. */
const IDS = / (?:w:rsid\w*|w14:(?:para|text)Id)\s*=\s*(?:"[^"]*"|'[^']*')/g;
/** Bytes that the parser gets at a time. */
const STEP_BYTES = 64 * 1024;

/** Elements within each other; Word makes a few dozen. The parser's work grows with the square of their number. */
const MAX_DEPTH = 1_000;

/** Ranges of bytes, in their order and apart from each other. Two lists of numbers, because there can be a million. */
type Cuts = { starts: number[]; ends: number[] };

/**
 * The XML of a Word document without its looks, and with neighbouring texts as one: what mammoth would keep a tree of. All else stays byte for
 * byte. A paragraph's mark that says that the paragraph was deleted is kept. Linear. What does not have
 * Word's usual prefix, or is no UTF-8, stays as it is.
 * @throws UnreadableFile if more elements are within each other than in any document of Word
 */
export function shortenWordXml(xml: Uint8Array): Uint8Array {
  return without(xml, cutsIn(xml));
}

function cutsIn(xml: Uint8Array): Cuts {
  const cuts: Cuts = { starts: [], ends: [] };
  const cut = (start: number, end: number) => {
    // An element that never ends.
    if (end > xml.length) return;
    while ((cuts.starts.at(-1) ?? -1) >= start) {
      cuts.starts.pop();
      cuts.ends.pop();
    }
    cuts.starts.push(start);
    cuts.ends.push(end);
  };
  // A byte is one character, so places in the text are those of bytes; names of elements and the marks around them are ASCII.
  const decoder = new TextDecoder("latin1");
  let dropped: { start: number; depth: number; isKept: boolean } | null = null;
  /** Where the last text ended, if only the borders of runs have followed. */
  let textEnd: number | null = null;
  let depth = 0;
  const parser: Parser = new Parser(
    {
      onopentag: (name) => {
        if (++depth > MAX_DEPTH)
          throw new UnreadableFile("The Word document is broken: its elements are too deep within each other.");
        if (dropped !== null) {
          dropped.depth++;
          if (name === "w:del") dropped.isKept = true;
        } else if (DROPPED.has(name)) dropped = { start: parser.startIndex, depth: 1, isKept: false };
        else if (name === "w:t" && textEnd !== null) cut(textEnd, parser.endIndex + 1);
        else {
          if (name !== "w:r") textEnd = null;
          const tag = decoder.decode(xml.subarray(parser.startIndex, parser.endIndex + 1));
          for (const { 0: id, index } of tag.matchAll(IDS)) cut(parser.startIndex + index, parser.startIndex + index + id.length);
        }
      },
      onclosetag: (name) => {
        depth--;
        if (dropped !== null) {
          if (--dropped.depth > 0) return;
          if (!dropped.isKept) cut(dropped.start, parser.endIndex + 1);
          dropped = null;
        } else if (name === "w:t") textEnd = parser.startIndex;
        else if (name !== "w:r") textEnd = null;
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  for (let at = 0; at < xml.length; at += STEP_BYTES) parser.write(decoder.decode(xml.subarray(at, at + STEP_BYTES)));
  parser.end();
  return cuts;
}

function without(bytes: Uint8Array, { starts, ends }: Cuts): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i <= starts.length; i++) {
    const part = bytes.subarray(ends[i - 1] ?? 0, starts[i]);
    kept.set(part, length);
    length += part.length;
  }
  return kept.slice(0, length);
}
