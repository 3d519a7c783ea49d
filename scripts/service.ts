import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureDevKey } from "./dev-key-file.ts";
import { QUIET_ENV, ROOT, WRANGLER, wrangler } from "./wrangler.ts";

const START_TIMEOUT_MS = 60_000;
const CRON_MS = 60_000;

export type ServiceOptions = {
  /** A free one when absent. */
  port?: number;
  /** Where the state lives; a temporary folder, gone at the stop, when absent. */
  persistTo?: string;
  keyFile?: string;
  /** Variables beside those of wrangler.toml. */
  vars?: Record<string, string>;
  /** Told of every line that the service prints. */
  onLine?: (line: string) => void;
  /** Whether cron fires once a minute, as it does in production. */
  cron?: boolean;
};

export type Service = { url: string; key: string; exited: Promise<number | null>; stop: () => Promise<void> };

/** The whole service on this machine: migrations applied, the dev tenant and its key made, `wrangler dev` answering. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const persistTo = options.persistTo ?? (await mkdtemp(path.join(tmpdir(), "edgewise-")));
  await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  const key = await ensureDevKey(options.keyFile ?? path.join(persistTo, "dev-key"), persistTo);
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = startWrangler({ port, persistTo, vars: options.vars ?? {}, onLine: options.onLine ?? (() => undefined) });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  try {
    await Promise.race([answers(url), exited.then((code) => Promise.reject(new Error(`wrangler dev ended with ${code}`)))]);
  } catch (error) {
    child.kill("SIGTERM");
    throw error;
  }
  const cron = options.cron === false ? undefined : setInterval(() => void fireCron(url), CRON_MS);
  cron?.unref();
  if (options.cron !== false) await fireCron(url);
  return {
    url,
    key,
    exited,
    stop: async () => {
      clearInterval(cron);
      child.kill("SIGTERM");
      await Promise.race([exited, sleep(5_000).then(() => child.kill("SIGKILL"))]);
      if (options.persistTo === undefined) await rm(persistTo, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type WranglerDev = { port: number; persistTo: string; vars: Record<string, string>; onLine: (line: string) => void };

function startWrangler({ port, persistTo, vars, onLine }: WranglerDev): ChildProcess {
  const variables = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const args = ["dev", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", persistTo];
  const child = spawn(process.execPath, [WRANGLER, ...args, "--show-interactive-dev-session=false", ...variables], {
    cwd: ROOT,
    env: QUIET_ENV,
    stdio: ["ignore", "pipe", "pipe"],
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

async function answers(url: string): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < until) {
    // Not listening yet: asked again below, until the time is up.
    const health = await fetch(`${url}/v1/health`).catch(() => null);
    if (health?.ok) return;
    if (health?.status === 500) {
      // Its own line about why is still on the way.
      await sleep(500);
      throw new Error("The service refuses to start; its last line above says why.");
    }
    await sleep(150);
  }
  throw new Error(`The service did not answer within ${START_TIMEOUT_MS / 1000} s.`);
}

/** `wrangler dev` fires no cron by itself. A firing that fails is made good by the next. */
export async function fireCron(url: string): Promise<void> {
  await fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => undefined);
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
