import { z } from "zod";
import type { Conversation, Session } from "./locomo.ts";

export type Service = { url: string; key: string };

export type Found = { turns: string[]; milliseconds: number; degraded: boolean };

const EPISODES_PER_CALL = 100;
const TURNS_PER_EPISODE = 2;
const ATTEMPTS = 5;
const POLL_MS = 250;

const searchSchema = z.object({
  hits: z.array(z.object({ message: z.object({ messageId: z.string().nullish() }).nullish() })),
  degraded: z.array(z.unknown()).nullish(),
});
const pageSchema = z.object({ items: z.array(z.unknown()) });

/** Sends a conversation as an app would: one session at a time, in order. Returns the number of episodes. */
export async function ingest(service: Service, userId: string, conversation: Conversation): Promise<number> {
  let sent = 0;
  for (const session of conversation.sessions) {
    const episodes = episodesOf(session);
    for (let i = 0; i < episodes.length; i += EPISODES_PER_CALL) {
      const body = { userId, episodes: episodes.slice(i, i + EPISODES_PER_CALL) };
      await call(service, "POST", `/v1/sessions/${userId}-s${session.number}/episodes`, body);
    }
    sent += episodes.length;
  }
  return sent;
}

/** Asks one question; the time is that of the whole call, as the caller waits for it. */
export async function search(service: Service, userId: string, query: string): Promise<Found> {
  const started = performance.now();
  const answer = await call(service, "POST", "/v1/search", { query, userId, limit: 20, maxTokens: 8000 });
  const milliseconds = performance.now() - started;
  const { hits, degraded } = searchSchema.parse(answer);
  return {
    turns: [...new Set(hits.flatMap(({ message }) => message?.messageId ?? []))],
    milliseconds,
    degraded: (degraded ?? []).length > 0,
  };
}

/**
 * Waits until no job is pending or running. Returns how many failed, at most a page of them; throws if the queue makes no progress for too
 * long.
 */
export async function jobsDone(service: Service, timeoutMs: number): Promise<number> {
  const deadline = Date.now() + timeoutMs;
  while ((await jobs(service, "pending", 1)) + (await jobs(service, "running", 1)) > 0) {
    if (Date.now() > deadline) throw new Error(`Jobs were still waiting after ${timeoutMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return jobs(service, "failed", 100);
}

async function jobs(service: Service, status: string, limit: number): Promise<number> {
  return pageSchema.parse(await call(service, "GET", `/v1/jobs?status=${status}&limit=${limit}`)).items.length;
}

function episodesOf({ turns, occurredAt }: Session): { messages: object[] }[] {
  const messages = turns.map(({ id, speaker, text }, i) => ({
    role: "user",
    speaker,
    content: text,
    messageId: id,
    occurredAt: new Date(occurredAt.getTime() + i * 1_000).toISOString(),
  }));
  const episodes: { messages: object[] }[] = [];
  for (let i = 0; i < messages.length; i += TURNS_PER_EPISODE)
    episodes.push({ messages: messages.slice(i, i + TURNS_PER_EPISODE) });
  return episodes;
}

/** Waits out a rate limit; any other failure ends the run with its status and the problem's title, never with a text that was sent. */
export async function call({ url, key }: Service, method: string, path: string, body?: object): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.json();
    if (response.status !== 429 || attempt === ATTEMPTS) {
      const problem = z
        .object({ title: z.string().optional(), detail: z.string().optional() })
        .safeParse(await response.json().catch(() => null));
      throw new Error(
        `${method} ${path.replace(/\?.*/, "")}: ${response.status} ${problem.data?.title ?? ""} ${problem.data?.detail ?? ""}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get("retry-after") ?? 1) * 1_000));
  }
}
