import { parseArgs } from "node:util";
import { createBuiltInEmbedder } from "#adapters/built-in-embedder";
import { createOpenAiEmbedder } from "#adapters/openai-embedder";
import type { Cosines } from "#core/rank/cut";
import { MEMORY_QUESTIONS } from "#corpora/memory-questions";
import type { Embedder } from "#ports/embedder";
import { dimensionsOf } from "./dimensions-of.ts";
import { proposeCosines, type Spread, spreadOf } from "./propose-cosines.ts";

const USAGE = `npm run tune:embedder -- [--embeddings-url URL --model NAME] [options]

Measures what the cosines of a model mean, with the questions and memories in test/corpora/memory-questions.ts, and proposes the floor below which
a vector alone finds nothing. Without a server it measures the built-in embedder.

  --embeddings-url URL    an OpenAI-compatible server, up to and including the version: http://localhost:11434/v1
  --model NAME            its model
  --dimensions N          the length of its vectors; asked of the server when absent
  --query-prefix TEXT     what the model expects before questions
  --document-prefix TEXT  and before texts to be found
  --api-key KEY           of the server`;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      ...{ "embeddings-url": text, model: text, dimensions: text, "api-key": text },
      ...{ "query-prefix": text, "document-prefix": text, help: { type: "boolean", default: false } },
    },
  });
  const { model, "embeddings-url": url } = values;
  if (values.help || (url === undefined) !== (model === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const embedder = url === undefined || model === undefined ? createBuiltInEmbedder() : await ofServer(url, model, values);
  const { related, unrelated } = await measure(embedder);
  report({
    ...{ model: model ?? embedder.model, related, unrelated },
    ...{ proposed: proposeCosines(related, unrelated), known: embedder.cosines },
  });
}

type ServerOptions = { dimensions?: string; "api-key"?: string; "query-prefix"?: string; "document-prefix"?: string };

async function ofServer(url: string, model: string, options: ServerOptions): Promise<Embedder> {
  return createOpenAiEmbedder({
    ...{ url, model, apiKey: options["api-key"] ?? "" },
    dimensions: Number(options.dimensions ?? (await dimensionsOf(url, model, options["api-key"]))),
    queryPrefix: options["query-prefix"] ?? "",
    documentPrefix: options["document-prefix"] ?? "",
    fetch: (input, init) => fetch(input, init),
  });
}

/** The cosine of every question with every memory: those that answer it, and all others. */
async function measure(embedder: Embedder): Promise<{ related: number[]; unrelated: number[] }> {
  const memories = MEMORY_QUESTIONS.flatMap((set) => Object.entries(set.memories).map(([id, text]) => ({ set, id, text })));
  const questions = MEMORY_QUESTIONS.flatMap((set) => set.questions.map((question) => ({ set, ...question })));
  const documents = await embedder.embed(
    memories.map(({ text }) => text),
    "document",
  );
  const asked = await embedder.embed(
    questions.map(({ q }) => q),
    "query",
  );
  const related: number[] = [];
  const unrelated: number[] = [];
  for (const [i, { set, needed }] of questions.entries()) {
    for (const [j, memory] of memories.entries()) {
      const answers = memory.set === set && needed.includes(memory.id);
      (answers ? related : unrelated).push(dot(asked[i], documents[j]));
    }
  }
  return { related, unrelated };
}

/** Of unit vectors: their cosine. */
function dot(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

type Measured = { model: string; related: number[]; unrelated: number[]; proposed: Cosines; known: Cosines };

function report({ model, related, unrelated, proposed, known }: Measured): void {
  const share = (cosines: readonly number[], is: (cosine: number) => boolean) =>
    `${((100 * cosines.filter(is).length) / cosines.length).toFixed(1)} %`;
  console.log(`${model}: cosines of questions and memories\n`);
  console.log(line("", spreadOf(related), (key) => `${Number(key) * 100} %`));
  for (const [name, spread] of [
    ["unrelated", spreadOf(unrelated)],
    ["related", spreadOf(related)],
  ] as const)
    console.log(line(name, spread, (key) => (spread.below[key] ?? 0).toFixed(2)));
  const { floor } = proposed;
  console.log(`
Proposed: floor ${floor}, unrelated ${proposed.unrelated}. ${share(unrelated, (cosine) => cosine >= floor)} of unrelated pairs reach the floor, and
${share(related, (cosine) => cosine < floor)} of related ones do not: those are found by their words or not at all.
In use for this name now: floor ${known.floor}, unrelated ${known.unrelated}.

Set them with the variables EMBEDDING_FLOOR=${floor} and EMBEDDING_UNRELATED=${proposed.unrelated},
or for everybody who uses the model in src/adapters/cosines.ts.`);
}

function line(name: string, { pairs, mean, below }: Spread, cell: (key: string) => string): string {
  const head = name === "" ? ["pairs", "mean"] : [String(pairs), mean.toFixed(2)];
  const cells = Object.keys(below).toSorted((a, b) => Number(a) - Number(b));
  return [name.padEnd(10), ...[...head, ...cells.map(cell)].map((text) => text.padStart(7))].join("");
}

await main();
