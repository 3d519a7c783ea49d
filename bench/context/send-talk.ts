import { jobsDone, type Service } from "../quality/service-client.ts";
import { append, inParallel } from "./client.ts";
import type { Talk } from "./talk.ts";

export const JOBS_TIMEOUT_MS = 600_000;

/** `run` stands before every user's id. */
type To = { service: Service; run: string };

export async function sendChats({ service, run }: To, rows: Talk["chats"]): Promise<void> {
  await inParallel(rows, async ({ id, chats }) => {
    for (const [i, chat] of chats.entries()) {
      const place = { userId: `${run}-${id}`, sessionId: `${run}-${id}-${i}`, daysAgo: 7 * (chats.length - i) };
      for (let turn = 0; turn < chat.length; turn += 2) await append(service, { ...place, turn }, chat.slice(turn, turn + 2));
    }
  });
  await jobsDone(service, JOBS_TIMEOUT_MS);
}

export async function sendUpdates({ service, run }: To, rows: Talk["updates"]): Promise<void> {
  const user = (id: string) => `${run}-${id}`;
  await inParallel(rows, ({ id, first }) =>
    append(service, { userId: user(id), sessionId: `${user(id)}-1`, daysAgo: 30 }, [{ text: first }]),
  );
  await jobsDone(service, JOBS_TIMEOUT_MS);
  await inParallel(rows, ({ id, later }) =>
    append(service, { userId: user(id), sessionId: `${user(id)}-2`, daysAgo: 1 }, [{ text: later }]),
  );
  await jobsDone(service, JOBS_TIMEOUT_MS);
}
