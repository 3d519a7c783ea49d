export { failErasures } from "./fail-erasures.ts";
export { getErasure, listErasures } from "./list-erasures.ts";
export { canonicalJson } from "./receipt.ts";
export { runErasures } from "./run-erasures.ts";
export {
  ErasureInput,
  ErasureListInput,
  ErasureOptions,
  ErasureSummary,
  ErasureView,
  StoreView,
  VerifiedView,
} from "./schemas.ts";
export { startErasure } from "./start-erasure.ts";
export { TABLES, TEXT_INDEXES } from "./stores.ts";
export { segmentsOf } from "./text-segments.ts";
export { verifyErasure } from "./verify-erasure.ts";
