import { Option } from "@commander-js/extra-typings";
import type { Output as Answer, Edgewise } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { usageError } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { dateTime } from "#cli/terminal/dates";
import { paragraph } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";
import { table } from "#cli/terminal/table";
import { integer } from "./options.ts";

type Job = Answer<"jobs.get">;

type Group = ReturnType<Base["command"]>;

export function addJobsCommand(program: Base, host: Host): void {
  const jobs = program
    .command("jobs")
    .summary("background work")
    .description("The tenant's background work: indexing, learning, deleting.");
  addList(program, jobs, host);
  addShow(program, jobs, host);
  addRetry(program, jobs, host);
}

function addList(program: Base, jobs: Group, host: Host): void {
  jobs
    .command("list")
    .summary("list jobs")
    .description("Newest first.")
    .addOption(new Option("--status <status>", "only these").choices(["pending", "running", "done", "failed"] as const))
    .option("--limit <n>", "how many", integer(1, 100))
    .option("--cursor <cursor>", "the nextCursor of the page before")
    .addHelpText("after", examples("edgewise jobs list --status failed", "edgewise jobs list --limit 5 --json"))
    .action(async ({ status, limit, cursor }) => {
      const { edgewise, output } = await connect(host, program.opts(), []);
      const page = await edgewise.jobs.list({
        ...(status === undefined ? {} : { status }),
        ...(limit === undefined ? {} : { limit }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (page.items.length === 0) output.note("There are no such jobs.");
      if (page.nextCursor !== null) output.note(`There are more: --cursor ${printableLine(page.nextCursor)}`);
      const titles = ["ID", "STATUS", "TRIES", "CREATED", "KIND", "ERROR"];
      output.show(page, () => (page.items.length === 0 ? [] : table(titles, page.items.map(cellsOf), output.columns)));
    });
}

const cellsOf = (job: Job): string[] => [
  job.id,
  job.waitingFor === null ? job.status : `waits for ${job.waitingFor}`,
  String(job.attempts),
  dateTime(job.createdAt),
  job.kind,
  job.error ?? "",
];

function addShow(program: Base, jobs: Group, host: Host): void {
  jobs
    .command("show")
    .summary("one job")
    .description("A job with its attempts, its result and, if it failed, the reason.")
    .argument("<id>", "as `edgewise jobs list` shows it")
    .addHelpText("after", examples("edgewise jobs show job_01a2038b-…"))
    .action(async (jobId, _options) => {
      const { edgewise, output } = await connect(host, program.opts(), []);
      const job = await edgewise.jobs.get({ jobId });
      const rows = [
        ["id", job.id],
        ["kind", job.kind],
        ["status", job.status],
        ["tries", String(job.attempts)],
        ["created", dateTime(job.createdAt)],
        ["finished", dateTime(job.finishedAt)],
        ["waits for", job.waitingFor ?? "-"],
        ["result", job.result === null ? "-" : JSON.stringify(job.result)],
      ];
      const error = job.error === null ? [] : ["", ...paragraph(job.error, output)];
      output.show(job, () => [...table(["", ""], rows, output.columns).slice(1), ...error]);
    });
}

function addRetry(program: Base, jobs: Group, host: Host): void {
  jobs
    .command("retry")
    .summary("run jobs again")
    .description("Runs the named jobs again, or all that failed.")
    .argument("[id...]", "as `edgewise jobs list` shows them")
    .option("--failed", "all jobs that failed")
    .option("--kind <kind>", "with --failed: only of this kind")
    .addHelpText("after", examples("edgewise jobs retry job_01a2038b-…", "edgewise jobs retry --failed --kind memories.embed"))
    .action(async (ids, { failed, kind }) => {
      if ((failed === true) === ids.length > 0) throw usageError("Name jobs, or say --failed for all that failed.");
      if (kind !== undefined && failed !== true) throw usageError("--kind goes with --failed.");
      const { edgewise, output } = await connect(host, program.opts(), []);
      if (failed === true) {
        const rerun = await withProgress(host, "Running failed jobs again", () => retryFailed(edgewise, kind));
        output.show({ rerun }, () => [rerun === 0 ? "There are no such jobs." : `${rerun} jobs run again.`]);
        return;
      }
      const items: Answer<"jobs.rerun">[] = [];
      for (const jobId of ids) items.push(await edgewise.jobs.rerun({ jobId }));
      output.show({ items }, () => items.map(({ id }) => `Runs again: ${printableLine(id)}`));
    });
}

/** One call takes a bounded number of them. */
async function retryFailed(edgewise: Edgewise, kind: string | undefined): Promise<number> {
  let rerun = 0;
  let cursor: string | null = null;
  do {
    const page: Answer<"jobs.rerunMany"> = await edgewise.jobs.rerunMany({
      status: "failed",
      ...(kind === undefined ? {} : { kind }),
      ...(cursor === null ? {} : { cursor }),
    });
    rerun += page.rerun ?? 0;
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
  return rerun;
}
