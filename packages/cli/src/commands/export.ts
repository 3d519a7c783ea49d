import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Edgewise } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { CliError, ExitCode, usageError } from "#cli/exit-code";
import { BrokenExport, type Checked, createChecker, totalOf } from "#cli/export/check-parts";
import type { Host } from "#cli/host";
import { printable } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";

/** A part begins when its first rows have been read. */
const CALL_TIMEOUT_MS = 120_000;
/** Tries for one part whose connection broke, one after another. */
const MAX_TRIES = 5;

export function addExportCommand(program: Base, host: Host): void {
  program
    .command("export")
    .summary("export a user or the whole tenant")
    .description(
      "Writes everything of a user, or with --all of the tenant, as JSON Lines, and checks counts and hashes. `edgewise import` reads it.",
    )
    .option("--all", "the whole tenant; the key needs the permission admin")
    .option("--out <file>", "write into this file instead of to standard output; it appears when the export is whole")
    .addHelpText("after", examples("edgewise export --user alice --out alice.jsonl", "edgewise export --all --out backup.jsonl"))
    .action(async ({ all, out }) => {
      const { user, json } = program.opts();
      if (all === true && user !== undefined) throw usageError("Either --all or --user: an export is of one user or of all.");
      if (json === true && out === undefined)
        throw usageError("--json needs --out: without it, standard output is the export itself.");
      const { edgewise, place, output } = await connect(host, program.opts(), ["user"]);
      const scope = all === true ? {} : place;
      if (all !== true && scope.userId === undefined)
        output.note("No user is named: this exports the user of the key, or with a server key the whole tenant.");
      const checked = await withProgress(
        host,
        "Exporting",
        async ({ say }) => await exportTo(edgewise, { scope, out, host, say }),
      );
      if (out === undefined) return output.note(summaryOf(checked));
      output.show({ file: out, rows: checked.rows, total: totalOf(checked) }, () => [`${printable(out)}: ${summaryOf(checked)}`]);
    });
}

type Exporting = { scope: { userId?: string }; out: string | undefined; host: Host; say: (message: string) => void };

/** A file is written beside its name, so that an export that is cut off never looks like a whole one. */
async function exportTo(edgewise: Edgewise, { scope, out, host, say }: Exporting): Promise<Checked> {
  if (out === undefined) return await readParts(edgewise, { scope, say, to: host.stdout });
  const partial = `${out}.partial`;
  const file = createWriteStream(partial, { mode: 0o600 });
  try {
    const checked = await readParts(edgewise, { scope, say, to: file });
    file.end();
    await finished(file);
    await rename(partial, out);
    return checked;
  } catch (error) {
    file.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

type Reading = { scope: { userId?: string }; say: Exporting["say"]; to: Writable };

/**
 * Part after part, each written when it is whole and its counts and hashes are right, so that one whose connection broke is read again.
 * @throws CliError for an export that is not whole.
 */
async function readParts(edgewise: Edgewise, { scope, say, to }: Reading): Promise<Checked> {
  const checker = createChecker();
  for (;;) {
    const { nextFrom: from } = checker.checked();
    const lines = await readPart(edgewise, { ...scope, ...(from === null ? {} : { from }), rows: ROWS_A_PART });
    try {
      for (const line of lines) checker.add(line);
    } catch (error) {
      if (error instanceof BrokenExport) throw new CliError(`The export is damaged. ${error.message}`, ExitCode.failure);
      throw error;
    }
    if (!to.write(`${lines.join("\n")}\n`)) await new Promise<void>((resolve) => to.once("drain", resolve));
    const checked = checker.checked();
    say(`Exporting: ${totalOf(checked)} rows`);
    if (checked.isWhole) return checked;
    if (checked.nextFrom === null || checked.nextFrom === from)
      throw new CliError("The export has no end. Run it again.", ExitCode.failure);
  }
}

/** Rows that are held in memory until their part is whole. */
const ROWS_A_PART = 2_000;

/** The lines of a part. One whose connection broke, or that has no end, is read again. */
async function readPart(edgewise: Edgewise, input: { userId?: string; from?: string; rows: number }): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const lines: string[] = [];
      for await (const line of edgewise.exports.read(input, { timeoutMs: CALL_TIMEOUT_MS })) lines.push(line);
      if (lines.at(-1)?.startsWith('{"kind":"end"') === true) return lines;
      if (tries === MAX_TRIES)
        throw new CliError("The export breaks off each time. The service's log says why.", ExitCode.failure);
    } catch (error) {
      const isBroken = error instanceof Error && error.name === "EdgewiseConnectionError";
      if (!isBroken || tries === MAX_TRIES) throw error;
    }
  }
}

function summaryOf(checked: Checked): string {
  const kinds = Object.entries(checked.rows).map(([kind, lines]) => `${lines} ${kind}`);
  return printable(`${totalOf(checked)} rows, counts and hashes checked${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}.`);
}
