import Papa from "papaparse";
import { countWords, UNITS_PER_CHUNK, WORDS_PER_CHUNK } from "#core/text/chunk";
import type { Block, ReadSlice } from "./blocks.ts";
import { checkCharacters } from "./bounds.ts";
import { shortHeading } from "./headings.ts";
import { wholeDocument } from "./read-text.ts";

const MAX_COLUMNS = 1_000;

/**
 * Every row with the names of its columns, as "Name: Anna; City: Paris", so that it is found by them. Cells are text: one that begins like
 * a formula stays as it is.
 */
export function readCsv(text: string, delimiter: string | null): ReadSlice {
  const rows = createRowWriter();
  const errors = parse(text, { delimiter, quote: '"', row: rows.add });
  if (!errors.includes("MissingQuotes")) return wholeDocument(null, rows.end());
  // A quote that is never closed takes the rest of the file into one cell: then quotes are characters like others.
  const unquoted = createRowWriter();
  parse(text, { delimiter, quote: "\0", row: unquoted.add });
  return wholeDocument(null, unquoted.end());
}

type Parsing = { delimiter: string | null; quote: string; row: (cells: readonly string[]) => void };

/** The codes of the errors. */
function parse(text: string, { delimiter, quote, row }: Parsing): string[] {
  const errors: string[] = [];
  Papa.parse<string[]>(text, {
    delimiter: delimiter ?? "",
    quoteChar: quote,
    skipEmptyLines: true,
    step: (result) => {
      errors.push(...result.errors.slice(0, 1).map(({ code }) => code));
      row(result.data);
    },
  });
  return errors;
}

/** Takes the rows one by one: the first names the columns if it looks like names. */
function createRowWriter() {
  const blocks: Block[] = [];
  let names: readonly string[] | null = null;
  let lines: string[] = [];
  let length = 0;
  let words = 0;
  let characters = 0;
  const flush = () => {
    blocks.push({ text: lines.join("\n"), headings: [], page: null });
    [lines, length, words] = [[], 0, 0];
  };
  const write = (cells: readonly string[]) => {
    const line = lineOf(cells, names ?? []);
    characters += line.length + 1;
    checkCharacters(characters);
    const lineWords = countWords(line);
    if (words + lineWords > WORDS_PER_CHUNK || length + line.length > UNITS_PER_CHUNK) flush();
    length += line.length + 1;
    words += lineWords;
    lines.push(line);
  };
  return {
    add(cells: readonly string[]): void {
      const isFirst = names === null;
      names ??= areNames(cells) ? cells.slice(0, MAX_COLUMNS).map(shortHeading) : [];
      if (!isFirst || names.length === 0) write(cells);
    },
    end(): Block[] {
      if (blocks.length === 0 && lines.length === 0 && names !== null) lines.push(names.join("; "));
      flush();
      return blocks;
    },
  };
}

/** Names of columns: no number among them, and none twice. */
function areNames(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return names.length > 0 && new Set(names).size === names.length && !names.some((name) => /^[\d\s.,:/+-]+$/.test(name));
}

function lineOf(cells: readonly string[], names: readonly string[]): string {
  return cells
    .flatMap((cell, column) => {
      const value = cell.replace(/\s+/g, " ").trim();
      const name = names[column] ?? "";
      return value === "" ? [] : [name === "" ? value : `${name}: ${value}`];
    })
    .join("; ");
}
