import path from "node:path";
import { parseArgs } from "node:util";
import { readPort } from "./port.ts";
import { type Service, startService } from "./service.ts";
import { holdLines } from "./start-lines.ts";
import { ROOT } from "./wrangler.ts";

/** `npm run dev`: the whole service on port 8787, with the dev tenant's key. `--data` keeps another service's data apart. */
const { values } = parseArgs({
  options: { port: { type: "string", default: "8787" }, data: { type: "string", default: ".edgewise" } },
});

const PARENT_CHECK_MS = 1_000;
/** Checked before the start, which takes seconds. */
const parent = process.ppid;
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopping.abort());
// npm passes no signal on to the processes of its shell: when npm has ended, this process has another parent.
setInterval(() => {
  if (process.ppid !== parent) stopping.abort();
}, PARENT_CHECK_MS).unref();

/** Until it is ready, only what this program says itself. */
const lines = holdLines((line) => console.log(line));
const service = await start();
const stop = () => service.stop().then(() => process.exit(0));
if (stopping.signal.aborted) await stop();
stopping.signal.addEventListener("abort", () => void stop());

const { working, checks } = await checkHealth(service);
const ill = Object.entries(checks).filter(([, check]) => !check.working);
for (const [name, check] of ill) console.error(`\n${name} does not work: ${check.error}`);
if (ill.some(([, check]) => check.code === "misconfigured")) {
  await service.stop();
  process.exit(1);
}
console.log(`\nEdgewise ${working ? "is ready" : "runs, but not all of it works"}: ${service.url}   (docs: ${service.url}/docs)`);
console.log(`Dev key: ${service.key}\n\nA line for each request and each run of jobs follows. Ctrl-C stops it.\n`);
lines.drop();
const code = await service.exited;
if (!stopping.signal.aborted) process.exit(code || 1);

async function start(): Promise<Service> {
  const data = path.resolve(ROOT, values.data);
  try {
    return await startService({
      port: readPort(values.port),
      persistTo: path.join(data, "state"),
      keyFile: path.join(data, "dev-key"),
      secretsFile: path.join(data, "secrets.env"),
      onLine: lines.take,
      onStep: (line) => console.log(line),
      signal: stopping.signal,
      restarts: true,
    });
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0);
    lines.show();
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

type Health = { working: boolean; checks: Record<string, { working: boolean; error?: string; code?: string }> };

async function checkHealth({ url, key }: Service): Promise<Health> {
  const answer = await fetch(`${url}/v1/health/deep`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.json()) as Health;
}
