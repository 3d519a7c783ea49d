import type { z } from "zod";
import type {
  ComparedView,
  CompareInput,
  FileView,
  SourceDetailView,
  SourceInput,
  SourceView,
  TextsInput,
  TreeEntry,
  UploadedView,
} from "#domain/sources";

const STORED_AT = "2026-03-01T09:30:00.000Z";
const FILE_ID = "fil_01a1f92c-720b-7527-9cd5-76463f8b4abc";
const PATH = "travel/trains.md";
const SHA256 = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c";

export const SOURCE_INPUT: z.input<typeof SourceInput> = { userId: "alice", projectId: "apollo", name: "The Apollo handbook" };

export const SOURCE: SourceView = {
  id: "handbook",
  projectId: "apollo",
  name: "The Apollo handbook",
  createdAt: STORED_AT,
  updatedAt: STORED_AT,
};

export const SOURCE_DETAIL: SourceDetailView = {
  ...SOURCE,
  statistics: { files: { waiting: 0, reading: 0, ready: 1, failed: 0 }, bytes: 1_204, characters: 1_180, chunks: 2 },
};

export const FILE_BYTES = "# Night trains\n\nThe sleeper to Lisbon leaves at nine.\n";

export const FILE: FileView = {
  id: FILE_ID,
  sourceId: "handbook",
  path: PATH,
  mediaType: "text/markdown",
  bytes: 1_204,
  sha256: SHA256,
  title: "Night trains",
  status: "ready",
  error: null,
  searchable: true,
  pages: null,
  characters: 1_180,
  chunks: 2,
  createdAt: STORED_AT,
  updatedAt: STORED_AT,
};

export const FILE_UPLOADED: UploadedView = {
  ...FILE,
  title: null,
  status: "waiting",
  searchable: false,
  characters: null,
  chunks: 0,
  outcome: "created",
};

export const FILE_WAITING: FileView = { ...FILE, status: "waiting" };

export const FILE_UNCHANGED: UploadedView = { ...FILE, outcome: "unchanged" };

export const TEXTS: z.input<typeof TextsInput> = {
  userId: "alice",
  files: [{ path: PATH, content: FILE_BYTES, mediaType: "text/markdown" }],
};

export const COMPARE: z.input<typeof CompareInput> = { userId: "alice", files: [{ path: PATH, sha256: SHA256 }] };

export const COMPARED: ComparedView = { items: [{ path: PATH, state: "same" }] };

export const TREE_ENTRY: TreeEntry = { kind: "folder", name: "travel", path: "travel", files: 3, fileId: null, status: null };
