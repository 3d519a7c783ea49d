import type { Readable, Writable } from "node:stream";
import type { ExitCode } from "./exit-code.ts";

type Terminal = { isTTY?: boolean | undefined; columns?: number | undefined };

/** What a run gets from the process. */
export type Host = {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  home: string;
  stdin: Readable & Terminal;
  stdout: Writable & Terminal;
  stderr: Writable & Terminal;
  /** What the process ends with when no error is thrown; a command that reports a problem changes it. */
  exitCode: ExitCode;
};

/** All of standard input, as UTF-8. */
export async function readStdin({ stdin }: Pick<Host, "stdin">): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stdin) parts.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(parts).toString("utf8");
}
