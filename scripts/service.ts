import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureDevKey } from "./dev-key-file.ts";
import { keepRunning, type Run } from "./keep-running.ts";
import { freePort, requireFree } from "./port.ts";
import { ensureSecrets } from "./secrets-file.ts";
import { QUIET_ENV, ROOT, WRANGLER, wrangler } from "./wrangler.ts";

const START_TIMEOUT_MS = 60_000;
const CRON_MS = 60_000;

/** What miniflare says when workerd has ended by itself; it starts another, which answers again or never does. */
const CRASHED = "The Workers runtime crashed unexpectedly";
const RECOVERY_TIMEOUT_MS = 10_000;

export type ServiceOptions = {
  /** A free one when absent. */
  port?: number;
  /** Where the state lives; a temporary folder, gone at the stop, when absent. */
  persistTo?: string;
  keyFile?: string;
  /** Where this machine's own secrets are, made if they are not; in the state's folder when absent. */
  secretsFile?: string;
  /** Variables beside those of wrangler.toml. */
  vars?: Record<string, string>;
  /** Told of every line that the service prints. */
  onLine?: (line: string) => void;
  /** Whether cron fires once a minute, as it does in production. */
  cron?: boolean;
  /** Whether it is started again when it ends by itself. Its processes have a group of their own then, which Ctrl-C does not reach: the caller stops it. */
  restarts?: boolean;
};

/** `exited` has the code of its end; it ends by itself when it crashes and does not come back, unless it is started again. */
export type Service = { url: string; key: string; exited: Promise<number | null>; stop: () => Promise<void> };

/** The whole service on this machine: migrations applied, the dev tenant and its key made, `wrangler dev` answering. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const port = options.port ?? (await freePort());
  await requireFree(port);
  const persistTo = options.persistTo ?? (await mkdtemp(path.join(tmpdir(), "edgewise-")));
  await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  const key = await ensureDevKey(options.keyFile ?? path.join(persistTo, "dev-key"), persistTo);
  const secretsFile = options.secretsFile ?? path.join(persistTo, "secrets.env");
  await ensureSecrets(secretsFile);
  const url = `http://127.0.0.1:${port}`;
  const onLine = options.onLine ?? (() => undefined);
  const restarts = options.restarts === true;
  const launch = () => startRun({ port, persistTo, secretsFile, vars: options.vars ?? {}, url, onLine, ownGroup: restarts });
  const first = launch();
  try {
    await untilItAnswers(first, url);
  } catch (error) {
    await first.end();
    throw error;
  }
  const kept = restarts ? keepRunning(first, { launch, untilItAnswers: (run) => untilItAnswers(run, url), onLine }) : first;
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

type WranglerDev = {
  port: number;
  persistTo: string;
  secretsFile: string;
  vars: Record<string, string>;
  onLine: (line: string) => void;
  /** Whether its processes are a group, so that what a killed one leaves can be ended. */
  ownGroup: boolean;
};

/** One run of `wrangler dev`, which ends when its runtime has crashed for good. */
function startRun({ url, ...dev }: WranglerDev & { url: string }): Run {
  let recovering = false;
  const child = startWrangler({
    ...dev,
    onLine: (line) => {
      dev.onLine(line);
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
  return { exited, end };
}

/** A group has the number of its first process, and outlives it as long as it has any. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || process.platform === "win32") return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // None of them is left.
  }
}

async function untilItAnswers({ exited }: Run, url: string): Promise<void> {
  await Promise.race([
    answers(url, START_TIMEOUT_MS),
    exited.then((code) => Promise.reject(new Error(`wrangler dev ended with ${code}`))),
  ]);
}

function startWrangler({ port, persistTo, secretsFile, vars, onLine, ownGroup }: WranglerDev): ChildProcess {
  const variables = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const args = ["dev", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", persistTo];
  // Named files replace the one that is read by itself; its values come last and win. Node refuses to start with one that is not there.
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
  const signal = AbortSignal.timeout(withinMs);
  while (!signal.aborted) {
    // Not listening yet: asked again below, until the time is up.
    const health = await fetch(`${url}/v1/health`, { signal }).catch(() => null);
    if (health?.ok) return;
    if (health?.status === 500) {
      // Its own line about why is still on the way.
      await sleep(500);
      throw new Error("The service refuses to start; its last line above says why.");
    }
    await sleep(150);
  }
  throw new Error(`The service did not answer within ${withinMs / 1000} s.`);
}

/** `wrangler dev` fires no cron by itself. A firing that fails is made good by the next. */
export async function fireCron(url: string): Promise<void> {
  await fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => undefined);
}
