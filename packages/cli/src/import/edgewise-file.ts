import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Output as Answer, Edgewise } from "@edgewise/client";
import { CliError, ExitCode } from "#cli/exit-code";
import { BrokenExport, type Checked, createChecker, totalOf } from "#cli/export/check-parts";

type Line = Record<string, unknown>;

const HEADER = '{"kind":"header","format":"edgewise"';

/** Lines of one part, and their length: the service takes 500 lines and 8 MB. */
const MAX_LINES = 200;
const MAX_CHARACTERS = 1_500_000;
/** A part is stored and indexed before it is answered. */
const CALL = { timeoutMs: 300_000, maxRetries: 6 } as const;

/** Whether a file is an export of Edgewise: its first line says so. */
export async function isEdgewiseExport(path: string): Promise<boolean> {
  const stream = createReadStream(path, { end: HEADER.length - 1 });
  let start = "";
  try {
    for await (const bytes of stream) start += String(bytes);
  } catch {
    return false;
  }
  return start === HEADER;
}

/** The export, read once to its end before anything is sent. @throws CliError for one that is damaged or not whole. */
export async function checkExport(path: string): Promise<{ checked: Checked; userId: string | null; isOfTenant: boolean }> {
  const checker = createChecker();
  let header: Line | null = null;
  try {
    for await (const line of linesOf(path)) {
      const parsed = checker.add(line);
      header ??= parsed;
    }
  } catch (error) {
    if (error instanceof BrokenExport) throw new CliError(`The export is damaged. ${error.message}`, ExitCode.usage);
    throw error;
  }
  const checked = checker.checked();
  if (!checked.isWhole) throw new CliError("The export is not whole: its last part is missing. Export it again.", ExitCode.usage);
  return { checked, userId: typeof header?.userId === "string" ? header.userId : null, isOfTenant: header?.scope === "tenant" };
}

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== "") yield line;
  }
}

type Sending = { edgewise: Edgewise; path: string; importId: string; user: { userId?: string }; onSent: (lines: number) => void };

/** Sends the lines in their order, one part after the other: a row refers to rows before it. */
export async function sendLines({ edgewise, path, importId, user, onSent }: Sending): Promise<void> {
  let [part, characters, sent]: [string[], number, number] = [[], 0, 0];
  const send = async () => {
    if (part.length === 0) return;
    await edgewise.imports.addPart({ importId, ...user, lines: part }, CALL);
    sent += part.length;
    onSent(sent);
    [part, characters] = [[], 0];
  };
  for await (const line of linesOf(path)) {
    if (part.length === MAX_LINES || characters + line.length > MAX_CHARACTERS) await send();
    part.push(line);
    characters += line.length;
  }
  await send();
}

/** The report in lines for a person. */
export function rowReport({ rows, problems, dryRun }: Answer<"imports.get">, checked: Checked): string[] {
  const { alreadyThere = 0, leftOut = 0, notImported = 0, links: _, ...added } = rows;
  const kinds = Object.entries(added).map(([kind, count]) => `${count} ${kind}`);
  const total = Object.values(added).reduce((sum, count) => sum + count, 0);
  return [
    `${dryRun ? "Would add" : "Added"} ${total} of ${totalOf(checked) - (checked.rows.links ?? 0)} rows${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}.`,
    `${alreadyThere} were there already, ${leftOut} were left out, ${notImported} are for people to read.`,
    ...problems.map(({ title, reason }) => `  ${title}: ${reason}`),
  ];
}
