import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "#scripts/wrangler";

const run = promisify(execFile);

/** The command line as its users have it: packed, and installed without a registry. */
export type PackedCli = { folder: string; bin: string; tarball: string; remove: () => Promise<void> };

export async function packCli(): Promise<PackedCli> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-cli-"));
  await run("npm", ["pack", "-w", "packages/cli", "--pack-destination", folder], { cwd: ROOT, env: quietEnv() });
  const [name] = (await readdir(folder)).filter((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack made no file.");
  const tarball = path.join(folder, name);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--prefix", folder, tarball], { env: quietEnv() });
  const bin = path.join(folder, "node_modules", ".bin");
  return { folder, bin, tarball, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Without what npm tells the programs that it starts about this repository. */
function quietEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
}

/** Node versions to try the program with: this one, and one that the machine has beside it. */
export function nodesOfMachine(): string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.includes("node_modules"));
  const other = folders.map((folder) => path.join(folder, "node")).find((file) => existsSync(file));
  return other === undefined || other === process.execPath ? [process.execPath] : [process.execPath, other];
}

export type Ran = { code: number | null; out: string; err: string };

type Running = { env?: NodeJS.ProcessEnv; input?: string | undefined; cwd?: string };

/** Runs a program to its end, with nothing of this process's environment but PATH. */
export async function runProgram(
  file: string,
  args: readonly string[],
  { env = {}, input = "", cwd = tmpdir() }: Running = {},
): Promise<Ran> {
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...env }, stdio: "pipe", cwd });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    texts.out += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    texts.err += part;
  });
  // A program that does not read its input closes it.
  child.stdin.on("error", () => undefined).end(input);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...texts };
}

/** The same of a script of bash. Its standard input is a socket, for which bash would read ~/.bashrc. */
export const runBash = (script: string, running: Running = {}) => runProgram("bash", ["--norc", "-c", script], running);
