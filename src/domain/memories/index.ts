export { enqueueIndexing, indexedSpaceOf } from "./change.ts";
export { decided as decidedMemories, type SeenMemory, type SeenRow, seenColumns } from "./columns.ts";
export { approve, reject, review } from "./decide-review.ts";
export { defaultPrivacy } from "./default-privacy.ts";
export { isFirstPerson } from "./first-person.ts";
export { type Because, forget, forgetStatements, restore } from "./forget.ts";
export { getMemory, memoryHistory } from "./get-memory.ts";
export {
  embedMemories,
  indexMemories,
  type MemoryToIndex,
  memoryOf,
  memoryVectorId,
  removeMemoryVectors,
  toIndexColumns,
} from "./index-memories.ts";
export { ingestMemories } from "./ingest.ts";
export type { IngestOutcome } from "./ingest-outcome.ts";
export { listMemories } from "./list-memories.ts";
export { listReview } from "./list-review.ts";
export { MAX_FROM_OTHERS, ownSpace, ownTokens, personTokens, spaceOfOthers } from "./match.ts";
export { judge as judgeMemory } from "./parse-input.ts";
export { remember } from "./remember.ts";
export { revise } from "./revise.ts";
export {
  ApproveInput,
  HistoryView,
  MAX_CONTENT_CHARACTERS,
  type MemoryDraftInput,
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
export { lifetimeMs, MEMORY_CLASSES, MEMORY_TYPES, type MemoryType, typesOf } from "./types.ts";
export { peopleIn, toMemory } from "./view.ts";
