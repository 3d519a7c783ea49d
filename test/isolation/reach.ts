import { expect } from "vitest";
import type { Harness } from "#test/harness";

/** A word in every message, so that a search for it finds whatever may be found. */
export const WORD = "marmalade";

/** Where a reader stands. */
export type Place = { user: string; session?: string; project?: string; includeGroups?: boolean };

type Hits = { hits: { sessionId: string }[]; degraded: unknown[] };

export async function say(harness: Harness, session: string, user: string, words: string, project?: string) {
  const body = { userId: user, projectId: project, messages: [{ role: "user", content: `${WORD} ${words}` }] };
  return await harness.fetch<{ id: string }>("POST", `/v1/sessions/${session}/episodes`, { body });
}

/** The sessions whose words a search finds, by name; or the status of a refusal. */
async function reach(harness: Harness, place: Place, strategy: string): Promise<string[] | number> {
  const body = {
    query: WORD,
    strategy,
    userId: place.user,
    sessionId: place.session,
    projectId: place.project,
    includeGroups: place.includeGroups,
    // A search by meaning that finds nothing would show what is recent.
    cut: true,
    limit: 100,
    maxTokens: 8000,
  };
  const { status, json } = await harness.fetch<Hits>("POST", "/v1/search", { body });
  if (status !== 200) return status;
  expect(json.degraded).toEqual([]);
  return [...new Set(json.hits.map((hit) => hit.sessionId))].toSorted();
}

/** Every way of searching finds these sessions and no others. The lexical embedder compares what has words of the question, embedded or not. */
export async function expectReach(harness: Harness, place: Place, sessions: string[]): Promise<void> {
  for (const strategy of ["text", "recent", "hybrid", "semantic"]) {
    expect(await reach(harness, place, strategy), `${strategy} ${JSON.stringify(place)}`).toEqual(sessions);
  }
}

/** Every way of searching is refused as if the place did not exist. */
export async function expectNoReach(harness: Harness, place: Place): Promise<void> {
  for (const strategy of ["text", "recent", "hybrid", "semantic"]) {
    expect(await reach(harness, place, strategy), `${strategy} ${JSON.stringify(place)}`).toBe(404);
  }
}

/** The texts of a session's history as who stands in it, or, naming a project, in that; or the status of a refusal. */
export async function history(harness: Harness, session: string, place: { user: string; project?: string }) {
  const query = new URLSearchParams({ userId: place.user, ...(place.project === undefined ? {} : { projectId: place.project }) });
  const { status, json } = await harness.fetch<{ items: { messages: { content: string }[] }[] }>(
    "GET",
    `/v1/sessions/${session}/episodes?${query}`,
  );
  return status === 200 ? json.items.map((item) => item.messages[0]?.content) : status;
}

export async function move(harness: Harness, session: string, user: string, project: string | null): Promise<void> {
  const { status, text } = await harness.fetch("PUT", `/v1/sessions/${session}`, { body: { userId: user, projectId: project } });
  expect(status, text).toBe(200);
}

export async function makeProject(harness: Harness, project: string, owner: string, members: string[] = []): Promise<void> {
  expect((await harness.fetch("PUT", `/v1/projects/${project}`, { body: { userId: owner } })).status).toBe(201);
  for (const member of members) {
    const path = `/v1/projects/${project}/members/${member}?userId=${owner}`;
    expect((await harness.fetch("PUT", path)).status).toBe(200);
  }
}
