export { isMember, mayEnter, seesEpisodesOf, viewerCte, visibleSpaces } from "./predicate.ts";
export {
  belongsTo,
  decideEpisodes,
  decideInPool,
  type EpisodeRule,
  type HeardSession,
  type Pool,
  type PoolRule,
  poolOf,
  type Standing,
  takesPart,
} from "./rule.ts";
export type { ProjectFacts, SessionFacts, Viewer, ViewerRef } from "./viewer.ts";
