import type { Output as Answer, Edgewise } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { CliError, ExitCode, usageError } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { askConfirm } from "#cli/terminal/ask";
import { dateTime } from "#cli/terminal/dates";
import { printableLine } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";
import { table } from "#cli/terminal/table";

type Forgetting = Answer<"forgettings.list">["items"][number];

export function addForgettingsCommand(program: Base, host: Host): void {
  program
    .command("forgettings")
    .summary("list what was forgotten, and undo what nobody asked for")
    .description(
      "What was forgotten within 30 days, newest first. With --review, only what was forgotten because of a message that does not explicitly ask for it; of all users, if none is named and the key is an admin key.",
    )
    .option("--review", "only what no message explicitly asked for")
    .option("--undo", "with --review: bring all of it back, after a question")
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      examples("edgewise forgettings --user alice", "edgewise forgettings --review", "edgewise forgettings --review --undo"),
    )
    .action(async ({ review = false, undo = false, yes = false }) => {
      if (undo && !review) throw usageError("--undo goes with --review. For one forgetting: edgewise forget --undo fgt_…");
      const { edgewise, place, output } = await connect(host, program.opts(), ["user"]);
      const user = place.userId === undefined ? {} : { userId: place.userId };
      const found: Forgetting[] = [];
      for await (const one of edgewise.forgettings.list({ ...user, review: review ? "true" : "false", limit: 100 }))
        found.push(one);
      const lines = () => (found.length === 0 ? [] : table(TITLES, found.map(cellsOf), output.columns));
      if (found.length === 0)
        output.note(review ? "Nothing was forgotten that no message explicitly asked for." : "Nothing was forgotten.");
      if (!undo || found.length === 0) return output.show({ items: found }, lines);
      if (!yes) {
        for (const line of lines()) output.warn(line);
        const hint = "Say --yes to undo without being asked, or leave out --undo to see what it would be.";
        if (!(await askConfirm(host, `Bring back what these ${found.length} forgot?`, hint)))
          throw new CliError("Nothing was brought back.", ExitCode.interrupted);
      }
      const undone = await withProgress(host, "Bringing back", () => undoAll(edgewise, found));
      output.show({ items: undone }, () => undone.map(({ id }) => `Brought back: ${printableLine(id)}`));
    });
}

async function undoAll(edgewise: Edgewise, found: readonly Forgetting[]): Promise<Answer<"forgettings.undo">[]> {
  const undone: Answer<"forgettings.undo">[] = [];
  for (const { id, userId } of found) undone.push(await edgewise.forgettings.undo({ forgettingId: id, userId }));
  return undone;
}

const TITLES = ["ID", "USER", "ASKED IN", "FORGOTTEN", "MEMORIES", "PASSAGES", "UNDONE"];

const cellsOf = ({ id, userId, askedIn, forgottenAt, memories, passages, undoneAt }: Forgetting): string[] => [
  id,
  printableLine(userId),
  askedIn === null ? "-" : printableLine(askedIn),
  dateTime(forgottenAt),
  String(memories),
  String(passages),
  undoneAt === null ? "-" : dateTime(undoneAt),
];
