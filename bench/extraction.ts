import { parseArgs } from "node:util";
import { createOpenAiChat } from "#adapters/openai-chat";
import type { ChatModel } from "#ports/chat-model";
import { FITTED } from "../test/corpora/extraction.ts";
import { askCases } from "./extraction/ask-cases.ts";
import { factsTable } from "./extraction/facts-table.ts";
import { modelTable } from "./extraction/model-table.ts";

const USAGE = `npm run bench:extraction [-- options]

Prints how well facts are read from their corpora; with a model, how well it reads the same corpus through the product's own prompt and checks.

  --chat-url URL        an OpenAI-compatible server, as http://localhost:11434/v1
  --model NAME          its model
  --api-key-env NAME    the environment variable that holds its key
  --limit N             only N conversations, spread over the corpus
  --threshold X         confidence below which nothing is counted; 0.7 when absent, as in the settings
  --timeout S           seconds for one answer; 60 when absent, as in the service`;

/** A model has not seen them. */
const CASES = FITTED;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      "chat-url": { type: "string" },
      model: { type: "string" },
      "api-key-env": { type: "string" },
      limit: { type: "string" },
      threshold: { type: "string", default: "0.7" },
      timeout: { type: "string", default: "60" },
      help: { type: "boolean", default: false },
    },
  });
  const { "chat-url": url, model: name, "api-key-env": variable } = values;
  const apiKey = variable === undefined ? undefined : process.env[variable];
  if (values.help || (url === undefined) !== (name === undefined) || (variable !== undefined && apiKey === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  console.log(factsTable());
  if (url === undefined || name === undefined) return;
  const timeoutMs = Number(values.timeout) * 1_000;
  const model = createOpenAiChat({ url, model: name, fetch, timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) });
  console.log(`\n${await measure(model, Number(values.limit ?? CASES.length), Number(values.threshold))}`);
}

async function measure(model: ChatModel, limit: number, threshold: number): Promise<string> {
  const cases = spread(CASES, limit);
  const asked = await askCases(model, cases, (done) => {
    if (done % 25 === 0) console.error(`${done} of ${cases.length}`);
  });
  return modelTable(model.model, asked, threshold);
}

/** `limit` items at even distances: the corpus is ordered by language and by kind. */
function spread<T>(items: readonly T[], limit: number): T[] {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, limit);
}

await main();
