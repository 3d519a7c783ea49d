import path from "node:path";
import { parseArgs } from "node:util";
import { startService } from "./service.ts";
import { ROOT } from "./wrangler.ts";

/** `npm run dev`: the whole service on port 8787, with the dev tenant's key. */
const { values } = parseArgs({ options: { port: { type: "string", default: "8787" } } });

const service = await startService({
  port: Number(values.port),
  persistTo: path.join(ROOT, ".edgewise", "state"),
  keyFile: path.join(ROOT, ".edgewise", "dev-key"),
  onLine: (line) => console.log(line),
});

const health = await fetch(`${service.url}/v1/health/deep`, { headers: { authorization: `Bearer ${service.key}` } });
const { working, checks }: { working: boolean; checks: Record<string, { working: boolean; error?: string }> } =
  await health.json();
for (const [name, check] of Object.entries(checks)) {
  if (!check.working) console.error(`${name} does not work: ${check.error}`);
}
console.log(
  `\nEdgewise ${working ? "is ready" : "runs, but not all of it works"}: ${service.url}   (routes: ${service.url}/docs)`,
);
console.log(`Dev key: ${service.key}\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void service.stop().then(() => process.exit(0)));
process.exitCode = (await service.exited) ?? 0;
