import path from "node:path";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { markdown } from "./cost/table.ts";
import type { CountedPath } from "./paths/counted-path.ts";

const USAGE = `npm run bench:paths [-- options]

Counts how many files of src/ and how many functions in them are entered while one request is served by the whole app in workerd, as a
test sends it: after requests of the same kind, so that what a module, a schema or a cache does once is not counted. A function is
every declaration, arrow, callback, method, accessor and constructor, counted once however often it is entered; a file is counted when
one of its functions is. "declared" are function declarations alone (\`function name()\`), and their files. Counting ends when the client has the
whole answer; "with deferred" goes on through what the request left for after it (\`defer\`). Jobs of the queue are not counted.

  --list    also the files, in order of first entry, with their functions
  --json    one line of JSON instead of tables`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      list: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const paths = await countPaths();
  if (values.json) {
    console.log(JSON.stringify(paths));
    return;
  }
  const rows = paths.map(({ name, answered, deferred }) => {
    const declared = answered.filter((id) => id.includes(" function "));
    return [name, sizes(answered), sizes(declared), sizes([...answered, ...deferred])];
  });
  console.log(markdown(["request", "files / functions", "declared", "with deferred"], rows));
  if (values.list) for (const counted of paths) console.log(`\n### ${counted.name}\n\n${list(counted)}`);
}

async function countPaths(): Promise<CountedPath[]> {
  const config = path.join(import.meta.dirname, "paths", "vitest.config.ts");
  const vitest = await startVitest("test", [], { config, watch: false, reporters: [{}] });
  const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
  await vitest.close();
  const errors = [...vitest.state.getUnhandledErrors(), ...tests.flatMap((test) => test.result().errors ?? [])];
  if (errors.length > 0) throw new Error("The requests could not be counted.", { cause: errors[0] });
  return tests.flatMap((test) => test.meta().counted ?? []);
}

function sizes(ids: readonly string[]): string {
  return `${byFile(ids).size} / ${ids.length}`;
}

/** Names of functions by file, in order of first entry. */
function byFile(ids: readonly string[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const id of ids) {
    const [file = "", line, rest = ""] = id.split(":");
    const name = rest.split(" ").at(-1) ?? "";
    const names = files.get(file) ?? [];
    files.set(file, [...names, name === "callback" ? `line ${line}` : name]);
  }
  return files;
}

function list({ answered, deferred }: CountedPath): string {
  const lines = (ids: readonly string[]) =>
    [...byFile(ids)].map(([file, names], i) => `${i + 1}. ${file} (${names.length}: ${names.join(", ")})`).join("\n");
  return deferred.length === 0 ? lines(answered) : `${lines(answered)}\n\nAfter the answer:\n\n${lines(deferred)}`;
}

await main();
