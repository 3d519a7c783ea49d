import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { usageError } from "#cli/exit-code";
import { type ExportEntry, openZip } from "./zip-entries.ts";

/** A file as an export: what is in it, in the order in which it is read. */
export type ExportFile = {
  fileName: string;
  sha256: string;
  conversations: ExportEntry[];
  /** Claude's projects: one in a file, or all in `projects.json`. */
  projects: ExportEntry[];
  /** What is missing or was left out, in our own words. */
  notes: string[];
  close: () => void;
};

const CONVERSATIONS = /^conversations(?:-(\d{1,6}))?\.json$/i;
const PROJECTS = /(?:^|\/)projects(?:\/[^/]+|-\d{1,6})?\.json$/i;
const OF_GEMINI = /gemini|bard/i;

/**
 * Opens an export: a zip archive, or a JSON or JSON Lines file. What it is, its first bytes say, whatever its name.
 * @throws CliError for a file that is not one.
 */
export async function openExport(file: string): Promise<ExportFile> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory() === true) throw usageError(`${file} is a folder. Give the zip, or the conversations.json in it.`);
  if (found === null || !found.isFile()) throw usageError(`There is no file ${file}.`);
  const start = await firstBytes(file);
  const common = { fileName: path.basename(file), sha256: await hashOf(file), notes: [] };
  if (start.subarray(0, 2).toString("latin1") === "PK") {
    const { entries, close } = await openZip(file);
    try {
      return { ...common, ...chosen(entries), close };
    } catch (error) {
      close();
      throw error;
    }
  }
  const beginning = start
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  if (/^<(?:!doctype|html|head|body)/i.test(beginning)) throw usageError(HTML_ONLY);
  if (!/^[[{]/.test(beginning))
    throw usageError(
      "This is neither a zip archive nor JSON. Give the file that the platform made, such as conversations.json or the zip.",
    );
  const whole = { name: common.fileName, bytes: found.size, open: async () => createReadStream(file) };
  return { ...common, conversations: [whole], projects: [], close: () => undefined };
}

const HTML_ONLY =
  "This is an export as HTML. For Gemini, make it again in Google Takeout with My Activity as JSON (Multiple formats, Activity records: JSON); for others, give conversations.json.";

function chosen(entries: readonly ExportEntry[]): Pick<ExportFile, "conversations" | "projects" | "notes"> {
  const named = entries.filter(({ name }) => CONVERSATIONS.test(baseOf(name))).toSorted((a, b) => a.name.localeCompare(b.name));
  const projects = entries.filter(({ name }) => PROJECTS.test(name));
  if (named.length > 0) return { conversations: named, projects, notes: [...missingIn(named), ...leftOutOf(entries)] };
  // The names of Takeout's folders and files are translated; the product's name is not.
  const ofGemini = entries.filter(({ name }) => OF_GEMINI.test(name));
  const activities = ofGemini.filter(({ name }) => /\.json$/i.test(name));
  if (activities.length > 0) return { conversations: activities, projects: [], notes: [] };
  if (ofGemini.length > 0) throw usageError(HTML_ONLY);
  const [only, ...others] = entries.filter(({ name }) => /\.json$/i.test(name));
  if (only !== undefined && others.length === 0) return { conversations: [only], projects: [], notes: [] };
  throw usageError(
    "The archive holds no conversations: neither conversations.json (ChatGPT, Claude) nor a JSON file of Gemini's activity.",
  );
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** What the platform itself remembers of its user, as Claude's `memories.json`. An empty list has two bytes. */
const MEMORIES = /(?:^|\/)memories\.json$/i;

function leftOutOf(entries: readonly ExportEntry[]): string[] {
  const memories = entries.filter(({ name, bytes }) => MEMORIES.test(name) && bytes > 2);
  return memories.map(
    ({ name }) =>
      `${name}, which holds what the platform remembers of its user, is not imported: only conversations and documents are.`,
  );
}

/** Of so many missing files the names are told. */
const MAX_NAMED = 5;

/** Exports in several files count them from 000. The numbers are an archive's own and may be any. */
function missingIn(named: readonly ExportEntry[]): string[] {
  const numbers = new Set(named.flatMap(({ name }) => CONVERSATIONS.exec(baseOf(name))?.[1] ?? []).map(Number));
  const last = [...numbers].reduce((most, number) => Math.max(most, number), -1);
  const missing = last + 1 - numbers.size;
  const names: string[] = [];
  for (let i = 0; names.length < Math.min(missing, MAX_NAMED); i += 1)
    if (!numbers.has(i)) names.push(`conversations-${String(i).padStart(3, "0")}.json`);
  return missing === 0 ? [] : [`The archive lacks ${names.join(", ")}${missing > names.length ? " and more" : ""}.`];
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1_024), 0, 1_024, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
