import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ASSETS, buildAssets } from "./build-assets.ts";
import { ensureDevKey, readDevKey } from "./dev-key-file.ts";
import { keepRunning, type Run } from "./keep-running.ts";
import { freePort, requireFree } from "./port.ts";
import { ensureSecrets } from "./secrets-file.ts";
import { holdLines } from "./start-lines.ts";
import { untilServing } from "./until-serving.ts";
import { QUIET_ENV, ROOT, WRANGLER, wrangler } from "./wrangler.ts";

const CRON_MS = 60_000;

/** miniflare's message when workerd has crashed; it starts another one, which may never answer. */
const CRASHED = "The Workers runtime crashed unexpectedly";
const RECOVERY_TIMEOUT_MS = 10_000;
/** For one look at whether it serves yet. */
const LOOK_TIMEOUT_MS = 10_000;

export type ServiceOptions = {
  /** A free one when absent. */
  port?: number;
  /** The folder of the state; a temporary folder, deleted at the stop, when absent. */
  persistTo?: string;
  /** A folder that `prepareState` made, with a copy of which the state begins. */
  from?: string;
  /** A Worker that `bundleWorker` made, in place of the source. */
  bundle?: string;
  keyFile?: string;
  /** The file with this machine's own secrets, created if missing; in the state's folder when absent. */
  secretsFile?: string;
  /** Variables in addition to those of wrangler.toml. */
  vars?: Record<string, string>;
  /** Called with every line that the service prints from when it serves; if it does not start, with those before too. */
  onLine?: (line: string) => void;
  /** Called with what the start does, in sentences. */
  onStep?: (line: string) => void;
  /** Ends a start that has not ended. */
  signal?: AbortSignal;
  /** Whether cron fires once a minute, as it does in production. */
  cron?: boolean;
  /**
   * Whether it is restarted when it ends by itself. Its processes then have their own group, which Ctrl-C does not reach: the caller must
   * stop it.
   */
  restarts?: boolean;
};

/** `exited` has its exit code; it ends by itself when it crashes and does not recover, unless it is restarted. */
export type Service = { url: string; key: string; exited: Promise<number | null>; stop: () => Promise<void> };

/** The whole service on this machine: migrations applied, the dev tenant and its key created, `wrangler dev` running. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const port = options.port ?? (await freePort());
  await requireFree(port);
  const persistTo = options.persistTo ?? (await mkdtemp(path.join(tmpdir(), "edgewise-")));
  const onStep = options.onStep ?? (() => undefined);
  if (options.from !== undefined) await cp(options.from, persistTo, { recursive: true });
  const copied = options.from === undefined ? null : await readDevKey(devKeyIn(persistTo));
  const key = copied ?? (await prepareState(persistTo, options.keyFile, onStep));
  const secretsFile = options.secretsFile ?? path.join(persistTo, "secrets.env");
  await ensureSecrets(secretsFile);
  const url = `http://127.0.0.1:${port}`;
  const onLine = options.onLine ?? (() => undefined);
  const restarts = options.restarts === true;
  const { bundle, vars = {}, signal } = options;
  const run = { port, persistTo, bundle, secretsFile, vars, url, onLine, onStep, signal, ownGroup: restarts };
  signal?.throwIfAborted();
  onStep("Starting wrangler, which bundles the Worker and serves it …");
  const launch = () => startRun(run);
  const first = launch();
  try {
    await first.serving;
  } catch (error) {
    await first.end();
    throw error;
  }
  const kept = restarts ? keepRunning(first, { launch, untilItAnswers: (run) => run.serving, onLine }) : first;
  const cron = options.cron === false ? undefined : setInterval(() => void fireCron(url), CRON_MS);
  cron?.unref();
  if (options.cron !== false) await fireCron(url);
  return {
    url,
    key,
    exited: kept.exited,
    stop: async () => {
      clearInterval(cron);
      await kept.end();
      if (options.persistTo === undefined) await rm(persistTo, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const devKeyIn = (persistTo: string) => path.join(persistTo, "dev-key");

/** What a service needs before it runs: the assets, the migrations and a key, which is returned. */
export async function prepareState(
  persistTo: string,
  keyFile = devKeyIn(persistTo),
  onStep: (line: string) => void = () => undefined,
): Promise<string> {
  onStep("Making the pages of /docs …");
  await buildAssets();
  onStep("Applying the migrations to the local database …");
  await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  onStep("Looking for the development key …");
  return await ensureDevKey(keyFile, persistTo);
}

