import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startService } from "../scripts/service.ts";
import { ROOT } from "../scripts/wrangler.ts";
import { grouped, markdown } from "./cost/table.ts";
import { type BesideWriters, importBesideWriters } from "./import/beside-writers.ts";
import { type Made, writeExport } from "./import/chatgpt-export.ts";
import { ownRuntimes, type Peak, watchMemory } from "./import/memory-of.ts";

const USAGE = `npm run bench:import [-- options]

Imports a generated export of ChatGPT through the built command line (npm run build:packages) into a service of its own, twice: the second
time shows that nothing is added. Prints conversations and messages a second, and the peak memory of both programs.

  --megabytes 200        size of the export
  --extraction off       off or rules
  --writers 0            so many users append at the same time, during the import, its jobs and the erasure of its user; prints how each of
                         their requests was answered, and ends with 1 if one was lost. There is no second time.
  --port 0               of the service; 0: a free one
  --dry-run              the command line and the parsers alone: nothing is stored, and there is no second time
  --json                 one line of JSON instead of the table`;

const USER = "bench";

type Pass = { seconds: number; peak: Peak; runtime: Peak; statistics: Record<string, number> };

const { values } = parseArgs({
  options: {
    megabytes: { type: "string", default: "200" },
    extraction: { type: "string", default: "off" },
    "dry-run": { type: "boolean", default: false },
    writers: { type: "string", default: "0" },
    port: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const megabytes = Number(values.megabytes);
const writers = Number(values.writers);
if (values.help || !(megabytes > 0) || !(writers >= 0) || !["off", "rules"].includes(values.extraction)) {
  console.error(USAGE);
  process.exit(2);
}

const folder = await mkdtemp(path.join(tmpdir(), "edgewise-import-"));
try {
  const file = path.join(folder, "conversations.json");
  console.error(`Writing ${megabytes} MB …`);
  const made = await writeExport(file, megabytes * 1_000_000);
  const keyFile = path.join(folder, "dev-key");
  const service = await startService({
    persistTo: folder,
    keyFile,
    ...(values.port === "0" ? {} : { port: Number(values.port) }),
  });
  try {
    const key = await readFile(keyFile, "utf8");
    const running = { url: service.url, key: key.trim() };
    if (writers > 0) {
      const runImport = () => importOnce("Import", { file, ...running });
      const ended = service.exited.then((code) => Promise.reject(new Error(`The service ended with ${code}.`)));
      reportWriters(made, await Promise.race([ended, importBesideWriters(running, { writers, user: USER, runImport })]));
    } else await importTwice(made, { file, ...running });
  } finally {
    await service.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

type Running = { file: string; url: string; key: string };

async function importTwice(made: Made, running: Running): Promise<void> {
  const first = await importOnce("First import", running);
  if (values["dry-run"]) return report(made, [first]);
  // A line end more makes it another file, so that every part of it is sent again.
  await appendFile(running.file, "\n");
  report(made, [first, await importOnce("The same again", running)]);
}

async function importOnce(name: string, { file, url, key }: Running): Promise<Pass> {
  console.error(`${name} …`);
  const program = path.join(ROOT, "packages", "cli", "dist", "edgewise.js");
  const args = [
    program,
    "import",
    file,
    "--user",
    USER,
    "--extraction",
    values.extraction,
    "--json",
    ...(values["dry-run"] ? ["--dry-run"] : []),
  ];
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, EDGEWISE_URL: url, EDGEWISE_KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = watchMemory(async () => (child.pid === undefined ? [] : [child.pid]));
  const stopRuntime = watchMemory(ownRuntimes);
  const parts: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (part: string) => parts.push(part));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const seconds = (performance.now() - started) / 1_000;
  if (code !== 0) throw new Error(`The import ended with ${code}: ${parts.join("").slice(0, 1_000)}`);
  return { seconds, peak: await stop(), runtime: await stopRuntime(), statistics: JSON.parse(parts.join("")).statistics };
}

function report(made: Made, passes: readonly Pass[]): void {
  if (values.json) {
    console.log(JSON.stringify({ made, extraction: values.extraction, passes }));
    return;
  }
  const rows = passes.map(({ seconds, peak, runtime, statistics }, i) => [
    values["dry-run"] ? "dry run" : i === 0 ? "first" : "again",
    seconds.toFixed(1),
    i === 0 ? (made.conversations / seconds).toFixed(0) : "",
    i === 0 ? (made.messages / seconds).toFixed(0) : "",
    `${grouped(statistics.stored ?? 0)} · ${grouped(statistics.messages ?? 0)}`,
    `${grouped(statistics.known ?? 0)} · ${grouped(statistics.messagesKnown ?? 0)}`,
    `${peak.peakMegabytes} (${peak.samples.join(" · ")})`,
    `${runtime.peakMegabytes}`,
  ]);
  console.log(
    `${grouped(Math.round(made.bytes / 1e6))} MB: ${grouped(made.conversations)} conversations, ${grouped(made.messages)} messages shown; extraction ${values.extraction}\n`,
  );
  console.log(
    markdown(
      [
        "import",
        "seconds",
        "conversations/s",
        "messages/s",
        "stored: conversations · messages",
        "known",
        "peak MB of the command line (at quarters of the time)",
        "peak MB of workerd",
      ],
      rows,
    ),
  );
}

function reportWriters(made: Made, { phases, acknowledged, missing }: BesideWriters): void {
  const lost = phases.flatMap(({ answers }) => Object.entries(answers)).filter(([answer]) => answer.startsWith("lost"));
  if (lost.length > 0 || missing > 0) process.exitCode = 1;
  if (values.json) {
    console.log(JSON.stringify({ made, writers, extraction: values.extraction, phases, acknowledged, missing }));
    return;
  }
  console.log(
    `${grouped(Math.round(made.bytes / 1e6))} MB: ${grouped(made.conversations)} conversations, ${grouped(made.messages)} messages shown; extraction ${values.extraction}; ${writers} writers\n`,
  );
  console.log(
    markdown(
      ["meanwhile", "seconds", "requests of the writers, by answer", "slowest answer (ms)"],
      phases.map(({ name, seconds, answers, slowestMs }) => [
        name,
        seconds.toFixed(1),
        Object.entries(answers)
          .map(([answer, count]) => `${answer}: ${grouped(count)}`)
          .join(" · "),
        grouped(slowestMs),
      ]),
    ),
  );
  console.log(`\nOf ${grouped(acknowledged)} acknowledged messages ${missing} are missing.`);
}
