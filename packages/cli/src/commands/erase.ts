import { Option } from "@commander-js/extra-typings";
import type { Output as Answer, Edgewise, Input } from "@edgewise/client";
import { EdgewiseError } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { CliError, ExitCode, usageError } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { askConfirm } from "#cli/terminal/ask";
import { type Output, paragraph } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";
import { type Progress, withProgress } from "#cli/terminal/progress";
import { table } from "#cli/terminal/table";
import { eraseSubject } from "./erase-subject.ts";

/** Counting a user with many messages reads all of them. */
const COUNT_TIMEOUT_MS = 120_000;
const ASK_EVERY_MS = 500;

type Erasure = Answer<"erasures.get">;
type Store = Erasure["stores"][number];

export function addEraseCommand(program: Base, host: Host): void {
  program
    .command("erase")
    .summary("erase a user, a session, a project or a source")
    .description(
      "Shows what it would erase, asks, waits until it is done, and prints the receipt. It cannot be undone. --user erases a user, unless another flag names what to erase: then it is the user who asks.",
    )
    .option("--source <id>", "erase this source, with its documents")
    .addOption(
      new Option("--about <choice>", "what becomes of memories of others that are about the user").choices([
        "unlink",
        "erase",
        "review",
      ] as const),
    )
    .option("--basis <text>", "why, for the receipt, such as `GDPR Art. 17`")
    .option("--ref <text>", "your own number of the request, for the receipt")
    .option("--dry-run", "only show what it would erase")
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      examples(
        "edgewise erase --user alice --dry-run",
        'edgewise erase --user alice --about unlink --basis "GDPR Art. 17" --ref DSR-31',
        "edgewise erase --session chat-1 --user alice",
      ),
    )
    .action(async ({ source, about, basis, ref, dryRun, yes }) => {
      const flags = program.opts();
      const { edgewise, output } = await connect(host, flags, ["user", "session", "project"]);
      const subject = eraseSubject({ ...flags, source });
      if (about !== undefined && subject.kind !== "user")
        throw usageError("--about goes with the erasure of a user. Leave it out.");
      const input: Input<"erasures.start"> = {
        ...subject,
        ...(about === undefined ? {} : { aboutOthers: about }),
        ...(basis === undefined ? {} : { basis }),
        ...(ref === undefined ? {} : { requestRef: ref }),
      };
      if (dryRun === true || yes !== true) {
        const found = await withProgress(host, "Counting", () => preview(edgewise, input));
        if (dryRun === true) return output.show(found, () => previewLines(found.stores, output));
        for (const line of previewLines(found.stores, output)) output.warn(line);
        const sure = await askConfirm(
          host,
          `Erase the ${subject.kind} ${printableLine(subject.id)} for good?`,
          "Say --yes to erase without being asked, or --dry-run to see what it would be.",
        );
        if (!sure) throw new CliError("Nothing was erased.", ExitCode.interrupted);
      }
      const erased = await withProgress(host, "Erasing", (progress) => follow(edgewise, input, progress));
      if (erased.finishedAt === null)
        return output.show(erased, () => [`Started: ${printableLine(erased.id ?? "")}. A server key reads the receipt.`]);
      if (erased.status !== "finished") host.exitCode = ExitCode.failure;
      output.show(erased, () => receiptLines(erased, output));
    });
}

async function preview(edgewise: Edgewise, input: Input<"erasures.start">): Promise<Erasure> {
  const found = await edgewise.erasures.start({ ...input, dryRun: true }, { timeoutMs: COUNT_TIMEOUT_MS });
  return asErasure(found);
}

/** A dry run and an erasure are answered alike, and a key that may write may read what it started. */
function asErasure(answer: Answer<"erasures.start">): Erasure {
  if ("progress" in answer && answer.progress !== undefined) return answer as Erasure;
  throw new CliError("The key needs the permission read to show what would be erased.", ExitCode.forbidden);
}

async function follow(edgewise: Edgewise, input: Input<"erasures.start">, progress: Progress): Promise<Erasure> {
  const started = await edgewise.erasures.start(input);
  const erasureId = started.id;
  if (typeof erasureId !== "string") throw new CliError("The service did not say which erasure it started.", ExitCode.failure);
  for (;;) {
    const erasure = await edgewise.erasures.get({ erasureId }).catch((error: unknown) => {
      // A key that is bound to one user may start the erasure of a session, and only a server key may read the receipt.
      if (error instanceof EdgewiseError && error.code === "forbidden") return null;
      throw error;
    });
    if (erasure === null) return asErasure(started);
    if (erasure.finishedAt !== null) return erasure;
    const { step, steps, deleted } = erasure.progress;
    progress.say(`Erasing: step ${step} of ${steps}, ${deleted} rows`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

/** What an erasure would erase: stores that hold something, and what it does with it. */
export function previewLines(stores: readonly Store[], output: Pick<Output, "columns" | "colours">): string[] {
  const shown = stores.filter(({ before }) => (before ?? 0) > 0);
  const rows = shown.map(({ store, method, before }) => [store, method, numberOf(before)]);
  return [...table(["STORE", "METHOD", "THERE"], rows, output.columns), othersLine(stores.length - shown.length, output)];
}

/** Stores that held something; the others are counted in one line. */
export function storeLines(stores: readonly Store[], output: Pick<Output, "columns" | "colours">): string[] {
  const isShown = ({ before, verdict }: Store) => (before ?? 0) > 0 || verdict === "residual" || verdict === "pending";
  const shown = stores.filter(isShown);
  const rows = shown.map((store) => [
    store.store,
    store.method,
    numberOf(store.before),
    numberOf(store.deleted),
    numberOf(store.remaining),
    store.until === null ? store.verdict : `${store.verdict} (${store.until})`,
  ]);
  return [
    ...table(["STORE", "METHOD", "BEFORE", "DELETED", "LEFT", "VERDICT"], rows, output.columns),
    othersLine(stores.length - shown.length, output),
  ];
}

function othersLine(count: number, { colours }: Pick<Output, "colours">): string {
  return colours.dim(`${count} more stores hold nothing of it, or nothing of anybody.`);
}

const numberOf = (value: number | null) => (value === null ? "-" : String(value));

function receiptLines(erasure: Erasure, output: Output): string[] {
  const { green, red, dim } = output.colours;
  const { receipt } = erasure;
  const head = erasure.status === "finished" ? green("Erased.") : red("Not everything could be erased: see LEFT.");
  if (receipt === null) return [head];
  const about = receipt.aboutOthers;
  return [
    head,
    "",
    ...storeLines(receipt.stores, output),
    "",
    ...(about === null
      ? []
      : [`Memories of others about the user: ${about.count} (${about.choice})`, ...about.memories.map(printableLine)]),
    ...receipt.backups.flatMap(({ what, until, how }) => paragraph(`Kept by the platform: ${what}, ${until}: ${how}`, output)),
    ...receipt.recipients.map(
      ({ role, host, model, sawData }) =>
        `Model server: ${role} ${host ?? "inside the Worker"} ${model ?? ""} saw the data: ${sawData}`,
    ),
    "",
    dim(`Receipt: ${printableLine(erasure.id ?? "")}, signature ${erasure.signature ?? "none"}`),
  ];
}