/** Bundles the Worker for `ServiceOptions.bundle` into an empty folder, and returns its file. Without it, each start bundles again. */
export async function bundleWorker(folder: string): Promise<string> {
  // wrangler bundles only where the folder of the assets is, which another process may be filling.
  await mkdir(ASSETS, { recursive: true });
  await wrangler(["deploy", "--dry-run", "--minify", "--outdir", folder]);
  const bundle = path.join(folder, "worker.js");
  // wrangler would load the map beside it at each start.
  await rm(`${bundle}.map`);
  return bundle;
}

type WranglerDev = {
  port: number;
  persistTo: string;
  bundle: string | undefined;
  secretsFile: string;
  vars: Record<string, string>;
  onLine: (line: string) => void;
  /** Whether its processes form a group, so that leftovers of a killed one can be ended. */
  ownGroup: boolean;
};

type Starting = { url: string; onStep: (line: string) => void; signal: AbortSignal | undefined };
/** `serving` is fulfilled when it answers, and rejected when it does not start. */
type ServiceRun = Run & { serving: Promise<void> };

/** One run of `wrangler dev`, which ends when its runtime has crashed for good. */
function startRun({ url, onStep, signal, ...dev }: WranglerDev & Starting): ServiceRun {
  let recovering = false;
  const lines = holdLines(dev.onLine);
  const child = startWrangler({
    ...dev,
    onLine: (line) => {
      lines.take(line);
      if (recovering || !line.includes(CRASHED)) return;
      recovering = true;
      void answers(url, RECOVERY_TIMEOUT_MS)
        .catch(() => {
          if (!dev.ownGroup) dev.onLine("The service crashed and does not answer any more. Start it again.");
          child.kill("SIGTERM");
        })
        .finally(() => {
          recovering = false;
        });
    },
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const end = async () => {
    child.kill("SIGTERM");
    await Promise.race([exited, sleep(5_000, undefined, { ref: false })]);
    child.kill("SIGKILL");
    if (dev.ownGroup) killGroup(child);
  };
  const serving = untilServing({ look: () => statusOf(url), exited, onStep, signal }).then(lines.drop, (error) => {
    lines.show();
    throw error;
  });
  return { exited, end, serving };
}

/** A group has the number of its first process, and exists as long as any of its processes. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || process.platform === "win32") return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

function startWrangler({ port, persistTo, bundle, secretsFile, vars, onLine, ownGroup }: WranglerDev): ChildProcess {
  const variables = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  // wrangler looks for its configuration beside the script.
  const script = bundle === undefined ? [] : [bundle, "--no-bundle", "--config", path.join(ROOT, "wrangler.toml")];
  const args = [
    "dev",
    ...script,
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--persist-to",
    persistTo,
  ];
  // A named file replaces the one that Node reads by default; its values come last and have priority. Node refuses to start with a file
  // that does not exist.
  const own = path.join(ROOT, ".dev.vars");
  const secrets = [secretsFile, ...(existsSync(own) ? [own] : [])].flatMap((file) => ["--env-file", file]);
  const child = spawn(process.execPath, [WRANGLER, ...args, ...secrets, "--show-interactive-dev-session=false", ...variables], {
    cwd: ROOT,
    env: QUIET_ENV,
    stdio: ["ignore", "pipe", "pipe"],
    detached: ownGroup && process.platform !== "win32",
  });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream.on("data", (data) => {
      const lines = (rest + String(data)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    });
  }
  return child;
}

async function answers(url: string, withinMs: number): Promise<void> {
  for (const startedAt = Date.now(); Date.now() - startedAt < withinMs; await sleep(150))
    if ((await statusOf(url, withinMs)) === 200) return;
  throw new Error(`The service did not answer within ${withinMs / 1000} s.`);
}

/** The status of the health check; null while nothing answers. */
async function statusOf(url: string, withinMs = LOOK_TIMEOUT_MS): Promise<number | null> {
  const health = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(withinMs) }).catch(() => null);
  return health?.status ?? null;
}

/** `wrangler dev` does not fire cron. If a firing fails, the next one catches up. */
export async function fireCron(url: string): Promise<void> {
  await fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => undefined);
}
