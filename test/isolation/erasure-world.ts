import { env } from "cloudflare:workers";
import type { Harness } from "#test/harness";

type Id = { id: string };

/** Everything that one user can have in a tenant, with the marker in every text: it is their id in the app too. */
export async function plantUser(h: Harness, marker: string, other: string): Promise<void> {
  const post = async <T = Id>(path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await h.fetch<T>("POST", path, { body: { userId: marker, ...body }, headers });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const put = async (path: string, body: object) => {
    const answer = await h.fetch("PUT", path, { body: { userId: marker, ...body } });
    if (answer.status >= 300) throw new Error(`PUT ${path}: ${answer.status} ${answer.text}`);
  };
  await h.fetch("PUT", `/v1/users/${marker}`, { body: { name: `${marker} Smith` } });
  await put(`/v1/projects/${marker}-project`, { name: `${marker} project` });
  await put(`/v1/projects/${marker}-project/members/${other}?userId=${marker}`, {});
  await put(`/v1/sessions/${marker}-chat`, { title: `${marker} title`, projectId: `${marker}-project` });
  const messages = [
    { role: "user", content: `I like ${marker} very much. I live in ${marker}town.`, messageId: `${marker}-m1` },
    { role: "assistant", content: `So you like ${marker}.`, messageId: `${marker}-m2` },
    { role: "user", content: `My favorite foods are 1) ${marker}a, 2) ${marker}b, 3) ${marker}c`, messageId: `${marker}-m3` },
  ];
  const said = await post(`/v1/sessions/${marker}-chat/episodes`, { messages }, { "idempotency-key": `${marker}-key-1` });
  await put(`/v1/sessions/${marker}-own`, { title: `${marker} title` });
  await post(`/v1/sessions/${marker}-own/episodes`, {
    messages: [{ role: "user", content: `I work at ${marker}corp. I prefer ${marker} tea.` }],
  });
  await h.settle();
  const learnedIn = { sessionId: `${marker}-chat`, episodeId: said.id };
  const memory = await post("/v1/memories", {
    ...{ content: `The ${marker} is in the garden`, key: `${marker}.garden`, metadata: { note: marker }, learnedIn },
    ...{ scopeType: marker, scopeId: marker },
  });
  await h.fetch("PATCH", `/v1/memories/${memory.id}?userId=${marker}`, { body: { content: `The ${marker} is in the house` } });
  const forgotten = await post("/v1/memories", { content: `The ${marker} was in the attic` });
  await h.fetch("DELETE", `/v1/memories/${forgotten.id}?userId=${marker}`);
  const words = await post(`/v1/sessions/${marker}-own/episodes`, {
    messages: [{ role: "user", content: `${marker} lived by the sea` }],
  });
  const stated = await post("/v1/memories", {
    content: `${marker} lived by the sea`,
    learnedIn: { sessionId: `${marker}-own`, episodeId: words.id },
  });
  await h.fetch("DELETE", `/v1/memories/${stated.id}?userId=${marker}`);
  const person = {
    name: `${marker} Jones`,
    aliases: [`${marker} alias`],
    relationship: `${marker} friend`,
    notes: `${marker} notes`,
  };
  const into = await post("/v1/people", person);
  const from = await post("/v1/people", { ...person, name: `${marker} Joan` });
  await post("/v1/memories", { content: `${marker} Joan swims`, subjects: [from.id] });
  await post(`/v1/people/${into.id}/merge`, { from: from.id });
  await post("/v1/entities", { projectId: `${marker}-project`, type: marker, name: `${marker} thing`, notes: `${marker} note` });
  await post("/v1/facts", { sessionId: `${marker}-chat`, topic: "color", rank: 1, value: `${marker} blue` });
  await post("/v1/facts", { topic: "color", rank: 1, value: `${marker} red` });
  await h.fetch("POST", "/v1/keys", { body: { name: `${marker} key`, permissions: ["read", "write"], userId: marker } });
  await h.settle();
}

/** A group of both users: an episode in which only the user spoke, one in which both did, and what was learned from them. */
export async function plantGroup(h: Harness, group: string, marker: string, other: string): Promise<void> {
  await h.fetch("PUT", `/v1/sessions/${group}`, { body: { userId: marker, participants: [marker, other] } });
  const append = async (messages: object[]) => {
    const answer = await h.fetch<Id>("POST", `/v1/sessions/${group}/episodes`, { body: { userId: marker, messages } });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.json.id;
  };
  await append([
    { role: "user", content: `Only ${marker} says this`, messageId: `${marker}-g1` },
    { role: "assistant", content: `I hear ${marker}` },
  ]);
  const mixed = await append([
    {
      role: "user",
      content: `The meeting of ${marker} is on Friday`,
      userId: marker,
      speaker: `${marker} Smith`,
      messageId: `${marker}-g2`,
    },
    { role: "user", content: `The ${other} meeting is on Monday`, userId: other, messageId: `${other}-g3` },
  ]);
  const me = await h.fetch<Id>("GET", `/v1/people/me?userId=${marker}`);
  await h.fetch("POST", "/v1/memories", {
    body: { userId: marker, sessionId: group, content: `${marker} wants the window seat`, statedBy: me.json.id },
  });
  await h.fetch("POST", "/v1/memories", {
    body: {
      userId: other,
      sessionId: group,
      content: `The ${other} group meets on Monday`,
      learnedIn: { sessionId: group, episodeId: mixed },
    },
  });
  await h.settle();
}

/** What the API of this part of the service does not write: documents, imports and old rows. */
export async function plantRows(h: Harness, marker: string): Promise<void> {
  const project = await one(
    "select id, space_id as space from projects where tenant_id = ? and external_id = ?",
    h.tenantId,
    `${marker}-project`,
  );
  const user = await one("select id, space_id as space from users where tenant_id = ? and external_id = ?", h.tenantId, marker);
  const t = h.tenantId;
  const source = await insert("sources", {
    public_id: `src_${marker}_${t}`,
    tenant_id: t,
    external_id: `${marker}-source`,
    project_id: project.id,
    space_id: project.space,
    name: `${marker} source`,
    created_by: user.id,
    created_at: 1,
    updated_at: 1,
  });
  const file = await insert("files", {
    public_id: `fil_${marker}_${t}`,
    tenant_id: t,
    source_id: source,
    path: `${marker}/a.md`,
    media_type: `text/${marker}`,
    bytes: 3,
    sha256: `${marker}sha`,
    title: `${marker} title`,
    status: "waiting",
    error: `${marker} error`,
    revision: 1,
    read_revision: 1,
    created_at: 1,
    updated_at: 1,
  });
  const chunk = await insert("chunks", {
    public_id: `chk_${marker}_${t}`,
    tenant_id: t,
    source_id: source,
    space_id: project.space,
    file_id: file,
    revision: 1,
    ordinal: 0,
    text: `${marker} text`,
    start_at: 0,
    end_at: 3,
    headings: JSON.stringify([marker]),
    vector_model: marker,
    // So young that the doctor does not look for its vector yet.
    created_at: Date.now(),
  });
  await env.DB.prepare(
    `insert into chunk_fts (rowid, space, text) values (${chunk}, 's${project.space}', '${marker} text')`,
  ).run();
  await h.services().files.put(`t${t}/${source}/fil_${marker}_${t}/1`, new TextEncoder().encode(marker), marker.length);
  const imported = await insert("imports", {
    public_id: `imp_${marker}_${t}`,
    tenant_id: t,
    user_id: user.id,
    platform: "chatgpt",
    file_name: `${marker}.zip`,
    sha256: `${marker}sha`,
    extraction: "off",
    dry_run: 0,
    status: "finished",
    statistics: "{}",
    problems: JSON.stringify([{ title: marker, reason: marker }]),
    created_at: 1,
  });
  await insert("imported_ids", { import_id: imported, table_name: marker, old_id: 1, new_id: 1 });
  const vector = new Float32Array(h.services().embedder.dimensions).fill(0.1);
  const metadata = {
    kind: "chunk",
    space: project.space,
    session: 0,
    project: project.id,
    workspace: "",
    scope: marker,
    type: marker,
    createdDay: 0,
    expiresDay: 0,
    model: h.services().embedder.model,
  };
  await h.services().vectors.upsert(t, [{ id: `chk:${chunk}`, values: vector, metadata }]);
}

type Row = Record<string, string | number>;

async function insert(table: string, row: Row): Promise<number> {
  const names = Object.keys(row);
  const query = `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
  const { meta } = await env.DB.prepare(query)
    .bind(...Object.values(row))
    .run();
  return meta.last_row_id;
}

async function one(query: string, ...values: (string | number)[]): Promise<{ id: number; space: number }> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<{ id: number; space: number }>();
  const [found] = results;
  if (found === undefined) throw new Error(`No row: ${query}`);
  return found;
}

/** Tables and columns that hold the marker, and the text indexes whose pages do: of a word they may hold all but its first letter. */
export async function findMarker(marker: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tableNames()) {
    const columns = await env.DB.prepare(`select name from pragma_table_info('${table}')`).all<{ name: string }>();
    for (const { name } of columns.results) {
      const { results } = await env.DB.prepare(
        `select count(*) as n from "${table}" where instr(lower(cast("${name}" as text)), ?1) > 0
          or instr(cast("${name}" as blob), cast(?2 as blob)) > 0`,
      )
        .bind(marker, marker.slice(1))
        .all<{ n: number }>();
      if ((results[0]?.n ?? 0) > 0) found.push(`${table}.${name}`);
    }
  }
  return found;
}

/** Also the shadow tables of the text indexes, without the virtual tables themselves. */
export async function tableNames(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and sql not like 'CREATE VIRTUAL%' and name not like 'sqlite%' and name not like '_cf%' order by name",
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** All vectors of the tenant by space, as the index lists them. */
export async function vectorsOf(h: Harness): Promise<Record<number, string[]>> {
  const { results } = await env.DB.prepare("select max(id) as n from spaces").all<{ n: number }>();
  const all: Record<number, string[]> = {};
  for (let space = 1; space <= (results[0]?.n ?? 0) + 5; space += 1) {
    const page = await h.services().vectors.list?.(h.tenantId, space, { after: null, limit: 1_000 });
    if (page !== undefined && page.ids.length > 0) all[space] = page.ids;
  }
  return all;
}
