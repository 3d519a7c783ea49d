import { Command } from "@commander-js/extra-typings";
import { version } from "@edgewise/cli/package.json" with { type: "json" };
import type { Host } from "./host.ts";

/** `edgewise` with the flags that every command takes; they may come before or after the command. */
export function createBase(host: Host) {
  return new Command("edgewise")
    .description("Edgewise on the command line: store memories, find them, and look after the service.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help of a command")
    .option("--url <url>", "the service (EDGEWISE_URL; http://127.0.0.1:8787 if nothing names one)")
    .option("--key <key>", "the key; other users of this machine can see it, so prefer EDGEWISE_KEY or `edgewise login`")
    .option("--user <id>", "the user for whom it is, by the app's id (EDGEWISE_USER)")
    .option("--session <id>", "the session in which the answer will be read")
    .option("--project <id>", "the project, where there is no session yet")
    .option("--json", "print the API's answer as JSON")
    .option("--verbose", "with errors, print the request id and where they happened")
    .configureHelp({ showGlobalOptions: true, helpWidth: host.stdout.columns ?? 100 })
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "")),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
}

export type Base = ReturnType<typeof createBase>;

/** The end of a command's help. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}
