import type { Counts, Summary } from "./counts.ts";

/** A measurement and its conditions: how much the tenant and the viewer hold, and how many other tenants there are. */
export type Result = {
  operation: string;
  viewer: "viewer" | "alone";
  size: number;
  own: number;
  otherTenants: number;
  summary: Summary;
  /** Matches: for each passage of the answer and each word of the question that it contains, one; on average. */
  matches: number;
  p50Ms: number;
};

export type Check = { name: string; ok: boolean; detail: string };

export type Limit = Partial<Record<keyof Counts, number>>;

export const PAGE_SIZE = 20;
/** The constant of "page size × constant". */
const ROWS_PER_ITEM = 10;
/** The constants of "a constant times the viewer's own matches": for a match, and for the 200 best that are loaded. */
const ROWS_PER_MATCH = 4;
const ROWS_PER_SEARCH = 1_000;

export const SEARCH: Limit = { trips: 2, rowsWritten: 0 };
export const HYBRID: Limit = { ...SEARCH, embeddings: 1, vectorQueries: 1 };
const PAGE: Limit = { trips: 1, rowsWritten: 0, rowsRead: PAGE_SIZE * ROWS_PER_ITEM };

/** The budgets of docs/benchmarks.md, for the most expensive of the calls. */
const LIMITS: Readonly<Record<string, Limit>> = {
  "append one episode": { trips: 2, rowsWritten: 12, rowsRead: 20 },
  "append to a new session": { trips: 2 },
  "append 100 episodes": { trips: 2 },
  "search hybrid": HYBRID,
  // In a project, memories and episodes are in different places, and so are their vectors.
  "search hybrid in a project": { ...HYBRID, vectorQueries: 2 },
  "search text": SEARCH,
  "search recent": SEARCH,
  "search semantic": HYBRID,
  "get one episode": { trips: 1, rowsWritten: 0, rowsRead: ROWS_PER_ITEM },
  "history page (20)": PAGE,
  "list sessions page (20)": PAGE,
};

/** The queue decides how many messages it delivers at a time, so the cost of each varies. */
const BY_CHANCE = "in a batch";

/** Which budgets were kept and which were not. */
export function checkBudgets(results: readonly Result[]): Check[] {
  const operations = [...new Set(results.map(({ operation }) => operation))];
  return [
    ...operations.flatMap((operation) => {
      const all = results.filter((result) => result.operation === operation);
      return [...limitChecks(operation, LIMITS[operation] ?? {}, all), ...matchChecks(operation, all, results)];
    }),
    ...ratios(results.filter(({ operation }) => !operation.includes(BY_CHANCE))).map(({ operation, rowsRead, trips }) => ({
      name: `${operation}: flat in what others hold`,
      ok: rowsRead === 1 && trips === 1,
      detail: `rows read ×${exact(rowsRead)}, round trips ×${exact(trips)}`,
    })),
  ];
}

export function limitChecks(operation: string, limits: Limit, results: readonly { summary: Summary }[]): Check[] {
  return Object.entries(limits).map(([name, limit]) => {
    const worst = Math.max(...results.map(({ summary }) => summary.max[name as keyof Counts]));
    return { name: `${operation}: ${name}`, ok: worst <= limit, detail: `${worst}, at most ${limit}` };
  });
}

/** A search by words reads so many rows for each match, and no more for a viewer who holds more. */
function matchChecks(operation: string, found: readonly Result[], results: readonly Result[]): Check[] {
  const searches = found.filter(({ matches }) => matches > 0);
  if (searches.length === 0) return [];
  const allowed = (result: Result) => ROWS_PER_SEARCH + ROWS_PER_MATCH * ownMatches(result, results);
  const share = (result: Result) => rowsRead(result) / allowed(result);
  const worst = searches.reduce((high, result) => (share(result) > share(high) ? result : high));
  return [
    {
      name: `${operation}: rows read for the viewer's own matches`,
      ok: share(worst) <= 1,
      detail: `${Math.round(rowsRead(worst))} for ${Math.round(ownMatches(worst, results))}, at most ${ROWS_PER_SEARCH} and ${ROWS_PER_MATCH} a match`,
    },
  ];
}

/** All operations ask for the same words, and a search within a project finds them in the whole space before it looks at projects. */
export function ownMatches(result: Result, results: readonly Result[]): number {
  const here = results.filter(
    ({ viewer, size, otherTenants }) => viewer === result.viewer && size === result.size && otherTenants === result.otherTenants,
  );
  return Math.max(...here.map(({ matches }) => matches));
}

export function rowsRead({ summary }: { summary: Summary }): number {
  return summary.total.rowsRead / summary.calls;
}

export type Ratio = { operation: string; rowsRead: number; trips: number; p50: number };

/**
 * The cost of each operation where others hold most and are most, divided by the cost where they hold least and are one. The viewer holds
 * the same in both.
 */
export function ratios(results: readonly Result[]): Ratio[] {
  const own = results.filter(({ viewer }) => viewer === "viewer");
  return [...new Set(own.map(({ operation }) => operation))].flatMap((operation) => {
    const all = own.filter((result) => result.operation === operation);
    const byOthers = all.toSorted((a, b) => a.size - b.size || a.otherTenants - b.otherTenants);
    const [least, most] = [byOthers[0], byOthers.at(-1)];
    if (least === undefined || most === undefined || least === most) return [];
    const ratio = (name: "rowsRead" | "trips") => divided(most.summary.total[name], least.summary.total[name]);
    return [{ operation, rowsRead: ratio("rowsRead"), trips: ratio("trips"), p50: divided(most.p50Ms, least.p50Ms) }];
  });
}

/** A value other than 1 must not be rounded to 1. */
export function exact(ratio: number): string {
  return ratio === 1 ? "1.00" : ratio.toPrecision(6);
}

function divided(a: number, b: number): number {
  return a === b ? 1 : a / b;
}
