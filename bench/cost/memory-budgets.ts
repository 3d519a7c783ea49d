import { MAX_FROM_OTHERS } from "../../src/domain/memories/filters.ts";
import { type Check, exact, HYBRID, type Limit, limitChecks, PAGE_SIZE, rowsRead, SEARCH } from "./budgets.ts";
import type { Summary } from "./counts.ts";

/** Where others hold little, where those of the same tenant hold much, and where other tenants do. */
export type MemoryPlace = "few" | "tenant" | "tenants";

/** A measurement of a viewer who holds `own` memories, or of the tenant. */
export type MemoryResult = {
  operation: string;
  place: MemoryPlace;
  own: number | null;
  summary: Summary;
  /** Matches: for each passage and memory of the answer and each word of the question that it contains, one; on average. */
  matches: number;
  p50Ms: number;
};

/** A memory is shown with its subjects, its speaker, its session, and what contradicts it; each is a row. */
const ROWS_PER_ITEM = 30;
/** For a match that is found, checked and ranked, and for the 150 best memories and 150 best passages that are loaded. */
const ROWS_PER_MATCH = 8;
const ROWS_PER_SEARCH = 4_000;
/** Others' memories about a person are read before their visibility is decided; so many of the newest. */
const ROWS_FROM_OTHERS = 5 * MAX_FROM_OTHERS;
/** For up to 20 people who share a name, up to 500 memories of the viewer's own and 300 of others are read, each. */
const ROWS_PER_NAME = 50_000;

const ADD: Limit = { trips: 2, rowsWritten: 12, rowsRead: 30 };
const PAGE: Limit = { trips: 1, rowsWritten: 0, rowsRead: PAGE_SIZE * ROWS_PER_ITEM };
const ONE: Limit = { trips: 1, rowsWritten: 0 };
/** Words and names are found with one query of vectors, a second one only in a project. */
const BOTH: Limit = { ...HYBRID, vectorQueries: 2 };

const LIMITS: Readonly<Record<string, Limit>> = {
  "get one memory": { ...ONE, rowsRead: ROWS_PER_ITEM },
  "list page (20)": PAGE,
  "list page (20), counting all": ONE,
  "list page (20) about a person": { ...PAGE, rowsRead: PAGE_SIZE * ROWS_PER_ITEM + ROWS_FROM_OTHERS },
  "list page (20) with a word": PAGE,
  "history of a memory, two versions": ONE,
  "review list page (20)": PAGE,
  "search episodes and memories": BOTH,
  "search memories": BOTH,
  "search memories, recent": { ...SEARCH, rowsRead: ROWS_PER_SEARCH },
  "search naming a person": BOTH,
  "search naming a person of a common name": { ...BOTH, rowsRead: ROWS_PER_NAME },
  "what do you know about me?": BOTH,
  context: BOTH,
  "append an episode with a list of three": { trips: 2 },
  "store three facts": { trips: 2 },
  "answer from a session's facts": ONE,
  "answer from a user's facts": ONE,
  "a question that facts do not answer": { trips: 0, rowsRead: 0, rowsWritten: 0 },
  "add a memory about a person": ADD,
  "add a memory by key": { ...ADD, rowsWritten: 13 },
  "say it again": { trips: 2 },
  "change a memory by key": { trips: 2 },
  "add 100 memories": { trips: 2 },
};

/** Which cost the same however many memories their owner has. */
const FLAT_IN_OWN = [
  "add a memory about a person",
  "say it again",
  "add a memory by key",
  "change a memory by key",
  "add 100 memories",
];

/** Others' memories about people of that name may be visible too, so more is read. */
const READS_OTHERS = "search naming a person of a common name";
/** A run takes as many steps as there are rows to read, up to twenty for each task. */
const OF_THE_TENANT = "upkeep of the tenant, one run";
/** The queue decides how many messages it delivers at a time. */
const BY_CHANCE = "in a batch";

