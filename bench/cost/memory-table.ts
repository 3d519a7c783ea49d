import { exact } from "./budgets.ts";
import { type MemoryPlace, type MemoryResult, memoryRatios } from "./memory-budgets.ts";
import { FEW, type MemoryRun, type TimedSearch } from "./memory-run.ts";
import type { Spread } from "./search-times.ts";
import { OTHER_TENANTS } from "./seed.ts";
import { countsTable, grouped, markdown } from "./table.ts";

const PLACES: Readonly<Record<MemoryPlace, string>> = { few: "few", tenant: "many in the tenant", tenants: "many elsewhere" };

export function memoryTable({ results, many }: Pick<MemoryRun, "results" | "many">): string {
  const table = countsTable(results, [
    ["viewer's memories", ({ own }) => (own === null ? "" : grouped(own))],
    ["others'", ({ place }) => PLACES[place]],
  ]);
  return `${table}

Others' memories are few, ${grouped(FEW)} in the viewers' tenant and ${grouped(FEW)} in another; or ${grouped(many)} in the viewers' tenant; or ${grouped(many)} in ${OTHER_TENANTS} other tenants.`;
}

/** Rows read where others hold much, divided by where they hold little: those of the tenant, then other tenants. */
export function memoryRatioTable(results: readonly MemoryResult[]): string {
  const ratios = memoryRatios(results);
  const operations = [...new Set(ratios.map(({ operation }) => operation))];
  const rows = operations.map((operation) => [
    operation,
    ...(["tenant", "tenants"] as const).map((place) =>
      ratios
        .filter((ratio) => ratio.operation === operation && ratio.place === place)
        .map(({ rowsRead }) => exact(rowsRead))
        .join(" · "),
    ),
  ]);
  return markdown(["operation", PLACES.tenant, PLACES.tenants], rows);
}

export function timeTable(times: readonly TimedSearch[]): string {
  const rows = times.flatMap(({ search, places, ratios }) =>
    places.map(({ place, calls, p50, p95 }) => {
      const ratio = ratios.find((each) => each.place === place);
      return [
        search,
        PLACES[place],
        String(calls),
        p50.toFixed(1),
        p95.toFixed(1),
        ratio === undefined ? "" : spread(ratio.total),
        ratio === undefined ? "" : spread(ratio.database),
      ];
    }),
  );
  return markdown(
    ["operation", "others'", "calls", "p50 ms", "p95 ms", "p50 ÷ p50 of the first, by rounds", "the same in D1 (means)"],
    rows,
  );
}

function spread({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}
