import { isRecord } from "#core/is-record";
import type { Block, ReadSlice } from "./blocks.ts";
import { checkCharacters } from "./bounds.ts";
import { shortHeading } from "./headings.ts";
import { depthOf, sizeWithin } from "./json-size.ts";
import { readCode } from "./read-code.ts";
import { wholeDocument } from "./read-text.ts";

/** Deeper values are not taken apart: the text is kept as it was written. */
const MAX_DEPTH = 100;
/** Integers that a double may not hold: the text is kept as it was written, so that no id changes. */
const LONG_INTEGER = /[[:,\s]-?\d{16}/;
/** A longer value is printed on several lines, unless it nests so deep that indents would be most of it. */
const LINE_CHARACTERS = 100;
const MAX_INDENTED_DEPTH = 6;
/** A longer value is taken apart under its name, so that a chunk rarely cuts one. */
const BLOCK_CHARACTERS = 1_500;
/** Names above a value that become headings. */
const MAX_HEADINGS = 6;

type Sink = (block: Block) => void;

/** Values under the names that lead to them. What is not valid JSON is read as code. */
export function readJson(text: string): ReadSlice {
  const parsed = parse(text);
  if (parsed === null) return readCode(text);
  const blocks: Block[] = [];
  writeBlocks(parsed.value, [], boundedSink(blocks));
  return wholeDocument(titleOf(parsed.value), blocks);
}

/** A value a line. Lines that are not valid JSON are kept as they are. */
export function readJsonLines(text: string): ReadSlice {
  const blocks: Block[] = [];
  const sink = boundedSink(blocks);
  for (const line of text.split("\n")) {
    const parsed = parse(line);
    if (parsed === null) sink({ text: line.trim(), headings: [], page: null });
    else writeBlocks(parsed.value, [], sink);
  }
  return wholeDocument(null, blocks);
}

/** Indents make a text longer: the bound is checked while it grows. */
function boundedSink(blocks: Block[]): Sink {
  let characters = 0;
  return (block) => {
    characters += block.text.length;
    checkCharacters(characters);
    blocks.push(block);
  };
}

function parse(text: string): { value: unknown } | null {
  if (depthOf(text) > MAX_DEPTH || LONG_INTEGER.test(text)) return null;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** One block if the value is short, else its members. */
function writeBlocks(value: unknown, path: readonly string[], sink: Sink): void {
  const whole = print(value);
  if (whole === null && isRecord(value)) writeMembers(value, path, sink);
  else sink({ text: whole ?? String(value), headings: path, page: null });
}

/** Short members together, each long one under its name. */
function writeMembers(value: Record<string, unknown>, path: readonly string[], sink: Sink): void {
  const isList = Array.isArray(value);
  let lines: string[] = [];
  let characters = 0;
  const flush = () => {
    if (lines.length > 0) sink({ text: lines.join("\n"), headings: path, page: null });
    [lines, characters] = [[], 0];
  };
  for (const key in value) {
    const printed = print(value[key]);
    if (printed === null) {
      flush();
      writeBlocks(value[key], below(path, isList ? nameOf(value[key], key) : key), sink);
      continue;
    }
    const line = isList ? printed : `${key}: ${printed}`;
    if (characters + line.length > BLOCK_CHARACTERS) flush();
    characters += line.length + 1;
    lines.push(line);
  }
  flush();
}

function below(path: readonly string[], name: string): readonly string[] {
  const heading = shortHeading(name);
  return path.length >= MAX_HEADINGS || heading === "" ? path : [...path, heading];
}

/** Null for what is longer than a block. */
function print(value: unknown): string | null {
  const size = sizeWithin(value, BLOCK_CHARACTERS);
  if (size === null) return null;
  const isIndented = size.characters > LINE_CHARACTERS && size.depth <= MAX_INDENTED_DEPTH;
  return JSON.stringify(value, null, isIndented ? 2 : 0);
}

/** What a member of a list calls itself, else its number from 1. */
function nameOf(member: unknown, index: string): string {
  return titleOf(member) ?? String(Number(index) + 1);
}

function titleOf(value: unknown): string | null {
  if (!isRecord(value)) return null;
  const title = [value.title, value.name, value.id].find((name) => typeof name === "string" && name.trim() !== "");
  return typeof title === "string" ? shortHeading(title) : null;
}
