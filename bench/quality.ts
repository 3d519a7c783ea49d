import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startService } from "../scripts/service.ts";
import { embedderVars } from "./quality/embedder-vars.ts";
import { leaveOneOut } from "./quality/leave-one-out.ts";
import { type Conversation, parseLocomo } from "./quality/locomo.ts";
import { score } from "./quality/metrics.ts";
import { rankOffline } from "./quality/offline.ts";
import { ingest, jobsDone, type Service, search } from "./quality/service-client.ts";
import { formatTable, percentile, type Scored, summarise } from "./quality/table.ts";

const USAGE = `npm run bench:quality -- --data FILE [options]

Answers the questions of a LoCoMo file and scores the turns that were found. Without --url it starts a service of its own.

  --data FILE               the conversations, in LoCoMo's own JSON
  --url URL --key KEY       a service that already runs, and an API key with write permission
  --embeddings-url URL      start the service with an OpenAI-compatible embedder
  --model NAME              its model
  --dimensions N            the length of its vectors; asked of the server when absent
  --limit-conversations N   only the first N conversations
  --offline                 rank with the product's functions in memory, without a service
  --leave-one-out           offline, each conversation with constants chosen on the others (takes minutes)
  --json                    one line of JSON instead of the table`;

const JOBS_TIMEOUT_MS = 1_200_000;

type Measured = { scored: Scored[]; facts: Record<string, number> };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      url: { type: "string" },
      key: { type: "string" },
      "embeddings-url": { type: "string" },
      model: { type: "string" },
      dimensions: { type: "string" },
      "limit-conversations": { type: "string" },
      offline: { type: "boolean", default: false },
      "leave-one-out": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (values.data === undefined || (values.url === undefined) !== (values.key === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const limit = values["limit-conversations"] === undefined ? undefined : Number(values["limit-conversations"]);
  const conversations = parseLocomo(await readFile(values.data, "utf8")).slice(0, limit);
  const measured = await measure(conversations, values);
  report(measured, values.json);
}

type Choice = {
  url?: string | undefined;
  key?: string | undefined;
  "embeddings-url"?: string | undefined;
  model?: string | undefined;
  dimensions?: string | undefined;
  offline: boolean;
  "leave-one-out": boolean;
};

async function measure(conversations: readonly Conversation[], choice: Choice): Promise<Measured> {
  if (choice["leave-one-out"]) return { scored: leaveOneOut(conversations), facts: {} };
  if (choice.offline) return { scored: rankOffline(conversations), facts: {} };
  if (choice.url !== undefined && choice.key !== undefined)
    return throughService({ url: choice.url, key: choice.key }, conversations);
  const service = await startService({ vars: await embedderVars(choice) });
  try {
    return await throughService(service, conversations);
  } finally {
    await service.stop();
  }
}

/** Sends everything, waits for the jobs, then asks one question at a time, so that the latencies are those of an idle service. */
async function throughService(service: Service, conversations: readonly Conversation[]): Promise<Measured> {
  const run = Date.now().toString(36);
  const userOf = ({ id }: Conversation) => `bench-${run}-${id}`;
  const started = performance.now();
  let episodes = 0;
  for (const conversation of conversations) episodes += await ingest(service, userOf(conversation), conversation);
  const sent = performance.now();
  const failedJobs = await jobsDone(service, JOBS_TIMEOUT_MS);
  const indexed = performance.now();
  const scored: Scored[] = [];
  const latencies: number[] = [];
  let degraded = 0;
  for (const conversation of conversations) {
    for (const { text, evidence, category } of conversation.questions) {
      const found = await search(service, userOf(conversation), text);
      latencies.push(found.milliseconds);
      if (found.degraded) degraded++;
      scored.push({ conversation: conversation.id, category, scores: score(evidence, found.turns) });
    }
  }
  const facts = {
    episodes,
    ingestEpisodesPerSecond: (episodes * 1_000) / (sent - started),
    jobsSeconds: (indexed - sent) / 1_000,
    failedJobs,
    searchP50Ms: percentile(latencies, 0.5),
    searchP95Ms: percentile(latencies, 0.95),
    degradedSearches: degraded,
  };
  return { scored, facts };
}

function report({ scored, facts }: Measured, json: boolean): void {
  const rows = summarise(scored);
  if (json) {
    console.log(JSON.stringify({ rows, ...facts }));
    return;
  }
  console.log(formatTable(rows));
  for (const [name, value] of Object.entries(facts))
    console.log(`${name.padEnd(26)} ${Number.isInteger(value) ? value : value.toFixed(1)}`);
}

await main();
