import { trimEnds } from "#core/text/trim-ends";
import type { Block, ReadSlice } from "./blocks.ts";
import { NO_OUTLINE, type Outline, shortHeading, withHeading } from "./headings.ts";
import { headingInHtml } from "./read-html.ts";
import { wholeDocument } from "./read-text.ts";

/** ATX headings of CommonMark, without the number signs that may close them. */
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;

/** Sections under their headings; the text stays Markdown. */
export function readMarkdown(text: string): ReadSlice {
  const { title, matter, body } = frontMatter(text);
  const blocks: Block[] = [{ text: matter.trim(), headings: [], page: null }];
  let outline: Outline = NO_OUTLINE;
  let section: string[] = [];
  let fence: string | null = null;
  let firstHeading: string | null = null;
  const close = () => {
    blocks.push({ text: section.join("\n").trim(), headings: outline.headings, page: null });
    section = [];
  };
  const open = (level: number, heading: string) => {
    close();
    firstHeading ??= heading;
    outline = heading === "" ? outline : withHeading(outline, level, heading);
  };
  const lines = body.split("\n");
  for (const [i, line] of lines.entries()) {
    fence = fenceAfter(fence, line);
    const atx = fence === null ? ATX.exec(line) : null;
    const under = fence === null && atx === null ? UNDERLINE.exec(line) : null;
    const above = under === null ? undefined : section.at(-1);
    const html = fence === null && line.includes("<") ? htmlHeading(lines, i) : null;
    if (html !== null) open(html.level, html.text);
    else if (atx !== null) open(atx[1]?.length ?? 1, plainHeading(atx[2] ?? ""));
    else if (above !== undefined && isParagraphLine(above, section.at(-2))) {
      section.pop();
      open(under?.[1]?.startsWith("=") === true ? 1 : 2, plainHeading(above));
      section.push(above);
    }
    section.push(line);
  }
  close();
  return wholeDocument(title ?? firstHeading, blocks);
}

/** A heading in HTML, which begins a line or stands behind other tags that do. */
const HTML_HEADING = /^ {0,3}(?:<(?!h[1-6][\s>])[^<>]{1,200}>){0,5}<h([1-6])[\s>]/i;
/** Of one heading, as of a logo with a name below it. */
const HEADING_LINES = 20;
const HEADING_CHARACTERS = 2_000;

function htmlHeading(lines: readonly string[], from: number): { level: number; text: string } | null {
  const level = HTML_HEADING.exec(lines[from] ?? "")?.[1];
  if (level === undefined) return null;
  const after = lines.slice(from, from + HEADING_LINES);
  const end = after.findIndex((line) => line.trim() === "" || line.toLowerCase().includes(`</h${level}`));
  const text = headingInHtml(
    after
      .slice(0, end === -1 ? after.length : end + 1)
      .join("\n")
      .slice(0, HEADING_CHARACTERS),
  );
  return text === null ? null : { level: Number(level), text };
}

/** The fence of the code block that is open after a line, or null. */
function fenceAfter(open: string | null, line: string): string | null {
  const fence = FENCE.exec(line)?.[1];
  if (fence === undefined) return open;
  if (open === null) return fence;
  return fence[0] === open[0] && fence.length >= open.length && line.trim() === fence ? null : open;
}

/** A line that an underline makes a heading: text, alone in its paragraph, and no list, quotation or table. */
function isParagraphLine(line: string, before: string | undefined): boolean {
  return /^ {0,3}[^\s>#|*+-]/.test(line) && (before === undefined || before.trim() === "");
}

const CLOSING: ReadonlySet<string> = new Set("#");

/** Without the number signs that may close a heading, which have a blank before them. */
function withoutClosing(heading: string): string {
  const text = trimEnds(heading, { end: CLOSING });
  return text === "" || /[ \t]$/.test(text) ? text.trimEnd() : heading;
}

/** Without the marks of emphasis, code and links. */
function plainHeading(source: string): string {
  const text = withoutClosing(shortHeading(source))
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/[*_`]+/g, (marks, at: number, whole: string) => (isInsideWord(whole, at, marks.length) ? marks : ""));
  return text.trim();
}

function isInsideWord(text: string, at: number, length: number): boolean {
  return /\w/.test(text[at - 1] ?? "") && /\w/.test(text[at + length] ?? "");
}

/** A plain `title` in YAML between lines of three hyphens at the start. The YAML stays text of the document. */
function frontMatter(text: string): { title: string | null; matter: string; body: string } {
  const none = { title: null, matter: "", body: text };
  if (!text.startsWith("---\n")) return none;
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(3));
  if (end === null) return none;
  const matter = text.slice(3, 3 + end.index);
  if (!/^[\w-]+[ \t]*:/m.test(matter)) return none;
  const title = /^title[ \t]*:[ \t]*(.+)$/im.exec(matter)?.[1]?.trim();
  const plain = title?.replace(/^(["'])(.*)\1$/, "$2") ?? "";
  return { title: plain === "" ? null : shortHeading(plain), matter, body: text.slice(3 + end.index + end[0].length) };
}
