import type { FileToRead } from "./read/blocks.ts";
import { type FileKind, fileKindOf } from "./read/file-kind.ts";

/** What a client sends that does not know the kind of a file. */
export const UNKNOWN_TYPE = "application/octet-stream";

const TYPES: Readonly<Record<Exclude<FileKind["kind"], "unread">, string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  html: "text/html",
  markdown: "text/markdown",
  json: "application/json",
  "json-lines": "application/x-ndjson",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  code: "text/plain",
  text: "text/plain",
};

/** The media type of a file that is read: the uploader's, unless it says nothing. */
export function recognisedType(file: FileToRead): string {
  if (file.mediaType !== UNKNOWN_TYPE) return file.mediaType;
  const { kind } = fileKindOf(file);
  return kind === "unread" ? UNKNOWN_TYPE : TYPES[kind];
}
