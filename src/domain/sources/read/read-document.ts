import { storable } from "#core/text/normalize";
import type { ToMarkdown } from "#ports/to-markdown";
import { type FileToRead, type ReadSlice, textLength } from "./blocks.ts";
import { checkBytes, checkCharacters } from "./bounds.ts";
import { decodeText } from "./decode-text.ts";
import type { TextKind } from "./extensions.ts";
import { fileKindOf } from "./file-kind.ts";
import { readCode } from "./read-code.ts";
import { readCsv } from "./read-csv.ts";
import { readHtml } from "./read-html.ts";
import { readJson, readJsonLines } from "./read-json.ts";
import { readMarkdown } from "./read-markdown.ts";
import { readText } from "./read-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/**
 * The text of a file by its headings and pages, a slice at a time. `page` is 0 or the `next` of the slice before.
 * `converter` reads kinds of files that are not read here.
 * @throws UnreadableFile with what is wrong with the file
 */
export async function readDocument(
  file: FileToRead,
  from: { page: number },
  converter: ToMarkdown | null = null,
): Promise<ReadSlice> {
  checkBytes(file.bytes.length);
  const found = fileKindOf(file);
  switch (found.kind) {
    case "pdf": {
      const { readPdf } = await import("./read-pdf.ts");
      return await readPdf(file.bytes, from.page);
    }
    case "docx": {
      const { readDocx } = await import("./read-docx.ts");
      return withText(await readDocx(file.bytes));
    }
    case "html":
      return withText(readHtml(file.bytes));
    case "unread":
      return await convert(file, found, converter);
    default:
      return withText(readTextKind(file.bytes, found.kind));
  }
}

function readTextKind(bytes: Uint8Array, kind: Exclude<TextKind, "html">): ReadSlice {
  const text = decodeText(bytes);
  switch (kind) {
    case "markdown":
      return readMarkdown(text);
    case "code":
      return readCode(text);
    case "json":
      return readJson(text);
    case "json-lines":
      return readJsonLines(text);
    case "csv":
      return readCsv(text, null);
    case "tsv":
      return readCsv(text, "\t");
    case "text":
      return readText(text);
  }
}

async function convert(
  file: FileToRead,
  { name, advice }: { name: string; advice: string | null },
  converter: ToMarkdown | null,
) {
  const markdown = await converter?.convert(file);
  if (markdown !== undefined && markdown !== null) return withText(readMarkdown(storable(markdown)));
  throw new UnreadableFile(`The file is ${name}, which is not read.${advice === null ? "" : ` ${advice}`}`);
}

function withText(slice: ReadSlice): ReadSlice {
  if (slice.blocks.length === 0) throw new UnreadableFile("The file holds no text.");
  checkCharacters(textLength(slice.blocks));
  return slice;
}
