import { spawn } from "node:child_process";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");

/** The project's Wrangler, without questions, telemetry, update checks or request traces on the disk. */
export const WRANGLER = path.join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");

export const QUIET_ENV = {
  ...process.env,
  CI: "true",
  NO_COLOR: "1",
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  X_LOCAL_OBSERVABILITY: "false",
};

/** Runs a wrangler command to its end and returns its output; throws with the output when the command fails. */
export async function wrangler(args: readonly string[], options: { env?: NodeJS.ProcessEnv } = {}): Promise<string> {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    env: options.env ?? QUIET_ENV,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  const errors: string[] = [];
  child.stdout.on("data", (data) => output.push(String(data)));
  child.stderr.on("data", (data) => errors.push(String(data)));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(" ")} failed:\n${errors.join("")}${output.join("")}`);
  return output.join("");
}