/** Which budgets of memories were kept and which were not. */
export function checkMemoryBudgets(results: readonly MemoryResult[]): Check[] {
  const operations = [...new Set(results.map(({ operation }) => operation))];
  return [
    ...operations.flatMap((operation) => {
      const all = results.filter((result) => result.operation === operation);
      return [...limitChecks(operation, LIMITS[operation] ?? {}, all), ...matchChecks(operation, all)];
    }),
    ...operations.filter((operation) => !isExcused(operation)).flatMap((operation) => othersChecks(operation, results)),
    ...FLAT_IN_OWN.flatMap((operation) => ownChecks(operation, results)),
  ];
}

function isExcused(operation: string): boolean {
  return operation === READS_OTHERS || operation === OF_THE_TENANT || operation.includes(BY_CHANCE);
}

/** Of every viewer, beside many memories of the tenant's others and beside many of other tenants. */
function othersChecks(operation: string, results: readonly MemoryResult[]): Check[] {
  const ratios = memoryRatios(results).filter((ratio) => ratio.operation === operation);
  const worst = ratios.find(({ rowsRead, trips }) => rowsRead !== 1 || trips !== 1);
  const [shown] = worst === undefined ? ratios : [worst];
  if (shown === undefined) return [];
  const where = worst === undefined ? "" : ` (${worst.place}, of ${worst.own})`;
  return [
    {
      name: `${operation}: flat in what others hold`,
      ok: worst === undefined,
      detail: `rows read ×${exact(shown.rowsRead)}, round trips ×${exact(shown.trips)}${where}`,
    },
  ];
}

function matchChecks(operation: string, results: readonly MemoryResult[]): Check[] {
  const found = results.filter(({ matches }) => matches > 0 && operation !== READS_OTHERS);
  const share = (result: MemoryResult) => rowsRead(result) / (ROWS_PER_SEARCH + ROWS_PER_MATCH * result.matches);
  const worst = found.toSorted((a, b) => share(b) - share(a))[0];
  if (worst === undefined) return [];
  return [
    {
      name: `${operation}: rows read for the viewer's own matches`,
      ok: share(worst) <= 1,
      detail: `${Math.round(rowsRead(worst))} for ${Math.round(worst.matches)}, at most ${ROWS_PER_SEARCH} and ${ROWS_PER_MATCH} a match`,
    },
  ];
}

/** Of two viewers in the same place, one of whom holds more. */
function ownChecks(operation: string, results: readonly MemoryResult[]): Check[] {
  const here = results.filter((result) => result.operation === operation && result.place === "few");
  const bySize = here.toSorted((a, b) => (a.own ?? 0) - (b.own ?? 0));
  const [least, most] = [bySize[0], bySize.at(-1)];
  if (least === undefined || most === undefined || least === most) return [];
  const isSame = (["rowsRead", "rowsWritten", "trips"] as const).every(
    (name) => least.summary.total[name] === most.summary.total[name],
  );
  const detail = `${rowsRead(least)} rows read of ${least.own}, ${rowsRead(most)} of ${most.own}`;
  return [{ name: `${operation}: flat in what the owner holds`, ok: isSame, detail }];
}

export type MemoryRatio = { operation: string; own: number | null; place: MemoryPlace; rowsRead: number; trips: number };

/** The cost of each operation where others hold much, divided by the cost where they hold little. */
export function memoryRatios(results: readonly MemoryResult[]): MemoryRatio[] {
  return results.flatMap(({ operation, own, place, summary }) => {
    const least = results.find((result) => result.place === "few" && result.own === own && result.operation === operation);
    if (place === "few" || least === undefined) return [];
    const ratio = (name: "rowsRead" | "trips") =>
      summary.total[name] === least.summary.total[name] ? 1 : summary.total[name] / least.summary.total[name];
    return [{ operation, own, place, rowsRead: ratio("rowsRead"), trips: ratio("trips") }];
  });
}
