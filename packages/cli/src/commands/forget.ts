import type { Output as Answer, Edgewise, Input } from "@edgewise/client";
import { EdgewiseError } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { CliError, ExitCode, usageError } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { askConfirm } from "#cli/terminal/ask";
import { dateTime } from "#cli/terminal/dates";
import type { Output } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";
import { memoryLines } from "./memory-lines.ts";
import { among, MEMORY_TYPES, timeOrAge } from "./options.ts";
import { ownUserId } from "./own-user.ts";

type Memory = Answer<"memories.get">;
type Place = { userId?: string; sessionId?: string };
type Filters = { type?: string[] | undefined; text?: string | undefined; before?: string | undefined };
type Forgotten = { id: string } & Partial<NonNullable<Answer<"memories.delete">>>;

type Outcome = {
  items: Forgotten[];
  /** Went with another one, or the answer to an earlier try was lost: the service does not say which. */
  gone: string[];
  failed: { id: string; error: unknown } | null;
  untried: string[];
};

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
      if (undo !== undefined) requireNothingBeside(ids, { ...filters, dryRun, keepSource });
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
      const outcome = await withProgress(host, "Forgetting", () =>
        forgetAll(edgewise, found, { ...place, keepSource: keepSource === true ? "true" : "false" }),
      );
      showOutcome(outcome, output);
      if (outcome.failed !== null) throw outcome.failed.error;
    });
}

function requireNothingBeside(ids: string[], others: Record<string, unknown>): void {
  if (ids.length === 0 && Object.values(others).every((value) => value === undefined)) return;
  throw usageError("--undo takes one id, and restores at once. Leave out other ids, filters, --dry-run and --keep-source.");
}

function requireOneWay(ids: string[], filters: Filters): void {
  const byFilter = Object.values(filters).some((value) => value !== undefined);
  if (byFilter && ids.length > 0) throw usageError("Name memories by id, or by --type, --text and --before: not both.");
  if (!byFilter && ids.length === 0)
    throw usageError("Say what to forget: ids as `edgewise search` shows them, or --type, --text or --before.");
}

async function loadMemories(edgewise: Edgewise, ids: string[], place: Place): Promise<Memory[]> {
  const memories: Memory[] = [];
  for (const memoryId of new Set(ids)) memories.push(await edgewise.memories.get({ memoryId, ...place }));
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

/**
 * One after the other: what a memory takes with it is gone when its turn comes. Ends at the first failure without throwing it, so that what
 * was forgotten before it can be shown with the ids that undo it.
 */
async function forgetAll(
  edgewise: Edgewise,
  memories: Memory[],
  how: Place & { keepSource: "true" | "false" },
): Promise<Outcome> {
  const outcome: Outcome = { items: [], gone: [], failed: null, untried: [] };
  for (const [index, { id }] of memories.entries()) {
    try {
      // Undefined if the answer was lost and the repeated request found nothing.
      const answer: Answer<"memories.delete"> | undefined = await edgewise.memories.delete({ memoryId: id, ...how });
      if (answer === undefined) outcome.gone.push(id);
      else outcome.items.push({ id, ...answer });
    } catch (error) {
      if (error instanceof EdgewiseError && error.code === "not_found") outcome.gone.push(id);
      else return { ...outcome, failed: { id, error }, untried: memories.slice(index + 1).map((memory) => memory.id) };
    }
  }
  return outcome;
}

function showOutcome({ items, gone, failed, untried }: Outcome, output: Output): void {
  output.show({ dryRun: false, items, gone, failed: failed?.id ?? null, untried }, () => [
    ...items.flatMap((item) => forgottenLines(item, output)),
    ...gone.flatMap((id) => [`No longer there: ${printableLine(id)}`, output.colours.dim(`  ${undoCommand(id)}`)]),
    ...(failed === null ? [] : failedLines(failed, output)),
    ...untried.map((id) => `Not forgotten: ${printableLine(id)}`),
  ]);
}

/** Only a refusal says that nothing was done: without an answer, or after an error of the server, the memory may be forgotten. */
function failedLines({ id, error }: { id: string; error: unknown }, output: Output): string[] {
  if (error instanceof EdgewiseError && error.status >= 400 && error.status < 500) return [`Not forgotten: ${printableLine(id)}`];
  return [`Perhaps forgotten: ${printableLine(id)}`, output.colours.dim(`  if it is: ${undoCommand(id)}`)];
}

const undoCommand = (id: string) => `edgewise forget --undo ${printableLine(id)}`;

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
  const shown = memories.slice(0, SHOWN).flatMap((memory) => memoryLines(memory, output));
  return memories.length > SHOWN ? [...shown, `and ${memories.length - SHOWN} more`] : shown;
}

function forgottenLines({ id, memories = 1, redacted = [], undoUntil, forgettingId }: Forgotten, output: Output): string[] {
  const words = redacted.length === 0 ? "" : `, ${redacted.length} passages of messages redacted`;
  const others = memories > 1 ? `, with ${memories - 1} more that say the same` : "";
  const undo = `  until ${dateTime(undoUntil)}: ${undoCommand(forgettingId ?? id)}`;
  return [`Forgotten: ${printableLine(id)}${others}${words}`, output.colours.dim(undo)];
}
