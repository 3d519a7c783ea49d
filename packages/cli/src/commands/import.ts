import { basename } from "node:path";
import { Option } from "@commander-js/extra-typings";
import type { Edgewise } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { ExitCode, usageError } from "#cli/exit-code";
import { totalOf } from "#cli/export/check-parts";
import type { Host } from "#cli/host";
import { checkExport, isEdgewiseExport, rowReport, sendLines } from "#cli/import/edgewise-file";
import { type ExportFile, hashOf, openExport } from "#cli/import/export-file";
import { NAMES, PLATFORMS } from "#cli/import/platform";
import { reportLines } from "#cli/import/report";
import { type Progress, recognise, sendExport } from "#cli/import/send-export";
import type { Output } from "#cli/terminal/output";
import { printable } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";

const AGAIN = "--again checks it against what is stored now.";

export function addImportCommand(program: Base, host: Host): void {
  program
    .command("import")
    .summary("import an export of another platform or of Edgewise")
    .description(
      "Imports an export of ChatGPT, Claude or Gemini (the zip or the JSON in it), or message arrays, as sessions of a user. The same file again sends nothing, without --again; after a break, run it again.",
    )
    .argument("<file>", "the export: .zip, .json or .jsonl; or one that `edgewise export` made")
    .addOption(new Option("--platform <name>", "where it is from, if its content does not show it").choices(PLATFORMS))
    .option("--dry-run", "report what would be stored, and store nothing")
    .option("--again", "check a file that was imported before against what is stored now; what was erased stays so")
    .addOption(
      new Option("--extraction <mode>", "what learns from the conversations, behind all other work").choices([
        "off",
        "rules",
        "model",
      ] as const),
    )
    .addHelpText(
      "after",
      examples(
        "edgewise import chatgpt-export.zip --user alice --dry-run",
        "edgewise import conversations.json --user alice --project travel --extraction off",
      ),
    )
    .action(async (path, { platform: named, dryRun, again, extraction }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "project"]);
      const { projectId, ...user } = place;
      if (await isEdgewiseExport(path)) return await importOwn(host, { edgewise, output, path, dryRun, again, ...user });
      const file = await openExport(path);
      try {
        const platform = named ?? (await recognise(file));
        const started = await edgewise.imports.start({
          ...place,
          ...{ platform, fileName: file.fileName, sha256: file.sha256 },
          ...(dryRun === true ? { dryRun } : {}),
          ...(again === true ? { again } : {}),
          ...(extraction === undefined ? {} : { extraction }),
        });
        const read = () => edgewise.imports.get({ importId: started.id, ...user });
        if (started.repeated === true) {
          const before = { ...(await read()), repeated: true };
          output.note(
            `This file was imported on ${before.createdAt.slice(0, 10)}: nothing was sent, and this is the report of then. ${AGAIN}`,
          );
          output.show(before, () => reportLines({ finished: before, refused: [], broken: [], notes: file.notes }));
          return;
        }
        const sent = await withProgress(host, `Importing from ${NAMES[platform]}`, async ({ say }) => {
          const onProgress = (progress: Progress) => say(progressLine(progress, sizeOf(file)));
          return await sendExport(file, { edgewise, importId: started.id, platform, place: user, onProgress });
        });
        const isComplete = sent.broken.length === 0;
        await edgewise.imports.finish({ importId: started.id, ...user, isComplete });
        const finished = await read();
        if (!isComplete || sent.refused.length > 0 || finished.statistics.failed > 0) host.exitCode = ExitCode.failure;
        output.show({ ...finished, notSent: sent.refused, broken: sent.broken }, () =>
          reportLines({ finished, ...sent, notes: file.notes }),
        );
      } finally {
        file.close();
      }
    });
}

type OwnExport = {
  edgewise: Edgewise;
  output: Output;
  path: string;
  dryRun: true | undefined;
  again: true | undefined;
  userId?: string;
};

/** An export of Edgewise: of a user, for that user; of a tenant, with a key that has `admin`. */
async function importOwn(host: Host, { edgewise, output, path, dryRun, again, userId: named }: OwnExport): Promise<void> {
  const { checked, userId, isOfTenant } = await checkExport(path);
  if (isOfTenant && named !== undefined)
    throw usageError("This is an export of a whole tenant: leave --user out, and use a key with the permission admin.");
  const user = isOfTenant ? {} : { userId: named ?? userId ?? "" };
  const started = await edgewise.imports.start({
    ...user,
    ...{ platform: "edgewise", fileName: basename(path), sha256: await hashOf(path) },
    ...(dryRun === true ? { dryRun } : {}),
    ...(again === true ? { again } : {}),
  });
  if (started.repeated !== true) {
    await withProgress(host, "Importing from Edgewise", async ({ say }) => {
      const onSent = (lines: number) => say(`Importing from Edgewise: ${lines} of ${totalOf(checked)} rows`);
      await sendLines({ edgewise, path, importId: started.id, user, onSent });
    });
    await edgewise.imports.finish({ importId: started.id, ...user });
  } else output.note(`This file was imported before: nothing was sent, and this is the report of then. ${AGAIN}`);
  const finished = await edgewise.imports.get({ importId: started.id, ...user });
  if ((finished.rows.leftOut ?? 0) > 0) host.exitCode = ExitCode.failure;
  output.show(finished, () => rowReport(finished, checked).map(printable));
}

function sizeOf({ conversations, projects }: ExportFile): number {
  return [...conversations, ...projects].reduce((sum, { bytes }) => sum + bytes, 0);
}

const BAR_CELLS = 20;

/** `████░░░░ 41 %, 120 conversations, 3004 messages` */
function progressLine({ bytes, conversations, messages }: Progress, total: number): string {
  const share = Math.min(1, bytes / Math.max(1, total));
  const full = Math.round(share * BAR_CELLS);
  const bar = "█".repeat(full) + "░".repeat(BAR_CELLS - full);
  return `${bar} ${Math.floor(share * 100)} %, ${conversations} conversations, ${messages} messages`;
}
