import { cure } from "./cure.ts";
import { examineEntityIndexes, examineEntityWords } from "./examine-entities.ts";
import { examineEntityVectors } from "./examine-entity-vectors.ts";
import { examineEpisodeIndexes } from "./examine-episodes.ts";
import { examineMemoryIndexes } from "./examine-memories.ts";
import { examineVectors } from "./examine-vectors.ts";
import { examineMemoryWords, examinePassages } from "./examine-words.ts";
import type { Plan, Step, UpkeepCtx } from "./plan.ts";
import { walkSections } from "./walk-sections.ts";

/** What is derived from rows, and rows from which something should be. */
const SECTIONS = [
  examineMemoryIndexes,
  examineMemoryWords,
  examineEpisodeIndexes,
  examinePassages,
  examineVectors,
  examineEntityIndexes,
  examineEntityWords,
  examineEntityVectors,
];

/** Puts right what an accident left between the rows and the indexes that are made of them. */
export async function mend(ctx: UpkeepCtx, step: Step): Promise<Plan> {
  const { findings, next } = await walkSections(ctx, SECTIONS, step);
  const cures = findings.flatMap((finding) => finding.cure ?? []);
  return { ...(await cure(ctx, cures)), next };
}
