import { spawn } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { readSummaries, type Summary, summaryLine } from "./isolation-summary.ts";
import { QUIET_ENV, ROOT } from "./wrangler.ts";

const USAGE = `npm run test:isolation [-- options]

Compares in random worlds who sees what: the rule, the database and every endpoint, for episodes and memories; then the same of facts and
entities, and what hostile names and merges of people may reach. \`npm test\` makes fewer of each.
Ends with 1 on any leak, on anything wrongly withheld, and on any other failure.

  --checks 40000     comparisons of one viewer with one memory, at least
  --seed 20260419    another seed makes other worlds

A mistake about a memory names its world: that number as the seed, with --checks 1, makes that world first and alone.`;

/** The two whose results are summed up, and every other property with as many runs. */
const FILES = [
  "test/isolation/visibility.property.test.ts",
  "test/isolation/memories.property.test.ts",
  "test/isolation/facts.property.test.ts",
  "test/isolation/entities.property.test.ts",
  "test/isolation/hostile-input.test.ts",
  "test/isolation/hostile-memories.test.ts",
  "test/flows/people.test.ts",
];
const VITEST = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");

/** One world of episodes, and one run of the other properties, for so many checks of memories; and never fewer. */
const CHECKS_A_WORLD = 5_000;
const MIN_WORLDS = 60;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      checks: { type: "string", default: "40000" },
      seed: { type: "string", default: "20260419" },
      help: { type: "boolean", default: false },
    },
  });
  const [checks, seed] = [Number(values.checks), Number(values.seed)];
  if (values.help || !Number.isSafeInteger(checks) || checks < 1 || !Number.isSafeInteger(seed)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const { code, output } = await runTests(checks, seed);
  const summary = readSummaries(output);
  if (summary === null) {
    console.error("The tests ended without their summaries.");
    process.exitCode = 1;
    return;
  }
  console.log(summaryLine(summary));
  if (code !== 0 || !holds(summary, checks)) process.exitCode = 1;
}

function holds({ checks, leaks, denials }: Summary, wanted: number): boolean {
  return checks >= wanted && leaks === 0 && denials === 0;
}

/** The tests' own timeouts grow with the number of checks. Their output is passed through. */
async function runTests(checks: number, seed: number): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [VITEST, "run", "--project", "workerd", ...FILES], {
    cwd: ROOT,
    env: {
      ...QUIET_ENV,
      VITE_ISOLATION_CHECKS: String(checks),
      VITE_ISOLATION_RUNS: String(Math.max(MIN_WORLDS, Math.ceil(checks / CHECKS_A_WORLD))),
      VITE_ISOLATION_SEED: String(seed),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output: string[] = [];
  child.stdout.on("data", (data) => {
    output.push(String(data));
    process.stdout.write(data);
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output: output.join("") };
}

await main();
