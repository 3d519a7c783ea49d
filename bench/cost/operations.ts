import { z } from "zod";
import { type Random, randomOf } from "./chat-text.ts";
import type { Call, Reply, Request } from "./client.ts";
import { QUESTIONS, questions } from "./questions.ts";
import { PROJECT, type Viewer } from "./seed.ts";
import { exchange } from "./templates.ts";

const PAGE = 20;
const BULK = 100;
const BULK_CALLS = 5;

type OperationName =
  | "get one episode"
  | "history page (20)"
  | "list sessions page (20)"
  | "search hybrid"
  | "search text"
  | "search recent"
  | "search semantic"
  | "search hybrid in a project"
  | "append one episode"
  | "append to a new session"
  | "append 100 episodes"
  | "move a session";

export type Operation = { name: string; requests: Request[] /** Whether it asks the embedder. */; embeds: boolean };

const Page = z.object({ items: z.array(z.object({ id: z.string() })) });
const Explained = z.object({ explain: z.object({ terms: z.array(z.object({ found: z.number() })) }).optional() });

/** The measured operations of a viewer, reads first: a search after a move would look for moved sessions too. */
export async function operationsOf(viewer: Viewer, call: Call): Promise<Operation[]> {
  return [...(await reads(viewer, call)), ...searches(viewer), ...writes(viewer)];
}

async function reads({ user, sessions }: Viewer, call: Call): Promise<Operation[]> {
  const episodes = (i: number) => `/v1/sessions/${at(sessions, i).name}/episodes`;
  const first = Page.parse((await call({ method: "GET", path: `${episodes(0)}?userId=${user}&limit=${PAGE}` })).body);
  const get = (path: string): Request => ({ method: "GET", path });
  return [
    operation(
      "get one episode",
      times(PAGE, (i) => get(`${episodes(0)}/${at(first.items, i).id}?userId=${user}`)),
    ),
    operation(
      "history page (20)",
      times(PAGE, (i) => get(`${episodes(i)}?userId=${user}&limit=${PAGE}`)),
    ),
    operation(
      "list sessions page (20)",
      times(PAGE, () => get(`/v1/sessions?userId=${user}&limit=${PAGE}`)),
    ),
  ];
}

function searches({ user }: Viewer): Operation[] {
  const search = (name: OperationName, asked: string[], fields: object): Operation => ({
    name,
    embeds: true,
    requests: asked.map((query) => ({
      method: "POST",
      path: "/v1/search",
      body: { query, userId: user, explain: true, ...fields },
    })),
  });
  return [
    search(
      "search hybrid",
      questions((a, b, c) => `What about the ${a} and the ${b} with the ${c}?`),
      {},
    ),
    search(
      "search text",
      questions((a, b, c) => `Where was the ${a} or the ${b} of that ${c}?`),
      { strategy: "text" },
    ),
    search(
      "search recent",
      questions((a, b, c) => `Which ${a} and which ${b} for the ${c}?`),
      { strategy: "recent" },
    ),
    search(
      "search semantic",
      questions((a, b, c) => `Who has the ${a} and the ${b} from the ${c}?`),
      { strategy: "semantic" },
    ),
    search(
      "search hybrid in a project",
      questions((a, b, c) => `How was the ${a} with the ${b} and the ${c}?`),
      { projectId: PROJECT },
    ),
  ];
}

function writes({ user, sessions }: Viewer): Operation[] {
  const random = randomOf(5);
  const append = (session: string, body: object): Request => ({
    method: "POST",
    path: `/v1/sessions/${session}/episodes`,
    body: { userId: user, ...body },
  });
  const move = (i: number): Request => ({
    method: "PUT",
    path: `/v1/sessions/${at(sessions, i).name}`,
    body: { userId: user, projectId: PROJECT },
  });
  return [
    operation(
      "append one episode",
      times(QUESTIONS, () => append(at(sessions, 0).name, episode(random))),
    ),
    operation(
      "append to a new session",
      times(QUESTIONS, (i) => append(`new-${i}`, episode(random))),
    ),
    operation(
      "append 100 episodes",
      times(BULK_CALLS, () => append(at(sessions, 1).name, { episodes: times(BULK, () => episode(random)) })),
    ),
    operation("move a session", times(QUESTIONS, move)),
  ];
}

/** One exchange of an ordinary chat, its messages named as an app names them. */
export function episode(random: Random): object {
  return { messages: exchange(random).map((message) => ({ ...message, messageId: crypto.randomUUID() })) };
}

/** Matches: for each passage and each word of the question that it contains, one. */
export function matchesOf({ body }: Reply): number {
  const { explain } = Explained.parse(body);
  return (explain?.terms ?? []).reduce((sum, { found }) => sum + found, 0);
}

function operation(name: OperationName, requests: Request[]): Operation {
  return { name, requests, embeds: false };
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function at<T>(items: readonly T[], i: number): T {
  const item = items[i % items.length];
  if (item === undefined) throw new Error("The list is empty.");
  return item;
}
