export { findReader, isInSessions, memoryViewer, type NewSession, type Writer, writerOf } from "./access.ts";
export { approve, reject, review } from "./decide-review.ts";
export {
  defaultPrivacy,
  isFirstPerson,
  lifetimeMs,
  MEMORY_CLASSES,
  MEMORY_TYPES,
  type MemoryType,
  STATES,
  typesOf,
} from "./defaults.ts";
export { type Earlier, earlierOf, findEarlier } from "./earlier.ts";
export { MAX_FROM_OTHERS, ownSpace, personTokens, spaceOfOthers } from "./filters.ts";
export { findPast, type MemoryStatement } from "./find-past.ts";
export {
  type Because,
  bringBackStatements,
  findForgettable,
  forgetStatements,
  forgettableBy,
  loadForgettable,
  restore,
} from "./forget.ts";
export { findVersionsSaid, putBackVersions, removeVersions } from "./forget-versions.ts";
export { getMemory, memoryHistory } from "./get-memory.ts";
export { MEMORIES, memoryOf, scopeTag } from "./index-memories.ts";
export { MARK, ownTypeMatch } from "./index-words.ts";
export { laterValues } from "./later-values.ts";
export { listMemories, listReview } from "./list-memories.ts";
export { reindexMemories } from "./reindex.ts";
export { type IngestOutcome, ingestMemories, remember } from "./remember.ts";
export { revise } from "./revise.ts";
export { decided as decidedMemories, type SeenMemory, type SeenRow, type StoredMemory, seenColumns, seenShape } from "./rows.ts";
export {
  ApproveInput,
  HistoryView,
  MAX_CONTENT_CHARACTERS,
  MemoryDraftInput,
  MemoryListInput,
  MemoryPageView,
  MemoryPlaceInput,
  MemoryView,
  RejectInput,
  RememberedManyView,
  RememberedView,
  RememberInput,
  ReviewedView,
  ReviewInput,
  ReviewListInput,
  ReviseInput,
  WriterPlaceInput,
} from "./schemas.ts";
export { judge as judgeMemory, refuseUnstorable } from "./values.ts";
export { peopleIn, toMemory } from "./view.ts";
