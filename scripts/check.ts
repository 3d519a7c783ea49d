import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { ROOT } from "./wrangler.ts";

/** `npm run check`: every script `check:…` of package.json, as many at once as there are cores. What each prints comes when it has ended. */
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const waiting = Object.keys(scripts).filter((name) => name.startsWith("check:"));
const failed: string[] = [];

/** Runs an npm script and prints what it printed, with the lines of two scripts never mixed; whether it succeeded. */
async function run(name: string): Promise<boolean> {
  const startedAt = Date.now();
  const child = spawn("npm", ["run", "--silent", name], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      printed += part;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${code === 0 ? "passed" : "FAILED"}: npm run ${name} (${seconds} s)\n${printed}`);
  return code === 0;
}

async function work(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) if (!(await run(name))) failed.push(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed.length > 0) {
  console.log(`Failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
