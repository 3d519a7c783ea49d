import { exact } from "./budgets.ts";
import { type MemoryPlace, type MemoryResult, memoryRatios } from "./memory-budgets.ts";
import { FEW, type MemoryRun, type TimedSearch } from "./memory-run.ts";
import type { Spread } from "./search-times.ts";
import { countsTable, grouped, markdown } from "./table.ts";

type Sized = Pick<MemoryRun, "many">;

/** What others hold in a place: those of the tenant, and other tenants. */
function othersIn(place: MemoryPlace, { many }: Sized): string {
  const [inTenant, elsewhere] = [place === "tenant" ? many : FEW, place === "tenants" ? many : FEW];
  return `${grouped(inTenant)} + ${grouped(elsewhere)}`;
}

export function memoryTable(results: readonly MemoryResult[], sized: Sized): string {
  return countsTable(results, [
    ["viewer's memories", ({ own }) => (own === null ? "" : grouped(own))],
    ["others' in the tenant + in other tenants", ({ place }) => othersIn(place, sized)],
  ]);
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
  return markdown(["operation", "others in the tenant", "other tenants"], rows);
}

export function timeTable(times: readonly TimedSearch[], sized: Sized): string {
  const rows = times.flatMap(({ search, places, ratios }) =>
    places.map(({ place, calls, p50, p95 }) => {
      const ratio = ratios.find((each) => each.place === place);
      return [
        search,
        othersIn(place, sized),
        String(calls),
        p50.toFixed(1),
        p95.toFixed(1),
        ratio === undefined ? "" : spread(ratio.total),
        ratio === undefined ? "" : spread(ratio.database),
      ];
    }),
  );
  return markdown(
    [
      "operation",
      "others' in the tenant + in other tenants",
      "calls",
      "p50 ms",
      "p95 ms",
      "p50 ÷ p50 of the first, by rounds",
      "the same in D1 (means)",
    ],
    rows,
  );
}

function spread({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}
