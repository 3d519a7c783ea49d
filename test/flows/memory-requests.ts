import type { HistoryView, MemoryPageView, MemoryView, RememberedView } from "#domain/memories";
import type { Answer, Harness, Request } from "#test/harness";
import type { Problem } from "./requests.ts";

type Extra = Record<string, unknown>;

/** What an answer holds when it is one, and when it is a problem: a test looks at the half that it expects. */
export type Answered<T> = Answer<T & Problem>;

export async function add(h: Harness, body: Extra | string, request: Request = {}): Promise<Answered<RememberedView>> {
  return await h.fetch("POST", "/v1/memories", { ...request, body: typeof body === "string" ? { content: body } : body });
}

export async function addAll(
  h: Harness,
  memories: readonly (Extra | string)[],
  extra: Extra = {},
): Promise<Answered<{ items: RememberedView[] }>> {
  const drafts = memories.map((memory) => (typeof memory === "string" ? { content: memory } : memory));
  return await h.fetch("POST", "/v1/memories", { body: { memories: drafts, ...extra } });
}

/** `place` is a query string. */
export async function get(h: Harness, id: string, place = ""): Promise<Answered<MemoryView>> {
  return await h.fetch("GET", `/v1/memories/${id}?${place}`);
}

export async function change(
  h: Harness,
  id: string,
  body: Extra,
  place = "",
  request: Request = {},
): Promise<Answered<MemoryView>> {
  return await h.fetch("PATCH", `/v1/memories/${id}?${place}`, { ...request, body });
}

export async function forgetOne(h: Harness, id: string, place = "", request: Request = {}): Promise<Answered<object>> {
  return await h.fetch("DELETE", `/v1/memories/${id}?${place}`, request);
}

export async function restoreOne(h: Harness, id: string, place = "", request: Request = {}): Promise<Answered<object>> {
  return await h.fetch("POST", `/v1/memories/${id}/restore?${place}`, request);
}

export async function list(h: Harness, query = ""): Promise<Answered<MemoryPageView>> {
  return await h.fetch("GET", `/v1/memories?${query}`);
}

export async function queue(h: Harness, query = "", request: Request = {}): Promise<Answered<MemoryPageView>> {
  return await h.fetch("GET", `/v1/memories/review?${query}`, request);
}

export async function pastOf(h: Harness, id: string, place = ""): Promise<Answered<HistoryView>> {
  return await h.fetch("GET", `/v1/memories/${id}/history?${place}`);
}

export async function approveOne(h: Harness, id: string, body: Extra = {}, request: Request = {}): Promise<Answered<MemoryView>> {
  return await h.fetch("POST", `/v1/memories/${id}/approve`, { ...request, body });
}

export async function rejectOne(h: Harness, id: string, body: Extra = {}, request: Request = {}): Promise<Answered<MemoryView>> {
  return await h.fetch("POST", `/v1/memories/${id}/reject`, { ...request, body });
}

/** What a page says, in its order. */
export function contentsOf(page: Answer<MemoryPageView>): string[] {
  return page.json.items.map(({ content }) => content);
}

/** Where a refusal says that it is. */
export function fieldsOf(answer: Answer<Problem>): string[] {
  return (answer.json.fields ?? []).map(({ path }) => path);
}

export async function group(h: Harness, name: string, participants: readonly string[]): Promise<void> {
  await h.fetch("PUT", `/v1/sessions/${name}`, { body: { kind: "group", participants, userId: participants[0] } });
}

export async function personOf(h: Harness, userId: string): Promise<string> {
  await h.fetch("PUT", `/v1/users/${userId}`);
  return (await h.fetch<{ id: string }>("GET", `/v1/people/me?userId=${userId}`)).json.id;
}
