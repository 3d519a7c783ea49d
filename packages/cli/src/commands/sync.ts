import { stat } from "node:fs/promises";
import path from "node:path";
import { type Edgewise, EdgewiseError } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { ExitCode, usageError } from "#cli/exit-code";
import { describeFailure } from "#cli/failure";
import type { Host } from "#cli/host";
import { readIgnored } from "#cli/sync/ignored";
import type { Pushed } from "#cli/sync/push";
import { syncOnce } from "#cli/sync/sync-once";
import { watch } from "#cli/sync/watch";
import type { Output } from "#cli/terminal/output";
import { printableJson, printableLine } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";

export function addSyncCommand(program: Base, host: Host): void {
  program
    .command("sync")
    .summary("upload a folder of documents")
    .description(
      "Uploads the files of a folder that are new or changed to a source, which is made if it does not exist. What is interrupted continues when it is run again. A file .edgewiseignore in the folder, in the syntax of .gitignore, leaves files out.",
    )
    .argument("<dir>", "the folder")
    .requiredOption("--source <id>", "the source, by the app's id")
    .option("--name <name>", "the source's name")
    .option("--watch", "go on, and send what changes until Ctrl-C")
    .option("--delete", "delete what the folder no longer has; without it, nothing is ever deleted")
    .option("--dry-run", "say what would be done")
    .addHelpText(
      "after",
      examples(
        "edgewise sync ./docs --source handbook --project apollo --user alice",
        "edgewise sync ./docs --source handbook --delete --dry-run",
        "edgewise sync ./notes --source notes --delete --watch",
      ),
    )
    .action(async (folder, options) => await sync(program, host, { folder, ...options }));
}

type Options = { folder: string; source: string; name?: string; watch?: true; delete?: true; dryRun?: true };

async function sync(program: Base, host: Host, options: Options): Promise<void> {
  const root = path.resolve(options.folder);
  if (!(await isFolder(root))) throw usageError(`${options.folder} is no folder.`);
  if (options.watch === true && options.dryRun === true)
    throw usageError("--watch sends what changes; --dry-run sends nothing. Leave one out.");
  const { edgewise, place, output, url } = await connect(host, program.opts(), ["user", "project"]);
  const { projectId, ...user } = place;
  const sourceId = options.source;
  const isJson = program.opts().json === true;
  const signal = untilInterrupted();
  const ignored = await readIgnored(root);
  const dryRun = options.dryRun === true;
  const isMissing = dryRun && !(await exists(edgewise, sourceId, place));
  if (!dryRun)
    await edgewise.sources.save({
      ...{ sourceId, ...user },
      ...(projectId === undefined ? {} : { projectId }),
      ...(options.name === undefined ? {} : { name: options.name }),
    });
  const target = { edgewise, root, sourceId, isMissing, ...user };
  const deletes = options.delete === true;
  try {
    const pushed = await withProgress(host, "Reading the folder", async ({ say }) => {
      return await syncOnce(target, ignored, { dryRun, deletes, signal, say });
    });
    show(host, output, { pushed, dryRun, isLine: isJson && options.watch === true });
    if (pushed.skipped.length + pushed.failed.length > 0) host.exitCode = ExitCode.failure;
    if (options.watch !== true) return;
    await watch(target, {
      ...{ ignored, deletes, signal },
      onReady: () => output.note(`Watching ${printableLine(options.folder)}. Ctrl-C ends it.`),
      onPushed: (more) => show(host, output, { pushed: more, dryRun, isLine: isJson }),
      onFailure: (error) => output.warn(`${describeFailure(error, url).message} It is tried again.`),
    });
    host.exitCode = ExitCode.ok;
  } catch (error) {
    if (!signal.aborted) throw error;
    output.warn("Interrupted. Run the same again to continue.");
    host.exitCode = ExitCode.interrupted;
  }
}

/** Whether the source exists. Of one that does not, the project must: the run that makes it would fail as well. */
async function exists(edgewise: Edgewise, sourceId: string, place: { userId?: string; projectId?: string }): Promise<boolean> {
  const { projectId: _, ...user } = place;
  try {
    await edgewise.sources.get({ sourceId, ...user });
    return true;
  } catch (error) {
    if (!(error instanceof EdgewiseError) || error.code !== "not_found") throw error;
    await edgewise.sources.list({ ...place, limit: 1 });
    return false;
  }
}

async function isFolder(root: string): Promise<boolean> {
  return await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Aborted by the first Ctrl-C, so that what is under way ends cleanly; the second one ends the process as usual. */
function untilInterrupted(): AbortSignal {
  const interruption = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interruption.abort());
  return interruption.signal;
}

type Shown = { pushed: Pushed; dryRun: boolean; isLine: boolean };

function show(host: Host, output: Output, { pushed, dryRun, isLine }: Shown): void {
  for (const { path: own, reason } of pushed.skipped) output.note(`Skipped: ${printableLine(own)}: ${printableLine(reason)}`);
  for (const { path: own, reason } of pushed.failed) output.note(`Not read: ${printableLine(own)}: ${printableLine(reason)}`);
  if (pushed.unread > 0) output.note(`${pushed.unread} files are still being read.`);
  const answer = { dryRun, ...pushed };
  if (isLine) return void host.stdout.write(`${printableJson(answer, 0)}\n`);
  output.show(answer, () => linesOf(pushed, dryRun));
}

function linesOf({ created, replaced, unchanged, deleted, skipped, failed }: Pushed, dryRun: boolean): string[] {
  const each = (mark: string, paths: readonly string[]) => paths.map((own) => `${mark} ${printableLine(own)}`);
  const counts = `${created.length} new, ${replaced.length} changed, ${deleted.length} deleted, ${unchanged} unchanged, ${skipped.length} skipped, ${failed.length} not read`;
  const notRead = failed.map(({ path: own }) => own);
  return [
    ...each("+", created),
    ...each("~", replaced),
    ...each("-", deleted),
    ...each("!", notRead),
    dryRun ? `Would be: ${counts}` : counts,
  ];
}
