import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startService } from "../scripts/service.ts";
import { type BeamChat, parseChats } from "./beam/chats.ts";
import { missTable, whyNotLearned } from "./beam/misses.ts";
import { type Asked, askQuestions, learnedFrom, sendChat } from "./beam/run-chat.ts";
import { meanScore, SCORES } from "./beam/score-question.ts";
import { markdown } from "./cost/table.ts";
import { call, jobsDone, type Service } from "./quality/service-client.ts";

const USAGE = `npm run bench:beam -- --data FILE [options]

Sends the long chats of a BEAM file to services of its own, asks their questions, and counts the evidence messages that search and context show and that
memories were learned from: without extraction, and with rules and judge.

  --data FILE     the chats as JSON: messages (id, role, text, at) and questions (category, question, evidence)
  --limit N       only the first N chats
  --keep-dates    as they are; otherwise all days of a chat are moved so that it ends yesterday
  --json          one line of JSON instead of the tables`;

const JOBS_TIMEOUT_MS = 1_200_000;
const DAY_MS = 86_400_000;
const EXTRACTIONS = ["off", "rules"] as const;

type Run = {
  extraction: (typeof EXTRACTIONS)[number];
  asked: Asked[];
  userMessages: number;
  memories: number;
  seconds: number;
  notLearned: Miss[];
};
type Miss = { category: string; reason: string };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      limit: { type: "string" },
      "keep-dates": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (values.data === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const lastDay = values["keep-dates"] ? undefined : new Date(Date.now() - DAY_MS);
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  const chats = parseChats(await readFile(values.data, "utf8"), lastDay).slice(0, limit);
  const runs: Run[] = [];
  for (const extraction of EXTRACTIONS) runs.push(await run(chats, extraction));
  console.log(values.json ? JSON.stringify(runs.map(summary)) : runs.map(report).join("\n\n"));
}

async function run(chats: readonly BeamChat[], extraction: Run["extraction"]): Promise<Run> {
  const service = await startService();
  try {
    await call(service, "PATCH", "/v1/settings", { extraction });
    return await throughService(service, chats, extraction);
  } finally {
    await service.stop();
  }
}

async function throughService(service: Service, chats: readonly BeamChat[], extraction: Run["extraction"]): Promise<Run> {
  const started = performance.now();
  const sent = [];
  for (const [i, chat] of chats.entries())
    sent.push({ chat, userId: `chat-${i}`, of: await sendChat(service, `chat-${i}`, chat) });
  const failed = await jobsDone(service, JOBS_TIMEOUT_MS);
  if (failed > 0) console.error(`${failed} jobs failed.`);
  const result: Run = { extraction, asked: [], userMessages: 0, memories: 0, seconds: 0, notLearned: [] };
  for (const { chat, userId, of } of sent) {
    const memories = await learnedFrom(service, userId, of);
    const asked = await askQuestions(service, chat, { userId, sent: of, memories });
    const learned = new Set(memories.values());
    const messages = new Map([...of.values()].map((message) => [message.id, message]));
    const missed = asked.flatMap(({ category, evidence }) =>
      evidence.flatMap((id) => {
        const message = messages.get(id);
        return message === undefined || learned.has(id) ? [] : [{ category, reason: whyNotLearned(message) }];
      }),
    );
    if (extraction !== "off") result.notLearned.push(...missed);
    result.asked.push(...asked);
    result.userMessages += [...of.values()].filter(({ role }) => role === "user").length;
    result.memories += memories.size;
  }
  return { ...result, seconds: (performance.now() - started) / 1_000 };
}

function summary({ extraction, asked, userMessages, memories, seconds, notLearned }: Run) {
  const categories = [...Map.groupBy(asked, ({ category }) => category)].sort((a, b) => a[0].localeCompare(b[0]));
  const rows = [...categories, ["all", asked] as const].map(([category, of]) => ({
    category,
    questions: of.length,
    evidence: of.reduce((sum, { evidence }) => sum + evidence.length, 0),
    ...meanScore(of.map(({ score }) => score)),
  }));
  const notShown = asked.flatMap(({ category, notShown }) => notShown.map((reason) => ({ category, reason })));
  return { extraction, rows, userMessages, memories, seconds, notLearned: missTable(notLearned), notShown: missTable(notShown) };
}

const HEADS = ["R@10", "in context", "as memory", "as episode", "newest in context", "memories alone", "memory learned"];

function report(of: Run): string {
  const { extraction, rows, userMessages, memories, seconds, notLearned, notShown } = summary(of);
  const cells = rows.map((row) => [
    row.category.replaceAll("_", " "),
    String(row.questions),
    String(row.evidence),
    ...SCORES.map((name) => row[name].toFixed(3)),
  ]);
  const facts = `${userMessages} messages by users, ${memories} memories (${(memories / Math.max(1, userMessages)).toFixed(2)} a message), ${seconds.toFixed(0)} s.`;
  const parts = [
    `### extraction: ${extraction}`,
    markdown(["category", "questions", "evidence", ...HEADS], cells),
    facts,
    `Evidence that is not in the context:\n\n${markdown(notShown.heads, notShown.rows)}`,
  ];
  if (extraction !== "off")
    parts.push(`Evidence that no memory was learned from:\n\n${markdown(notLearned.heads, notLearned.rows)}`);
  return parts.join("\n\n");
}

await main();
