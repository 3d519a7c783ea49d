import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import type { Services } from "#context";
import { uploadsOf } from "#test/document-requests";
import { createHarness, type Harness } from "#test/harness";
import { documentSteps, erasingSteps, importSteps, type Step, sentOnce, upkeepSteps } from "./audit-steps.ts";
import { rows, say } from "./requests.ts";

/** While it is jammed, an audit row has no id, so the batch that carries it fails as a whole. */
let jammed = false;

let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    replace: ({ newId }: Services) => ({
      newId: (kind: Parameters<typeof newId>[0]) => (jammed && kind === "audit" ? notAnId() : newId(kind)),
      log: () => undefined,
    }),
  });
});

/** Bound as NULL, which the column does not take. */
function notAnId(): string {
  return null as unknown as string;
}

type Written = { action: string; kind: string; actor: string };

const episodes = "/v1/sessions/{sessionId}/episodes";
const episode = { messages: [{ role: "user", content: "a word", messageId: "m1" }] };
const session = (body: Record<string, unknown>) => ({ userId: "ann", ...body });

const keyToRevoke = async () => {
  const { json } = await h.fetch<{ id: string }>("POST", "/v1/keys", { body: { name: "soon gone" } });
  return `/v1/keys/${json.id}`;
};
const episodeToForget = async () => {
  const { json } = await say(h, "private", `for ${crypto.randomUUID()}`, { userId: "ann" });
  return `/v1/sessions/private/episodes/${json.id}?userId=ann`;
};
const failedJob = async () => {
  await say(h, "private", `for ${crypto.randomUUID()}`, { userId: "ann" });
  await rows("update jobs set status = 'failed' where tenant_id = ?", h.tenantId);
  const [job] = await rows<{ id: string }>("select id from jobs where tenant_id = ? and status = 'failed' limit 1", h.tenantId);
  return `/v1/jobs/${job?.id}/rerun`;
};

const failedJobs = async () => {
  await failedJob();
  return "/v1/jobs/rerun";
};

const newPerson = async () => {
  const { json } = await h.fetch<{ id: string }>("POST", "/v1/people", {
    body: { userId: "ann", name: "Rose", aliases: ["Rosa"] },
  });
  return json.id;
};
const personToChange = async () => `/v1/people/${await newPerson()}`;
const mergeToUndo = async () => {
  const [into, from] = [await newPerson(), await newPerson()];
  const { json } = await h.fetch<{ id: string }>("POST", `/v1/people/${into}/merge`, { body: { userId: "ann", from } });
  return `/v1/people/merges/${json.id}/undo`;
};

const newMemory = async (confidence = 1) => {
  const body = { userId: "ann", content: `Ann was here for ${crypto.randomUUID()}`, confidence };
  return (await h.fetch<{ id: string }>("POST", "/v1/memories", { body })).json.id;
};
const forgottenMemory = async () => {
  const id = await newMemory();
  await h.fetch("DELETE", `/v1/memories/${id}?userId=ann`);
  return `/v1/memories/${id}/restore?userId=ann`;
};
const forgetting = async () => {
  const content = `The gate code is ${crypto.randomUUID()}`;
  const place = "/v1/sessions/gate/episodes";
  const said = await h.fetch<{ id: string }>("POST", place, { body: { userId: "ann", messages: [{ role: "user", content }] } });
  const body = { userId: "ann", content, learnedIn: { sessionId: "gate", episodeId: said.json.id } };
  const { id } = (await h.fetch<{ id: string }>("POST", "/v1/memories", { body })).json;
  const { json } = await h.fetch<{ forgettingId: string }>("DELETE", `/v1/memories/${id}?userId=ann`);
  return `/v1/forgettings/${json.forgettingId}/undo`;
};
const theSame = { userId: "ann", content: "Ann whistles.", key: "whistle" };
const whatReplaces = async () => ({
  userId: "ann",
  content: `Ann left for ${crypto.randomUUID()}`,
  supersedes: await newMemory(),
});
const twoDecisions = async () => ({
  userId: "ann",
  decisions: [
    { id: await newMemory(0.1), action: "approve" },
    { id: await newMemory(0.1), action: "reject" },
  ],
});

