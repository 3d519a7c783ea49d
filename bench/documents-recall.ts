import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startService } from "../scripts/service.ts";
import { markdown } from "./cost/table.ts";
import { headingQuestions, type Question, strangersQuestions } from "./documents/questions.ts";
import { rankOf, withinOf } from "./documents/rank.ts";
import { embedderVars } from "./quality/embedder-vars.ts";
import { call, jobsDone, type Service } from "./quality/service-client.ts";

const ROOT = path.join(import.meta.dirname, "..");
const SOURCE = "edgewise-docs";
const HITS = 10;
const READING_LIMIT_MS = 600_000;

const USAGE = `npm run bench:documents:recall [-- options]

Uploads README.md and docs/*.md of this repository as a source of a service's library, asks twenty questions of which each belongs to the section of
one heading (bench/documents/questions.ts), and counts how often a passage of that section is among the first 1, 5 and 10 hits.

  --url URL --key KEY     a service that already runs, and a server key with write permission
  --embeddings-url URL    start the service with an OpenAI-compatible embedder
  --model NAME            its model
  --dimensions N          the length of its vectors; asked of the server when absent
  --strategy NAME         hybrid when absent`;

const Answer = z.object({
  hits: z.array(z.object({ document: z.object({ path: z.string(), headings: z.array(z.string()) }).nullable() })),
});

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
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
  const service = running ?? (await startService({ vars: await embedderVars(values) }));
  try {
    const files = await upload(service);
    console.log(`${files} files, strategy ${strategy}\n`);
    const parts = [
      ["Written from the names of the pages", strangersQuestions],
      ["Written from the headings", headingQuestions],
    ] as const;
    const ranks: (number | null)[] = [];
    for (const [name, questions] of parts) {
      const found = await askAll(service, questions, strategy);
      ranks.push(...found);
      console.log(`### ${name}\n\n${tableOf(questions, found)}\n`);
    }
    console.log(`### All\n\n${totalsOf(ranks)}`);
  } finally {
    if ("stop" in service && typeof service.stop === "function") await service.stop();
  }
}

async function upload(service: Service): Promise<number> {
  const pages = (await readdir(path.join(ROOT, "docs"))).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  const files = await Promise.all(
    ["README.md", ...pages.sort()].map(async (file) => ({
      path: file,
      content: await readFile(path.join(ROOT, file), "utf8"),
      mediaType: "text/markdown",
    })),
  );
  await call(service, "PUT", "/v1/users/reader", {});
  await call(service, "PUT", `/v1/sources/${SOURCE}`, { name: "Edgewise's documentation" });
  await call(service, "POST", `/v1/sources/${SOURCE}/files`, { files });
  const failed = await jobsDone(service, READING_LIMIT_MS);
  if (failed > 0) throw new Error(`${failed} jobs failed.`);
  return files.length;
}

async function askAll(service: Service, questions: readonly Question[], strategy: string): Promise<(number | null)[]> {
  const ranks: (number | null)[] = [];
  for (const question of questions) {
    const body = { query: question.ask, userId: "reader", kinds: ["chunk"], strategy, limit: HITS, maxTokens: 8000 };
    const { hits } = Answer.parse(await call(service, "POST", "/v1/search", body));
    ranks.push(
      rankOf(
        question,
        hits.flatMap(({ document }) => document ?? []),
      ),
    );
  }
  return ranks;
}

const COUNTS = [1, 5, HITS];

function tableOf(questions: readonly Question[], ranks: readonly (number | null)[]): string {
  return markdown(
    ["Section", "Rank", ...COUNTS.map((count) => `In ${count}`)],
    questions.map(({ path: file, heading }, i) => {
      const rank = ranks[i] ?? null;
      return [
        `${file}: ${heading}`,
        rank === null ? "–" : `${rank}`,
        ...COUNTS.map((count) => (withinOf([rank], count) === 1 ? "yes" : "no")),
      ];
    }),
  );
}

function totalsOf(ranks: readonly (number | null)[]): string {
  return COUNTS.map((count) => `In ${count}: ${withinOf(ranks, count)} of ${ranks.length}`).join("\n");
}

await main();
