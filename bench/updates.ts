import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { coordinatedPairs } from "#corpora/coordinated/cases";
import { scoreUpdate, type UpdatePair } from "#test/score-update";
import { startService } from "../scripts/service.ts";
import { inParallel } from "./context/client.ts";
import { call, jobsDone, type Service } from "./quality/service-client.ts";

const USAGE = `npm run bench:updates [-- options]

Sends pairs of statements, each pair as a user's of its own and a month apart, to a service of its own, and counts what an update takes: what still
holds and is missing from search or context, and what was replaced and is shown before the newer statement or not marked as older.

  --data FILE          pairs, as a JSON array or a line of JSON each: {"first", "later", "stays": […], "replaced": […]}; generated ones when absent
  --count N            so many generated pairs (2000)
  --seed N             of the generated pairs (1)
  --url URL --key KEY  a service that already runs, and a server key with write permission
  --misses             also each pair of which something is missing or told as current, on standard error`;

const JOBS_TIMEOUT_MS = 1_800_000;
const ATTEMPTS = 6;
const PAUSE_MS = 1_000;
const DAY_MS = 86_400_000;
/** Pairs that are sent before the jobs are awaited. */
const PAIRS_AT_ONCE = 200;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      count: { type: "string", default: "2000" },
      seed: { type: "string", default: "1" },
      url: { type: "string" },
      key: { type: "string" },
      misses: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { data, count, seed, url, key, misses } = values;
  if (values.help || (url === undefined) !== (key === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const pairs = data === undefined ? coordinatedPairs(Number(count), Number(seed)) : parsePairs(await readFile(data, "utf8"));
  const running = url !== undefined && key !== undefined ? { url, key } : null;
  const service = running ?? (await startService());
  try {
    await measure(service, pairs, misses);
  } finally {
    if ("stop" in service && typeof service.stop === "function") await service.stop();
  }
}

function parsePairs(text: string): UpdatePair[] {
  const isArray = text.trimStart().startsWith("[");
  return isArray
    ? (JSON.parse(text) as UpdatePair[])
    : text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line) as UpdatePair);
}

async function measure(service: Service, pairs: readonly UpdatePair[], misses: boolean): Promise<void> {
  const run = `updates-${Date.now()}`;
  const post = (path: string, body: object) => retried(() => call(service, "POST", path, body));
  let [missing, things, told, replaced] = [0, 0, 0, 0];
  for (let from = 0; from < pairs.length; from += PAIRS_AT_ONCE) {
    const some = pairs.slice(from, from + PAIRS_AT_ONCE).map((pair, i) => ({ pair, userId: `${run}-${from + i}` }));
    for (const [said, daysAgo] of [
      ["first", 30],
      ["later", 1],
    ] as const) {
      const occurredAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
      await inParallel(some, ({ pair, userId }) => {
        const message = { role: "user", content: pair[said], messageId: `${userId}-${said}`, occurredAt };
        return post(`/v1/sessions/${userId}-${said}/episodes`, { userId, messages: [message] });
      });
      await retried(() => jobsDone(service, JOBS_TIMEOUT_MS));
    }
    await inParallel(some, async ({ pair, userId }) => {
      const score = await scoreUpdate(post, { userId, laterSession: `${userId}-later`, pair });
      missing += score.missing.length === 0 ? 0 : 1;
      told += score.toldAsCurrent.length === 0 ? 0 : 1;
      things += 1;
      replaced += pair.replaced.length === 0 ? 0 : 1;
      if (misses && score.missing.length + score.toldAsCurrent.length > 0) console.error(JSON.stringify({ ...pair, ...score }));
    });
    console.log(
      `${things} pairs: something that still holds is missing in ${missing}; what was replaced is told as current in ${told} of ${replaced}`,
    );
  }
}

/** The local runtime may lose a request while jobs run; a message that was stored is not stored again. */
async function retried<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await request();
    } catch {
      await sleep(PAUSE_MS);
    }
  }
  return await request();
}

await main();
