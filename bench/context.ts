import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { startService } from "../scripts/service.ts";
import { runBeam, runLocomo } from "./context/long-chats.ts";
import { RUN_PART, type Run } from "./context/run-parts.ts";
import type { Counts } from "./context/score.ts";
import { PART_NAMES, readTalk, type Talk } from "./context/talk.ts";
import { markdown } from "./cost/table.ts";
import { halfOf } from "./extraction/talk.ts";
import { embedderVars } from "./quality/embedder-vars.ts";
import type { Service } from "./quality/service-client.ts";

const ROUNDS = path.join(import.meta.dirname, "../test/corpora/outside/context");

const USAGE = `npm run bench:context [-- options]

Sends the talk of outside authors to a service of its own, and counts what a context shows of it: the current value of what changed, what was to be
forgotten, answers about lists, what each member of a group sees, what is always worth knowing, what a question needs, and how much is noise.

  --data FOLDER           in place of the rounds in test/corpora/outside/context: updates, forget, lists, groups, profile, chats and precision.jsonl
                          (each optional; test/corpora/outside/README.md has their fields); may be named several times
  --part NAME             only this part; may be named several times
  --half odd|even         only items whose ids end in an odd or an even number, so that one half can be tuned on
  --url URL --key KEY     a service that already runs, and a server key with write permission
  --embeddings-url URL    start the service with an OpenAI-compatible embedder
  --model NAME            its model
  --dimensions N          the length of its vectors; asked of the server when absent
  --summarize TOKENS      of LoCoMo: asks again after everything beyond so many tokens of each session was summarized
  --misses                also each case that missed, on standard error
  --json                  one line of JSON for each folder instead of the tables`;

type Options = { half: string | undefined; parts: readonly string[]; misses: boolean; json: boolean; keepTokens: number | null };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string", multiple: true },
      part: { type: "string", multiple: true },
      half: { type: "string" },
      url: { type: "string" },
      key: { type: "string" },
      "embeddings-url": { type: "string" },
      model: { type: "string" },
      dimensions: { type: "string" },
      summarize: { type: "string" },
      misses: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { url, key, half, part: parts = PART_NAMES, misses, json, summarize } = values;
  const keepTokens = summarize === undefined ? null : Number(summarize);
  const knowsHalf = half === undefined || half === "odd" || half === "even";
  const knowsParts = parts.every((name) => PART_NAMES.some((known) => known === name));
  if (values.help || !knowsHalf || !knowsParts || (url === undefined) !== (key === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const folders = values.data ?? (await roundFolders());
  const running = url !== undefined && key !== undefined ? { url, key } : null;
  const service = running ?? (await startService({ vars: await embedderVars(values) }));
  try {
    for (const folder of folders) await measure(service, folder, { half, parts, misses, json, keepTokens });
  } finally {
    if ("stop" in service && typeof service.stop === "function") await service.stop();
  }
}

async function roundFolders(): Promise<string[]> {
  const entries = existsSync(ROUNDS) ? await readdir(ROUNDS, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.sort().map((name) => path.join(ROUNDS, name));
}

/** A folder of talk, or a file of BEAM's or LoCoMo's. */
async function measure(service: Service, source: string, options: Options): Promise<void> {
  const name = path.basename(source);
  const run = Math.random().toString(36).slice(2, 8);
  const isFile = (await stat(source)).isFile();
  const parts = isFile
    ? await measureFile(service, source, { run, options })
    : await measureTalk(service, source, { run, options });
  if (options.json)
    console.log(JSON.stringify({ name, parts: Object.fromEntries([...parts].map(([part, by]) => [part, toJson(by)])) }));
  else for (const [part, byLanguage] of parts) console.log(`### ${name}: ${part}\n\n${tableOf(byLanguage)}\n`);
}

type ByLanguage = Map<string, Counts>;
type Measuring = { run: string; options: Options };

async function measureTalk(service: Service, folder: string, { run, options }: Measuring): Promise<Map<string, ByLanguage>> {
  const talk = inHalf(await readTalk(folder), options.half);
  const parts = new Map<string, ByLanguage>();
  for (const name of PART_NAMES) {
    if (talk[name].length === 0 || !options.parts.includes(name)) continue;
    const byLanguage: ByLanguage = new Map();
    const of = { ...runOf(service, byLanguage, { run, options }), countsOf: countsIn(byLanguage, languageGroup) };
    await runPart(of, talk, name);
    parts.set(name, byLanguage);
  }
  return parts;
}

function runPart<P extends keyof Talk>(run: Parameters<(typeof RUN_PART)[P]>[0], talk: Talk, name: P): Promise<void> {
  return RUN_PART[name](run, talk[name]);
}

async function measureFile(service: Service, file: string, { run, options }: Measuring): Promise<Map<string, ByLanguage>> {
  const json = await readFile(file, "utf8");
  const isBeam = json.slice(0, 10_000).includes('"messages"');
  const byCategory: ByLanguage = new Map();
  await (isBeam ? runBeam : runLocomo)(runOf(service, byCategory, { run, options }), json);
  return new Map([[isBeam ? "BEAM" : "LoCoMo", byCategory]]);
}

function runOf(service: Service, counts: ByLanguage, { run, options }: Measuring): Run {
  const miss = options.misses ? (...words: unknown[]) => console.error(...words) : () => undefined;
  return { service, run, miss, keepTokens: options.keepTokens, countsOf: countsIn(counts, (name) => name) };
}

function countsIn(by: ByLanguage, groupOf: (lang: string) => string): Run["countsOf"] {
  return ({ lang }) => {
    const group = groupOf(lang);
    const counts = by.get(group) ?? new Map();
    by.set(group, counts);
    return counts;
  };
}

function languageGroup(lang: string): string {
  return lang === "en" ? "en" : "de es fr zh";
}

function inHalf(talk: Talk, half: string | undefined): Talk {
  const kept = <T extends { id: string }>(rows: T[]) => rows.filter(({ id }) => half === undefined || halfOf(id) === half);
  const { updates, forget, lists, groups, profile, chats, precision } = talk;
  return {
    ...{ updates: kept(updates), forget: kept(forget), lists: kept(lists), groups: kept(groups) },
    ...{ profile: kept(profile), chats: kept(chats), precision },
  };
}

function tableOf(byLanguage: ByLanguage): string {
  const groups = [...byLanguage].sort(([a], [b]) => a.localeCompare(b));
  const names = [...new Set(groups.flatMap(([, counts]) => [...counts.keys()]))];
  const cell = (counts: Counts, name: string) => {
    const { hits, of } = counts.get(name) ?? { hits: 0, of: 0 };
    return of === 0 ? "" : `${(hits / of).toFixed(3)} of ${of}`;
  };
  return markdown(
    ["", ...names],
    groups.map(([group, counts]) => [group, ...names.map((name) => cell(counts, name))]),
  );
}

function toJson(byLanguage: ByLanguage): Record<string, Record<string, readonly [share: number, of: number]>> {
  const entry = ([name, { hits, of }]: [string, { hits: number; of: number }]) => [name, [+(hits / of).toFixed(3), of]] as const;
  return Object.fromEntries([...byLanguage].map(([group, counts]) => [group, Object.fromEntries([...counts].map(entry))]));
}

await main();
