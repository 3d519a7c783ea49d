import { type Check, exact, ownMatches, type Result, ratios, rowsRead } from "./budgets.ts";
import type { Counts, Summary } from "./counts.ts";
import { dollarsPerMillion } from "./dollars.ts";

const COLUMNS: readonly [string, keyof Counts][] = [
  ["D1 round trips", "trips"],
  ["statements", "statements"],
  ["rows read", "rowsRead"],
  ["rows written", "rowsWritten"],
  ["embedding calls", "embeddings"],
  ["tokens embedded", "embeddingTokens"],
  ["vector queries", "vectorQueries"],
  ["vectors written", "vectorsWritten"],
  ["messages sent", "messages"],
];

export function costTable(results: readonly Result[]): string {
  return countsTable(results, [
    ["tenant's episodes", ({ size }) => grouped(size)],
    ["other tenants", ({ otherTenants }) => String(otherTenants)],
  ]);
}

type Counted = { operation: string; summary: Summary };

/** One row an operation and place; places in which every count is the same share a row. */
export function countsTable<T extends Counted>(
  results: readonly T[],
  places: readonly [string, (result: T) => string][],
): string {
  const rows = [...groupsOf(results).values()].map((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    return [
      first.operation,
      ...places.map(([, name]) => list(alike.map(name))),
      String(first.summary.calls),
      ...COLUMNS.map(([, name]) => cell(first.summary, name)),
      dollars(dollarsPerMillion(first.summary.median).total),
    ];
  });
  const head = ["operation", ...places.map(([title]) => title), "calls", ...COLUMNS.map(([title]) => title), "$ a million"];
  return markdown(head, rows);
}

function groupsOf<T extends Counted>(results: readonly T[]): Map<string, T[]> {
  const operations = [...new Set(results.map(({ operation }) => operation))];
  const inOrder = operations.flatMap((operation) => results.filter((result) => result.operation === operation));
  return Map.groupBy(inOrder, ({ operation, summary }) => JSON.stringify([operation, summary.median, summary.max]));
}

/** How a search's reading grows with what the viewer's own words find. */
export function matchTable(results: readonly Result[]): string {
  const found = results.filter(({ matches }) => matches > 0);
  const own = (result: Result) => ownMatches(result, results);
  const operations = [...new Set(found.map(({ operation }) => operation))];
  const rows = operations.flatMap((operation) => {
    const all = found.filter((result) => result.operation === operation && result.otherTenants === 1);
    const bySize = all.toSorted((a, b) => a.own - b.own || a.size - b.size);
    return bySize
      .filter(({ own }, i) => bySize[i - 1]?.own !== own)
      .map((result, i, kept) => [
        operation,
        grouped(result.own),
        grouped(Math.round(own(result))),
        grouped(Math.round(result.matches)),
        grouped(Math.round(rowsRead(result))),
        (rowsRead(result) / own(result)).toFixed(2),
        growth(kept[i - 1], result, own),
      ]);
  });
  return markdown(
    [
      "operation",
      "viewer's own episodes",
      "own matches",
      "of them found",
      "rows read",
      "rows read a match",
      "for each match more",
    ],
    rows,
  );
}

function growth(before: Result | undefined, after: Result, matches: (result: Result) => number): string {
  if (before === undefined) return "";
  return ((rowsRead(after) - rowsRead(before)) / (matches(after) - matches(before))).toFixed(2);
}

export function ratioTable(results: readonly Result[]): string {
  const rows = ratios(results).map(({ operation, rowsRead, trips, p50 }) => [
    operation,
    exact(rowsRead),
    exact(trips),
    operation === "search hybrid" ? p50.toFixed(2) : "",
  ]);
  return markdown(["operation", "rows read", "round trips", "time (p50), of this run only"], rows);
}

export function checkList(checks: readonly Check[]): string {
  return checks.map(({ name, ok, detail }) => `${ok ? "kept  " : "BROKEN"}  ${name} (${detail})`).join("\n");
}

function cell({ median, max }: Summary, name: keyof Counts): string {
  const [middle, most] = [short(median[name]), short(max[name])];
  return middle === most ? middle : `${middle} (max ${most})`;
}

function short(value: number): string {
  return Number.isInteger(value) || value >= 100 ? grouped(Math.round(value)) : value.toFixed(2);
}

function dollars(value: number): string {
  return value.toFixed(2);
}

function list(values: readonly string[]): string {
  return [...new Set(values)].join(" · ");
}

export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? "").length)));
  const line = (cells: readonly string[]) => `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join("\n");
}
