import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type FuzzReport, readReport, tableOf } from "./fuzz-report.ts";
import { type Service, startService } from "./service.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `npm run test:fuzz [-- options]

Starts a service of its own and asks it what /openapi.json allows and forbids (schemathesis, which needs Python 3.10 or newer and is
installed into .edgewise/fuzz the first time). Ends with 1 on a 5xx, on a status or an answer that is not documented, on something
valid that is refused, on something invalid that is taken, and on a wrong method without a 405 and its allow.

  --seconds 480      for the requests; 540 at most, so that all of it ends within ten minutes
  --examples 30      of each operation, beside those that cover its schema
  --seed 20260419    another seed makes other requests
  --only PATTERN     operations whose path matches`;

/** Pinned, because another version may check more: raise it on purpose. */
const SCHEMATHESIS = "schemathesis==4.32.5";
const FOLDER = path.join(ROOT, ".edgewise", "fuzz");
const CONFIG = path.join(ROOT, "test", "fuzz", "schemathesis.toml");
const HOOKS = path.join(ROOT, "test", "fuzz", "hooks.py");
const LONGEST_SECONDS = 540;
/** How long it may take to end by itself after its time limit. */
const GRACE_SECONDS = 30;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "480" },
      examples: { type: "string", default: "30" },
      seed: { type: "string", default: "20260419" },
      only: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const [seconds, examples, seed] = [values.seconds, values.examples, values.seed].map(Number);
  const isWhole = (value: number | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 1;
  if (values.help || !isWhole(seconds) || seconds > LONGEST_SECONDS || !isWhole(examples) || !isWhole(seed)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const schemathesis = await install();
  const scratch = await mkdtemp(path.join(tmpdir(), "edgewise-fuzz-"));
  const crashes: string[] = [];
  const service = await startService({
    cron: false,
    onLine: (line) => {
      if (/request\.failed|crashed/.test(line)) crashes.push(line);
    },
  });
  try {
    const report = await fuzz(schemathesis, { service, scratch, seconds, examples, seed, only: values.only });
    console.log(report === null ? "schemathesis ended without its report." : tableOf(report));
    for (const line of crashes.slice(0, 20)) console.log(line);
    if (report === null || report.exitCode !== 0 || crashes.length > 0) process.exitCode = 1;
  } finally {
    await service.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A separate Python environment, with schemathesis at the pinned version. */
async function install(): Promise<string> {
  const [bin, python] = process.platform === "win32" ? ["Scripts", "python"] : ["bin", "python3"];
  const program = path.join(FOLDER, bin, "schemathesis");
  const pip = path.join(FOLDER, bin, "pip");
  if (!existsSync(pip)) await run(python, ["-m", "venv", FOLDER]);
  await run(pip, ["install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS]);
  return program;
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const code = await endOf(spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] }));
  if (code !== 0) throw new Error(`${path.basename(command)} ${args[0]} ended with ${code}.`);
}

type Fuzz = { service: Service; scratch: string; seconds: number; examples: number; seed: number; only: string | undefined };

async function fuzz(program: string, of: Fuzz): Promise<FuzzReport | null> {
  const { service, scratch, seconds } = of;
  const file = path.join(scratch, "report.json");
  const child = spawn(
    program,
    [
      ...["--config-file", CONFIG, "run", `${service.url}/openapi.json`, "--max-time", String(seconds)],
      ...["--max-examples", String(of.examples), "--seed", String(of.seed)],
      ...["--report", "json", "--report-json-path", file],
      ...(of.only === undefined ? [] : ["--include-path-regex", of.only]),
    ],
    {
      cwd: scratch,
      env: {
        ...process.env,
        FUZZ_HOOKS: HOOKS,
        FUZZ_KEY: service.key,
        FUZZ_KEY_ID: await keyIdOf(service),
        PYTHONDONTWRITEBYTECODE: "1",
      },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  const late = setTimeout(() => child.kill("SIGKILL"), (seconds + GRACE_SECONDS) * 1_000);
  const exitCode = await endOf(child);
  clearTimeout(late);
  return existsSync(file) ? readReport(await readFile(file, "utf8"), exitCode) : null;
}

async function keyIdOf({ url, key }: Service): Promise<string> {
  const answer = await fetch(`${url}/v1/keys`, { headers: { authorization: `Bearer ${key}` } });
  const { items } = (await answer.json()) as { items: { id: string }[] };
  const [only] = items;
  if (only === undefined) throw new Error("The service knows no key.");
  return only.id;
}

async function endOf(child: ChildProcess): Promise<number | null> {
  return await new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`${error.message}. test:fuzz needs Python 3.10 or newer.`)));
    child.on("close", resolve);
  });
}

await main();
