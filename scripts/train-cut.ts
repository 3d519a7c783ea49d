import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { createOpenAiEmbedder } from "#adapters/openai-embedder";
import { type AskedChoice, choicesOf, scoreChoices } from "./cut/choices.ts";
import { builtInModel, type KeptCosines, keptModel, type Measured, measureModel } from "./cut/cosines.ts";
import { type MemoryTalk, readLines, readMemoryTalk } from "./cut/talk.ts";
import { trainNeed } from "./cut/train.ts";
import { dimensionsOf } from "./dimensions-of.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `npm run train:cut [-- options]

Trains which memories a question needs, on test/corpora/outside/training-precision, with the built-in embedder and with the model whose cosines are
kept there; the same talk gives the same weights.

  --authors               write nothing; print each author, and the rounds, by weights that never saw them
  --embeddings-url URL    instead keep the cosines of this OpenAI-compatible server's model in place of those that are kept
  --model NAME            its model`;

const OUTSIDE = path.join(ROOT, "test/corpora/outside");
const TALK = path.join(OUTSIDE, "training-precision");
const KEPT = path.join(TALK, "cosines.json");
const ROUNDS = ["one", "two", "three"];
const TO = path.join(ROOT, "src/domain/retrieval/need/weights.json");
const ROUND = "rounds";
const WORTHS = [0.7, 1, 1.3, 1.6, 2, 2.5];

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ options: { authors: flag, help: flag, "embeddings-url": text, model: text } });
  const { model, "embeddings-url": url } = values;
  if (values.help || (url === undefined) !== (model === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const authors = await readMemoryTalk(TALK);
  const rounds = (
    await Promise.all(ROUNDS.map((name) => readLines(path.join(OUTSIDE, "context", name, "precision.jsonl"))))
  ).flat();
  if (url !== undefined && model !== undefined) return await keep(url, model, [...[...authors.values()].flat(), ...rounds]);
  const models = [keptModel(JSON.parse(await readFile(KEPT, "utf8")) as KeptCosines), builtInModel()];
  const choices = choicesBy(authors, models);
  if (values.authors) return report(new Map([...choices, ...choicesBy(new Map([[ROUND, rounds]]), models)]), models);
  const weights = trainNeed([...choices.values()].flat());
  await writeFile(TO, `${JSON.stringify(weights, null, 2)}\n`);
  console.log(`${choices.size} authors.`);
}

async function keep(url: string, model: string, talk: readonly MemoryTalk[]): Promise<void> {
  const dimensions = Number(await dimensionsOf(url, model, undefined));
  const embedder = createOpenAiEmbedder({ url, model, dimensions, fetch: (input, init) => fetch(input, init) });
  const kept = await measureModel(embedder, model, talk);
  await writeFile(KEPT, `${JSON.stringify(kept)}\n`);
}

function choicesBy(authors: ReadonlyMap<string, readonly MemoryTalk[]>, models: readonly Measured[]): Map<string, AskedChoice[]> {
  return new Map([...authors].map(([author, talk]) => [author, talk.flatMap((user) => choicesOf(user, models))]));
}

/** Each author by weights of the others; the rounds are never trained on. */
function report(choices: ReadonlyMap<string, AskedChoice[]>, models: readonly Measured[]): void {
  for (const author of choices.keys()) {
    const weights = trainNeed([...choices].flatMap(([other, of]) => (other === author || other === ROUND ? [] : of)));
    for (const { name } of models) {
      const of = choices.get(author)?.filter(({ model }) => model === name) ?? [];
      const line = (worth?: number) => {
        const { precision, recall, emptyIfNone, kept } = scoreChoices(of, weights, worth);
        return `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, nothing for nothing ${emptyIfNone.toFixed(2)}, kept ${kept.toFixed(1)}`;
      };
      console.log(`${author}, ${name}: ${line()}`);
      for (const worth of WORTHS) console.log(`    worth ${worth}: ${line(worth)}`);
    }
  }
}

await main();
