import { Option } from "@commander-js/extra-typings";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { ExitCode } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { type ExportFile, openExport } from "#cli/import/export-file";
import { NAMES, PLATFORMS } from "#cli/import/platform";
import { reportLines } from "#cli/import/report";
import { type Progress, recognise, sendExport } from "#cli/import/send-export";
import { withProgress } from "#cli/terminal/progress";

export function addImportCommand(program: Base, host: Host): void {
  program
    .command("import")
    .summary("import conversations from another platform's export")
    .description(
      "Imports an export of ChatGPT, Claude or Gemini (the zip or the JSON in it), or message arrays, as sessions of a user. The same file again adds nothing; after a break, run it again.",
    )
    .argument("<file>", "the export: .zip, .json or .jsonl")
    .addOption(new Option("--platform <name>", "where it is from, if its content does not show it").choices(PLATFORMS))
    .option("--dry-run", "report what would be stored, and store nothing")
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
    .action(async (path, { platform: named, dryRun, extraction }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "project"]);
      const { projectId, ...user } = place;
      const file = await openExport(path);
      try {
        const platform = named ?? (await recognise(file));
        const started = await edgewise.imports.start({
          ...place,
          ...{ platform, fileName: file.fileName, sha256: file.sha256 },
          ...(dryRun === true ? { dryRun } : {}),
          ...(extraction === undefined ? {} : { extraction }),
        });
        const read = () => edgewise.imports.get({ importId: started.id, ...user });
        if (started.repeated === true) {
          const before = { ...(await read()), repeated: true };
          output.note(`This file was imported on ${before.createdAt.slice(0, 10)}: nothing was sent.`);
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
