import { checkEntityIndexes, checkEntityWords } from "./check-entities.ts";
import { checkEntityVectors } from "./check-entity-vectors.ts";
import { checkEpisodeIndexes } from "./check-episodes.ts";
import { checkMemoryIndexes } from "./check-memories.ts";
import { checkVectors } from "./check-vectors.ts";
import { checkMemoryWords, checkPassages } from "./check-words.ts";
import { prepareRepairs } from "./repair.ts";
import type { PreparedStep, Step, UpkeepCtx } from "./step.ts";
import { walkSections } from "./walk-sections.ts";

/** What is derived from rows, and rows from which something should be. */
const SECTIONS = [
  checkMemoryIndexes,
  checkMemoryWords,
  checkEpisodeIndexes,
  checkPassages,
  checkVectors,
  checkEntityIndexes,
  checkEntityWords,
  checkEntityVectors,
];

/** Puts right what an accident left between the rows and the indexes that are made of them. */
export async function repairIndexes(ctx: UpkeepCtx, step: Step): Promise<PreparedStep> {
  const { findings, next } = await walkSections(ctx, SECTIONS, step);
  const repairs = findings.flatMap((finding) => finding.repair ?? []);
  return { ...(await prepareRepairs(ctx, repairs)), next };
}
