import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { z } from "zod";
import { bundleWorker, startService } from "../scripts/service.ts";
import { markdown } from "./cost/table.ts";
import { Ordinary, type Outcome, Request, runOrdinary, runRequests } from "./forgetting/run-chats.ts";

const USAGE = `npm run bench:forgetting -- --ordinary FILE --requests FILE [options]

Sends chats to a service of its own, and counts how many ordinary messages made it forget something, and of how many requests to forget it hid all
that was meant and kept the rest.

  --ordinary FILE     JSON Lines: {"id","lang","kind","turns":[…],"ordinary":"…"}; the turns are sent one by one, then the ordinary message
  --requests FILE     JSON Lines: {"id","lang","turns":[…],"request":"…","gone":[…],"kept":[…]}
  --url URL --key KEY a service that already runs, and a server key
  --verbose           also each failure, on standard error`;

const SHARES = ["taken", "hidden by an update", "all hidden", "rest kept", "both"];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ordinary: { type: "string" },
      requests: { type: "string" },
      url: { type: "string" },
      key: { type: "string" },
      verbose: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { url, key, ordinary, requests } = values;
  if (values.help || (ordinary === undefined && requests === undefined) || (url === undefined) !== (key === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const running = url !== undefined && key !== undefined ? { url, key } : null;
  // A bundle, so that a change of the source during the run does not start the service anew.
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-bench-"));
  const service = running ?? (await startService({ bundle: await bundleWorker(folder) }));
  const run = Math.random().toString(36).slice(2, 8);
  try {
    if (ordinary !== undefined)
      report("Ordinary messages", await runOrdinary(service, run, await readLines(ordinary, Ordinary)), values);
    if (requests !== undefined) report("Requests", await runRequests(service, run, await readLines(requests, Request)), values);
  } finally {
    if ("stop" in service && typeof service.stop === "function") await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function readLines<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => schema.parse(JSON.parse(line)));
}

function report(title: string, outcomes: readonly Outcome[], { verbose }: { verbose: boolean }): void {
  const groups = [...Map.groupBy(outcomes, ({ lang }) => lang)].sort(([a], [b]) => a.localeCompare(b));
  const names = SHARES.filter((name) => outcomes.some(({ is }) => name in is));
  const row = (name: string, of: readonly Outcome[]) => [name, String(of.length), ...names.map((share) => shareOf(of, share))];
  console.log(`### ${title}\n`);
  console.log(markdown(["", "chats", ...names], [...groups.map(([lang, of]) => row(lang, of)), row("all", outcomes)]));
  if (verbose) for (const { id, lang, failure } of outcomes) if (failure !== null) console.error(`${id} (${lang}): ${failure}`);
}

function shareOf(outcomes: readonly Outcome[], name: string): string {
  const counted = outcomes.flatMap(({ is }) => is[name] ?? []);
  const hits = counted.filter(Boolean).length;
  return counted.length === 0 ? "" : `${hits} of ${counted.length} (${((100 * hits) / counted.length).toFixed(1)} %)`;
}

await main();
