import { parseArgs } from "node:util";
import { type Check, checkBudgets, type Result } from "./cost/budgets.ts";
import { dollarsPerMillion, storageMonth, vectorMonth } from "./cost/dollars.ts";
import { checkMemoryBudgets, type MemoryResult } from "./cost/memory-budgets.ts";
import { FEW, type MemoryRun, runMemories } from "./cost/memory-run.ts";
import { memoryRatioTable, memoryTable, timeTable } from "./cost/memory-table.ts";
import { VIEWERS } from "./cost/memory-world.ts";
import { DIMENSIONS, PRICES, READ_ON } from "./cost/prices.ts";
import { proxyTable } from "./cost/proxy.ts";
import { type Run, runAll } from "./cost/run.ts";
import { OWN_EPISODES } from "./cost/seed.ts";
import { checkList, costTable, grouped, markdown, matchTable, ratioTable } from "./cost/table.ts";

const USAGE = `npm run bench:cost [-- options]

Counts what each operation costs, by the platform's own counters, in databases of several sizes, and prices it. Starts services of its own.
Ends with 1 when a budget of the design is broken or when what others hold changes what a call costs.

  --sizes 1000,10000,100000   episodes of the measured tenant, of which others hold ten times as many; memories are measured
                              beside 1000 of others and beside as many as the largest size, 10000 at least
  --quick                     1000 only, and few rounds of searches
  --only episodes|memories    one of the two parts
  --json                      one line of JSON instead of the tables`;

/** Rounds in which the same searches are timed in every place. */
const ROUNDS = { full: 30, quick: 2 };
const LEAST_MANY = 10_000;

type Part = "episodes" | "memories";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "1000,10000,100000" },
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const sizes = values.quick ? [OWN_EPISODES] : values.sizes.split(",").map(Number);
  const parts = (["episodes", "memories"] satisfies Part[]).filter((part) => (values.only ?? part) === part);
  const areWhole = sizes.every((size) => Number.isInteger(size) && size >= OWN_EPISODES && size % OWN_EPISODES === 0);
  if (values.help || !areWhole || parts.length === 0) {
    console.error(`${USAGE}\n\nSizes are whole thousands.`);
    process.exitCode = 2;
    return;
  }
  const started = performance.now();
  const progress = (line: string) => console.error(line);
  const episodes = parts.includes("episodes") ? await runAll(sizes, progress) : null;
  const many = Math.max(LEAST_MANY, ...sizes);
  const rounds = values.quick ? ROUNDS.quick : ROUNDS.full;
  const memories = parts.includes("memories") ? await runMemories(many, rounds, progress) : null;
  const seconds = (performance.now() - started) / 1_000;
  const checks = [...checkBudgets(episodes?.results ?? []), ...checkMemoryBudgets(memories?.results ?? [])];
  if (values.json)
    console.log(
      JSON.stringify({
        ...(episodes === null ? {} : { ...episodes, dollars: dollars(episodes.results) }),
        ...(memories === null ? {} : { memories: { ...memories, dollars: dollars(memories.results) } }),
        ...{ checks, seconds, prices: PRICES, pricesReadOn: READ_ON },
      }),
    );
  else report({ episodes, memories, checks, seconds });
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

function dollars(results: readonly (Result | MemoryResult)[]) {
  return results.map(({ summary, matches: _matches, p50Ms: _p50Ms, ...place }) => ({
    ...place,
    ...dollarsPerMillion(summary.median),
  }));
}

type Measured = { episodes: Run | null; memories: MemoryRun | null; checks: readonly Check[]; seconds: number };

function report({ episodes, memories, checks, seconds }: Measured): void {
  if (episodes !== null) reportEpisodes(episodes);
  if (memories !== null) reportMemories(memories);
  section("Prices", prices());
  section("Budgets", `${checkList(checks)}\n\nThe whole run took ${Math.round(seconds)} s.`);
  console.log(NOTES);
}

function reportEpisodes({ results, seeded }: Run): void {
  const of = (viewer: Result["viewer"]) => results.filter((result) => result.viewer === viewer);
  section(`A viewer of ${grouped(OWN_EPISODES)} episodes, in a tenant that holds more`, costTable(of("viewer")));
  if (of("alone").length > 0) section("A viewer who holds all of the tenant's episodes", costTable(of("alone")));
  section("What a search reads for its matches", matchTable(results));
  section("Where others hold and are the most, divided by where they hold and are the least", ratioTable(results));
  section("Seeding", seeding(seeded));
}

function reportMemories(run: MemoryRun): void {
  const own = VIEWERS.map(({ memories }) => grouped(memories)).join(" and ");
  section(`Viewers of ${own} memories`, memoryTable(run));
  section(
    `Rows read beside ${grouped(run.many)} memories of others, divided by rows read beside ${grouped(FEW)}, of the viewer of ${own}`,
    memoryRatioTable(run.results),
  );
  section(`Searches of the viewer of most memories, in turns, ${run.rounds} rounds`, timeTable(run.times));
  section("The first byte of a streamed reply, from a model server on this machine", proxyTable(run.proxy));
  section("Seeding of memories", memorySeeding(run));
}

function memorySeeding({ seeded }: MemoryRun): string {
  const rows = seeded.map(({ place, memories, seconds, bytes }) => [
    place,
    grouped(memories),
    seconds.toFixed(1),
    grouped(Math.round(bytes / memories)),
  ]);
  return markdown(["others", "memories in all", "seconds", "bytes of D1 a memory, episodes with it"], rows);
}

function section(title: string, text: string): void {
  console.log(`### ${title}\n\n${text}\n`);
}

function prices(): string {
  const rows = Object.values(PRICES).map(({ of, usdPerMillion, source }) => [of, String(usdPerMillion), source]);
  return markdown(["a million", "$", `read on ${READ_ON}`], rows);
}

function seeding(seeded: Run["seeded"]): string {
  const rows = seeded.map(({ size, episodes, seconds, bytesPerEpisode }) => [
    grouped(size),
    grouped(episodes),
    seconds.toFixed(1),
    grouped(Math.round(episodes / seconds)),
    grouped(Math.round(bytesPerEpisode)),
  ]);
  const bytes = seeded.at(-1)?.bytesPerEpisode ?? 0;
  return `${markdown(["tenant's episodes", "episodes in all", "seconds", "a second", "bytes of D1 an episode"], rows)}

To keep a million such episodes costs $${storageMonth(bytes).toFixed(2)} a month in D1, and $${vectorMonth().toFixed(2)} for each million vectors in Vectorize.`;
}

const NOTES = `Counts are medians, with the highest where it differs; they come from D1's own meters and the service's. Each call is warm: the isolate knows
the key. Dollars are list prices for a million calls at the median, before what the plan includes. A request or a batch of messages is priced
as one invocation; its CPU time ($0.02 for a million milliseconds) is left out, and so is what a month of storage costs (see Seeding). A queue message is three operations.
Vectors are queried as Vectorize bills them, ${DIMENSIONS} dimensions a query; locally they are in Durable Objects, whose requests and rows production does not have and
which are left out. Vectors are not seeded at these sizes: those of forty sessions and of a thousand memories of each measured viewer are made by the service itself, enough
that the vector channel always proposes as much as it may; the rest is marked as having theirs. Embeddings come from a local server with lexical
vectors of the production model's length; tokens are estimated at four characters each. In production a move sends no message: the sweep runs its job when the index has settled.`;

await main();
