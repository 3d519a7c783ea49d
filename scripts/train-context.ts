import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Counts } from "../bench/context/score.ts";
import { embedderVars } from "../bench/quality/embedder-vars.ts";
import { WEIGHTS } from "../src/domain/injection/short-talk.ts";
import type { AskedTalk } from "./context/asked-talk.ts";
import { collect, readAuthors } from "./context/collect.ts";
import { choiceOf, fitWeights } from "./context/fit.ts";
import { measure } from "./context/measure.ts";
import { startService } from "./service.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `npm run train:context [-- options]

Sends the chats and updates of outside authors to a service of its own, and fits the weights by which a context orders short talk
(src/domain/injection/short-talk-weights.json) to what their questions need. The same talk gives the same weights.

  --embeddings-url URL    also with an OpenAI-compatible embedder, beside the built-in one
  --model NAME            its model
  --dimensions N          the length of its vectors; asked of the server when absent
  --considered FILE       what the services considered: written, and read when the file is there, so that weights are fitted again in seconds
  --authors               writes no weights, and prints how those fitted without an author do on that author
  --author NAME           with --authors: only this one`;

const { values } = parseArgs({
  options: {
    "embeddings-url": { type: "string" },
    model: { type: "string" },
    dimensions: { type: "string" },
    considered: { type: "string" },
    authors: { type: "boolean", default: false },
    author: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(USAGE);
else {
  const talks = await readConsidered(values.considered);
  if (values.authors) report(talks, values.author);
  else {
    const weights = `${JSON.stringify(fitWeights(talks.flatMap((talk) => choiceOf(talk) ?? [])), null, 2)}\n`;
    await writeFile(path.join(ROOT, "src/domain/injection/short-talk-weights.json"), weights);
  }
}

async function readConsidered(file: string | undefined): Promise<AskedTalk[]> {
  if (file !== undefined && existsSync(file)) return JSON.parse(await readFile(file, "utf8")) as AskedTalk[];
  const authors = await readAuthors();
  const talks: AskedTalk[] = [];
  for (const choice of values["embeddings-url"] === undefined ? [{}] : [{}, values]) {
    const service = await startService({ vars: await embedderVars(choice) });
    try {
      talks.push(...(await collect(service, authors, "embeddings-url" in choice ? "server" : "built-in")));
    } finally {
      await service.stop();
    }
  }
  if (file !== undefined) await writeFile(file, JSON.stringify(talks));
  return talks;
}

/** Each author by weights that were fitted without them. */
function report(talks: readonly AskedTalk[], only: string | undefined): void {
  const choices = talks.map((talk) => ({ talk, choice: choiceOf(talk) }));
  const all = new Map<string, Counts>();
  for (const author of new Set(talks.map((talk) => talk.author))) {
    if (only !== undefined && author !== only) continue;
    Object.assign(WEIGHTS, fitWeights(choices.flatMap(({ talk, choice }) => (talk.author === author ? [] : (choice ?? [])))));
    for (const embedder of new Set(talks.map((talk) => talk.embedder))) {
      const counts: Counts = new Map();
      const ofAll = all.get(embedder) ?? new Map();
      all.set(embedder, ofAll);
      for (const talk of talks.filter((one) => one.author === author && one.embedder === embedder)) {
        measure(talk, counts);
        measure(talk, ofAll);
      }
      console.log(`${author}, ${embedder}: ${shares(counts)}`);
    }
  }
  for (const [embedder, counts] of all) console.log(`all, ${embedder}: ${shares(counts)}`);
}

function shares(counts: Counts): string {
  return [...counts].map(([name, { hits, of }]) => `${name} ${(hits / of).toFixed(3)} of ${of}`).join(", ");
}
