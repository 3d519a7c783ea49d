export { decideEntity, decideEntityInPool, entityProject, seesEntity } from "./entity-rule.ts";
export {
  type MemoryViewerRef,
  memorySpaces,
  readerCte,
  relationColumns,
  seesMemory,
  tenantSpaceId,
} from "./memory-predicate.ts";
export {
  decideMemory,
  decideRelation,
  type MemoryDecision,
  type MemoryFacts,
  type MemoryRefusal,
  type MemoryRelation,
  type MemoryViewer,
  type MemoryVisibilityReason,
  type Reach,
  type Sensitivity,
} from "./memory-rule.ts";
export { isMember, mayEnter, seesEpisodesOf, viewerCte, visibleSpaces } from "./predicate.ts";
export {
  belongsTo,
  decideEpisodes,
  decideInPool,
  type EpisodeRule,
  type Pool,
  type PoolRule,
  poolOf,
  takesPart,
} from "./rule.ts";
export type { ProjectFacts, SessionFacts, Viewer, ViewerRef } from "./viewer.ts";
