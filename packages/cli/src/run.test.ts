import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { createProgram } from "./program.ts";
import { run } from "./run.ts";

function hostOf(env: NodeJS.ProcessEnv = {}, input = ""): Host & { printed: () => { out: string; err: string } } {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const textOf = (stream: PassThrough) => String(stream.read() ?? "");
  const host = { env, platform: "linux" as const, home: "/nowhere", stdin, stdout, stderr, exitCode: ExitCode.ok };
  return { ...host, printed: () => ({ out: textOf(stdout), err: textOf(stderr) }) };
}

async function runWith(args: string[], env: NodeJS.ProcessEnv = {}, input = "") {
  const host = hostOf(env, input);
  const exitCode = await run(args, host);
  return { exitCode, ...host.printed() };
}

it.each([
  [["serach", "cat"], "Did you mean search?"],
  [["search", "cat", "--uesr", "alice"], "Did you mean --user?"],
  [["search"], "missing required argument 'query'"],
  [["search", "cat", "dog"], "too many arguments"],
  [["keys", "crate"], "Did you mean create?"],
  [["search", "cat", "--limit", "x"], "from 1 to 100"],
  [["add", "x", "--type", "preferance"], "Allowed choices are preference"],
  [["search", "cat", "--url", "localhost"], "The service's URL is not valid"],
  [["keys", "list", "--user", "alice"], "no use for --user"],
  [["forget"], "Say what to forget"],
  [["forget", "mem_1", "--type", "task"], "not both"],
  [["jobs", "retry"], "--failed"],
  [["doctor", "--dry-run"], "--repair"],
  [["login"], "--key-stdin"],
  [["login", "--key-stdin"], "Standard input has no key"],
])("refuses %j as wrong usage", async (args, reason) => {
  const { exitCode, out, err } = await runWith(args, { EDGEWISE_KEY: "ew_test", XDG_CONFIG_HOME: "/nowhere" });
  expect(err).toContain(reason);
  expect(out).toBe("");
  expect(exitCode).toBe(ExitCode.usage);
});

it("points a wrong command line to the help of its command", async () => {
  expect((await runWith(["keys", "create"])).err).toContain("See `edgewise keys create --help`.");
});

it("breaks an error between words where the terminal ends", async () => {
  const host = hostOf({ NO_COLOR: "1" });
  Object.assign(host.stderr, { isTTY: true, columns: 40 });
  await run(["keys", "list"], host);
  const lines = host.printed().err.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(40);
});

it("takes the flags of the program before and after the command", async () => {
  for (const args of [
    ["--url", "http://127.0.0.1:1", "keys", "list"],
    ["keys", "list", "--url", "http://127.0.0.1:1"],
  ]) {
    expect((await runWith(args)).err).toContain("There is no key for http://127.0.0.1:1.");
  }
});

it("says that there is no key, and ends with its own code", async () => {
  const { exitCode, err } = await runWith(["search", "cat"]);
  expect(err).toContain("edgewise login");
  expect(exitCode).toBe(ExitCode.forbidden);
});

it("says which address does not answer and how to start a service there, without the key", async () => {
  const port = await unusedPort();
  const url = `http://127.0.0.1:${port}`;
  const { exitCode, err } = await runWith(["keys", "list", "--url", url, "--verbose"], { EDGEWISE_KEY: "ew_secret" });
  expect(err).toContain(`There is no answer from ${url}. Start it with \`npm run dev -- --port ${port}\``);
  expect(err).toContain("ECONNREFUSED");
  expect(err).not.toContain("ew_secret");
  expect(exitCode).toBe(ExitCode.failure);
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = asAddress(server.address());
  server.close();
  await once(server, "close");
  return port;
}

/** Safe: the server listens on a port. */
function asAddress(address: unknown): AddressInfo {
  return address as AddressInfo;
}

it("shows help of the whole without arguments", async () => {
  const { exitCode, out } = await runWith([]);
  expect(out).toContain("Usage: edgewise");
  expect(exitCode).toBe(ExitCode.ok);
});

it("has examples in the help of each command that does something", async () => {
  const paths = leavesOf(createProgram(hostOf()), []);
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) {
    const { out, exitCode } = await runWith([...path, "--help"]);
    expect(exitCode, path.join(" ")).toBe(ExitCode.ok);
    expect(out, path.join(" ")).toContain(`$ edgewise ${path[0]}`.trim());
    expect(out, path.join(" ")).toContain("--json");
  }
});

type Commands = { commands: readonly (Commands & { name: () => string })[] };

function leavesOf({ commands }: Commands, path: string[]): string[][] {
  // `complete` is what the scripts of shells call, and has no help of its own.
  const named = commands.filter((command) => command.name() !== "complete");
  return named.flatMap((command) => {
    const own = [...path, command.name()];
    return command.commands.length === 0 ? [own] : leavesOf(command, own);
  });
}
