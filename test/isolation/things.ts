import { env } from "cloudflare:workers";
import type { Harness } from "#test/harness";
import { type Ids, keptResponse } from "./routes.ts";

/** In every text, title, name and id of these suites; it may never be in a line of the log. */
export const PRIVATE = "xylophone";
/** In what the tenant itself writes, such as the names of its keys; it may never be in a line of the log either. */
export const OF_TENANT = "glockenspiel";

/** One user's things: a session in a project with an episode, a key, the job of the append, people, one merged into another, and memories. */
export async function thingsOf(harness: Harness, user: string, prefix: string): Promise<Ids> {
  const ids = { user, session: `${prefix}-session`, project: `${prefix}-project`, member: `${prefix}-member` };
  await harness.fetch("PUT", `/v1/projects/${ids.project}`, { body: { userId: user, name: `${PRIVATE} project` } });
  await harness.fetch("PUT", `/v1/projects/${ids.project}/members/${ids.member}?userId=${user}`);
  const group = { userId: user, title: `${PRIVATE} title`, participants: [user] };
  await harness.fetch("PUT", `/v1/sessions/${ids.session}`, { body: group });
  const messages = [{ role: "user", content: `${PRIVATE} marmalade`, speaker: PRIVATE }];
  const episode = await harness.fetch<{ id: string }>("POST", `/v1/sessions/${ids.session}/episodes`, {
    body: { userId: user, messages },
  });
  const key = await harness.fetch<{ id: string }>("POST", "/v1/keys", { body: { name: `${OF_TENANT} key` } });
  const jobs = await harness.fetch<{ items: { id: string }[] }>("GET", "/v1/jobs");
  return {
    ...ids,
    episode: episode.json.id,
    key: key.json.id,
    job: jobs.json.items[0]?.id ?? "",
    ...(await peopleOf(harness, user)),
    ...(await memoriesOf(harness, user)),
    forgetting: await forgettingOf(harness, user, `${prefix}-diary`),
    entity: await entityOf(harness, user, ids.project),
    ...(await sourceOf(harness, ids)),
    topic: await topicOf(harness, ids),
    response: await keptResponse(`${PRIVATE} marmalade`),
  };
}

let topics = 0;

/** A topic of the tenant's own, with a noun that no other has; and a fact of the session. */
async function topicOf(harness: Harness, { user, session }: { user: string; session: string }): Promise<string> {
  topics += 1;
  const key = `topic_${topics}`;
  await harness.fetch("PUT", `/v1/topics/${key}`, { body: { nouns: [{ noun: `${OF_TENANT} ${topics}`, language: "en" }] } });
  const fact = { topic: "color", rank: 1, value: PRIVATE };
  await harness.fetch("POST", "/v1/facts", { body: { userId: user, sessionId: session, ...fact } });
  return key;
}

async function sourceOf(
  harness: Harness,
  { user, project }: { user: string; project: string },
): Promise<Pick<Ids, "source" | "file">> {
  const source = `${project}-source`;
  await harness.fetch("PUT", `/v1/sources/${source}`, { body: { userId: user, projectId: project, name: `${PRIVATE} source` } });
  const files = [{ path: `${PRIVATE}/marmalade.md`, content: `${PRIVATE} marmalade` }];
  const { json } = await harness.fetch<{ items: { id: string }[] }>("POST", `/v1/sources/${source}/files`, {
    body: { userId: user, files },
  });
  return { source, file: json.items[0]?.id ?? "" };
}

async function entityOf(harness: Harness, userId: string, projectId: string): Promise<string> {
  const body = { userId, projectId, type: PRIVATE, name: `${PRIVATE} thing`, notes: `${PRIVATE} marmalade` };
  return (await harness.fetch<{ id: string }>("POST", "/v1/entities", { body })).json.id;
}

async function memoriesOf(harness: Harness, userId: string): Promise<Pick<Ids, "memory" | "waiting" | "gone">> {
  const remember = async (content: string, confidence: number) => {
    const body = { userId, content: `${PRIVATE} ${content}`, confidence, metadata: { note: PRIVATE }, scopeType: PRIVATE };
    return (await harness.fetch<{ id: string }>("POST", "/v1/memories", { body })).json.id;
  };
  const memory = await remember("grows in the garden", 1);
  const waiting = await remember("might grow in the garden", 0.1);
  const gone = await remember("grew in the garden", 1);
  await harness.fetch("DELETE", `/v1/memories/${gone}?userId=${userId}`);
  return { memory, waiting, gone };
}

async function forgettingOf(harness: Harness, userId: string, sessionId: string): Promise<string> {
  const content = `${PRIVATE} lived by the sea`;
  const said = await harness.fetch<{ id: string }>("POST", `/v1/sessions/${sessionId}/episodes`, {
    body: { userId, messages: [{ role: "user", content }] },
  });
  const body = { userId, content, learnedIn: { sessionId, episodeId: said.json.id } };
  const { json } = await harness.fetch<{ id: string }>("POST", "/v1/memories", { body });
  const gone = await harness.fetch<{ forgettingId: string }>("DELETE", `/v1/memories/${json.id}?userId=${userId}`);
  return gone.json.forgettingId;
}

async function peopleOf(harness: Harness, userId: string): Promise<Pick<Ids, "person" | "spare" | "merge">> {
  const make = async () => {
    const body = { userId, name: `${PRIVATE} person`, aliases: [`${PRIVATE} alias`], notes: `${PRIVATE} notes` };
    return (await harness.fetch<{ id: string }>("POST", "/v1/people", { body })).json.id;
  };
  const [person, spare, from] = [await make(), await make(), await make()];
  const merge = await harness.fetch<{ id: string }>("POST", `/v1/people/${person}/merge`, { body: { userId, from } });
  return { person, spare, merge: merge.json.id };
}

/** Every row of every table, but for the text index's own pages, which only it can read, and for counts of use if they may change. */
export async function dump({ counts = true } = {}): Promise<string> {
  const { results: all } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name <> 'message_fts' order by name",
  ).all<{ name: string }>();
  const tables = all.filter(({ name }) => counts || name !== "usage");
  const rows = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)));
  return JSON.stringify(tables.map(({ name }, i) => [name, rows[i]?.results]));
}
