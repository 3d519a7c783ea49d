import { getResolvedPDFJS } from "unpdf";
import { storable } from "#core/text/normalize";
import type { Block, ReadSlice } from "./blocks.ts";
import { checkCharacters, checkPages } from "./bounds.ts";
import { shortHeading } from "./headings.ts";
import { withoutBombs } from "./pdf-streams.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** Pages that are read in one go. A file of 1,000 pages and 5 million characters took 5.3 s of CPU in 10 slices, with a heap of 112 MB at most (Node 24, --max-old-space-size=128). */
const PAGES_PER_SLICE = 100;
/** A page holds a few thousand; forms that show each other many times over make as many as they like. */
const MAX_PAGE_CHARACTERS = 200_000;

type Pdf = Awaited<ReturnType<Awaited<ReturnType<typeof getResolvedPDFJS>>["getDocument"]>["promise"]>;

/**
 * One slice of a PDF's pages, a block a page; no page is ever drawn, and no script of the file run.
 * @throws UnreadableFile for an encrypted, broken, scanned or overlong PDF
 */
export async function readPdf(bytes: Uint8Array, from: number): Promise<ReadSlice> {
  const missing = new Set<string>();
  // A copy, because the parser keeps what it is given.
  const pdf = await openPdf(withoutBombs(bytes.slice()), missing);
  try {
    checkPages(pdf.numPages);
    const until = Math.min(pdf.numPages, from + PAGES_PER_SLICE);
    const blocks = await readPages(pdf, from, until);
    checkMapped(blocks, missing);
    const isEnd = until === pdf.numPages;
    if (isEnd && blocks.length === 0 && !(await hasText(pdf, from)))
      throw new UnreadableFile("The PDF holds no text: it was scanned or drawn. Run it through text recognition (OCR) first.");
    const title = from === 0 ? await titleOf(pdf) : null;
    return { title, blocks, pages: pdf.numPages, next: isEnd ? null : until };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** `missing` gets the names of the character maps that the fonts of the pages need and the parser does not have. */
async function openPdf(data: Uint8Array, missing: Set<string>): Promise<Pdf> {
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  try {
    return await getDocument({
      ...{ data, useSystemFonts: false, disableFontFace: true, verbosity: VerbosityLevel.ERRORS },
      ...{ useWorkerFetch: false, BinaryDataFactory: dataFactory(missing) },
    }).promise;
  } catch (error) {
    throw new UnreadableFile(reasonOf(error), error);
  }
}

/** Predefined character maps of Chinese, Japanese and Korean take 1.6 MB, and are not part of the parser. */
function dataFactory(missing: Set<string>) {
  return class {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      if (kind === "cMapUrl") missing.add(filename);
      return Promise.reject(new Error("There is no such data."));
    }
  };
}

/** Control characters, those of private use and those that Unicode does not have, other than white space and what stands for NUL. */
const UNMAPPED = /[\p{Cn}\p{Co}]|(?!\s)\p{Cc}|\ufffd/gu;
/** Bullets of symbol fonts are such characters too. */
const MOST_UNMAPPED = 0.1;

/**
 * The parser leaves out a text whose font needs a character map that it does not have, and takes the numbers of glyphs for characters where a
 * font has no map at all.
 * @throws UnreadableFile if the text is not what the pages show
 */
function checkMapped(blocks: readonly Block[], missing: ReadonlySet<string>): void {
  const advice =
    "Save it again with fonts that have a Unicode mapping, or as another kind of file, or run it through text recognition (OCR).";
  if (missing.size > 0)
    throw new UnreadableFile(
      `A font of the PDF needs a predefined character map of Chinese, Japanese or Korean, which is not read. ${advice}`,
    );
  const text = blocks.map((block) => block.text).join("");
  const unmapped = text.match(UNMAPPED)?.length ?? 0;
  if (unmapped > MOST_UNMAPPED * text.replace(/\s/g, "").length)
    throw new UnreadableFile(`The text of the PDF has no Unicode mapping: its characters are not known. ${advice}`);
}

/** By the name: the messages may repeat the file's content. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "PasswordException")
    return "The PDF is encrypted and needs a password. Save it without one.";
  return "The PDF is broken: its structure cannot be read.";
}

async function readPages(pdf: Pdf, from: number, until: number): Promise<Block[]> {
  const blocks: Block[] = [];
  let characters = 0;
  for (let page = from + 1; page <= until; page++) {
    const text = await pageText(pdf, page);
    characters += text.length;
    checkCharacters(characters);
    if (text !== "") blocks.push({ text, headings: [], page });
  }
  return blocks;
}

/** Whether one of the first pages holds text: a document may end with pages without any. */
async function hasText(pdf: Pdf, until: number): Promise<boolean> {
  for (let page = 1; page <= until; page++) if ((await pageText(pdf, page)) !== "") return true;
  return false;
}

/** @throws UnreadableFile if a page is broken: a document without it would pass for a whole one */
async function pageText(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    try {
      return storable(await streamedText(page.streamTextContent().getReader())).trim();
    } finally {
      page.cleanup();
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(`The PDF is broken: its page ${number} cannot be read.`, error);
  }
}

type TextPart = { items: readonly ({ str: string; hasEOL: boolean } | object)[] };

async function streamedText(reader: ReadableStreamDefaultReader<TextPart>): Promise<string> {
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const item of part.value.items) if ("str" in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    if (text.length <= MAX_PAGE_CHARACTERS) continue;
    await reader.cancel(new Error("too long"));
    throw new UnreadableFile("The PDF has a page with more than 200,000 characters, the most that is read.");
  }
  return text;
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title = "Title" in info && typeof info.Title === "string" ? shortHeading(storable(info.Title)) : "";
  return title === "" ? null : title;
}