const newEntity = async () => {
  for (const projectId of ["things", "attic"]) await h.fetch("PUT", `/v1/projects/${projectId}`, { body: { userId: "ann" } });
  const body = { userId: "ann", projectId: "things", type: "tool", name: `Lathe ${crypto.randomUUID()}`, notes: "turns" };
  return (await h.fetch<{ id: string }>("POST", "/v1/entities", { body })).json.id;
};
const entityToSave = async () => {
  await newEntity();
  return { userId: "ann", projectId: "things", type: "tool", name: `Saw ${crypto.randomUUID()}` };
};
const entitiesToMove = async () => ({
  userId: "ann",
  fromProjectId: "things",
  toProjectId: "attic",
  ids: [await newEntity(), await newEntity()],
});

const expiredMemory = async () => {
  await h.fetch("POST", "/v1/memories", {
    body: { userId: "ann", content: `Ann waits for ${crypto.randomUUID()}`, type: "task" },
  });
  await rows("update memories set expires_at = 1 where tenant_id = ? and type = 'task'", h.tenantId);
  return "/v1/lifecycle";
};
const lostPosition = async () => {
  await rows("update sessions set next_seq = 0 where tenant_id = ?", h.tenantId);
  return "/v1/doctor";
};

const STEPS: Step[] = [
  {
    does: "issues a key",
    method: "POST",
    path: "/v1/keys",
    body: { name: "another" },
    writes: ["key.issued"],
    route: "/v1/keys",
  },
  { does: "revokes a key", method: "DELETE", path: keyToRevoke, writes: ["key.revoked"], route: "/v1/keys/{keyId}" },
  {
    does: "makes the first secret of tokens",
    method: "POST",
    path: "/v1/tokens",
    body: { userId: "ann" },
    writes: ["token_secret.made"],
    route: "/v1/tokens",
  },
  {
    does: "replaces the secret of tokens",
    method: "POST",
    path: "/v1/tokens/rotate",
    writes: ["token_secret.rotated"],
    route: "/v1/tokens/rotate",
  },
  {
    does: "revokes a user's tokens",
    method: "POST",
    path: "/v1/tokens/revoke",
    body: { userId: "ann" },
    writes: ["tokens.revoked"],
    route: "/v1/tokens/revoke",
  },
  {
    does: "changes settings",
    method: "PATCH",
    path: "/v1/settings",
    body: { allowedOrigins: ["https://a.example"] },
    writes: ["settings.changed"],
    route: "/v1/settings",
  },
  {
    does: "saves a user",
    method: "PUT",
    path: "/v1/users/ann",
    body: { name: "Ann" },
    writes: ["user.saved"],
    route: "/v1/users/{userId}",
  },
  {
    does: "makes a person, and the user who makes it",
    method: "POST",
    path: "/v1/people",
    body: { userId: "maker", name: "Rose", notes: "likes tea" },
    writes: ["person.created"],
    route: "/v1/people",
  },
  {
    does: "changes a person",
    method: "PATCH",
    path: personToChange,
    body: { userId: "ann", name: "Rosalind" },
    writes: ["person.changed"],
    route: "/v1/people/{personId}",
  },
  {
    does: "adds an alias",
    method: "PUT",
    path: async () => `${await personToChange()}/aliases/Rosie?userId=ann`,
    writes: ["person.alias_added"],
    route: "/v1/people/{personId}/aliases/{alias}",
  },
  {
    does: "removes an alias",
    method: "DELETE",
    path: async () => `${await personToChange()}/aliases/rosa?userId=ann`,
    writes: ["person.alias_removed"],
    route: "/v1/people/{personId}/aliases/{alias}",
  },
  {
    does: "merges two persons",
    method: "POST",
    path: async () => `${await personToChange()}/merge`,
    body: async () => ({ userId: "ann", from: await newPerson() }),
    writes: ["person.merged"],
    route: "/v1/people/{personId}/merge",
  },
  {
    does: "undoes a merge",
    method: "POST",
    path: mergeToUndo,
    body: { userId: "ann" },
    writes: ["person.merge_undone"],
    route: "/v1/people/merges/{mergeId}/undo",
  },
  {
    does: "makes a project",
    method: "PUT",
    path: "/v1/projects/p1",
    body: { userId: "ann" },
    writes: ["project.created"],
    route: "/v1/projects/{projectId}",
  },
  {
    does: "renames a project",
    method: "PUT",
    path: "/v1/projects/p1",
    body: { userId: "ann", name: "One" },
    writes: ["project.renamed"],
    route: "/v1/projects/{projectId}",
  },
  {
    does: "closes a project to its users' own memories",
    method: "PUT",
    path: "/v1/projects/p1",
    body: { userId: "ann", ownMemories: false },
    writes: ["project.changed"],
    route: "/v1/projects/{projectId}",
  },
  {
    does: "adds a member",
    method: "PUT",
    path: "/v1/projects/p1/members/bob?userId=ann",
    writes: ["project.member_added"],
    route: "/v1/projects/{projectId}/members/{memberId}",
  },
  {
    does: "removes a member",
    method: "DELETE",
    path: "/v1/projects/p1/members/bob?userId=ann",
    writes: ["project.member_removed"],
    route: "/v1/projects/{projectId}/members/{memberId}",
  },
  {
    does: "opens a group",
    method: "PUT",
    path: "/v1/sessions/group",
    body: session({ participants: ["ann", "bob"] }),
    writes: ["session.opened"],
    route: "/v1/sessions/{sessionId}",
  },
  {
    does: "titles a session",
    method: "PUT",
    path: "/v1/sessions/group",
    body: session({ title: "Us" }),
    writes: ["session.titled"],
    route: "/v1/sessions/{sessionId}",
  },
  {
    does: "moves a session",
    method: "PUT",
    path: "/v1/sessions/group",
    body: session({ projectId: "p1" }),
    writes: ["session.moved"],
    route: "/v1/sessions/{sessionId}",
  },
  {
    does: "changes who takes part",
    method: "PUT",
    path: "/v1/sessions/group",
    body: session({ participants: ["ann"] }),
    writes: ["session.participants"],
    route: "/v1/sessions/{sessionId}",
  },
  {
    does: "appends to a new session",
    method: "POST",
    path: "/v1/sessions/private/episodes",
    body: session(episode),
    writes: ["session.opened", "episodes.appended"],
    route: episodes,
  },
  {
    does: "appends to a session",
    method: "POST",
    path: "/v1/sessions/private/episodes",
    body: session({ messages: [{ role: "user", content: "more" }] }),
    writes: ["episodes.appended"],
    route: episodes,
  },
  {
    does: "forgets an episode",
    method: "DELETE",
    path: episodeToForget,
    writes: ["episode.forgotten"],
    route: `${episodes}/{episodeId}`,
  },
  {
    does: "erases the content of audit rows",
    method: "POST",
    path: "/v1/audit/erase",
    body: { objectId: "settings" },
    writes: ["audit.erased"],
    route: "/v1/audit/erase",
  },
  {
    does: "remembers",
    method: "POST",
    path: "/v1/memories",
    body: theSame,
    writes: ["memory.remembered"],
    route: "/v1/memories",
  },
  {
    does: "is told the same again",
    method: "POST",
    path: "/v1/memories",
    body: theSame,
    writes: ["memory.reinforced"],
    route: "/v1/memories",
  },
  {
    does: "is told of a key anew",
    method: "POST",
    path: "/v1/memories",
    body: { ...theSame, content: "Ann hums." },
    writes: ["memory.revised"],
    route: "/v1/memories",
  },
  {
    does: "remembers two that everybody may know",
    method: "POST",
    path: "/v1/memories",
    body: {
      memories: [
        { content: "The office is open.", shared: true },
        { content: "The office is quiet.", shared: true, key: "quiet" },
      ],
    },
    writes: ["memory.remembered", "memory.remembered"],
    route: "/v1/memories",
  },
  {
    does: "remembers something in another's place",
    method: "POST",
    path: "/v1/memories",
    body: whatReplaces,
    writes: ["memory.remembered", "memory.superseded"],
    route: "/v1/memories",
  },
  {
    does: "changes a memory",
    method: "PATCH",
    path: async () => `/v1/memories/${await newMemory()}?userId=ann`,
    body: { content: "Ann sings.", subjects: [] },
    writes: ["memory.revised"],
    route: "/v1/memories/{memoryId}",
  },
  {
    does: "forgets a memory",
    method: "DELETE",
    path: async () => `/v1/memories/${await newMemory()}?userId=ann`,
    writes: ["memory.forgotten"],
    route: "/v1/memories/{memoryId}",
  },
  {
    does: "brings a memory back",
    method: "POST",
    path: forgottenMemory,
    writes: ["memory.restored"],
    route: "/v1/memories/{memoryId}/restore",
  },
  {
    does: "undoes a forgetting",
    method: "POST",
    path: forgetting,
    body: { userId: "ann" },
    writes: ["forgetting.undone", "memory.restored"],
    route: "/v1/forgettings/{forgettingId}/undo",
  },
  {
    does: "approves a memory",
    method: "POST",
    path: async () => `/v1/memories/${await newMemory(0.1)}/approve`,
    body: { userId: "ann" },
    writes: ["memory.approved"],
    route: "/v1/memories/{memoryId}/approve",
  },
  {
    does: "rejects a memory",
    method: "POST",
    path: async () => `/v1/memories/${await newMemory(0.1)}/reject`,
    body: { userId: "ann" },
    writes: ["memory.rejected"],
    route: "/v1/memories/{memoryId}/reject",
  },
  {
    does: "reviews memories",
    method: "POST",
    path: "/v1/memories/review",
    body: twoDecisions,
    writes: ["memory.approved", "memory.rejected"],
    route: "/v1/memories/review",
  },
  {
    does: "stores facts",
    method: "POST",
    path: "/v1/facts",
    body: { userId: "ann", sessionId: "private", topic: "color", rank: 1, value: "Blue" },
    writes: ["fact.asserted"],
    route: "/v1/facts",
  },
  {
    does: "takes facts away",
    method: "DELETE",
    path: "/v1/facts?userId=ann&sessionId=private&topic=color",
    writes: ["fact.retracted"],
    route: "/v1/facts",
  },
  {
    does: "appends a list of facts",
    method: "POST",
    path: "/v1/sessions/private/episodes",
    body: session({ messages: [{ role: "user", content: "My favorite colors are 1) Blue, 2) Green" }] }),
    writes: ["episodes.appended"],
    route: episodes,
  },
  {
    does: "makes a topic",
    method: "PUT",
    path: "/v1/topics/drinks",
    body: { nouns: [{ noun: "drink" }] },
    writes: ["topic.saved"],
    route: "/v1/topics/{key}",
  },
  { does: "deletes a topic", method: "DELETE", path: "/v1/topics/drinks", writes: ["topic.deleted"], route: "/v1/topics/{key}" },
  {
    does: "runs a task of upkeep",
    method: "POST",
    path: expiredMemory,
    body: { tasks: ["expire"] },
    writes: ["upkeep.expired"],
    route: "/v1/lifecycle",
  },
  {
    does: "saves an entity",
    method: "POST",
    path: "/v1/entities",
    body: entityToSave,
    writes: ["entity.saved"],
    route: "/v1/entities",
  },
  {
    does: "changes an entity",
    method: "PATCH",
    path: async () => `/v1/entities/${await newEntity()}`,
    body: { userId: "ann", notes: "turns wood" },
    writes: ["entity.changed"],
    route: "/v1/entities/{entityId}",
  },
  {
    does: "deletes an entity",
    method: "DELETE",
    path: async () => `/v1/entities/${await newEntity()}?userId=ann`,
    writes: ["entity.forgotten"],
    route: "/v1/entities/{entityId}",
  },
  {
    does: "moves an entity",
    method: "POST",
    path: async () => `/v1/entities/${await newEntity()}/retag`,
    body: { userId: "ann", projectId: "attic" },
    writes: ["entity.retagged"],
    route: "/v1/entities/{entityId}/retag",
  },
  {
    does: "moves two entities",
    method: "POST",
    path: "/v1/entities/retag",
    body: entitiesToMove,
    writes: ["entity.retagged", "entity.retagged"],
    route: "/v1/entities/retag",
  },
  { does: "repairs", method: "POST", path: lostPosition, writes: ["doctor.mended"], route: "/v1/doctor" },
  { does: "reruns jobs", method: "POST", path: failedJobs, writes: ["jobs.rerun"], route: "/v1/jobs/rerun" },
  { does: "reruns a job", method: "POST", path: failedJob, writes: ["job.rerun"], route: "/v1/jobs/{jobId}/rerun" },
  ...documentSteps(() => h),
  ...importSteps(() => h),
  ...upkeepSteps(() => h),
  ...erasingSteps(() => h),
];

