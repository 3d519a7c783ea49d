import { buryForgettings } from "./bury-rows.ts";
import { eraseChunks, eraseEntities, eraseFiles } from "./erase-documents.ts";
import { eraseSessionEpisodes } from "./erase-episodes.ts";
import { eraseGroupWords } from "./erase-groups.ts";
import { eraseMemories } from "./erase-memories.ts";
import { eraseAboutOthers } from "./erase-others.ts";
import { leaveProjects, releaseOwned } from "./erase-people.ts";
import { awaitJobs, eraseAudit, eraseJobs, eraseTable, revokeAccess } from "./erase-records.ts";
import { eraseStrayVectors } from "./erase-vectors.ts";
import { mergeWords } from "./merge-words.ts";
import { overwriteFreePages } from "./overwrite-pages.ts";
import type { Step } from "./step.ts";
import { TABLES } from "./stores.ts";

/** Tables with steps of their own alone, because something outside of them has to go with their rows: words, vectors, uploads. */
const SPECIAL: readonly string[] = ["audit", "jobs", "memories", "episodes", "entities", "chunks", "files"];

/**
 * What an erasure does, in order. Records that name rows by their ids come before the rows; what a table's own step leaves behind, such as
 * rows without their parents, goes with the table.
 */
export const STEPS: readonly Step[] = [
  revokeAccess,
  eraseAudit,
  eraseTable("idempotency"),
  eraseJobs,
  eraseAboutOthers,
  eraseGroupWords,
  eraseMemories,
  eraseSessionEpisodes,
  eraseEntities,
  eraseFiles,
  eraseChunks,
  leaveProjects,
  releaseOwned,
  buryForgettings,
  ...TABLES.flatMap(({ table, method }) => (method === "delete" && !SPECIAL.includes(table) ? [eraseTable(table)] : [])),
  awaitJobs,
  eraseStrayVectors,
  mergeWords,
  overwriteFreePages,
];
