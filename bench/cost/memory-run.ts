import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { percentile } from "../quality/table.ts";
import { chatText, randomOf } from "./chat-text.ts";
import { type Call, warmClient } from "./client.ts";
import type { Counts } from "./counts.ts";
import { background, jobsOf, type Measured, makeVectors, measureOperations, settled } from "./measure.ts";
import type { MemoryPlace, MemoryResult } from "./memory-budgets.ts";
import { memoryOperationsOf, searchRequest, UPKEEP } from "./memory-operations.ts";
import { makeMemoryTemplates } from "./memory-templates.ts";
import { type MemoryViewer, type MemoryWorld, type Others, seedMemories } from "./memory-world.ts";
import { type ProxyTimes, timeProxy } from "./proxy.ts";
import { questions } from "./questions.ts";
import { type Running, STORED_MODEL, startOn } from "./running.ts";
import { type Sample, type TimeRatio, timeInTurns, timeRatios } from "./search-times.ts";
import { OTHER_TENANTS } from "./seed.ts";
import { makeState } from "./state.ts";
import { makeTemplates } from "./templates.ts";

/** What others hold where they hold little. */
export const FEW = 1_000;

const SINGLE_JOBS = 5;
/** One batch of the queue, as wrangler.toml sets it. */
const BURST = 25;
const WORDS = 14;

export type TimedSearch = {
  search: string;
  places: { place: MemoryPlace; calls: number; p50: number; p95: number }[];
  ratios: TimeRatio<MemoryPlace>[];
};

export type MemoryRun = {
  results: MemoryResult[];
  times: TimedSearch[];
  proxy: ProxyTimes[];
  many: number;
  rounds: number;
  seeded: { place: MemoryPlace; memories: number; seconds: number; bytes: number }[];
};

type Measuring = { place: MemoryPlace; world: MemoryWorld; running: Awaited<ReturnType<typeof startOn>>; call: Call };

/** Where others hold little, where those of the same tenant hold `many`, and where other tenants do. */
function placesOf(many: number): [MemoryPlace, Others][] {
  return [
    ["few", { inTenant: FEW, otherTenants: 1, inOtherTenants: FEW }],
    ["tenant", { inTenant: many, otherTenants: 1, inOtherTenants: FEW }],
    ["tenants", { inTenant: FEW, otherTenants: OTHER_TENANTS, inOtherTenants: many }],
  ];
}

/** Seeds the three places and has a service on each, all at once, so that times can be taken in turns. */
export async function runMemories(many: number, rounds: number, report: (line: string) => void): Promise<MemoryRun> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-cost-"));
  const measuring: Measuring[] = [];
  try {
    const templates = await makeMemoryTemplates();
    for (const [place, others] of placesOf(many)) {
      const state = path.join(folder, place);
      const file = await makeState(state);
      const world = await seedMemories(file, { others, model: STORED_MODEL, episodes: makeTemplates(), templates });
      report(`memories, ${place}: seeded ${world.memories} in ${world.seconds.toFixed(1)} s`);
      const running = await startOn(state, world.key);
      measuring.push({ place, world, running, call: await warmClient(running.url, world.key) });
      await makeVectors(running, [world], world.jobs);
    }
    const times = await timeSearches(measuring, rounds);
    report(`memories: timed searches in turns, ${rounds} rounds`);
    const results: MemoryResult[] = [];
    for (const each of measuring) {
      results.push(...(await measurePlace(each)));
      report(`memories, ${each.place}: measured`);
    }
    // Last, because what goes through the proxy is stored.
    const proxy = await timeProxyOf(measuring[0], rounds);
    report("memories: timed the proxy beside its upstream");
    const seeded = measuring.map(({ place, world: { memories, seconds, bytes } }) => ({ place, memories, seconds, bytes }));
    return { results, times, proxy, many, rounds, seeded };
  } finally {
    for (const { running } of measuring) await running.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Calls through the proxy for each round of searches: a reply is one call, where a round asks many questions. */
const CALLS_A_ROUND = 10;

/** For the viewer who holds least, where others hold little. */
async function timeProxyOf(measuring: Measuring | undefined, rounds: number): Promise<ProxyTimes[]> {
  const viewer = measuring?.world.viewers[0];
  if (measuring === undefined || viewer === undefined) throw new Error("Nobody is there to chat.");
  return await timeProxy(measuring.running, { key: measuring.world.key, user: viewer.user }, rounds * CALLS_A_ROUND);
}

async function measurePlace({ place, world, running, call }: Measuring): Promise<MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const viewer of world.viewers) {
    const measured = [
      ...(await measureOperations(call, running.server, memoryOperationsOf(viewer))),
      ...(await measureMemoryJobs(running, { world, viewer, call })),
    ];
    results.push(...measured.map((each) => ({ ...each, place, own: viewer.memories })));
  }
  const upkeep = await measureOperations(call, running.server, [UPKEEP]);
  return [...results, ...upkeep.map((each) => ({ ...each, place, own: null }))];
}

/** What a memory leaves for the queue: alone, and when a batch of the queue is full. */
async function measureMemoryJobs(
  running: Running,
  { world, viewer, call }: { world: MemoryWorld; viewer: MemoryViewer; call: Call },
): Promise<Measured[]> {
  const random = randomOf(23);
  const add = () =>
    call({ method: "POST", path: "/v1/memories", body: { userId: viewer.user, content: chatText(random, WORDS) } });
  await settled(running, world);
  const single: Counts[] = [];
  for (let i = 0; i < SINGLE_JOBS; i++) {
    await add();
    single.push(await jobsOf(running, 1));
  }
  await Promise.all(Array.from({ length: BURST }, add));
  const burst = await jobsOf(running, BURST);
  return [
    background("background: an added memory's job, alone", single),
    background(`background: an added memory's job, in a batch of ${BURST}`, [burst]),
  ];
}

/** The same questions in all places, of the viewer who holds most; their embeddings are known from the first round on. */
async function timeSearches(measuring: readonly Measuring[], rounds: number): Promise<TimedSearch[]> {
  const viewer = measuring[0]?.world.viewers.at(-1);
  if (viewer === undefined) throw new Error("Nobody is there to search.");
  const asked = questions((a, b, c) => `When did the ${a} and the ${b} have a ${c}?`);
  const searches = {
    "search episodes and memories": {},
    "search memories": { kinds: ["memory"] },
  };
  const timed: TimedSearch[] = [];
  for (const [search, fields] of Object.entries(searches)) {
    const requests = asked.map((query) => searchRequest(viewer.user, query, fields));
    const places = new Map(measuring.map(({ place, call }) => [place, call]));
    const samples = await timeInTurns(places, requests, rounds);
    timed.push({ search, places: [...samples].map(summaryOf), ratios: timeRatios(samples, "few") });
  }
  return timed;
}

function summaryOf([place, samples]: [MemoryPlace, readonly Sample[]]): TimedSearch["places"][number] {
  const totals = samples.map(({ total }) => total);
  return { place, calls: totals.length, p50: percentile(totals, 0.5), p95: percentile(totals, 0.95) };
}
