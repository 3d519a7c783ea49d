import { trimEnds } from "#core/text/trim-ends";
import type { Block } from "./blocks.ts";
import { checkCharacters } from "./bounds.ts";
import { NO_OUTLINE, type Outline, shortHeading, withHeading } from "./headings.ts";

/** Where a stretch of text begins: on a line of its own, or in a paragraph of its own. */
export type Break = "line" | "paragraph";

/** Puts the text of a page together, by sections under their headings. */
export class HtmlSections {
  readonly #blocks: Block[] = [];
  #outline: Outline = NO_OUTLINE;
  #parts: string[] = [];
  #pending = "";
  #heading: { level: number; parts: string[] } | null = null;
  #characters = 0;
  #firstHeading: string | null = null;
  /** The row of a table that is open, and whether it has text. */
  #row: { hasText: boolean } | null = null;
  /** A cell has begun and has no text yet: a paragraph in it begins no line. */
  #isCellStart = false;

  get firstHeading(): string | null {
    return this.#firstHeading;
  }

  /** Text as a browser would show it: white space is one blank, except in preformatted text. */
  addText(text: string, isPreformatted: boolean): void {
    const shown = isPreformatted ? text : text.replace(/[ \t\n\f\r]+/g, " ");
    const isStart = this.#parts.length === 0 || this.#pending.includes("\n") || this.#endsInWhiteSpace();
    const added = isPreformatted || !isStart ? shown : shown.replace(/^ /, "");
    if (added === "") return;
    this.#characters += added.length;
    checkCharacters(this.#characters);
    if (this.#parts.length > 0) this.#parts.push(this.#pending);
    this.#pending = "";
    this.#parts.push(added);
    this.#isCellStart = false;
    if (this.#row !== null) this.#row.hasText = true;
    this.#heading?.parts.push(added);
  }

  #endsInWhiteSpace(): boolean {
    return this.#pending !== "" || /\s/.test(this.#parts.at(-1)?.at(-1) ?? "");
  }

  addBreak(kind: Break): void {
    const lines = kind === "paragraph" ? "\n\n" : "\n";
    if (!this.#isCellStart && !this.#pending.startsWith(lines)) this.#pending = lines;
    this.#heading?.parts.push(" ");
  }

  openRow(): void {
    this.#isCellStart = false;
    this.addBreak("line");
    this.#row = { hasText: false };
  }

  /** Between the cells of a row, also where they hold paragraphs. */
  addCell(): void {
    const isNext = this.#row === null ? this.#parts.length > 0 && !this.#pending.includes("\n") : this.#row.hasText;
    if (isNext) this.#pending = " | ";
    this.#isCellStart = true;
  }

  closeRow(): void {
    this.#isCellStart = false;
    if (this.#row?.hasText === true) this.#pending = "\n";
    else this.addBreak("line");
    this.#row = null;
  }

  openHeading(level: number): void {
    this.closeHeading();
    this.#closeSection();
    this.#heading = { level, parts: [] };
  }

  closeHeading(): void {
    if (this.#heading === null) return;
    const text = shortHeading(this.#heading.parts.join(""));
    if (text !== "") {
      this.#outline = withHeading(this.#outline, this.#heading.level, text);
      this.#firstHeading ??= text;
    }
    this.#heading = null;
    this.addBreak("paragraph");
  }

  #closeSection(): void {
    const text = this.#parts.join("").split("\n").map(withoutBlanks).join("\n").trim();
    if (text !== "") this.#blocks.push({ text, headings: this.#outline.headings, page: null });
    [this.#parts, this.#pending] = [[], ""];
  }

  end(): Block[] {
    this.closeHeading();
    this.#closeSection();
    return this.#blocks;
  }
}

const BLANK: ReadonlySet<string> = new Set(" ");

function withoutBlanks(line: string): string {
  return trimEnds(line, { end: BLANK });
}
