export { addTexts } from "./add-texts.ts";
export { compareFiles } from "./compare-files.ts";
export { failUnread } from "./fail-unread.ts";
export { CHUNKS, documentChunkOf } from "./index-chunks.ts";
export { getFile, listFiles } from "./list-files.ts";
export { getSource, listSources } from "./list-sources.ts";
export { listTree } from "./list-tree.ts";
export { findLostUploads } from "./lost-uploads.ts";
export { parsePath } from "./paths.ts";
export { MAX_FILE_BYTES } from "./read/bounds.ts";
export { chunkBlocks } from "./read/chunk-blocks.ts";
export { readDocument } from "./read/read-document.ts";
export { htmlToText } from "./read/read-html.ts";
export { readAgain } from "./read-again.ts";
export { readFile } from "./read-file.ts";
export { removeFile, removeRest } from "./remove-file.ts";
export { saveSource } from "./save-source.ts";
export {
  ComparedView,
  CompareInput,
  FileListInput,
  FileView,
  SourceDetailView,
  SourceInput,
  SourceListInput,
  SourceReader,
  SourceView,
  TextsInput,
  TreeEntry,
  TreeInput,
  UploadedManyView,
  UploadedView,
  UploadInput,
} from "./schemas.ts";
export { mediaTypeOf, uploadFile } from "./upload-file.ts";
export { uploadsOfSource } from "./uploads.ts";
