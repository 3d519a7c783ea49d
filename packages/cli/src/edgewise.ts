#!/usr/bin/env node
import { homedir } from "node:os";
import { ExitCode } from "./exit-code.ts";
import { run } from "./run.ts";

const { env, platform, stdin, stdout, stderr } = process;

// The reader of a pipe may end before the writer, as in `edgewise search … | head -1`: nobody wants the rest.
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(ExitCode.ok);
    throw error;
  });
}

process.exitCode = await run(process.argv.slice(2), {
  env,
  platform,
  home: homedir(),
  stdin,
  stdout,
  stderr,
  exitCode: ExitCode.ok,
});
