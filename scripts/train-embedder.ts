import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { analyse } from "#core/text/analyse";
import { packWords } from "./embedder/pack-words.ts";
import { principalAxes, projected } from "./embedder/principal-axes.ts";
import { refine, type Sample } from "./embedder/refine.ts";
import { createTeacher } from "./embedder/teacher.ts";
import { trainingTexts } from "./embedder/training-texts.ts";
import { centred, distilled, vocabularyOf } from "./embedder/vocabulary.ts";
import { readTalk } from "./judge/talk.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `npm run train:embedder -- --embeddings-url URL --model NAME --words FILE --from TEXT [options]

Makes the vectors of words that the built-in embedder adds up, of an embedding model behind an OpenAI-compatible server and of the English
training talk, and writes them into the source. The same input gives the same vectors.

  --embeddings-url URL    an OpenAI-compatible server, up to and including the version: http://localhost:11434/v1
  --model NAME            its model
  --words FILE            words, one a line, the most frequent first
  --from TEXT             the model's full name and licence, for the table
  --tokens N              how many tokens get a vector (18000)
  --dimensions N          the length of a vector, an even number (128)
  --cache FOLDER          keeps what the server answered
  --to FILE               in place of the table in the source`;

const TALK = path.join(ROOT, "test/corpora/outside/training");
const TO = path.join(ROOT, "src/core/static-words/table.json");
/** The weight of single words beside texts, where the directions that are kept are chosen. */
const WORDS_WEIGHT = 0.3;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      ...{ "embeddings-url": text, model: text, words: text, from: text, cache: text },
      tokens: { type: "string", default: "18000" },
      dimensions: { type: "string", default: "128" },
      to: { type: "string", default: TO },
      help: { type: "boolean", default: false },
    },
  });
  const { "embeddings-url": url, model, words: file, from, cache, to } = values;
  if (values.help || url === undefined || model === undefined || file === undefined || from === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const words = (await readFile(file, "utf8")).split("\n").filter((word) => word !== "");
  const texts = trainingTexts([...(await readTalk(TALK)).values()].flat());
  const vocabulary = vocabularyOf(words, Number(values.tokens));
  const teach = await createTeacher({ url, model, cache });
  const ofWords = await teach(words);
  const ofTexts = await teach(texts);

  const axes = principalAxes(
    [
      { rows: ofTexts, weight: 1 },
      { rows: centred(ofWords), weight: WORDS_WEIGHT },
    ],
    Number(values.dimensions),
  );
  const vectors = projected(distilled(vocabulary, centred(ofWords)), axes);
  refine(vectors, samplesOf(texts, vocabulary.tokens), projected(ofTexts, axes));
  const json = JSON.stringify(packWords(vocabulary.tokens, vectors, from), null, 2);
  await writeFile(to, `${json}\n`);
  console.log(`${vocabulary.tokens.length} tokens of ${words.length} words, ${texts.length} texts, ${json.length} bytes.`);
}

/** Texts of two known tokens at least: single words are where the fit begins. */
function samplesOf(texts: readonly string[], tokens: readonly string[]): Sample[] {
  const rowOf = new Map(tokens.map((token, row) => [token, row]));
  return texts
    .map((text, target) => ({ target, rows: analyse(text).flatMap((token) => rowOf.get(token) ?? []) }))
    .filter(({ rows }) => rows.length >= 2);
}

await main();
