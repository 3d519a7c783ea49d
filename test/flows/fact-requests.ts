import type { AnswerView, FactView } from "#domain/facts";
import type { Answer, Harness } from "#test/harness";
import { append, type Page } from "./requests.ts";

type Place = { userId?: string; sessionId?: string; projectId?: string };

export const COLORS = "My favorite colors are 1) Blue, 2) Green, 3) Black";

/** A user's message in a session; `saidBy` is its own `userId`. */
export async function appendText(h: Harness, session: string, text: string, extra: Record<string, unknown> = {}): Promise<void> {
  const { occurredAt, saidBy, speaker, messageId, ...rest } = extra;
  const messages = [{ role: "user", content: text, occurredAt, userId: saidBy, speaker, messageId }];
  const { status, text: answer } = await append(h, session, { messages, ...rest });
  if (status >= 300) throw new Error(`${status} ${answer}`);
}

export async function ask(h: Harness, question: string, place: Place): Promise<Answer<AnswerView>> {
  return await h.fetch<AnswerView>("POST", "/v1/answer", { body: { question, ...place } });
}

/** The text of an answer; the status of a refusal. */
export async function answerTo(h: Harness, question: string, place: Place): Promise<string | number | null> {
  const { status, json } = await ask(h, question, place);
  return status === 200 ? json.text : status;
}

export async function listed(h: Harness, place: Record<string, string>): Promise<Answer<Page<FactView>>> {
  return await h.fetch<Page<FactView>>("GET", `/v1/facts?${new URLSearchParams(place)}`);
}

/** What a list shows, as "rank value". */
export async function values(h: Harness, place: Record<string, string>): Promise<string[]> {
  return (await listed(h, place)).json.items.map(({ rank, value }) => `${rank ?? "-"} ${value}`);
}

export async function storeFact(h: Harness, body: Record<string, unknown>) {
  return await h.fetch<{ written: boolean; value: string | null }>("POST", "/v1/facts", { body });
}
