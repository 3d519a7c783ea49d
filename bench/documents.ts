import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { pdfFile } from "#test/pdf-file";
import { type Service, startService } from "../scripts/service.ts";
import { grouped, markdown } from "./cost/table.ts";

const USAGE = `npm run bench:documents [-- options]

How fast a service on this machine takes in documents: uploads by HTTP, until all are read, and until all are in both indexes. Starts a service
of its own. The memory is the most that workerd has held at once (VmHWM, on Linux only).

  --files 1000       Markdown files of about 600 words
  --pages 500        pages of one PDF, of about 300 words each
  --json             one line of JSON instead of the table`;

const AT_ONCE = 8;
const POLL_MS = 250;

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "1000" },
    pages: { type: "string", default: "500" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [files, pages] = [Number(values.files), Number(values.pages)];
if (values.help || ![files, pages].every((size) => Number.isInteger(size) && size > 0)) {
  console.error(USAGE);
  process.exit(2);
}

type Upload = { path: string; bytes: Uint8Array<ArrayBuffer> };
type Run = {
  what: string;
  units: number;
  bytes: number;
  chunks: number;
  /** Seconds from the beginning. */
  uploaded: number;
  read: number;
  indexed: number;
  peakMegabytes: number | null;
};

const WORDS = "garden gate river night train lamp winter bread harbour letter window copper bridge teacher market".split(" ");

/** Sentences of no meaning, the same in every run. */
function sentences(seed: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const word = (nth: number) => WORDS[(seed * 7 + i * 3 + nth * nth) % WORDS.length];
    return `The ${word(0)} of the ${word(1)} number ${seed * 31 + i} stands by the ${word(2)} and the ${word(3)}.`;
  });
}

function markdownFile(i: number): Upload {
  const section = (nth: number) => `## Part ${nth} of ${i}\n\n${sentences(i * 5 + nth, 9).join(" ")}\n`;
  const text = `# Document ${i}\n\n${Array.from({ length: 5 }, (_, nth) => section(nth)).join("\n")}`;
  return { path: `folder-${i % 20}/document-${i}.md`, bytes: new Uint8Array(new TextEncoder().encode(text)) };
}

function book(): Upload {
  const texts = Array.from({ length: pages }, (_, i) => sentences(i, 22).join("\n"));
  return { path: "book.pdf", bytes: new Uint8Array(pdfFile(texts)) };
}

const runs = [
  await measure(
    "Markdown files",
    files,
    Array.from({ length: files }, (_, i) => markdownFile(i)),
  ),
  await measure("pages of a PDF", pages, [book()]),
];
if (values.json) console.log(JSON.stringify({ runs }));
else {
  const rate = (units: number, seconds: number) => grouped(Math.round(units / seconds));
  const lines = runs.map(({ what, units, bytes, chunks, uploaded, read, indexed, peakMegabytes }) => [
    `${grouped(units)} ${what}, ${(bytes / 1e6).toFixed(1)} MB`,
    grouped(chunks),
    uploaded.toFixed(1),
    read.toFixed(1),
    indexed.toFixed(1),
    rate(units, indexed),
    peakMegabytes === null ? "" : grouped(peakMegabytes),
  ]);
  const heads = [
    "documents",
    "chunks",
    "uploaded after s",
    "read after s",
    "in both indexes after s",
    "a second",
    "peak memory of workerd, MB",
  ];
  console.log(markdown(heads, lines));
}

async function measure(what: string, units: number, uploads: readonly Upload[]): Promise<Run> {
  const service = await startService({ cron: false });
  try {
    await call(service, "PUT", "/v1/sources/bench", new Uint8Array(new TextEncoder().encode("{}")), "application/json");
    const start = performance.now();
    const since = () => (performance.now() - start) / 1000;
    const waiting = [...uploads];
    const next = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
        await call(service, "PUT", `/v1/sources/bench/files?path=${encodeURIComponent(one.path)}`, one.bytes);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    const uploaded = since();
    const source = await until(async () => {
      const { statistics } = (await call(service, "GET", "/v1/sources/bench")) as Source;
      if (statistics.files.failed > 0) throw new Error("A file could not be read.");
      return statistics.files.ready === uploads.length ? statistics : null;
    });
    const read = since();
    await until(async () => ((await hasJobs(service)) ? null : true));
    const bytes = uploads.reduce((sum, one) => sum + one.bytes.length, 0);
    return { what, units, bytes, chunks: source.chunks, uploaded, read, indexed: since(), peakMegabytes: peakOfWorkerd() };
  } finally {
    await service.stop();
  }
}

type Source = { statistics: { files: { ready: number; failed: number }; chunks: number } };

async function hasJobs(service: Service): Promise<boolean> {
  for (const status of ["pending", "running"]) {
    const { items } = (await call(service, "GET", `/v1/jobs?limit=1&status=${status}`)) as { items: unknown[] };
    if (items.length > 0) return true;
  }
  return false;
}

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await sleep(POLL_MS);
  }
}

async function call(
  { url, key }: Service,
  method: string,
  path: string,
  body?: Uint8Array<ArrayBuffer>,
  type = "application/octet-stream",
): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": type }) };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}

/** The most memory that a workerd of this program has held; null where there is no /proc. */
function peakOfWorkerd(): number | null {
  try {
    const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const peaks = processes.flatMap((pid) => {
      const status = statusOf(pid);
      if (!/^Name:\s*workerd/m.test(status) || !isOurs(status)) return [];
      return [Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1024];
    });
    return peaks.length === 0 ? null : Math.round(Math.max(...peaks));
  } catch {
    return null;
  }
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function isOurs(status: string): boolean {
  const parent = /^PPid:\s*(\d+)/m.exec(status)?.[1] ?? "0";
  return parent === String(process.pid) || (Number(parent) > 1 && isOurs(statusOf(parent)));
}
