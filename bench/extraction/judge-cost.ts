import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { parseSync } from "oxc-parser";
import { ROOT } from "../../scripts/wrangler.ts";
import { readClauses } from "../../src/core/language/clause-reader.ts";
import { judge } from "../../src/domain/extraction/judge/judge.ts";
import { takeMemories } from "../../src/domain/extraction/rules/take-memories.ts";
import { takeStatements } from "../../src/domain/extraction/take-statements.ts";
import { grouped, markdown } from "../cost/table.ts";

const MODELS = "src/domain/extraction/judge/models.json";
const FOLDERS = ["src/domain/extraction", "src/domain/facts", "src/core/language"];
const RUNS = 15;

/** In turns, so that a busy moment of the machine slows all of them. */
const READERS: readonly [name: string, read: (text: string) => unknown][] = [
  ["rules alone", (text) => takeMemories([{ role: "user", text }])],
  ["judge alone, with the clause reader", (text) => judge(text)],
  ["both, as they run", (text) => takeStatements([{ role: "user", text }])],
];

/** What the judge adds to the bundle, and how long it takes beside the rules. */
export async function judgeCost(texts: readonly string[]): Promise<string> {
  const models = await readFile(path.join(ROOT, MODELS));
  const clauses = texts.reduce((sum, text) => sum + readClauses(text).length, 0);
  const times = Array.from({ length: RUNS }, () => READERS.map(([, read]) => msOf(texts, read)));
  const medians = READERS.map((_, at) => middle(times.map((run) => run[at] ?? 0)));
  const ratios = READERS.map((_, at) => middle(times.map((run) => (run[at] ?? 0) / (run[0] ?? 1))));
  const micros = (ms: number, of: number) => ((ms * 1_000) / of).toFixed(1);
  return [
    "### The judge's size and time",
    "",
    `- Weights: ${grouped(models.length)} bytes as they are stored, ${grouped(gzipSync(models).length)} with gzip.`,
    `- ${texts.length} messages of ${clauses} clauses, medians of ${RUNS} runs over all of them, on a machine that does other work beside (times are noisy, their ratios less):`,
    "",
    markdown(
      ["", "µs a message", "µs a clause", "÷ rules alone"],
      READERS.map(([name], at) => {
        const ms = medians[at] ?? 0;
        return [name, micros(ms, texts.length), micros(ms, clauses), (ratios[at] ?? 0).toFixed(2)];
      }),
    ),
  ].join("\n");
}

function msOf(texts: readonly string[], read: (text: string) => unknown): number {
  const started = performance.now();
  for (const text of texts) read(text);
  return performance.now() - started;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Lines of code of the parts that read language, without tests, blank lines and comments. */
export async function linesTable(): Promise<string> {
  const rows = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = (await readdir(path.join(ROOT, folder), { recursive: true })).filter(
        (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
      );
      const lines = await Promise.all(
        names.map(async (name) => codeLines(await readFile(path.join(ROOT, folder, name), "utf8"))),
      );
      return { folder, files: names.length, lines: lines.reduce((sum, of) => sum + of, 0) };
    }),
  );
  const all = { folder: "all", files: sum(rows, "files"), lines: sum(rows, "lines") };
  const cells = [...rows, all].map(({ folder, files, lines }) => [folder, String(files), grouped(lines)]);
  return `### Lines of code, without tests, blank lines and comments\n\n${markdown(["", "files", "lines"], cells)}`;
}

/** Lines of TypeScript that hold anything but white space and comments. */
export function codeLines(source: string): number {
  const { comments } = parseSync("source.ts", source);
  let code = source;
  for (const { start, end } of comments)
    code = code.slice(0, start) + source.slice(start, end).replace(/[^\n]/gu, " ") + code.slice(end);
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

function sum(rows: readonly { files: number; lines: number }[], of: "files" | "lines"): number {
  return rows.reduce((total, row) => total + row[of], 0);
}
