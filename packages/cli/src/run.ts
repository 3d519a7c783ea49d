import { CommanderError } from "commander";
import type { Base } from "./base.ts";
import { DEFAULT_URL } from "./config/settings.ts";
import { loadSettings } from "./connection.ts";
import { ExitCode } from "./exit-code.ts";
import { describeFailure } from "./failure.ts";
import type { Host } from "./host.ts";
import { createProgram } from "./program.ts";
import { coloursOf } from "./terminal/colours.ts";
import { paragraph } from "./terminal/output.ts";

/** Runs one command line, without the names of node and the program. Never throws: what went wrong is on standard error. */
export async function run(args: string[], host: Host): Promise<ExitCode> {
  const program = createProgram(host);
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return host.exitCode;
  } catch (error) {
    // Commander has printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    return await report(error, program, host);
  }
}

async function report(error: unknown, program: Base, host: Host): Promise<ExitCode> {
  const { json, verbose, ...flags } = program.opts();
  // The settings themselves may be what is wrong.
  const url = await loadSettings(host, flags).then(
    (settings) => settings.url,
    () => DEFAULT_URL,
  );
  const { exitCode, message, details } = describeFailure(error, url);
  const colours = coloursOf(host.env, host.stderr);
  const columns = host.stderr.isTTY === true ? host.stderr.columns : undefined;
  host.stderr.write(`${colours.red(paragraph(message, { columns }).join("\n"))}\n`);
  if (verbose === true) for (const line of details) host.stderr.write(`${colours.dim(line)}\n`);
  return exitCode;
}
