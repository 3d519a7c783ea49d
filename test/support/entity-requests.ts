import { env } from "cloudflare:workers";
import type { Caller } from "#context";
import { type EntitySearchView, type EntityView, type MentionCounts, recordMentions } from "#domain/entities";
import type { Answer, Harness } from "#test/harness";

type Extra = Record<string, unknown>;

/** Reads D1 directly. */
async function rows<T>(query: string, ...values: (string | number)[]): Promise<T[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<T>();
  return results;
}

type Named = { type: string; name: string; notes?: string | null };
type EntityPage = { items: EntityView[]; nextCursor: string | null };

export async function makeProject(h: Harness, projectId: string, owner: string, members: readonly string[] = []): Promise<void> {
  await h.fetch("PUT", `/v1/projects/${projectId}`, { body: { userId: owner } });
  for (const member of members) await h.fetch("PUT", `/v1/projects/${projectId}/members/${member}?userId=${owner}`);
}

export async function move(h: Harness, session: string, userId: string, projectId: string | null): Promise<number> {
  return (await h.fetch("PUT", `/v1/sessions/${session}`, { body: { userId, projectId } })).status;
}

/** An episode of a private session, by its public and its internal id. */
export async function episode(
  h: Harness,
  session: string,
  userId: string,
  extra: Extra = {},
): Promise<{ id: string; internal: number }> {
  const messages = [{ role: "user", content: `words of ${crypto.randomUUID()}` }];
  const body = { userId, messages, ...extra };
  const { json, text } = await h.fetch<{ id: string }>("POST", `/v1/sessions/${session}/episodes`, { body });
  const [found] = await rows<{ id: number }>("select id from episodes where public_id = ?", json.id ?? "");
  if (found === undefined) throw new Error(text);
  return { id: json.id, internal: found.id };
}

/** Records an episode's mentions, as the extraction job does. */
export async function recordEntities(
  h: Harness,
  episodeId: number,
  entities: readonly Named[],
  at = Date.now(),
): Promise<MentionCounts> {
  return await recordMentions({ ...h.services(), ...extraction(h) }, { episodes: [{ episodeId, at, entities }] });
}

export function extraction(h: Harness): Caller {
  return { tenantId: h.tenantId, actor: { kind: "job", id: "job:extraction" }, requestId: "test", idempotent: null };
}

export async function save(h: Harness, body: Extra): Promise<Answer<EntityView & { created: boolean }>> {
  return await h.fetch("POST", "/v1/entities", { body });
}

export async function list(h: Harness, query: string): Promise<Answer<EntityPage>> {
  return await h.fetch("GET", `/v1/entities?${query}`);
}

export async function namesIn(h: Harness, query: string): Promise<string[] | number> {
  const { status, json } = await list(h, `limit=100&${query}`);
  return status === 200 ? json.items.map(({ name }) => name).toSorted() : status;
}

export async function seek(h: Harness, query: string, extra: Extra): Promise<Answer<EntitySearchView>> {
  return await h.fetch("POST", "/v1/entities/search", { body: { query, ...extra } });
}

/** The stored entities of a tenant, and whether counts and indexes match them. */
export async function stored(h: Harness) {
  return await rows<{
    project: string;
    type: string;
    name: string;
    notes: string | null;
    count: number;
    mentions: number;
    words: number;
  }>(
    `select (select p.external_id from projects p where p.id = en.project_id) as project, en.type, en.name, en.notes, en.mention_count as count,
      (select count(*) from entity_mentions em where em.entity_id = en.id) as mentions,
      (select count(*) from entity_fts_docsize d where d.id = en.id) as words
     from entities en where en.tenant_id = ? order by project, type, name`,
    h.tenantId,
  );
}
