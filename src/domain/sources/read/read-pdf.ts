import { getResolvedPDFJS } from "unpdf";
import { storable } from "#core/text/normalize";
import type { Block, ReadSlice } from "./blocks.ts";
import { checkCharacters, checkPages } from "./bounds.ts";
import { shortHeading } from "./headings.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** Pages that are read in one go. */
const PAGES_PER_SLICE = 100;

type Pdf = Awaited<ReturnType<Awaited<ReturnType<typeof getResolvedPDFJS>>["getDocument"]>["promise"]>;

/** One slice of a PDF's pages, a block a page. The bytes are copied: the parser takes what it is given. */
export async function readPdf(bytes: Uint8Array, from: number): Promise<ReadSlice> {
  const pdf = await openPdf(bytes.slice());
  try {
    checkPages(pdf.numPages);
    const until = Math.min(pdf.numPages, from + PAGES_PER_SLICE);
    const blocks = await readPages(pdf, from, until);
    if (pdf.numPages === until && from === 0 && blocks.length === 0)
      throw new UnreadableFile("The PDF holds no text: it was scanned or drawn. Run it through text recognition (OCR) first.");
    const title = from === 0 ? await titleOf(pdf) : null;
    return { title, blocks, pages: pdf.numPages, next: until < pdf.numPages ? until : null };
  } finally {
    await pdf.loadingTask.destroy();
  }
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

async function openPdf(data: Uint8Array): Promise<Pdf> {
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  try {
    return await getDocument({
      data,
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: VerbosityLevel.ERRORS,
    }).promise;
  } catch (error) {
    throw new UnreadableFile(reasonOf(error), error);
  }
}

/** By the names of pdf.js's exceptions: its messages may repeat the file's content. */
function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return "The PDF is encrypted and needs a password. Save it without one.";
  return "The PDF is broken: its structure cannot be read.";
}

/** A page that cannot be read is empty: one broken page must not hide the others. */
async function pageText(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  try {
    const { items } = await page.getTextContent();
    const parts = items.flatMap((item) => ("str" in item ? [item.str, item.hasEOL ? "\n" : ""] : []));
    return storable(parts.join("")).trim();
  } finally {
    page.cleanup();
  }
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title = "Title" in info && typeof info.Title === "string" ? shortHeading(storable(info.Title)) : "";
  return title === "" ? null : title;
}
