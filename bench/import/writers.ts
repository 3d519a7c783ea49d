import { setTimeout as sleep } from "node:timers/promises";

/** The longest pause of a writer between an answer and its next request. */
const PAUSE_MS = 2_000;
const MESSAGES_A_PAGE = 100;

export type Running = { url: string; key: string };

/** What writers were answered: a status with its content type, or `lost` with the reason, and how often. */
export type Answered = { answers: Record<string, number>; slowestMs: number };

export type Writers = {
  /** What was answered since the last call. */
  take: () => Answered;
  /** Ends the writers, and returns how many acknowledged messages are not stored. */
  stop: () => Promise<{ acknowledged: number; missing: number }>;
};

/** Users who each append to a session of their own, one request after another. */
export function startWriters(running: Running, count: number): Writers {
  let answered: Answered = { answers: {}, slowestMs: 0 };
  let isOver = false;
  const acknowledged = Array.from({ length: count }, () => new Set<string>());

  const write = async (writer: number): Promise<void> => {
    for (let i = 0; !isOver; i += 1) {
      const messageId = `${writer}-${i}`;
      const started = performance.now();
      const answer = await append(running, writer, messageId);
      answered.answers[answer] = (answered.answers[answer] ?? 0) + 1;
      answered.slowestMs = Math.max(answered.slowestMs, Math.round(performance.now() - started));
      if (answer.startsWith("201")) acknowledged[writer]?.add(messageId);
      await sleep(Math.random() * PAUSE_MS);
    }
  };
  const writers = acknowledged.map((_, writer) => write(writer));

  return {
    take: () => {
      const taken = answered;
      answered = { answers: {}, slowestMs: 0 };
      return taken;
    },
    stop: async () => {
      isOver = true;
      await Promise.all(writers);
      const missing = await Promise.all(acknowledged.map((ids, writer) => countMissing(running, writer, ids)));
      return {
        acknowledged: acknowledged.reduce((sum, ids) => sum + ids.size, 0),
        missing: missing.reduce((sum, one) => sum + one, 0),
      };
    },
  };
}

async function append({ url, key }: Running, writer: number, messageId: string): Promise<string> {
  const body = {
    userId: nameOf(writer),
    messages: [{ role: "user", content: `I planted ${messageId} beside the wall of the garden.`, messageId }],
  };
  try {
    const answer = await fetch(`${url}/v1/sessions/${nameOf(writer)}/episodes`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    const type = answer.headers.get("content-type") ?? "";
    // Every answer of the service is JSON: another type comes from the runtime, in place of an answer.
    return type.includes("json") ? String(answer.status) : `lost: ${answer.status} ${type}`;
  } catch (error) {
    return `lost: ${error instanceof Error && error.cause instanceof Error ? error.cause.message : "no answer"}`;
  }
}

async function countMissing({ url, key }: Running, writer: number, ids: ReadonlySet<string>): Promise<number> {
  const missing = new Set(ids);
  for (let cursor: string | null = null; ; ) {
    const query = new URLSearchParams({
      userId: nameOf(writer),
      limit: String(MESSAGES_A_PAGE),
      ...(cursor === null ? {} : { cursor }),
    });
    const answer = await fetch(`${url}/v1/sessions/${nameOf(writer)}/episodes?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const page = (await answer.json()) as EpisodePage;
    for (const { messages } of page.items) for (const { messageId } of messages) missing.delete(messageId ?? "");
    cursor = page.nextCursor;
    if (cursor === null) return missing.size;
  }
}

type EpisodePage = { items: { messages: { messageId: string | null }[] }[]; nextCursor: string | null };

const nameOf = (writer: number): string => `writer-${writer}`;
