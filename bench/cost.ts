import { parseArgs } from "node:util";
import { checkBudgets, type Result } from "./cost/budgets.ts";
import { dollarsPerMillion, storageMonth, vectorMonth } from "./cost/dollars.ts";
import { DIMENSIONS, PRICES, READ_ON } from "./cost/prices.ts";
import { type Run, runAll } from "./cost/run.ts";
import { OWN_EPISODES } from "./cost/seed.ts";
import { checkList, costTable, grouped, markdown, matchTable, ratioTable } from "./cost/table.ts";

const USAGE = `npm run bench:cost [-- options]

Counts what each operation costs, by the platform's own counters, in databases of several sizes, and prices it. Starts services of its own.
Ends with 1 when a budget of the design is broken or when what others hold changes what a call costs.

  --sizes 1000,10000,100000   episodes of the measured tenant; others hold ten times as many
  --quick                     1000 only
  --json                      one line of JSON instead of the tables`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "1000,10000,100000" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const sizes = values.quick ? [OWN_EPISODES] : values.sizes.split(",").map(Number);
  if (values.help || sizes.some((size) => !Number.isInteger(size) || size < OWN_EPISODES || size % OWN_EPISODES !== 0)) {
    console.error(`${USAGE}\n\nSizes are whole thousands.`);
    process.exitCode = 2;
    return;
  }
  const started = performance.now();
  const run = await runAll(sizes, (line) => console.error(line));
  const seconds = (performance.now() - started) / 1_000;
  const checks = checkBudgets(run.results);
  if (values.json)
    console.log(
      JSON.stringify({ ...run, checks, seconds, prices: PRICES, pricesReadOn: READ_ON, dollars: dollars(run.results) }),
    );
  else report(run, { checks, seconds });
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

function dollars(results: readonly Result[]) {
  return results.map(({ summary, matches: _matches, p50Ms: _p50Ms, ...place }) => ({
    ...place,
    ...dollarsPerMillion(summary.median),
  }));
}

function report(
  { results, seeded }: Run,
  { checks, seconds }: { checks: ReturnType<typeof checkBudgets>; seconds: number },
): void {
  const of = (viewer: Result["viewer"]) => results.filter((result) => result.viewer === viewer);
  section(`A viewer of ${grouped(OWN_EPISODES)} episodes, in a tenant that holds more`, costTable(of("viewer")));
  if (of("alone").length > 0) section("A viewer who holds all of the tenant's episodes", costTable(of("alone")));
  section("What a search reads for its matches", matchTable(results));
  section("Where others hold and are the most, divided by where they hold and are the least", ratioTable(results));
  section("Prices", prices());
  section("Seeding", seeding(seeded, seconds));
  section("Budgets", checkList(checks));
  console.log(NOTES);
}

function section(title: string, text: string): void {
  console.log(`### ${title}\n\n${text}\n`);
}

function prices(): string {
  const rows = Object.values(PRICES).map(({ of, usdPerMillion, source }) => [of, String(usdPerMillion), source]);
  return markdown(["a million", "$", `read on ${READ_ON}`], rows);
}

function seeding(seeded: Run["seeded"], total: number): string {
  const rows = seeded.map(({ size, episodes, seconds, bytesPerEpisode }) => [
    grouped(size),
    grouped(episodes),
    seconds.toFixed(1),
    grouped(Math.round(episodes / seconds)),
    grouped(Math.round(bytesPerEpisode)),
  ]);
  const bytes = seeded.at(-1)?.bytesPerEpisode ?? 0;
  return `${markdown(["tenant's episodes", "episodes in all", "seconds", "a second", "bytes of D1 an episode"], rows)}

The whole run took ${Math.round(total)} s. To keep a million such episodes costs $${storageMonth(bytes).toFixed(2)} a month in D1, and $${vectorMonth().toFixed(2)} for each million vectors in Vectorize.`;
}

const NOTES = `Counts are medians, with the highest where it differs; they come from D1's own meters and the service's. Each call is warm: the isolate knows
the key. Dollars are list prices for a million calls at the median, before what the plan includes. A request or a batch of messages is priced
as one invocation; its CPU time ($0.02 for a million milliseconds) is left out, and so is what a month of storage costs (see Seeding). A queue message is three operations.
Vectors are queried as Vectorize bills them, ${DIMENSIONS} dimensions a query; locally they are in Durable Objects, whose requests and rows production does not have and
which are left out. Vectors are not seeded at these sizes: those of forty sessions of each measured viewer are made by the service itself, enough that the
vector channel always proposes as many passages as it may; the other episodes are marked as having theirs. Embeddings come from a local server with lexical
vectors of the production model's length; tokens are estimated at four characters each. In production a move sends no message: the sweep runs its job when the index has settled.`;

await main();
