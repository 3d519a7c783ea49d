import { readdir } from "node:fs/promises";
import path from "node:path";
import { sendChats, sendUpdates } from "../../bench/context/send-talk.ts";
import { readChats, readTalk, type Talk } from "../../bench/context/talk.ts";
import { call, type Service } from "../../bench/quality/service-client.ts";
import type { ContextView } from "../../src/domain/injection/schemas.ts";
import { ROOT } from "../wrangler.ts";
import type { AskedTalk, Wanted } from "./asked-talk.ts";

const OUTSIDE = path.join(ROOT, "test/corpora/outside");
const MAX_TOKENS = 1_000;

type Author = { author: string } & Pick<Talk, "chats" | "updates">;

/** The authors of `training-chats`, and of the chats and updates of the rounds of a context. */
export async function readAuthors(): Promise<Author[]> {
  const files = (await readdir(path.join(OUTSIDE, "training-chats"))).filter((name) => name.endsWith(".jsonl")).sort();
  const rounds = (await readdir(path.join(OUTSIDE, "context"), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const names = rounds.map(({ name }) => name).sort();
  return await Promise.all([
    ...names.map(async (author) => ({ author, ...(await readTalk(path.join(OUTSIDE, "context", author))) })),
    ...files.map(async (name) => ({
      author: path.basename(name, ".jsonl"),
      chats: await readChats(path.join(OUTSIDE, "training-chats", name)),
      updates: [],
    })),
  ]);
}

/** Sends the authors' talk to a service, and returns what it considers for each question. */
export async function collect(service: Service, authors: readonly Author[], embedder: string): Promise<AskedTalk[]> {
  const collected: AskedTalk[] = [];
  for (const { author, chats, updates } of authors) {
    const run = `${author}-${Math.random().toString(36).slice(2, 8)}`;
    await sendChats({ service, run }, chats);
    await sendUpdates({ service, run }, updates);
    const ask = async (id: string, question: string, wanted: Wanted) => {
      const body = { userId: `${run}-${id}`, query: question, maxTokens: MAX_TOKENS, explain: true };
      const { explain } = (await call(service, "POST", "/v1/context", body)) as ContextView;
      if (explain !== undefined) collected.push({ ...wanted, ...explain.considered, author, embedder, question });
    };
    for (const { id, asks } of chats) for (const { q, needed } of asks) await ask(id, q, { part: "chats", needed });
    for (const { id, question, current, stale } of updates) await ask(id, question, { part: "updates", current, stale });
  }
  return collected;
}