const TABLES = [
  "tenants",
  "spaces",
  "users",
  "keys",
  "settings",
  "allowed_origins",
  "audit",
  "persons",
  "person_names",
  "person_merges",
  "person_merge_edges",
  "memories",
  "memory_subjects",
  "memory_versions",
  "projects",
  "project_members",
  "sessions",
  "participants",
  "episodes",
  "message_keys",
  "facts",
  "session_topics",
  "list_messages",
  "topics",
  "topic_nouns",
  "jobs",
  "idempotency",
  "entities",
  "entity_mentions",
  "sources",
  "files",
  "chunks",
  "imports",
  "imported_ids",
  "erasures",
  "tombstones",
];

/** Every row, and what was uploaded. */
async function everything(): Promise<string> {
  const tables = await env.DB.batch([
    ...TABLES.map((table) => env.DB.prepare(`select * from ${table}`)),
    env.DB.prepare("select rowid from message_fts"),
    env.DB.prepare("select rowid from memory_fts"),
    env.DB.prepare("select rowid from entity_fts"),
    env.DB.prepare("select rowid from chunk_fts"),
  ]);
  return JSON.stringify([...tables.map(({ results }) => results), await uploadsOf(h)]);
}

it.each(STEPS)("$does: one batch with its audit rows, or nothing at all", async (step) => {
  const { method, path, writes, headers: sent = {} } = step;
  const url = typeof path === "string" ? path : await path();
  const body = typeof step.body === "function" ? await step.body() : step.body;
  const before = await everything();
  jammed = true;
  const refused = await h.fetch(method, url, { body, headers: sent });
  jammed = false;
  expect(refused.status, refused.text).toBe(500);
  expect(await everything()).toBe(before);

  const { status, headers, text } = await h.fetch(method, url, { body, headers: sent });
  expect(status, text).toBeLessThan(300);
  const [key] = await rows<{ id: string }>(
    "select public_id as id from keys where tenant_id = ? order by id limit 1",
    h.tenantId,
  );
  const written = await rows<Written>(
    "select action, actor_kind as kind, actor_id as actor from audit where tenant_id = ? and request_id = ?",
    h.tenantId,
    headers.get("x-request-id"),
  );
  expect(written.toSorted(byAction)).toEqual(writes.toSorted().map((action) => ({ action, kind: "key", actor: key?.id })));
});

