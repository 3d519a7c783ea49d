import { env } from "cloudflare:workers";
import type { JobView } from "#domain/jobs";
import type { SearchView } from "#domain/retrieval";
import type { AppendedView, EpisodeView } from "#domain/sessions";
import type { Answer, Harness } from "#test/harness";

export type Page<T> = { items: T[]; nextCursor: string | null };
export type Problem = { code: string; detail: string; requestId: string; fields?: { path: string; message: string }[] };

type Extra = Record<string, unknown>;

/** One episode, a message for each text, said by the user. */
export async function say(
  h: Harness,
  session: string,
  texts: string | string[],
  extra: Extra = {},
): Promise<Answer<AppendedView>> {
  const messages = [texts].flat().map((text) => ({ role: "user", content: text }));
  return await append(h, session, { messages, ...extra });
}

export async function append<T = AppendedView>(h: Harness, session: string, body: Extra): Promise<Answer<T>> {
  return await h.fetch<T>("POST", `/v1/sessions/${encodeURIComponent(session)}/episodes`, { body });
}

export async function find(h: Harness, query: string, extra: Extra = {}): Promise<Answer<SearchView>> {
  return await h.fetch<SearchView>("POST", "/v1/search", { body: { query, ...extra } });
}

export async function history(h: Harness, session: string, query = ""): Promise<Answer<Page<EpisodeView>>> {
  return await h.fetch<Page<EpisodeView>>("GET", `/v1/sessions/${encodeURIComponent(session)}/episodes${query}`);
}

export async function jobsOf(h: Harness): Promise<JobView[]> {
  return (await h.fetch<Page<JobView>>("GET", "/v1/jobs?limit=100")).json.items;
}

export function textsOf(answer: Answer<SearchView>): string[] {
  return answer.json.hits.map((hit) => hit.content);
}

/** What D1 holds, asked without the service. */
export async function rows<T = Record<string, unknown>>(query: string, ...values: (string | number | null)[]): Promise<T[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<T>();
  return results;
}

/** An array's element that the test knows to be there. */
export function nth<T>(list: readonly T[], index: number): T {
  const found = list.at(index);
  if (found === undefined) throw new Error(`There is no element ${index} of ${list.length}.`);
  return found;
}
