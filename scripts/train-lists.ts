import { writeFile } from "node:fs/promises";
import path from "node:path";
import { readTalk } from "./judge/talk.ts";
import { reportUnseen } from "./lists/report-unseen.ts";
import { lessonsOf, otherLessons, trainChanges } from "./lists/train.ts";
import { readChats } from "./questions/talk.ts";
import { ROOT } from "./wrangler.ts";

/**
 * `npm run train:lists`: trains the models that read what a message changes in a list, and writes them into the source; the same talk gives
 * the same models. With `--authors` it writes nothing, and prints what is answered of lists by authors that the models never saw; with
 * `--misses` also each answer that is wrong.
 */
const OUTSIDE = path.join(ROOT, "test/corpora/outside");
const TO = path.join(ROOT, "src/domain/facts/change-models.json");

const authors = await readChats(path.join(OUTSIDE, "training-lists"));
const talk = [...(await readTalk(path.join(OUTSIDE, "training"))).values()].flat();

if (process.argv.includes("--authors")) reportUnseen(authors, talk, { misses: process.argv.includes("--misses") });
else {
  const chats = [...authors.values()].flat();
  const other = talk.filter(({ lang }) => lang === "en").map(({ text }) => text);
  const lessons = [...lessonsOf(chats), ...otherLessons(chats, other)];
  await writeFile(TO, `${JSON.stringify(trainChanges(lessons), null, 2)}\n`);
  console.log(`${chats.length} chats, ${lessons.length} messages.`);
}
