import { z } from "zod";
import { Cursor, ExternalId, named, UserId, wholeNumber } from "#core/fields";

/** Of a file's text in one bulk request, UTF-16 units; a larger file is uploaded by itself. */
const MAX_TEXT = 1_000_000;
export const MAX_BULK_FILES = 100;
export const MAX_COMPARED_FILES = 1_000;

const Path = z
  .string()
  .min(1)
  .describe(
    "Relative, with / between folders: notes/today.md. At most 500 characters, no .., no backslash; stored in Unicode's NFC",
  );

const MediaType = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e][\x20-\x7e]*$/, "A media type, as text/markdown.");

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "A SHA-256 in 64 hex digits, in lower case.");

export const FileStatus = z
  .enum(["waiting", "reading", "ready", "failed"])
  .describe(
    "waiting and reading: a job reads it; failed: `error` says why. Meanwhile the text that was read before stays searchable",
  );

export const SourceInput = z
  .strictObject({
    userId: UserId.optional(),
    projectId: ExternalId.optional().describe(
      "The project whose documents they are; never changes. Without one, they are the tenant's library",
    ),
    name: named(z.string().min(1).max(200), "A name needs a letter or a digit.").optional().describe("The id when absent"),
  })
  .meta({ id: "SourceInput" });

export const SourceView = z
  .object({
    id: ExternalId,
    projectId: ExternalId.nullable().describe("null: the tenant's library"),
    name: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe("When it, or the last of its files, was changed"),
  })
  .meta({ id: "Source" });

const count = z.number().int();

export const SourceDetailView = SourceView.extend({
  statistics: z.object({
    files: z.object({ waiting: count, reading: count, ready: count, failed: count }),
    bytes: count.describe("Of the files as they were uploaded"),
    characters: count.describe("Of the text that was read"),
    chunks: count.describe("Passages that can be found"),
  }),
}).meta({ id: "SourceDetail" });

export const SourceListInput = z.strictObject({
  userId: UserId.optional(),
  projectId: ExternalId.optional().describe("The sources of this project; when absent, those of the library"),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

export const SourceReader = z.strictObject({ userId: UserId.optional() });

export const UploadInput = z.strictObject({ path: Path, userId: UserId.optional() });

export const FileView = z
  .object({
    id: z.string(),
    sourceId: ExternalId,
    path: z.string(),
    mediaType: z.string(),
    bytes: count,
    sha256: z.string().describe("Of the file as it was uploaded"),
    title: z.string().nullable(),
    status: FileStatus,
    error: z.string().nullable(),
    searchable: z.boolean().describe("Whether some text of it, the newest that was read, can be found"),
    pages: count.nullable(),
    characters: count.nullable(),
    chunks: count.describe("Passages of the text that can be found"),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "File" });

const Outcome = z
  .enum(["created", "replaced", "unchanged"])
  .describe("unchanged: the source has this content at this path, and nothing was done");

export const UploadedView = FileView.extend({ outcome: Outcome }).meta({ id: "UploadedFile" });

export const TextsInput = z
  .strictObject({
    userId: UserId.optional(),
    files: z
      .array(z.strictObject({ path: Path, content: z.string().min(1).max(MAX_TEXT), mediaType: MediaType.optional() }))
      .min(1)
      .max(MAX_BULK_FILES),
  })
  .meta({ id: "TextFilesInput" });

export const UploadedManyView = z.object({ items: z.array(UploadedView) }).meta({ id: "UploadedFiles" });

export const CompareInput = z
  .strictObject({
    userId: UserId.optional(),
    files: z
      .array(z.strictObject({ path: Path, sha256: Sha256 }))
      .min(1)
      .max(MAX_COMPARED_FILES),
  })
  .meta({ id: "CompareFilesInput" });

export const ComparedView = z
  .object({
    items: z.array(
      z.object({
        path: z.string().describe("As it was given"),
        state: z.enum(["same", "changed", "missing"]).describe("missing: the source has no file there"),
      }),
    ),
  })
  .meta({ id: "ComparedFiles" });

export const FileListInput = z.strictObject({
  userId: UserId.optional(),
  status: FileStatus.optional(),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(50),
});

export const TreeInput = z.strictObject({
  userId: UserId.optional(),
  path: z.string().max(500).default("").describe("A folder; the whole source when absent"),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(100),
});

export const TreeEntry = z
  .object({
    kind: z.enum(["folder", "file"]),
    name: z.string(),
    path: z.string(),
    files: count.describe("Files in the folder and those below it; 1,000 stands for 1,000 and more. 1 for a file"),
    fileId: z.string().nullable(),
    status: FileStatus.nullable().describe("Of a file"),
  })
  .meta({ id: "TreeEntry" });

export type SourceInput = z.infer<typeof SourceInput>;
export type SourceView = z.infer<typeof SourceView>;
export type SourceDetailView = z.infer<typeof SourceDetailView>;
export type SourceListInput = z.infer<typeof SourceListInput>;
export type SourceReader = z.infer<typeof SourceReader>;
export type UploadInput = z.infer<typeof UploadInput>;
export type FileView = z.infer<typeof FileView>;
export type UploadedView = z.infer<typeof UploadedView>;
export type TextsInput = z.infer<typeof TextsInput>;
export type UploadedManyView = z.infer<typeof UploadedManyView>;
export type CompareInput = z.infer<typeof CompareInput>;
export type ComparedView = z.infer<typeof ComparedView>;
export type FileListInput = z.infer<typeof FileListInput>;
export type TreeInput = z.infer<typeof TreeInput>;
export type TreeEntry = z.infer<typeof TreeEntry>;
