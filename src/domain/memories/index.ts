export { approve, reject, review } from "./decide-review.ts";
export { forget, restore } from "./forget.ts";
export { getMemory, memoryHistory } from "./get-memory.ts";
export { indexMemories, removeMemoryVectors } from "./index-memories.ts";
export { listMemories } from "./list-memories.ts";
export { listReview } from "./list-review.ts";
export { remember } from "./remember.ts";
export { revise } from "./revise.ts";
export {
  ApproveInput,
  HistoryView,
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
