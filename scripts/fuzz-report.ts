import { z } from "zod";

/** The fields of schemathesis's JSON report that are read; it has more. */
const Report = z.object({
  running_time: z.number(),
  stop_reason: z.string(),
  seed: z.number(),
  operations: z.object({ selected: z.number(), tested: z.number() }),
  phases: z.record(z.string(), z.object({ status: z.string() })),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ title: z.string(), count: z.number(), operations: z.array(z.string()) })),
  errors: z.array(z.object({ title: z.string(), count: z.number() })),
});

export type FuzzReport = z.infer<typeof Report> & { exitCode: number | null };

export function readReport(json: string, exitCode: number | null): FuzzReport {
  return { ...Report.parse(JSON.parse(json)), exitCode };
}

/** A short table: the number of requests, and each kind of failure with its operations. */
export function tableOf(report: FuzzReport): string {
  const { operations, test_cases: cases, phases, failures, errors } = report;
  const rows: [string, string][] = [
    ["operations", `${operations.tested} of ${operations.selected}`],
    ["requests", String(cases.generated)],
    ["seconds", String(Math.round(report.running_time))],
    ["seed", String(report.seed)],
    ...Object.entries(phases).map(([name, { status }]): [string, string] => [name, status]),
    ...failures.map(({ title, count, operations: where }): [string, string] => [title, `${count}: ${where.join(", ")}`]),
    ...errors.map(({ title, count }): [string, string] => [title, String(count)]),
    ["failures", String([...failures, ...errors].reduce((sum, { count }) => sum + count, 0))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
