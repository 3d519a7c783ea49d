import type { FileToRead } from "./blocks.ts";
import { extensionOf, type TextKind, textKindOf } from "./extensions.ts";
import { signatureOf } from "./signatures.ts";
import { zipEntries } from "./zip.ts";

/** What a file is, by its bytes. `unread` is a kind that is not read here, with its article. */
export type FileKind = { kind: TextKind | "pdf" | "docx" } | { kind: "unread"; name: string; advice: string | null };

/** Where a PDF's first line may be, as readers accept it. */
const PDF_START_BYTES = 1024;
const HTML_START_BYTES = 1024;

export function fileKindOf(file: FileToRead): FileKind {
  const start = latin1(file.bytes.subarray(0, Math.max(PDF_START_BYTES, HTML_START_BYTES)));
  if (start.startsWith("%PDF-") || (extensionOf(file.path) === "pdf" && start.includes("%PDF-"))) return { kind: "pdf" };
  if (start.startsWith("PK\x03\x04")) return zipKind(file.bytes);
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return oldOfficeKind(file.bytes);
  const name = signatureOf(file.bytes);
  if (name !== null) return { kind: "unread", name, advice: null };
  const kind = textKindOf(file);
  return { kind: kind === "text" && isHtml(start) ? "html" : kind };
}

function isHtml(start: string): boolean {
  return /^(?:\xef\xbb\xbf)?\s*(?:<!--.{0,500}?-->\s*)?(?:<!doctype html\b|<html[\s>])/is.test(start);
}

const PACKAGES: readonly { entry: string; name: string; advice: string }[] = [
  { entry: "xl/workbook.xml", name: "an Excel workbook", advice: "Save its sheets as CSV." },
  { entry: "xl/workbook.bin", name: "an Excel workbook", advice: "Save its sheets as CSV." },
  { entry: "ppt/presentation.xml", name: "a PowerPoint presentation", advice: "Save it as PDF." },
  { entry: "META-INF/container.xml", name: "an EPUB book", advice: "Save it as PDF or HTML." },
  { entry: "content.xml", name: "an OpenDocument file", advice: "Save it as DOCX, PDF or CSV." },
  { entry: "META-INF/MANIFEST.MF", name: "a Java archive", advice: "Upload the files in it." },
  { entry: "AndroidManifest.xml", name: "an Android app", advice: "Upload the files in it." },
];

function zipKind(bytes: Uint8Array): FileKind {
  const entries = zipEntries(bytes);
  const names = new Set(entries?.map(({ name }) => name));
  if (names.has("word/document.xml") || names.has("word/document2.xml")) return { kind: "docx" };
  const found = PACKAGES.find(({ entry }) => names.has(entry));
  if (found !== undefined) return { kind: "unread", name: found.name, advice: found.advice };
  if (entries === null) return { kind: "unread", name: "a broken ZIP archive", advice: "Upload it again." };
  return { kind: "unread", name: "a ZIP archive", advice: "Upload the files in it." };
}

/** Compound files: Office before 2007, and newer documents with a password. */
function oldOfficeKind(bytes: Uint8Array): FileKind {
  const encrypted = Array.from("EncryptedPackage", (letter) => `${letter}\0`).join("");
  if (latin1(bytes).includes(encrypted))
    return { kind: "unread", name: "an Office document with a password", advice: "Save it without one." };
  return { kind: "unread", name: "an Office document in the format from before 2007", advice: "Save it as DOCX or PDF." };
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
