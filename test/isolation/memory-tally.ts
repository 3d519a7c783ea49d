import type { ModelMemory, ModelTenant, Standing } from "./memory-model.ts";
import { described } from "./memory-world.ts";

/** Of each kind of mistake only so many are printed; all are counted. */
const MAX_EXAMPLES = 20;

/** A row of which one means of reading said something to one viewer. */
export type Row = { tenant: ModelTenant; memory: ModelMemory };

/** What was compared, and what was shown though the rule forbids it or missing though it allows it. */
export type Tally = {
  worlds: number;
  /** Of the world that is looked at; with it as `--seed` and few checks that world is made again, and alone. */
  seed: number;
  checks: number;
  /** Comparisons by each means of reading. */
  byMeans: Record<string, number>;
  /** Of them, how many memories were shown. */
  shown: Record<string, number>;
  /** How often the rule gave each reason. */
  reasons: Record<string, number>;
  leaks: number;
  denials: number;
  examples: { leaks: string[]; denials: string[] };
};

export function newTally(): Tally {
  return {
    worlds: 0,
    seed: 0,
    checks: 0,
    byMeans: {},
    shown: {},
    reasons: {},
    leaks: 0,
    denials: 0,
    examples: { leaks: [], denials: [] },
  };
}

export function add(counts: Record<string, number>, name: string, n = 1): void {
  counts[name] = (counts[name] ?? 0) + n;
}

/** One comparison of one viewer and one memory by one means. */
export function check(
  tally: Tally,
  means: string,
  compared: { standing: Standing; row: Row; rule: string; expected: boolean; shown: boolean },
): void {
  const { standing, row, rule, expected, shown } = compared;
  tally.checks += 1;
  add(tally.byMeans, means);
  if (shown) add(tally.shown, means);
  if (expected !== shown)
    record(tally, shown ? "leaks" : "denials", `${means} ${rule} to ${described(standing)}: ${describe(row)}`);
}

/** Counts that tell of more, or of fewer, memories than the rule allows. */
export function checkCount(tally: Tally, means: string, compared: { standing: Standing; expected: number; shown: number }): void {
  const { standing, expected, shown } = compared;
  if (expected !== shown)
    record(tally, shown > expected ? "leaks" : "denials", `${means} counts ${shown}, not ${expected}, to ${described(standing)}`);
}

export function record(tally: Tally, kind: "leaks" | "denials", example: string): void {
  tally[kind] += 1;
  if (tally.examples[kind].length < MAX_EXAMPLES) tally.examples[kind].push(`world ${tally.seed}: ${example}`);
}

export function describe({ tenant, memory }: Row): string {
  const { owner, session, subjects, statedBy, learnedIn, supersedes: _, contradicts: __, versions: ___, ...rest } = memory;
  return JSON.stringify({
    tenant: tenant.index,
    ...rest,
    owner: owner?.name,
    session: session?.name,
    subjects: [...subjects].map(({ publicId, user }) => user?.name ?? publicId),
    statedBy: statedBy?.user?.name ?? statedBy?.publicId,
    learnedIn: learnedIn?.name,
  });
}
