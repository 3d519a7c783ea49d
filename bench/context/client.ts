import { z } from "zod";
import { call, type Service } from "../quality/service-client.ts";

const DAY_MS = 86_400_000;
const TURN_MS = 60_000;

const Context = z.object({
  block: z.string(),
  items: z.array(z.object({ id: z.string(), content: z.string(), part: z.string().default("recalled") })),
});

/** A context's lines with a citation mark, in order, and its items. */
export type AskedContext = { block: string; lines: string[]; items: z.infer<typeof Context>["items"] };

export type Said = { role?: "user" | "assistant"; text: string };

export async function append(
  service: Service,
  { userId, sessionId, daysAgo, turn = 0 }: { userId: string; sessionId: string; daysAgo?: number | undefined; turn?: number },
  said: readonly Said[],
): Promise<void> {
  // Turns of one conversation come one after the other, whenever they are sent.
  const start = daysAgo === undefined ? undefined : Date.now() - daysAgo * DAY_MS + turn * TURN_MS;
  const messages = said.map(({ role = "user", text }, i) => ({
    role,
    content: text,
    ...(start === undefined ? {} : { occurredAt: new Date(start + i * 1_000).toISOString() }),
  }));
  await call(service, "POST", `/v1/sessions/${encodeURIComponent(sessionId)}/episodes`, { userId, messages });
}

export async function askContext(
  service: Service,
  body: { userId: string; query: string; maxTokens: number; sessionId?: string; kinds?: string[] },
): Promise<AskedContext> {
  const { block, items } = Context.parse(await call(service, "POST", "/v1/context", body));
  return { block, items, lines: block.split("\n").filter((line) => line.startsWith("[M")) };
}

/** Runs the calls, a few at a time, and returns their results in order. */
export async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>, atOnce = 4): Promise<R[]> {
  const results = new Map<number, R>();
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) {
      const item = items[i];
      if (item !== undefined) results.set(i, await run(item));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
