import { decodeCursor, encodeCursor } from "#core/page";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { isLostRace } from "#db/guard";
import { type CheckResult, descriptionOf, INVARIANT_NAMES } from "./findings.ts";
import { prepareRepairs } from "./repair.ts";
import { carryOut } from "./run-tasks.ts";
import { type DoctorInput, type DoctorView, MAX_EXAMPLES, type RepairInput, type RepairView } from "./schemas.ts";
import { DOCTOR, walkSections } from "./sections.ts";
import type { UpkeepCtx } from "./step.ts";

/** A call ends after this many rows or steps, whichever comes first. */
const ROWS_A_CALL = 3_000;
const STEPS_A_CALL = 30;
/** Rows with a problem that one step reports, and repairs. */
const FOUND_A_STEP = 200;

/**
 * Checks a bounded part of the caller's tenant: whether derived data has drifted from its rows, and whether jobs finish.
 * @throws forbidden without the permission `admin`.
 * @throws unprocessable for a cursor that is not one of its own.
 */
export async function checkInvariants(ctx: UpkeepCtx, { cursor }: DoctorInput): Promise<DoctorView> {
  requirePermission(ctx.actor, "admin");
  const { seen, next } = await walk(cursor, (at) => walkSections(ctx, DOCTOR, { cursor: at, limit: FOUND_A_STEP }));
  const invariants = INVARIANT_NAMES.map((name) => invariantView(name, seen));
  const healthy = invariants.every(({ level, violations }) => level === "info" || violations === 0);
  return { healthy, invariants, ...progressOf(next) };
}

/**
 * The same, and repairs what needs no person. The repairs are audited as counts.
 * @throws the same as `checkInvariants`, and `conflict` if concurrent calls change the rows that it found.
 */
export async function repairInvariants(ctx: UpkeepCtx, { cursor, dryRun = false }: RepairInput): Promise<RepairView> {
  requirePermission(ctx.actor, "admin");
  const { seen, next } = await walk(cursor, (at) => repairStep(ctx, at, dryRun));
  const invariants = INVARIANT_NAMES.map((name) => {
    const found = seen.flatMap(({ findings }) => findings.filter(({ invariant }) => invariant === name));
    const repaired = found.filter((finding) => finding.repair !== null).length;
    const needsPerson = descriptionOf(name).level === "info" ? 0 : found.length - repaired;
    return { ...invariantView(name, seen), repaired, needsPerson };
  });
  return { dryRun, invariants, ...progressOf(next) };
}

/** A step that loses a race is checked again. */
async function repairStep(ctx: UpkeepCtx, at: string, dryRun: boolean): Promise<CheckResult> {
  return await retryLostRace(ctx, "What was found is being changed by others at the same moment. Try again.", async () => {
    const result = await walkSections(ctx, DOCTOR, { cursor: at, limit: FOUND_A_STEP });
    const repairs = result.findings.flatMap((finding) => finding.repair ?? []);
    if (dryRun || repairs.length === 0) return result;
    try {
      await carryOut(ctx, { action: "doctor.mended", prepared: await prepareRepairs(ctx, repairs) });
      return result;
    } catch (error) {
      if (isLostRace(error)) return "lost";
      throw error;
    }
  });
}

async function walk(
  from: string | undefined,
  step: (cursor: string) => Promise<CheckResult>,
): Promise<{ seen: CheckResult[]; next: string | null }> {
  const seen: CheckResult[] = [];
  let next: string | null = from === undefined ? "" : readCursor(from);
  for (let rows = 0; next !== null && rows < ROWS_A_CALL && seen.length < STEPS_A_CALL; ) {
    const result = await step(next);
    seen.push(result);
    rows += Math.max(0, ...Object.values(result.checked).map(Number));
    next = result.next;
  }
  return { seen, next };
}

function invariantView(name: string, seen: readonly CheckResult[]): DoctorView["invariants"][number] {
  const found = seen.flatMap(({ findings }) => findings.filter(({ invariant }) => invariant === name));
  const since = found.flatMap((finding) => finding.since ?? []);
  const reasons = [...new Set(found.flatMap(({ reason }) => reason ?? []))].slice(0, MAX_EXAMPLES);
  const looks = seen.flatMap(({ checked }) => checked[name] ?? []);
  return {
    name,
    ...descriptionOf(name),
    checked: looks.includes(false) ? false : looks.reduce((sum: number, rows) => sum + Number(rows), 0),
    violations: found.reduce((sum, { count = 1 }) => sum + count, 0),
    examples: [...new Set(found.flatMap(({ example }) => example ?? []))].slice(0, MAX_EXAMPLES),
    ...(reasons.length === 0 ? {} : { reasons }),
    ...(since.length === 0 ? {} : { since: new Date(Math.min(...since)).toISOString() }),
  };
}

function progressOf(next: string | null): { complete: boolean; nextCursor: string | null } {
  return { complete: next === null, nextCursor: next === null ? null : encodeCursor("doctor", [next]) };
}

function readCursor(cursor: string): string {
  const [at] = decodeCursor("doctor", cursor, ["string"]);
  return String(at);
}
