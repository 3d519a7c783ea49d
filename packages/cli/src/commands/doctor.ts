import type { Output as Answer, Edgewise } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { ExitCode, usageError } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { type Output, paragraph } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";
import { type Progress, withProgress } from "#cli/terminal/progress";
import { table } from "#cli/terminal/table";
import { type Finding, mergeFindings } from "./doctor-findings.ts";

/** A call looks at some 3,000 rows, and repairs what it finds there. */
const CALL_TIMEOUT_MS = 120_000;

export function addDoctorCommand(program: Base, host: Host): void {
  program
    .command("doctor")
    .summary("check the stored data, and repair it")
    .description("Checks that indexes, vectors and jobs agree with the rows. Ends with 1 if something is wrong and stays wrong.")
    .option("--repair", "repair what needs no decision by a person")
    .option("--dry-run", "with --repair: say what it would repair, and change nothing")
    .addHelpText("after", examples("edgewise doctor", "edgewise doctor --repair --dry-run", "edgewise doctor --repair"))
    .action(async ({ repair, dryRun }) => {
      if (dryRun === true && repair !== true)
        throw usageError("--dry-run goes with --repair. Without it, nothing is changed anyway.");
      const { edgewise, output } = await connect(host, program.opts(), []);
      const report = await withProgress(
        host,
        "Checking the stored data",
        async (progress): Promise<Check | Repair> =>
          repair === true ? await repairAll(edgewise, { dryRun: dryRun === true }, progress) : await checkAll(edgewise, progress),
      );
      if (!report.invariants.every((finding) => isSettled(finding, { repairs: repair === true && dryRun !== true }))) {
        host.exitCode = ExitCode.failure;
      }
      output.show(report, () => reportLines(report.invariants, output));
    });
}

/** Whether nothing is wrong, or what was is repaired. */
function isSettled({ level, violations, repaired = 0 }: Finding, { repairs }: { repairs: boolean }): boolean {
  return level === "info" || violations <= (repairs ? repaired : 0);
}

type Check = Answer<"doctor.check">;

/** All calls as one report of the API's shape. */
async function checkAll(edgewise: Edgewise, progress: Progress): Promise<Check> {
  let report: Check | undefined;
  do {
    const cursor = report?.nextCursor;
    const next: Check = await edgewise.doctor.check(cursor == null ? {} : { cursor }, { timeoutMs: CALL_TIMEOUT_MS });
    report = {
      ...next,
      healthy: (report?.healthy ?? true) && next.healthy,
      invariants: mergeFindings(report?.invariants ?? [], next.invariants),
    };
    progress.say(`Checking the stored data: ${rowsOf(report.invariants)} rows`);
  } while (report.nextCursor !== null);
  return report;
}

type Repair = { dryRun: boolean; invariants: Finding[]; complete: boolean; nextCursor: string | null };

async function repairAll(edgewise: Edgewise, { dryRun }: { dryRun: boolean }, progress: Progress): Promise<Repair> {
  const report: Repair = { dryRun, invariants: [], complete: false, nextCursor: null };
  do {
    const { nextCursor: cursor } = report;
    const next = await edgewise.doctor.repair({ dryRun, ...(cursor === null ? {} : { cursor }) }, { timeoutMs: CALL_TIMEOUT_MS });
    report.invariants = mergeFindings(report.invariants, next.invariants ?? []);
    report.complete = next.complete ?? false;
    report.nextCursor = next.nextCursor ?? null;
    progress.say(`Repairing the stored data: ${rowsOf(report.invariants)} rows`);
  } while (report.nextCursor !== null);
  return report;
}

const rowsOf = (findings: Finding[]) => findings.reduce((sum, { checked }) => sum + (checked === false ? 0 : checked), 0);

function reportLines(findings: Finding[], output: Output): string[] {
  const { green, red, dim } = output.colours;
  const found = findings.filter(({ violations }) => violations > 0);
  const checked = `${findings.length} invariants over ${rowsOf(findings)} rows`;
  if (found.length === 0) return [green(`All is well: ${checked}.`)];
  const rows = found.map((finding) => [
    finding.name,
    finding.level,
    String(finding.violations),
    finding.repaired === undefined ? "-" : String(finding.repaired),
    finding.description,
  ]);
  const hasErrors = found.some(({ level }) => level === "error");
  const examples = found.flatMap(({ name, examples: ids, reasons = [] }) =>
    [...ids, ...reasons].length === 0
      ? []
      : paragraph(`${name}: ${[...ids, ...reasons].map(printableLine).join(", ")}`, output, "  "),
  );
  return [
    hasErrors ? red(`Something is wrong: ${checked}.`) : green(`Nothing is wrong: ${checked}.`),
    "",
    ...table(["INVARIANT", "LEVEL", "FOUND", "REPAIRED", "WHAT HOLDS OTHERWISE"], rows, output.columns),
    ...(examples.length === 0 ? [] : ["", ...examples.map(dim)]),
  ];
}
