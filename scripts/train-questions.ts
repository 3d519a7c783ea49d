import { writeFile } from "node:fs/promises";
import path from "node:path";
import { readTalk } from "./judge/talk.ts";
import { readChats } from "./questions/talk.ts";
import { trainQuestions } from "./questions/train.ts";
import { ROOT } from "./wrangler.ts";

/** `npm run train:questions`: trains the model of questions about lists on talk about lists, and on messages about anything. The same talk gives the same weights. */
const CHATS = path.join(ROOT, "test/corpora/outside/training-lists");
const OTHER = path.join(ROOT, "test/corpora/outside/training");
const TO = path.join(ROOT, "src/domain/facts/question-model.json");

const chats = [...(await readChats(CHATS)).values()].flat();
const other = [...(await readTalk(OTHER)).values()].flat().map(({ text }) => text);
await writeFile(TO, `${JSON.stringify(trainQuestions(chats, other), null, 2)}\n`);
console.log(`${chats.length} chats.`);
