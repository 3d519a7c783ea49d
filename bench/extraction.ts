import { parseArgs } from "node:util";
import { createOpenAiChat } from "#adapters/openai-chat";
import type { ChatModel } from "#ports/chat-model";
import { FITTED } from "../test/corpora/extraction.ts";
import { answersTable } from "./extraction/answers-table.ts";
import { askCases } from "./extraction/ask-cases.ts";
import { factsTable } from "./extraction/facts-table.ts";
import { modelTable } from "./extraction/model-table.ts";
import { modelTalkTable } from "./extraction/model-talk.ts";
import { outsideReport } from "./extraction/outside.ts";
import { firstReport, typesReport } from "./extraction/plain.ts";
import { type Half, inHalf, type RoundMessage, readRounds, toCase } from "./extraction/talk.ts";
import { talkChecks } from "./extraction/talk-checks.ts";

const USAGE = `npm run bench:extraction [-- options]

Prints how well facts are read from their corpora, and how well rules and judge read the talk of outside authors; with a model, how well it reads the same corpus through the product's own prompt and checks.

  --talk FOLDER         in place of the corpus and of test/corpora/outside/rounds: messages by an outside author, in FOLDER/messages.jsonl, one JSON object a
                        line with id, lang, text, keep (whether anything is worth keeping) and facts[].mustContain (words that a memory of it has to contain)
  --types FILE          nothing else than how many sentences of FILE get their type, one JSON object a line with type and text
  --first FILE          nothing else than how many plain first sentences of FILE are kept, one JSON object a line with text and must, the words that a memory
                        of it has to contain
  --authors             also each author of the training talk, by a judge that is trained without them (a minute)
  --chat-url URL        an OpenAI-compatible server, as http://localhost:11434/v1
  --model NAME          its model
  --api-key-env NAME    the environment variable that holds its key
  --limit N             only N conversations, spread over the corpus
  --threshold X         confidence below which nothing is counted; 0.7 when absent, as in the settings
  --timeout S           seconds for one answer; 60 when absent, as in the service
  --half odd|even|all   only messages whose ids end in an odd or an even number, so that one half can be tuned on; all when absent`;

const HALVES: readonly Half[] = ["odd", "even", "all"];

/** A model has not seen them. */
const CASES = FITTED;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      talk: { type: "string" },
      types: { type: "string" },
      first: { type: "string" },
      authors: { type: "boolean", default: false },
      "chat-url": { type: "string" },
      model: { type: "string" },
      "api-key-env": { type: "string" },
      limit: { type: "string" },
      threshold: { type: "string", default: "0.7" },
      timeout: { type: "string", default: "60" },
      half: { type: "string", default: "all" },
      help: { type: "boolean", default: false },
    },
  });
  const { "chat-url": url, model: name, "api-key-env": variable, talk, types, first } = values;
  const half = HALVES.find((one) => one === values.half);
  const apiKey = variable === undefined ? undefined : process.env[variable];
  const isIncomplete = (url === undefined) !== (name === undefined);
  if (values.help || half === undefined || isIncomplete || (variable !== undefined && apiKey === undefined)) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  if (types !== undefined || first !== undefined) {
    if (types !== undefined) console.log(await typesReport(types));
    if (first !== undefined) console.log(await firstReport(first));
    return;
  }
  const messages = talk === undefined ? [] : inHalf([...(await readRounds(talk)).values()].flat(), half);
  if (talk === undefined) console.log(`${factsTable()}\n\n${answersTable()}`);
  else console.log(talkChecks(messages));
  console.log(`\n${await outsideReport(values)}`);
  if (url === undefined || name === undefined) return;
  const timeoutMs = Number(values.timeout) * 1_000;
  const model = createOpenAiChat({ url, model: name, fetch, timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) });
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  const threshold = Number(values.threshold);
  const table =
    talk === undefined
      ? await measure(model, limit ?? CASES.length, threshold)
      : await measureTalk(model, { messages, limit, threshold });
  console.log(`\n${table}`);
}

async function measureTalk(
  model: ChatModel,
  { messages, limit, threshold }: { messages: readonly RoundMessage[]; limit: number | undefined; threshold: number },
): Promise<string> {
  const talk = spread(messages, limit ?? messages.length);
  return modelTalkTable(model.model, talk, await askCases(model, talk.map(toCase), reportOf(talk.length)), threshold);
}

function reportOf(total: number): (done: number) => void {
  return (done) => {
    if (done % 25 === 0) console.error(`${done} of ${total}`);
  };
}

async function measure(model: ChatModel, limit: number, threshold: number): Promise<string> {
  const cases = spread(CASES, limit);
  return modelTable(model.model, await askCases(model, cases, reportOf(cases.length)), threshold);
}

/** `limit` items at even distances: the corpus is ordered by language and by kind. */
function spread<T>(items: readonly T[], limit: number): T[] {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, limit);
}

await main();
