import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { fireCron } from "../../scripts/service.ts";
import type { EmbeddingsServer } from "../../test/support/embeddings-server.ts";
import { jobsDone } from "../quality/service-client.ts";
import { percentile } from "../quality/table.ts";
import { takeTokens } from "./background.ts";
import { randomOf } from "./chat-text.ts";
import type { Call } from "./client.ts";
import { type Counts, type Summary, share, sum, summarise } from "./counts.ts";
import { episode, matchesOf, type Operation, operationsOf } from "./operations.ts";
import type { Running } from "./running.ts";
import { PROJECT, type Viewer } from "./seed.ts";

const SINGLE_JOBS = 5;
const MOVES = 3;
/** One batch of the queue, as wrangler.toml sets it. */
const BURST = 25;
const WAIT_MS = 10_000;
const JOBS_TIMEOUT_MS = 120_000;
/** A sweep runs so many jobs of a tenant (due-jobs.ts). */
const JOBS_A_SWEEP = 25;
/** The consumer logs the cost of a batch a moment after its jobs are done. */
const LAST_LINE_MS = 300;

const Jobs = z.object({ items: z.array(z.object({ id: z.string() })) });

export type Measured = { operation: string; summary: Summary; matches: number; p50Ms: number };

/** Makes the vectors of what was seeded with a job for it, so many a tenant, by the sweep, as if the queue's messages had been lost. */
export async function makeVectors(running: Running, tenants: readonly { key: string }[], jobs: number): Promise<void> {
  for (let done = 0; done < jobs; done += JOBS_A_SWEEP) await fireCron(running.url);
  for (const tenant of tenants) await settled(running, tenant);
}

/** Every operation that answers a request, one call at a time. */
export async function measureRequests({ server }: Running, viewer: Viewer, call: Call): Promise<Measured[]> {
  return await measureOperations(call, server, await operationsOf(viewer, call));
}

export async function measureOperations(
  call: Call,
  server: EmbeddingsServer,
  operations: readonly Operation[],
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const operation of operations) measured.push(await measureOperation(call, server, operation));
  return measured;
}

async function measureOperation(call: Call, server: EmbeddingsServer, operation: Operation): Promise<Measured> {
  const calls: Counts[] = [];
  const milliseconds: number[] = [];
  let matches = 0;
  for (const request of operation.requests) {
    if (operation.embeds) takeTokens(server);
    const reply = await call(request);
    calls.push({ ...reply.counts, embeddingTokens: operation.embeds ? takeTokens(server) : 0 });
    milliseconds.push(reply.milliseconds);
    if (operation.embeds) matches += matchesOf(reply);
  }
  return {
    operation: operation.name,
    summary: summarise(calls),
    matches: matches / calls.length,
    p50Ms: percentile(milliseconds, 0.5),
  };
}

/** The queue work of an append and of a move: alone, and in a full batch of the queue. */
export async function measureJobs(running: Running, viewer: Viewer, call: Call): Promise<Measured[]> {
  const random = randomOf(9);
  const append = (i: number, made: object) =>
    call({
      method: "POST",
      path: `/v1/sessions/${viewer.sessions[i]?.name}/episodes`,
      body: { userId: viewer.user, ...made },
    });
  await settled(running, viewer);

  const single: Counts[] = [];
  for (let i = 0; i < SINGLE_JOBS; i++) {
    await append(0, episode(random));
    single.push(await jobsOf(running, 1));
  }
  await Promise.all(Array.from({ length: BURST }, (_, i) => append(i, episode(random))));
  const burst = await jobsOf(running, BURST);

  const moves: Counts[] = [];
  for (let i = 0; i < MOVES; i++) {
    const session = viewer.sessions.at(-1 - i)?.name;
    await call({ method: "PUT", path: `/v1/sessions/${session}`, body: { userId: viewer.user, projectId: PROJECT } });
    moves.push(await jobsOf(running, 1));
  }
  return [
    background("background: an append's job, alone", single),
    background(`background: an append's job, in a batch of ${BURST}`, [burst]),
    background("background: a move's job, 25 episodes", moves),
  ];
}

/** The cost of one of so many messages. */
export async function jobsOf({ background, server }: Running, messages: number): Promise<Counts> {
  const batches = await background.batches(messages);
  const total = sum(batches.map(({ counts }) => counts));
  return share({ ...total, embeddingTokens: takeTokens(server) }, messages);
}

/** Waits for all jobs of the tenant, and discards their costs. */
export async function settled({ url, server, background }: Running, { key }: { key: string }): Promise<void> {
  const service = { url, key };
  const failed = await jobsDone(service, WAIT_MS).catch(async () => {
    await askAgain(service);
    return await jobsDone(service, JOBS_TIMEOUT_MS);
  });
  if (failed > 0) throw new Error(`${failed} jobs failed.`);
  await sleep(LAST_LINE_MS);
  background.forget();
  takeTokens(server);
}

/** A message that arrives within the millisecond in which its job is due may find it not due yet. In production the sweep runs it. */
async function askAgain({ url, key }: { url: string; key: string }): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const waiting = await fetch(new URL("/v1/jobs?status=pending&limit=100", url), { headers });
  for (const { id } of Jobs.parse(await waiting.json()).items)
    await fetch(new URL(`/v1/jobs/${id}/rerun`, url), { method: "POST", headers });
}

export function background(operation: string, calls: readonly Counts[]): Measured {
  return { operation, summary: summarise(calls), matches: 0, p50Ms: 0 };
}
