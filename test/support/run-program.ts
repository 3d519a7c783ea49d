import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Node versions to try the program with: this one, and one that the machine has beside it, unless that is of the same major version. */
export function nodesOfMachine(): string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.includes("node_modules"));
  const other = folders.map((folder) => path.join(folder, "node")).find((file) => existsSync(file));
  return other === undefined || majorOf(other) === majorOf(process.execPath) ? [process.execPath] : [process.execPath, other];
}

const majorOf = (node: string) => execFileSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }).trim();

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
