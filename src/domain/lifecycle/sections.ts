import { z } from "zod";
import { AppError } from "#core/errors";
import { checkRows, checkVectors, checkWords, readCursor, type Step } from "#domain/indexing";
import { checkAudit, checkFailedJobs, checkJobs, checkWaitingJobs } from "./check-jobs.ts";
import { checkExpired, checkMentions, checkPositions, checkSummaries, checkUploads, checkUsers } from "./check-rows.ts";
import { type CheckResult, INDEXABLES, VECTOR_PLACES } from "./findings.ts";
import { prepareRepairs } from "./repair.ts";
import type { PreparedStep, UpkeepCtx } from "./step.ts";

type Section = (ctx: UpkeepCtx, step: Step) => Promise<CheckResult>;

const rowsOf = (asksIndex: boolean): Section[] =>
  INDEXABLES.map((indexable) => async (ctx, step) => await checkRows(ctx, indexable, step, { asksIndex }));
const WORDS = INDEXABLES.map(
  (indexable): Section =>
    async (ctx, step) =>
      await checkWords(ctx, indexable, step),
);
const VECTORS = VECTOR_PLACES.map(
  (places): Section =>
    async (ctx, step) =>
      await checkVectors(ctx, { places, indexables: INDEXABLES, invariant: "vector.row" }, step),
);

/** The sections that the doctor checks. */
export const DOCTOR: readonly Section[] = [
  ...[checkUsers, checkPositions],
  ...rowsOf(true),
  ...WORDS,
  ...[checkSummaries, checkMentions, checkExpired, checkUploads],
  ...VECTORS,
  ...[checkJobs, checkWaitingJobs, checkFailedJobs, checkAudit],
];

/** The sections that upkeep repairs automatically. */
const REPAIRED: readonly Section[] = [...rowsOf(false), ...WORDS, ...VECTORS, checkUploads];

const Cursor = z.object({ section: z.number().int().min(0), at: z.string() });

/** The next step through sections, one after another. @throws unprocessable if the cursor is not one of these sections. */
export async function walkSections(ctx: UpkeepCtx, sections: readonly Section[], { cursor, limit }: Step): Promise<CheckResult> {
  const { section, at } = cursor === "" ? { section: 0, at: "" } : readCursor(Cursor, cursor);
  const check = sections[section];
  if (check === undefined) return { checked: {}, findings: [], next: null };
  const result = await check(ctx, { cursor: at, limit });
  const following = result.next !== null ? { section, at: result.next } : { section: section + 1, at: "" };
  return { ...result, next: following.section === sections.length ? null : JSON.stringify(following) };
}

/** Repairs differences between the rows and the indexes that are derived from them, and removes uploads of no file. */
export async function repairIndexes(ctx: UpkeepCtx, step: Step): Promise<PreparedStep> {
  const { findings, next } = await walkSections(ctx, REPAIRED, step).catch(async (error: unknown) => {
    // A cursor that an earlier version stored is refused. A server that is down is no reason to begin again.
    if (!(error instanceof AppError && error.code === "unprocessable") || step.cursor === "") throw error;
    return await walkSections(ctx, REPAIRED, { ...step, cursor: "" });
  });
  return {
    ...(await prepareRepairs(
      ctx,
      findings.flatMap(({ repair }) => repair ?? []),
    )),
    next,
  };
}
