import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { fileKindOf } from "./file-kind.ts";

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const kind = (bytes: Uint8Array | string, path: string, mediaType = "") =>
  fileKindOf({ bytes: typeof bytes === "string" ? latin(bytes) : bytes, path, mediaType });
const archive = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, latin("x")])));

describe("fileKindOf", () => {
  it("goes by the bytes before the extension", () => {
    expect(kind("%PDF-1.7\n", "a.txt")).toEqual({ kind: "pdf" });
    expect(kind("junk\n%PDF-1.7\n", "a.pdf")).toEqual({ kind: "pdf" });
    expect(kind("a text about %PDF-1.7", "a.txt")).toEqual({ kind: "text" });
    expect(kind(archive("word/document.xml"), "a.pdf")).toEqual({ kind: "docx" });
    expect(kind("\n<!-- x --><!DOCTYPE html><p>", "a.txt")).toEqual({ kind: "html" });
    expect(kind("<html>", "a.ts")).toEqual({ kind: "code" });
  });

  it.each([
    ["a.md", "", "markdown"],
    ["dir.csv/A.MD", "", "markdown"],
    ["Makefile", "", "code"],
    ["a.jsonl", "", "json-lines"],
    ["a.tsv", "", "tsv"],
    ["notes", "text/markdown; charset=utf-8", "markdown"],
    ["notes", "application/octet-stream", "text"],
    ["a.unknown", "text/csv", "csv"],
  ])("reads %s (%s) as %s", (path, mediaType, expected) => {
    expect(kind("text", path, mediaType)).toEqual({ kind: expected });
  });

  it.each([
    ["\x89PNG\r\n\x1a\n\0\0", "a PNG image"],
    ["\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image"],
    ["GIF89a\x01\0\x01\0", "a GIF image"],
    ["RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"],
    ["\0\0\0\x20ftypisom\0\0", "an MPEG-4 film or sound"],
    ["\x1f\x8b\x08\0\0\0", "a gzip archive"],
    ["\x7fELF\x02\x01\x01\0", "an ELF program"],
    ["MZ\x90\0\x03\0\0\0", "a Windows program"],
    ["SQLite format 3\0", "an SQLite database"],
    ["{\\rtf1\\ansi x}", "an RTF document"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "an Office document in the format from before 2007"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0", "an Office document with a password"],
  ])("names %j", (start, name) => {
    expect(kind(start, "a.txt")).toMatchObject({ kind: "unread", name });
  });

  it("names what is in a ZIP archive", () => {
    expect(kind(archive("xl/workbook.xml"), "a.docx")).toMatchObject({
      name: "an Excel workbook",
      advice: "Save its sheets as CSV.",
    });
    expect(kind(archive("mimetype", "content.xml"), "a.odt")).toMatchObject({ name: "an OpenDocument file" });
    expect(kind(archive("a.txt"), "a.zip")).toMatchObject({ name: "a ZIP archive" });
    expect(kind(archive("a.txt").slice(0, 40), "a.zip")).toMatchObject({ name: "a broken ZIP archive" });
  });

  it("refuses an archive of more entries than any document has", () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => String(i));
    expect(kind(archive(...names(10_000)), "a.zip")).toMatchObject({ name: "a ZIP archive" });
    expect(() => kind(archive(...names(10_001)), "a.zip")).toThrow("more than 10,000 entries");
  });

  it("reads texts that begin like a binary file", () => {
    for (const text of ["BMW and others", "MZ is not a program", "GIF8 is a word", "ID3 tags", "RIFF2345WEBP"])
      expect(kind(text, "a.txt")).toEqual({ kind: "text" });
  });
});
