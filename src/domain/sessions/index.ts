export { type AppendCtx, appendEpisodes } from "./append-episodes.ts";
export { changeMember } from "./change-member.ts";
export { CHUNKS_PER_SESSION, firstChunkOf, sessionOf } from "./chunk-id.ts";
export { findOwnProject } from "./find-project.ts";
export { type EpisodeToForget, episodeDeletions, forgetEpisode, forgetEpisodeStatements } from "./forget-episode.ts";
export { importEpisodes } from "./import-episodes.ts";
export { chunkOf, EPISODES } from "./index-episodes.ts";
export { timesSaid } from "./known-messages.ts";
export { getEpisode, getEpisodeFrom, listEpisodes } from "./list-episodes.ts";
export { getProject, listProjects } from "./list-projects.ts";
export { getSession, listSessions } from "./list-sessions.ts";
export {
  type Cut,
  type EpisodeWords,
  findEpisodeWords,
  type Rewritten,
  redactWords,
  rewriteStatements,
  showingOnly,
  unredactWords,
  withPassages,
} from "./redact-words.ts";
export { retagSessions } from "./retag-session.ts";
export { authorOf, findSpeakers, hasLabels, namesOther, type Sender, speakerOf, speakersIn } from "./said-by.ts";
export { saveProject } from "./save-project.ts";
export { saveSession } from "./save-session.ts";
export {
  AppendedManyView,
  AppendedView,
  AppendInput,
  EpisodeInput,
  EpisodeView,
  type ForgotView,
  HistoryInput,
  PlaceInput,
  ProjectInput,
  ProjectListInput,
  ProjectView,
  SessionInput,
  SessionListInput,
  SessionView,
} from "./schemas.ts";
export { deleteSummaries } from "./take-summaries.ts";
