import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { productionCommands } from "./production-commands.ts";
import { setUpProduction } from "./set-up-production.ts";
import { ROOT } from "./wrangler.ts";

const NAMES = { bucket: "files", database: "db", queues: ["jobs", "jobs-dead"], vectorIndex: "vec", dimensions: 1024 };
const ALL = productionCommands(NAMES).map((command) => command.join(" "));

/** Answers each command as wrangler would: with an output, or with an error in place of it. */
function fakeWrangler(answers: Record<string, string | Error> = {}) {
  const ran: string[] = [];
  const printed: string[] = [];
  const run = async (command: readonly string[]) => {
    const line = command.join(" ");
    ran.push(line);
    const answer = Object.entries(answers).find(([start]) => line.startsWith(start))?.[1] ?? "";
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ran, printed, setUp: () => setUpProduction({ names: NAMES, run, print: (line) => printed.push(line) }) };
}

const EXISTS = new Error("vectorize.index_already_exists: an index with this name already exists [code: 3002]");
const described = (dimensions: number, metric = "cosine") =>
  JSON.stringify({ name: "vec", config: { dimensions, metric } }, null, 2);

it("makes everything in order", async () => {
  const { ran, setUp } = fakeWrangler();
  await setUp();
  expect(ran).toEqual(ALL);
});

it("may run twice", async () => {
  const there = new Error("A resource with that name already exists");
  const { printed, setUp } = fakeWrangler({
    "r2 bucket create": new Error("The bucket you tried to create already exists, and you own it. [code: 10004]"),
    "d1 create": there,
    "queues create": new Error("Queue name 'jobs' is already taken"),
    "vectorize create vec": EXISTS,
    "vectorize get": `\n${described(1024)}\n`,
    "vectorize create-metadata-index": new Error("vectorize.metadata_index_already_exists: duplicate"),
  });
  await setUp();
  expect(printed.filter((line) => line === "  is there already")).toHaveLength(ALL.length);
});

it.each([
  ["other dimensions", described(768), /768 dimensions and the metric cosine, but 1024 and cosine/],
  ["another metric", described(1024, "euclidean"), /1024 dimensions and the metric euclidean/],
])("refuses an index that exists with %s, before it makes its metadata indexes", async (_, get, message) => {
  const { ran, setUp } = fakeWrangler({ "vectorize create vec": EXISTS, "vectorize get": get });
  await expect(setUp()).rejects.toThrow(message);
  expect(ran.filter((line) => line.startsWith("vectorize create-metadata-index"))).toEqual([]);
});

it.each([
  [
    "R2 is not enabled",
    "r2 bucket",
    "Please enable R2 through the Cloudflare Dashboard. [code: 10042]",
    /R2 has to be enabled once/,
  ],
  [
    "there are several accounts",
    "r2 bucket",
    "More than one account available but unable to select one",
    /CLOUDFLARE_ACCOUNT_ID/,
  ],
  ["the plan is the free one", "vectorize create", "vectorize.not_entitled [code: 1005]", /Workers Paid plan/],
])("stops and says what to do when %s", async (_, command, output, advice) => {
  const { ran, setUp } = fakeWrangler({ [command]: new Error(output) });
  await expect(setUp()).rejects.toThrow(advice);
  expect(ran.at(-1)?.startsWith(command)).toBe(true);
});

it("stops at any other failure, with what wrangler said", async () => {
  const { ran, setUp } = fakeWrangler({ "d1 create": new Error("Authentication error [code: 10000]") });
  await expect(setUp()).rejects.toThrow("Authentication error [code: 10000]");
  expect(ran).toHaveLength(2);
});

const production = unstable_readConfig({ config: path.join(ROOT, "wrangler.toml"), env: "production" });

it("a deploy looks for the bucket before it changes the database", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { scripts: { deploy: string } };
  const steps = scripts.deploy.split(" && ");
  expect(steps[0]).toBe(`wrangler r2 bucket info ${production.r2_buckets[0]?.bucket_name}`);
  expect(steps[1]).toMatch(/^wrangler d1 migrations apply/);
});

it("everything of production that has a name of its own begins with the name of the Worker", () => {
  const { d1_databases, queues, vectorize, r2_buckets, name } = production;
  const consumers: readonly { queue: string }[] = queues.consumers ?? [];
  const names = [
    d1_databases[0]?.database_name,
    vectorize[0]?.index_name,
    r2_buckets[0]?.bucket_name,
    ...consumers.map(({ queue }) => queue),
  ];
  expect(names.filter((one) => !String(one).startsWith(String(name)))).toEqual([]);
});

it("production has no chat model until somebody chooses one", () => {
  expect([production.vars.CHAT, production.vars.CHAT_MODEL]).toEqual(["none", undefined]);
});
