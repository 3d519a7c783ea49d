import { writeFile } from "node:fs/promises";
import path from "node:path";
import { commonWords } from "./judge/common-words.ts";
import { readTalk } from "./judge/talk.ts";
import { train } from "./judge/train.ts";
import { ROOT } from "./wrangler.ts";

/** `npm run train:judge`: trains the judge on the training talk and writes its weights, and which words are common in it, into the source. The same talk gives the same weights. */
const TALK = path.join(ROOT, "test/corpora/outside/training");
const WISHES = path.join(ROOT, "test/corpora/outside/training-wishes");
const TO = path.join(ROOT, "src/domain/extraction/judge/models.json");
const WORDS_TO = path.join(ROOT, "src/domain/extraction/updates/common-words.json");

const messages = [...(await readTalk(process.argv[2] ?? TALK)).values()].flat();
const wishes = [...(await readTalk(WISHES)).values()].flat();
await writeFile(TO, `${JSON.stringify(train({ talk: messages, wishes }), null, 2)}\n`);
await writeFile(WORDS_TO, `${JSON.stringify(commonWords(messages), null, 2)}\n`);
console.log(
  `${messages.length} messages, ${messages.filter(({ keep }) => keep.length > 0).length} with something to keep; ${wishes.length} about standing wishes.`,
);
