import { eraseChunks, eraseEntities, eraseFiles } from "./erase-documents.ts";
import { eraseSessionEpisodes } from "./erase-episodes.ts";
import { eraseGroupWords } from "./erase-groups.ts";
import { eraseMemories } from "./erase-memories.ts";
import { eraseAboutOthers } from "./erase-others.ts";
import { leaveProjects, releaseOwned } from "./erase-people.ts";
import { eraseAudit, eraseJobs, eraseTable, revokeAccess } from "./erase-records.ts";
import { mergeWords } from "./merge-words.ts";
import { overwriteFreePages } from "./overwrite-pages.ts";
import type { Step } from "./step.ts";
import { TABLES } from "./stores.ts";

/** Tables with steps of their own, because something outside of them has to go with their rows. */
const SPECIAL: readonly string[] = ["audit", "jobs"];

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
  eraseChunks,
  eraseFiles,
  leaveProjects,
  releaseOwned,
  ...TABLES.flatMap(({ table, method }) => (method === "delete" && !SPECIAL.includes(table) ? [eraseTable(table)] : [])),
  mergeWords,
  overwriteFreePages,
];
