import { startChatServer } from "../../test/support/chat-server.ts";
import { percentile } from "../quality/table.ts";
import { questions } from "./questions.ts";
import type { Running } from "./running.ts";
import { markdown } from "./table.ts";

/** How long until the first byte of a streamed reply, in milliseconds, each call beside a direct one of the same moment. */
export type ProxyTimes = { way: string; calls: number; p50: number; p95: number; addedP50: number; addedP95: number };

type Way = { name: string; url: string; headers: Record<string, string>; question: (i: number) => string };

/**
 * Asks the same local model server directly and through the proxy, in turns, so that whatever else the machine does meets all ways alike.
 * The first round warms up and does not count.
 */
export async function timeProxy(
  { url }: Pick<Running, "url">,
  viewer: { key: string; user: string },
  rounds: number,
): Promise<ProxyTimes[]> {
  const upstream = await startChatServer({ answering: () => "A short reply." });
  try {
    const settings = { upstream: { url: upstream.url, apiKey: "sk-of-the-benchmark" } };
    await send(`${url}/v1/settings`, { method: "PATCH", key: viewer.key, body: settings });
    await send(`${url}/v1/facts`, { method: "POST", key: viewer.key, body: { userId: viewer.user, facts: [FACT] } });
    const ways = waysOf({ upstream: upstream.url, service: `${url}/v1` }, viewer);
    const samples = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
    for (let round = 0; round <= rounds; round++) {
      for (let turn = 0; turn < ways.length; turn++) {
        const way = ways[(round + turn) % ways.length];
        if (way === undefined) continue;
        const milliseconds = await firstByte(way, round);
        if (round > 0) samples.get(way.name)?.push(milliseconds);
      }
    }
    return timesOf(samples);
  } finally {
    await send(`${url}/v1/settings`, { method: "PATCH", key: viewer.key, body: { upstream: null } });
    await upstream.close();
  }
}

const FACT = { topic: "favorite_colors", kind: "ranked", rank: 1, value: "Blue" };
const DIRECT = "direct, without the proxy";

function waysOf(urls: { upstream: string; service: string }, { key, user }: { key: string; user: string }): Way[] {
  const asked = questions((a, b, c) => `Shall the ${a} and the ${b} come to the ${c}?`);
  const question = (i: number) => `${asked[i % asked.length]} ${"…".repeat(1 + Math.floor(i / asked.length))}`;
  const authorization = `Bearer ${key}`;
  const through = (name: string, headers: Record<string, string>, asks = question): Way => ({
    name,
    url: urls.service,
    headers: { authorization, "x-edgewise-user": user, "x-edgewise-session": `timed-${name.replace(/\W+/g, "-")}`, ...headers },
    question: asks,
  });
  return [
    { name: DIRECT, url: urls.upstream, headers: { authorization: "Bearer sk-of-the-benchmark" }, question },
    through("proxy, memory off", { "x-edgewise-memory": "off" }),
    through("proxy, with memory", {}),
    through(
      "proxy, a fact without the model",
      { "x-edgewise-session": `facts-of-${user}` },
      () => "What's my first favorite color?",
    ),
  ];
}

async function firstByte({ url, headers, question }: Way, round: number): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "timed", stream: true, messages: [{ role: "user", content: question(round) }] }),
  });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  const milliseconds = performance.now() - started;
  if (!response.ok || first?.value === undefined) throw new Error(`A chat completion was answered with ${response.status}.`);
  while (!(await reader?.read())?.done);
  return milliseconds;
}

function timesOf(samples: ReadonlyMap<string, readonly number[]>): ProxyTimes[] {
  const direct = samples.get(DIRECT) ?? [];
  return [...samples].map(([way, all]) => {
    const added = all.map((milliseconds, i) => milliseconds - (direct[i] ?? 0));
    return {
      way,
      calls: all.length,
      p50: percentile(all, 0.5),
      p95: percentile(all, 0.95),
      addedP50: percentile(added, 0.5),
      addedP95: percentile(added, 0.95),
    };
  });
}

export function proxyTable(times: readonly ProxyTimes[]): string {
  const rows = times.map(({ way, calls, ...milliseconds }) => [
    way,
    String(calls),
    ...[milliseconds.p50, milliseconds.p95].map((value) => value.toFixed(1)),
    ...[milliseconds.addedP50, milliseconds.addedP95].map((value) => (way === DIRECT ? "" : value.toFixed(1))),
  ]);
  return markdown(["way", "calls", "p50 ms", "p95 ms", "added, p50 ms", "added, p95 ms"], rows);
}

async function send(url: string, { method, key, body }: { method: string; key: string; body: object }): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} was answered with ${response.status}.`);
  await response.text();
}
