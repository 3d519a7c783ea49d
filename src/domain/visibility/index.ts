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
