import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startChatServer } from "#test/chat-server";
import { bundleWorker, fireCron, startService } from "../scripts/service.ts";
import type { Ids } from "../test/isolation/routes.ts";
import { markdown } from "./cost/table.ts";
import { HOSTILE_SHAPES, ORDINARY } from "./hostile/shapes.ts";
import { type OpenApi, otherSlots, type Request, type Slot, slotsOf } from "./hostile/slots.ts";
import { ownRuntimes } from "./import/memory-of.ts";

const USAGE = `npm run bench:hostile [-- options]

Sends generated hostile texts to every place for text of every route, one after the other, and prints the CPU seconds of the runtime for each
megabyte, jobs included, worst first. Starts a service of its own. Linux only. Ends with 1 when anything takes more than one second.

  --kilobytes 64     of text for each shape and place
  --route WORDS      only routes and fields whose names hold these words
  --shape WORDS      only shapes whose names hold these words
  --top 30           lines of the table
  --all              short fields too (below 1,000 characters), with some shapes only
  --port N           of the service`;

const { values } = parseArgs({
  options: {
    kilobytes: { type: "string", default: "64" },
    route: { type: "string", default: "" },
    shape: { type: "string", default: "" },
    top: { type: "string", default: "30" },
    all: { type: "boolean", default: false },
    port: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.error(USAGE);
  process.exit(2);
}

const MOST_SECONDS = 1;
const TOTAL = Number(values.kilobytes) * 1_000;
const SIZES = [TOTAL, 16_000, 4_000, 1_000, 400].filter((size) => size <= TOTAL);
const SHORT = 1_000;
const SHORT_SHAPES = ["random Han", "random words", "random emoji", "random digits", "nested JSON", "HTML comments"];
const MOST_REQUESTS = 16;
const TICKS_A_SECOND = 100;
const SETTLE_MS = 60_000;
const CRON_AFTER_MS = 2_000;

type Line = { route: string; shape: string; seconds: number; megabytes: number; status: number };

const state = await mkdtemp(path.join(tmpdir(), "edgewise-hostile-"));
const chat = await startChatServer();
let address = "";
try {
  const keyFile = path.join(state, "dev-key");
  // A bundle is not made again when a source changes meanwhile.
  const bundle = await bundleWorker(path.join(state, "bundle"));
  const port = values.port === undefined ? {} : { port: Number(values.port) };
  const service = await startService({ persistTo: state, keyFile, bundle, cron: false, ...port });
  address = service.url;
  try {
    await measure(service.url, (await readFile(keyFile, "utf8")).trim());
  } finally {
    await service.stop();
  }
} finally {
  await chat.close();
  await rm(state, { recursive: true, force: true, maxRetries: 5 });
}

async function measure(url: string, key: string): Promise<void> {
  const send = async ({
    method,
    path: address,
    body,
    headers,
  }: Request): Promise<{ status: number; json: Record<string, unknown> }> => {
    const response = await fetch(url + address, { method, body, headers: { authorization: `Bearer ${key}`, ...headers } });
    const text = await response.text();
    return { status: response.status, json: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {} };
  };
  const { ids, imports } = await prepare(send);
  const openapi = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const named = [...otherSlots(ids, imports), ...slotsOf(openapi, ids)].filter(({ route, field }) =>
    `${route} ${field}`.includes(values.route),
  );
  const slots: Slot[] = [];
  for (const slot of named) {
    const most = await mostOf(slot, send);
    if (most >= (values.all ? 400 : SHORT)) slots.push({ ...slot, most });
  }
  await settled();
  console.error(
    `${slots.length} places for text:\n${slots.map(({ route, field, most }) => `  ${route} ${field} ${most}`).join("\n")}`,
  );
  const lines: Line[] = [];
  for (const slot of slots) {
    const shapes = Object.entries(HOSTILE_SHAPES).filter(
      ([name]) => name.includes(values.shape) && (slot.most >= SHORT || SHORT_SHAPES.includes(name)),
    );
    const ofSlot: Line[] = [];
    const base = await baseOf(slot, send);
    for (const [shape, make] of shapes) {
      const { ticks, bytes, status } = await run(slot, make, send);
      const seconds = Math.max(0, ticks - base) / TICKS_A_SECOND;
      ofSlot.push({ route: `${slot.route} ${slot.field}`, shape, seconds, megabytes: bytes / 1_000_000, status });
    }
    lines.push(...ofSlot);
    const worst = ofSlot.toSorted((a, b) => perMegabyte(b) - perMegabyte(a)).slice(0, 3);
    console.error(
      `${slot.route} ${slot.field}: ${worst.map((each) => `${perMegabyte(each).toFixed(1)} ${each.shape}`).join(", ")}`,
    );
  }
  const sorted = lines.toSorted((a, b) => perMegabyte(b) - perMegabyte(a));
  const over = sorted.filter((line) => perMegabyte(line) > MOST_SECONDS);
  console.log(
    markdown(
      ["route and field", "shape", "CPU s/MB", "status"],
      sorted
        .slice(0, Number(values.top))
        .map((line) => [line.route, line.shape, perMegabyte(line).toFixed(2), String(line.status)]),
    ),
  );
  console.log(`${lines.length} measured, ${over.length} over ${MOST_SECONDS} s of CPU a megabyte.`);
  if (over.length > 0) process.exitCode = 1;
}

function perMegabyte({ seconds, megabytes }: Line): number {
  return seconds / megabytes;
}

type Send = (request: Request) => Promise<{ status: number; json: Record<string, unknown> }>;

/** The longest ordinary text that the field takes, of some sizes; 0 if it takes none. */
async function mostOf(slot: Slot, send: Send): Promise<number> {
  for (const size of SIZES) {
    const text = "word tree ".repeat(Math.ceil(size / 10)).slice(0, size);
    if ((await send(slot.request(text))).status < 300) return size;
  }
  return 0;
}

type Run = { ticks: number; bytes: number; status: number };

/** Sends a text in as many requests as the field needs, and waits for its jobs. */
async function run(slot: Slot, make: (units: number) => string, send: Send): Promise<Run> {
  const times = Math.min(MOST_REQUESTS, Math.ceil(TOTAL / slot.most));
  const text = make(slot.most * times);
  const before = await cpuTicks();
  let [bytes, status] = [0, 0];
  for (let i = 0; i < times; i += 1) {
    const request = slot.request(text.slice(i * slot.most, (i + 1) * slot.most) || "word");
    bytes += Buffer.byteLength(request.body);
    status = (await send(request)).status;
  }
  await settled();
  return { ticks: (await cpuTicks()) - before, bytes, status };
}

/** The ticks of the same requests with a word each, after ordinary text, so that what is compiled once is compiled. */
async function baseOf(slot: Slot, send: Send): Promise<number> {
  for (const make of [ORDINARY, ORDINARY]) await run(slot, make, send);
  const bases = [await run(slot, () => "", send), await run(slot, () => "", send)];
  return Math.min(...bases.map(({ ticks }) => ticks));
}

/** User and system time of the runtimes, in ticks. */
async function cpuTicks(): Promise<number> {
  const stats = await Promise.all((await ownRuntimes()).map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return stats.reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return sum + Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }, 0);
}

/** Waits until no job is open. */
async function settled(): Promise<void> {
  const [file] = globSync(path.join(state, "v3/d1/miniflare-D1DatabaseObject/*.sqlite")).filter(
    (each) => !each.includes("metadata"),
  );
  if (file === undefined) return;
  for (let waited = 0; waited < SETTLE_MS; waited += 50) {
    const db = new DatabaseSync(file, { readOnly: true });
    const open = db.prepare("select count(*) as n from jobs where status in ('pending', 'running')").get() as { n: number };
    db.close();
    if (open.n === 0) return;
    // A job that goes on later is found by cron.
    if (waited > 0 && waited % CRON_AFTER_MS === 0) await fireCron(address);
    await sleep(50);
  }
}

async function prepare(send: Send): Promise<{ ids: Ids; imports: Record<"chatgpt" | "claude" | "gemini" | "openai", string> }> {
  const call = async (method: string, address: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await send({
      method,
      path: address,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    if (answer.status >= 300) throw new Error(`${method} ${address}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json;
  };
  const user = "ann";
  const idOf = async (method: string, address: string, body: object) =>
    String((await call(method, address, { userId: user, ...body })).id);
  await call("PATCH", "/v1/settings", { upstream: { url: `${chat.origin}/c/hostile/v1` } });
  await call("PUT", "/v1/projects/p1", { userId: user });
  await call("PUT", "/v1/sessions/s1", { userId: user });
  await call("PUT", "/v1/sources/src1", { userId: user, projectId: "p1", name: "files" });
  const start = (platform: string) =>
    idOf("POST", "/v1/imports", {
      platform,
      fileName: `${platform}.json`,
      sha256: platform.padEnd(64, "0").replace(/[^0-9a-f]/g, "0"),
    });
  const imports = {
    chatgpt: await start("chatgpt"),
    claude: await start("claude"),
    gemini: await start("gemini"),
    openai: await start("openai"),
  };
  const ids: Ids = {
    ...{
      user,
      session: "s1",
      project: "p1",
      member: "bob",
      episode: "",
      key: "",
      job: "",
      spare: "",
      merge: "",
      gone: "",
      forgetting: "",
    },
    ...{ file: "", topic: "topic_1", import: imports.chatgpt, response: "", erasure: "", waiting: "", source: "src1" },
    person: await idOf("POST", "/v1/people", { name: "Rose" }),
    memory: await idOf("POST", "/v1/memories", { content: "grows roses" }),
    entity: await idOf("POST", "/v1/entities", { projectId: "p1", type: "tool", name: "Lathe" }),
  };
  return { ids, imports };
}
