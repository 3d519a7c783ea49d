import { Parser } from "htmlparser2";
import { storable } from "#core/text/normalize";
import { type ReadSlice, textOf } from "./blocks.ts";
import { MAX_FILE_BYTES } from "./bounds.ts";
import { decodeText } from "./decode-text.ts";
import { shortHeading } from "./headings.ts";
import { type Break, HtmlSections } from "./html-sections.ts";
import { wholeDocument } from "./read-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** Characters that are parsed at a time, so that a page that is too long is refused early. */
const STEP_CHARACTERS = 256 * 1024;
/** Bytes in which a page must name its encoding, as HTML requires. */
const CHARSET_BYTES = 1024;
/** Browsers allow 512 elements in each other. The parser takes time for each level, so that more would take the square of it. */
const MAX_DEPTH = 1_000;

/** What no reader sees. */
const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "textarea", "select"]);
const BREAKS: ReadonlyMap<string, Break> = new Map([
  ...breaks("line", "br li caption"),
  ...breaks(
    "paragraph",
    "address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form",
  ),
  ...breaks("paragraph", "header hr main ol p pre section summary table ul"),
]);

function breaks(kind: Break, names: string): [string, Break][] {
  return names.split(" ").map((name) => [name, kind]);
}

/** The text of a page by its headings, without scripts, styles and navigation. */
export function readHtml(bytes: Uint8Array): ReadSlice {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, CHARSET_BYTES));
  return readHtmlText(decodeText(bytes, { declared: charsetIn(start), maxCharacters: MAX_FILE_BYTES }));
}

/** The encoding that a page names for itself. */
function charsetIn(start: string): string | null {
  for (const [tag] of start.matchAll(/<meta\b[^>]*/gi)) {
    const [, name] = /\bcharset\s*=\s*["']?([\w:.-]+)/i.exec(tag) ?? [];
    if (name !== undefined) return name;
  }
  return null;
}

/** @throws UnreadableFile if elements nest too deep, or for more text than is read */
export function readHtmlText(html: string): ReadSlice {
  const page = readPage(html, { navigation: false });
  // A navigation that never ends leaves out everything.
  return page.blocks.length > 0 ? page : readPage(html, { navigation: true });
}

/** The text of a piece of HTML as documents have it; null for HTML that is not read. */
export function htmlToText(html: string): string | null {
  try {
    return textOf(readHtmlText(html).blocks);
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

/** The text of the first heading in a piece of HTML that has some; null for none. */
export function headingInHtml(html: string): string | null {
  try {
    return readHtmlText(html).title;
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

/** Elements whose content is read in another way, and how many elements were open before each. */
type Within = Record<"leftOut" | "preformatted" | "title", number | null>;

function readPage(html: string, reads: { navigation: boolean }): ReadSlice {
  const sections = new HtmlSections();
  const title: string[] = [];
  const within: Within = { leftOut: null, preformatted: null, title: null };
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (depth >= MAX_DEPTH) throw new UnreadableFile("The HTML has more than 1,000 elements in each other.");
      const isLeftOut = HIDDEN.has(name) || "hidden" in attributes || (!reads.navigation && isNavigation(name, attributes));
      if (isLeftOut) within.leftOut ??= depth;
      else if (name === "title") within.title ??= depth;
      else if (name === "pre") within.preformatted ??= depth;
      depth++;
      if (within.leftOut === null) open(name, sections);
    },
    onclosetag(name) {
      depth--;
      if (within.leftOut === null) close(name, sections);
      for (const kind of ["leftOut", "preformatted", "title"] as const)
        if (within[kind] !== null && depth <= within[kind]) within[kind] = null;
    },
    ontext(text) {
      if (within.leftOut !== null) return;
      if (within.title !== null) title.push(text);
      else sections.addText(storable(text), within.preformatted !== null);
    },
  });
  for (let at = 0; at < html.length; at += STEP_CHARACTERS) parser.write(html.slice(at, at + STEP_CHARACTERS));
  parser.end();
  const named = shortHeading(storable(title.join("")));
  const blocks = sections.end();
  return wholeDocument(named === "" ? sections.firstHeading : named, blocks);
}

function isNavigation(name: string, attributes: Readonly<Record<string, string>>): boolean {
  return name === "nav" || attributes.role === "navigation";
}

function open(name: string, sections: HtmlSections): void {
  const level = headingLevel(name);
  if (level !== null) sections.openHeading(level);
  else if (name === "tr") sections.openRow();
  else if (name === "td" || name === "th") sections.addCell();
  const kind = BREAKS.get(name);
  if (kind !== undefined) sections.addBreak(kind);
  if (name === "li") sections.addText("- ", false);
}

function close(name: string, sections: HtmlSections): void {
  if (headingLevel(name) !== null) sections.closeHeading();
  else if (name === "tr") sections.closeRow();
  const kind = BREAKS.get(name);
  if (kind !== undefined && name !== "br") sections.addBreak(kind);
}

function headingLevel(name: string): number | null {
  const level = /^h([1-6])$/.exec(name)?.[1];
  return level === undefined ? null : Number(level);
}
