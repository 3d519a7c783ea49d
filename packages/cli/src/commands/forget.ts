import type { Output as Answer, Edgewise, Input } from "@edgewise/client";
import { EdgewiseError } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { CliError, ExitCode, usageError } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { askConfirm } from "#cli/terminal/ask";
import { dateTime, day } from "#cli/terminal/dates";
import { type Output, paragraph } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";
import { among, MEMORY_TYPES, timeOrAge } from "./options.ts";
import { ownUserId } from "./own-user.ts";

type Memory = Answer<"memories.get">;
type Place = { userId?: string; sessionId?: string };
type Filters = { type?: string[] | undefined; text?: string | undefined; before?: string | undefined };
type Forgotten = { id: string } & Partial<NonNullable<Answer<"memories.delete">>>;

/** Memories that are shown before the question; the rest are counted. */
const SHOWN = 20;

export function addForgetCommand(program: Base, host: Host): void {
  program
    .command("forget")
    .summary("forget memories and the words they were learned from")
    .description(
      "Shows what it would forget, then asks. Takes ids, or filters over the user's own memories (with --session: the group's). It can be undone for 30 days.",
    )
    .argument("[id...]", "as `edgewise search` shows them: mem_…")
    .option("--type <types>", "all of these types, separated by commas", among(MEMORY_TYPES))
    .option("--text <words>", "all that hold these words")
    .option("--before <time>", "all that were stored before, as in 90d or 2026-11-22", timeOrAge)
    .option("--keep-source", "forget the memory only, and keep the words it was learned from")
    .option("--dry-run", "only show what it would forget")
    .option("-y, --yes", "do not ask")
    .option("--undo <id>", "bring back what was forgotten: fgt_… or mem_…")
    .addHelpText(
      "after",
      examples(
        "edgewise forget mem_01a2038b-… --user alice",
        "edgewise forget --type task --before 90d --user alice --dry-run",
        "edgewise forget --undo fgt_01a2038b-… --user alice",
      ),
    )
    .action(async (ids, { undo, dryRun, yes, keepSource, ...filters }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "session"]);
      if (undo !== undefined) return await undoForgetting(edgewise, { id: undo, place, output });
      requireOneWay(ids, filters);
      const found = ids.length > 0 ? await loadMemories(edgewise, ids, place) : await findMemories(edgewise, filters, place);
      if (found.length === 0) throw new CliError("There are no such memories.", ExitCode.notFound);
      if (dryRun === true) return output.show({ dryRun: true, items: found }, () => listLines(found, output));
      if (yes !== true) {
        for (const line of listLines(found, output)) output.warn(line);
        const what = found.length === 1 ? "this memory" : `these ${found.length} memories`;
        const sure = await askConfirm(
          host,
          `Forget ${what}?`,
          "Say --yes to forget without being asked, or --dry-run to see what it would be.",
        );
        if (!sure) throw new CliError("Nothing was forgotten.", ExitCode.interrupted);
      }
      const items = await withProgress(host, "Forgetting", () =>
        forgetAll(edgewise, found, { ...place, keepSource: keepSource === true ? "true" : "false" }),
      );
      output.show({ dryRun: false, items }, () => items.flatMap((item) => forgottenLines(item, output)));
    });
}

function requireOneWay(ids: string[], filters: Filters): void {
  const byFilter = Object.values(filters).some((value) => value !== undefined);
  if (byFilter && ids.length > 0) throw usageError("Name memories by id, or by --type, --text and --before: not both.");
  if (!byFilter && ids.length === 0)
    throw usageError("Say what to forget: ids as `edgewise search` shows them, or --type, --text or --before.");
}

async function loadMemories(edgewise: Edgewise, ids: string[], place: Place): Promise<Memory[]> {
  const memories: Memory[] = [];
  for (const memoryId of ids) memories.push(await edgewise.memories.get({ memoryId, ...place }));
  return memories;
}

/** Only what the user may delete: their own, or in a group session the group's. */
async function findMemories(edgewise: Edgewise, { type, text, before }: Filters, place: Place): Promise<Memory[]> {
  const own: Input<"memories.list"> =
    place.sessionId === undefined
      ? { ...place, ownerId: place.userId ?? (await ownUserId(edgewise)) }
      : { ...place, ownership: "group" };
  const memories: Memory[] = [];
  const list = edgewise.memories.list({
    ...own,
    limit: 100,
    stats: false,
    ...(type === undefined ? {} : { type: type.join(",") }),
    ...(text === undefined ? {} : { text }),
    ...(before === undefined ? {} : { to: before }),
  });
  for await (const memory of list) memories.push(memory);
  return memories;
}

/** One after the other: what a memory takes with it is gone when its turn comes. */
async function forgetAll(
  edgewise: Edgewise,
  memories: Memory[],
  how: Place & { keepSource: "true" | "false" },
): Promise<Forgotten[]> {
  const forgotten: Forgotten[] = [];
  for (const { id } of memories) {
    try {
      forgotten.push({ id, ...(await edgewise.memories.delete({ memoryId: id, ...how })) });
    } catch (error) {
      if (!(error instanceof EdgewiseError) || error.code !== "not_found" || forgotten.length === 0) throw error;
    }
  }
  return forgotten;
}

async function undoForgetting(
  edgewise: Edgewise,
  { id, place, output }: { id: string; place: Place; output: Output },
): Promise<void> {
  const user = place.userId === undefined ? {} : { userId: place.userId };
  if (id.startsWith("mem_")) {
    const memory = await edgewise.memories.restore({ memoryId: id, ...place });
    return output.show(memory, () => [`Restored: ${printableLine(id)}`]);
  }
  const undone = await edgewise.forgettings.undo({ forgettingId: id, ...user });
  output.show(undone, () => [`Brought back: ${printableLine(id)}`]);
}

function listLines(memories: Memory[], output: Output): string[] {
  const shown = memories.slice(0, SHOWN).flatMap((memory) => {
    const about = [memory.id, memory.type, day(memory.createdAt)].map(printableLine).join(" · ");
    return [output.colours.dim(about), ...paragraph(memory.content, output, "  ")];
  });
  return memories.length > SHOWN ? [...shown, `and ${memories.length - SHOWN} more`] : shown;
}

function forgottenLines({ id, memories = 1, redacted = [], undoUntil, forgettingId }: Forgotten, output: Output): string[] {
  const words = redacted.length === 0 ? "" : `, ${redacted.length} passages of messages redacted`;
  const others = memories > 1 ? `, with ${memories - 1} more that say the same` : "";
  const undo = `  until ${dateTime(undoUntil)}: edgewise forget --undo ${printableLine(forgettingId ?? id)}`;
  return [`Forgotten: ${printableLine(id)}${others}${words}`, output.colours.dim(undo)];
}
