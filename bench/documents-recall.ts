import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startService } from "../scripts/service.ts";
import { markdown } from "./cost/table.ts";
import { PACKAGE_LIBRARIES } from "./documents/package-questions.ts";
import { headingQuestions, type Section, strangersQuestions } from "./documents/questions.ts";
import { rankOf, rankWithShared, withinOf } from "./documents/rank.ts";
import { embedderVars } from "./quality/embedder-vars.ts";
import { call, jobsDone, type Service } from "./quality/service-client.ts";

const ROOT = path.join(import.meta.dirname, "..");
const PACKAGES = path.join(ROOT, "node_modules");
const SOURCE = "library";
const HITS = 10;
const READING_LIMIT_MS = 600_000;
const FILES_A_REQUEST = 20;

const USAGE = `npm run bench:documents:recall [-- options]

Uploads README.md and docs/*.md of this repository as a source of a service's library, asks twenty questions of which each belongs to the section of
one heading (bench/documents/questions.ts), and counts how often a passage of that section is among the first 1, 5 and 10 hits.

  --packages HALF         instead, the documentation of packages in node_modules, two libraries, and of their questions
                          (bench/documents/package-questions.ts) the half for tuning (1) or the one for checking (2)
  --url URL --key KEY     a service that already runs, and a server key with write permission
  --embeddings-url URL    start the service with an OpenAI-compatible embedder
  --model NAME            its model
  --dimensions N          the length of its vectors; asked of the server when absent
  --strategy NAME         hybrid when absent`;

const Answer = z.object({
  hits: z.array(
    z.object({ content: z.string(), document: z.object({ path: z.string(), headings: z.array(z.string()) }).nullable() }),
  ),
});

type Asked = { ask: string; sections: readonly Section[] };
type Library = { root: string; files: readonly string[]; parts: readonly { name: string; questions: readonly Asked[] }[] };
/** The rank of a section's own passage, and of the first passage with its text. */
type Ranks = { own: number | null; shared: number | null };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      packages: { type: "string" },
      url: { type: "string" },
      key: { type: "string" },
      "embeddings-url": { type: "string" },
      model: { type: "string" },
      dimensions: { type: "string" },
      strategy: { type: "string", default: "hybrid" },
      help: { type: "boolean", default: false },
    },
  });
  const { url, key, strategy } = values;
  if (values.help || (url === undefined) !== (key === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const running = url !== undefined && key !== undefined ? { url, key } : null;
  const libraries = values.packages === undefined ? [await ownLibrary()] : await packageLibraries(Number(values.packages));
  const all: Ranks[] = [];
  for (const library of libraries) {
    const service = running ?? (await startService({ vars: await embedderVars(values) }));
    try {
      await upload(service, library);
      console.log(`${library.files.length} files, strategy ${strategy}\n`);
      for (const { name, questions } of library.parts) {
        const found = await askAll(service, questions, strategy);
        all.push(...found);
        console.log(`### ${name}\n\n${tableOf(questions, found)}\n`);
      }
    } finally {
      if ("stop" in service && typeof service.stop === "function") await service.stop();
    }
  }
  console.log(`### All\n\n${totalsOf(all)}`);
}

async function ownLibrary(): Promise<Library> {
  const pages = (await readdir(path.join(ROOT, "docs"))).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  const parts = [
    { name: "Written from the names of the pages", questions: strangersQuestions },
    { name: "Written from the headings", questions: headingQuestions },
  ].map(({ name, questions }) => ({ name, questions: questions.map(({ ask, ...section }) => ({ ask, sections: [section] })) }));
  return { root: ROOT, files: ["README.md", ...pages.sort()], parts };
}

/** Every other question of all libraries, counted through. */
async function packageLibraries(half: number): Promise<Library[]> {
  const all = Object.values(PACKAGE_LIBRARIES).flatMap(({ questions }) => questions);
  const chosen = new Set(all.filter((_, i) => i % 2 === half - 1));
  return await Promise.all(
    Object.entries(PACKAGE_LIBRARIES).map(async ([name, { roots, questions }]) => {
      const files = await Promise.all(roots.map(pagesIn));
      return {
        root: PACKAGES,
        files: files.flat(),
        parts: [{ name, questions: questions.filter((asked) => chosen.has(asked)) }],
      };
    }),
  );
}

async function pagesIn(root: string): Promise<string[]> {
  if (/\.mdx?$/.test(root)) return [root];
  const names = await readdir(path.join(PACKAGES, root));
  return names
    .filter((name) => /\.mdx?$/.test(name))
    .sort()
    .map((name) => `${root}/${name}`);
}

async function upload(service: Service, { root, files }: Library): Promise<void> {
  const contents = await Promise.all(
    files.map(async (file) => ({
      path: file,
      content: await readFile(path.join(root, file), "utf8"),
      mediaType: "text/markdown",
    })),
  );
  await call(service, "PUT", "/v1/users/reader", {});
  await call(service, "PUT", `/v1/sources/${SOURCE}`, { name: "Documentation" });
  for (let at = 0; at < contents.length; at += FILES_A_REQUEST)
    await call(service, "POST", `/v1/sources/${SOURCE}/files`, { files: contents.slice(at, at + FILES_A_REQUEST) });
  const failed = await jobsDone(service, READING_LIMIT_MS);
  if (failed > 0) throw new Error(`${failed} jobs failed.`);
}

async function askAll(service: Service, questions: readonly Asked[], strategy: string): Promise<Ranks[]> {
  const ranks: Ranks[] = [];
  for (const { ask, sections } of questions) {
    const body = { query: ask, userId: "reader", kinds: ["chunk"], strategy, limit: HITS, maxTokens: 8000 };
    const { hits } = Answer.parse(await call(service, "POST", "/v1/search", body));
    const passages = hits.flatMap(({ content, document }) => (document === null ? [] : [{ ...document, text: content }]));
    ranks.push({ own: rankOf(sections, passages), shared: rankWithShared(sections, passages) });
  }
  return ranks;
}

const COUNTS = [1, 5, HITS];

function tableOf(questions: readonly Asked[], ranks: readonly Ranks[]): string {
  return markdown(
    ["Section", "Own passage", "Passage with its text"],
    questions.map(({ sections: [section] }, i) => {
      const shown = (rank: number | null | undefined) => (rank === null || rank === undefined ? "–" : `${rank}`);
      return [`${section?.path}: ${section?.heading}`, shown(ranks[i]?.own), shown(ranks[i]?.shared)];
    }),
  );
}

function totalsOf(ranks: readonly Ranks[]): string {
  return COUNTS.map((count) => {
    const [own, shared] = [ranks.map((rank) => rank.own), ranks.map((rank) => rank.shared)];
    return `In ${count}: ${withinOf(own, count)} of ${ranks.length}, with shared passages ${withinOf(shared, count)}`;
  }).join("\n");
}

await main();
