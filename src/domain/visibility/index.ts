export {
  type ChunkRule,
  decideChunk,
  decideChunkInPool,
  documentSpace,
  seesChunk,
} from "./chunk-rule.ts";
export { decideEntity, decideEntityInPool, entityProject, seesEntity } from "./entity-rule.ts";
export {
  type MemoryViewerRef,
  memorySpaces,
  ownTokens,
  placeColumns,
  readerCte,
  readsWith,
  relationColumns,
  seesMemory,
  stillHolds,
  tenantSpaceId,
} from "./memory-predicate.ts";
export {
  decideMemory,
  decideRelation,
  isOwnReason,
  type MemoryDecision,
  type MemoryFacts,
  type MemoryPlace,
  type MemoryProject,
  type MemoryRefusal,
  type MemoryRelation,
  type MemoryViewer,
  type MemoryVisibilityReason,
  type Reach,
} from "./memory-rule.ts";
export { isOwnSessionOfOther, ownSession } from "./own-session.ts";
export { isMember, mayEnter, seesEpisodesOf, viewerCte, visibleSpaces } from "./predicate.ts";
export { requirePlace } from "./require-place.ts";
export {
  belongsTo,
  decideEpisodes,
  decideInPool,
  type EpisodeRule,
  type Pool,
  type PoolRule,
  type ProjectFacts,
  poolOf,
  type SessionFacts,
  takesPart,
  type Viewer,
  type ViewerRef,
} from "./rule.ts";