function byAction(a: Written, b: Written): number {
  return a.action.localeCompare(b.action);
}

/** Routes that take a body and change nothing of ours; an exchange with a model server is answered before it is stored: see proxy.test.ts. */
const READING = new Set([
  "/v1/chat/completions",
  "/v1/embeddings",
  "/v1/responses",
  "/v1/responses/{responseId}",
  "/v1/responses/{responseId}/cancel",
  "/v1/search",
  "/v1/answer",
  "/v1/entities/search",
  "/v1/context",
  "/v1/extract",
  "/v1/erasures/{erasureId}/verify",
  "/v1/sources/{sourceId}/files/compare",
]);

it("walks every route that changes something", async () => {
  const { json } = await h.fetch<{ paths: Record<string, Record<string, unknown>> }>("GET", "/openapi.json");
  const changing = Object.entries(json.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => (method === "get" || READING.has(path) ? [] : [`${method.toUpperCase()} ${path}`])),
  );
  expect([...new Set(STEPS.map(({ method, route }) => `${method} ${route}`))].sort()).toEqual(changing.sort());
});

it("writes no row for what changes nothing", async () => {
  await h.fetch("PUT", "/v1/projects/same", { body: { userId: "ann", name: "Same" } });
  await h.fetch("PUT", "/v1/sessions/same", {
    body: session({ participants: ["ann", "bob"], title: "Same", projectId: "same" }),
  });
  await h.fetch("PUT", "/v1/users/same", { body: { name: "Same" } });
  await h.fetch("PATCH", "/v1/settings", { body: { maxTokens: 1 } });
  await h.fetch("POST", "/v1/tokens", { body: { userId: "same" } });
  const remembered = await newMemory();
  const refused = await newMemory(0.1);
  await h.fetch("POST", `/v1/memories/${refused}/reject`, { body: { userId: "ann" } });
  const same = { userId: "ann", name: "Rose", aliases: ["Rosa"] };
  const person = `/v1/people/${(await h.fetch<{ id: string }>("POST", "/v1/people", { body: same })).json.id}`;
  const fact = { userId: "same", topic: "color", rank: 1, value: "Blue", createdAt: "2026-03-01T00:00:00Z" };
  await h.fetch("POST", "/v1/facts", { body: fact });
  await h.fetch("PUT", "/v1/topics/same", { body: { nouns: [{ noun: "sameness" }] } });
  const again = await sentOnce(h);
  const before = await rows("select count(*) as n from audit");
  expect((await h.fetch("POST", "/v1/tokens", { body: { userId: "another" } })).status).toBe(201);
  await again();
  await h.fetch("POST", "/v1/facts", { body: fact });
  await h.fetch("DELETE", "/v1/facts?userId=same&topic=candy");
  await h.fetch("PUT", "/v1/topics/same", { body: { nouns: [{ noun: "sameness" }] } });
  await h.fetch("DELETE", "/v1/topics/none");
  await h.fetch("PATCH", person, { body: same });
  await h.fetch("PUT", `${person}/aliases/ROSA?userId=ann`);
  await h.fetch("DELETE", `${person}/aliases/nobody?userId=ann`);
  await h.fetch("PUT", "/v1/users/same", { body: { name: "Same" } });
  await h.fetch("PUT", "/v1/users/same");
  await h.fetch("PATCH", "/v1/settings", { body: { maxTokens: 1, autoGc: null } });
  expect((await h.fetch("PATCH", `/v1/memories/${remembered}?userId=ann`, { body: { confidence: 1 } })).status).toBe(200);
  expect((await h.fetch("POST", `/v1/memories/${refused}/reject`, { body: { userId: "ann" } })).status).toBe(200);
  await h.fetch("POST", "/v1/audit/erase", { body: { objectId: "nothing" } });
  await h.fetch("PUT", "/v1/projects/same", { body: { userId: "ann", name: "Same" } });
  await h.fetch("PUT", "/v1/sessions/same", {
    body: session({ participants: ["bob", "ann"], title: "Same", projectId: "same", kind: "group" }),
  });
  await h.fetch("DELETE", "/v1/projects/same/members/nobody?userId=ann");
  await say(h, "private", "a word", { userId: "ann", messages: [{ role: "user", content: "a word", messageId: "m1" }] });
  expect(await rows("select count(*) as n from audit")).toEqual(before);
});
