import { decodeCursor, encodeCursor } from "#core/page";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { isLostRace } from "#db/guard";
import { cure } from "./cure.ts";
import { examineAudit } from "./examine-audit.ts";
import { examineEntities, examineEntityWords } from "./examine-entities.ts";
import { examineEntityVectors } from "./examine-entity-vectors.ts";
import { examineEpisodes } from "./examine-episodes.ts";
import { examineFacts } from "./examine-facts.ts";
import { examineFailedJobs, examineJobs, examineWaitingJobs } from "./examine-jobs.ts";
import { examineExpired, examineMemories } from "./examine-memories.ts";
import { examineProjects, examineUsers } from "./examine-people.ts";
import { examineSessions } from "./examine-sessions.ts";
import { examineVectors } from "./examine-vectors.ts";
import { examineMemoryWords, examinePassages } from "./examine-words.ts";
import { type Examined, type Finding, INVARIANT_NAMES, INVARIANTS, type Invariant } from "./findings.ts";
import type { UpkeepCtx } from "./plan.ts";
import { carryOut } from "./run-step.ts";
import { type DoctorInput, type DoctorView, MAX_EXAMPLES, type TreatInput, type TreatView } from "./schemas.ts";
import { type Section, walkSections } from "./walk-sections.ts";

const SECTIONS: readonly Section[] = [
  examineUsers,
  examineProjects,
  examineSessions,
  examineEpisodes,
  examinePassages,
  examineMemories,
  examineMemoryWords,
  examineExpired,
  examineEntities,
  examineEntityWords,
  examineFacts,
  examineVectors,
  examineEntityVectors,
  examineJobs,
  examineWaitingJobs,
  examineFailedJobs,
  examineAudit,
];

/** A call ends after this many rows or steps, whichever comes first. */
const ROWS_A_CALL = 3_000;
const STEPS_A_CALL = 30;
/** Rows with something wrong that one step reports, and mends. */
const FOUND_A_STEP = 200;

/** Looks whether what always holds does hold, for the caller's tenant, a bounded part of it a call. */
export async function examine(ctx: UpkeepCtx, { cursor }: DoctorInput): Promise<DoctorView> {
  requirePermission(ctx.actor, "admin");
  const { seen, next } = await walk(cursor, (at) => walkSections(ctx, SECTIONS, { cursor: at, limit: FOUND_A_STEP }));
  const invariants = INVARIANT_NAMES.map((name) => examinedOf(name, seen));
  const healthy = invariants.every(({ level, violations }) => level === "info" || violations === 0);
  return { healthy, invariants, ...progressOf(next) };
}

/** The same, and puts right what can be put right without a person. What it mended is audited as counts. */
export async function treat(ctx: UpkeepCtx, { cursor, dryRun = false }: TreatInput): Promise<TreatView> {
  requirePermission(ctx.actor, "admin");
  const { seen, next } = await walk(cursor, (at) => treatStep(ctx, at, dryRun));
  const invariants = INVARIANT_NAMES.map((name) => {
    const found = seen.flatMap(({ findings }) => findings.filter(({ invariant }) => invariant === name));
    const mended = found.filter((finding) => finding.cure !== null).length;
    const needsPerson = INVARIANTS[name].level === "info" ? 0 : found.length - mended;
    return { ...examinedOf(name, seen), mended, needsPerson };
  });
  return { dryRun, invariants, ...progressOf(next) };
}

/** A step that loses a race is looked at again. */
async function treatStep(ctx: UpkeepCtx, at: string, dryRun: boolean): Promise<Examined> {
  return await retryLostRace(ctx, "What was found is being changed by others at the same moment. Try again.", async () => {
    const examined = await walkSections(ctx, SECTIONS, { cursor: at, limit: FOUND_A_STEP });
    const cures = examined.findings.flatMap((finding) => finding.cure ?? []);
    if (dryRun || cures.length === 0) return examined;
    try {
      await carryOut(ctx, { action: "doctor.mended", plan: await cure(ctx, cures) });
      return examined;
    } catch (error) {
      if (isLostRace(error)) return "lost";
      throw error;
    }
  });
}

async function walk(
  from: string | undefined,
  step: (cursor: string) => Promise<Examined>,
): Promise<{ seen: Examined[]; next: string | null }> {
  const seen: Examined[] = [];
  let next: string | null = from === undefined ? "" : readCursor(from);
  for (let rows = 0; next !== null && rows < ROWS_A_CALL && seen.length < STEPS_A_CALL; ) {
    const examined = await step(next);
    seen.push(examined);
    rows += Math.max(0, ...Object.values(examined.checked).map(Number));
    next = examined.next;
  }
  return { seen, next };
}

function examinedOf(name: Invariant, seen: readonly Examined[]): DoctorView["invariants"][number] {
  const found: Finding[] = seen.flatMap(({ findings }) => findings.filter(({ invariant }) => invariant === name));
  const since = found.flatMap((finding) => finding.since ?? []);
  const reasons = [...new Set(found.flatMap(({ reason }) => reason ?? []))].slice(0, MAX_EXAMPLES);
  const looks = seen.flatMap(({ checked }) => checked[name] ?? []);
  return {
    name,
    ...INVARIANTS[name],
    checked: looks.includes(false) ? false : looks.reduce((sum: number, rows) => sum + Number(rows), 0),
    violations: found.reduce((sum, { count = 1 }) => sum + count, 0),
    examples: [...new Set(found.flatMap(({ example }) => example ?? []))].slice(0, MAX_EXAMPLES),
    ...(reasons.length === 0 ? {} : { reasons }),
    ...(since.length === 0 ? {} : { since: new Date(Math.min(...since)).toISOString() }),
  };
}

function progressOf(next: string | null): { complete: boolean; nextCursor: string | null } {
  return { complete: next === null, nextCursor: next === null ? null : encodeCursor([next]) };
}

function readCursor(cursor: string): string {
  const [at] = decodeCursor(cursor, ["string"]);
  return String(at);
}
