import { z } from "zod";
import { type BeamChat, parseChats } from "../beam/chats.ts";
import { learnedFrom, sendChat } from "../beam/run-chat.ts";
import { type Conversation, parseLocomo } from "../quality/locomo.ts";
import { call, ingest, jobsDone } from "../quality/service-client.ts";
import type { Run } from "./run-parts.ts";
import { count } from "./score.ts";

const DAY_MS = 86_400_000;
const JOBS_TIMEOUT_MS = 1_200_000;
/** The budgets that the published figures name. */
const BEAM_TOKENS = 2_000;
const LOCOMO_TOKENS = 1_000;
/** LoCoMo's fifth category asks for what was never said. */
const ADVERSARIAL = 5;

const Items = z.object({ items: z.array(z.object({ kind: z.string(), id: z.string(), content: z.string() })) });

/** Evidence messages in the blocks of a BEAM file's questions, by category. A memory counts as the message that it was learned from. */
export async function runBeam(run: Run, json: string): Promise<void> {
  const chats = parseChats(json, new Date(Date.now() - DAY_MS));
  const sent: { chat: BeamChat; userId: string; messages: Awaited<ReturnType<typeof sendChat>> }[] = [];
  for (const [i, chat] of chats.entries()) {
    const userId = `${run.run}-beam-${i}`;
    sent.push({ chat, userId, messages: await sendChat(run.service, userId, chat) });
  }
  await jobsDone(run.service, JOBS_TIMEOUT_MS);
  for (const { chat, userId, messages } of sent) {
    const memories = await learnedFrom(run.service, userId, messages);
    for (const { category, text, evidence } of chat.questions) {
      const body = { userId, query: text, maxTokens: BEAM_TOKENS, limit: 100 };
      const { items } = Items.parse(await call(run.service, "POST", "/v1/context", body));
      const shown = new Set(items.map(({ id }) => messages.get(id)?.id ?? memories.get(id)));
      const newest = String(Math.max(...evidence.map(Number)));
      const counts = run.countsOf({ lang: category.replaceAll("_", " ") });
      count(counts, `evidence in ${BEAM_TOKENS} tokens`, evidence.filter((id) => shown.has(id)).length / evidence.length);
      count(
        counts,
        "any of it",
        evidence.some((id) => shown.has(id)),
      );
      count(counts, "the newest of it", shown.has(newest));
      if (!shown.has(newest)) run.miss("beam", category, text, chat.sessions.flat().find(({ id }) => id === newest)?.text);
    }
  }
}

const Found = z.object({ items: z.array(z.object({ kind: z.string(), id: z.string(), content: z.string() })) });

/** Evidence turns in the blocks of a LoCoMo file's questions; a turn is found by its text. */
export async function runLocomo(run: Run, json: string): Promise<void> {
  const conversations = parseLocomo(json);
  for (const conversation of conversations) await ingest(run.service, userOf(run, conversation), conversation);
  await jobsDone(run.service, JOBS_TIMEOUT_MS);
  await askLocomo(run, conversations, `evidence in ${LOCOMO_TOKENS} tokens`);
  if (run.keepTokens === null) return;
  for (const conversation of conversations) await summarizeAll(run, conversation, run.keepTokens);
  await jobsDone(run.service, JOBS_TIMEOUT_MS);
  await askLocomo(run, conversations, "with summaries");
}

function userOf({ run }: Run, { id }: Conversation): string {
  return `${run}-locomo-${id}`;
}

async function askLocomo(run: Run, conversations: readonly Conversation[], name: string): Promise<void> {
  const counts = run.countsOf({ lang: "LoCoMo" });
  for (const conversation of conversations) {
    const turns = conversation.sessions.flatMap((session) => session.turns);
    for (const { text, evidence, category } of conversation.questions) {
      if (category === ADVERSARIAL) continue;
      const body = { userId: userOf(run, conversation), query: text, maxTokens: LOCOMO_TOKENS, limit: 100 };
      const { items } = Found.parse(await call(run.service, "POST", "/v1/context", body));
      const shown = items.map(({ content }) => content);
      const holds = (id: string) => {
        const said = turns.find((turn) => turn.id === id)?.text ?? "";
        return shown.some((content) => content.includes(said) || (content.length > 20 && said.includes(content)));
      };
      count(counts, name, [...evidence].filter(holds).length / evidence.size);
    }
  }
}

const Summarized = z.object({ tokens: z.object({ before: z.number(), after: z.number() }), remaining: z.boolean() });

/** Counts the share of tokens saved, for each session. */
async function summarizeAll(run: Run, conversation: Conversation, keepTokens: number): Promise<void> {
  const userId = userOf(run, conversation);
  const total = { before: 0, after: 0 };
  for (const { number } of conversation.sessions) {
    for (let remaining = true; remaining; ) {
      const body = { userId, sessionId: `${userId}-s${number}`, keepTokens };
      const answer = Summarized.parse(await call(run.service, "POST", "/v1/summarize", body));
      total.before += answer.tokens.before;
      total.after += answer.tokens.after;
      remaining = answer.remaining;
    }
  }
  run.miss("tokens before and after", conversation.id, total.before, total.after);
  count(run.countsOf({ lang: "LoCoMo" }), "tokens saved", 1 - total.after / Math.max(1, total.before));
}
