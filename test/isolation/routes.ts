import type { Permission } from "#core/permission";
import { chatChannel } from "#test/chat-channel";

/** What a request may name: the app's names and the ids that Edgewise gave. */
export type Ids = {
  user: string;
  session: string;
  project: string;
  member: string;
  episode: string;
  key: string;
  job: string;
  person: string;
  /** Another person of the same user, to be merged. */
  spare: string;
  merge: string;
  memory: string;
  /** A memory that waits for review, and one that was forgotten. */
  waiting: string;
  gone: string;
  /** What was forgotten with words. */
  forgetting: string;
  entity: string;
  /** A source of the project, and a file in it that no job has read yet. */
  source: string;
  file: string;
  /** The key of a topic of the tenant's own. */
  topic: string;
  /** A response that the tenant's model server keeps. */
  response: string;
};

/**
 * What comes of naming another's things. `missing`: 404, as for what does not exist. `refused`: 404 where the name is taken, while
 * a free name would make something. `own`: names are the tenant's own, so another tenant's name means another thing here.
 * `list`: only the caller's own is in it. `nothing`: it names nothing. `known`: anybody of the tenant may know of it, but not what
 * its maker said of it. `forbidden`: anybody may know of it, and who made it may change it: 403. `undecided`: each is refused by
 * itself as what does not exist. `opened`: a session that is not stored in the tenant is a new private one of the user's.
 */
type Naming = "missing" | "opened" | "refused" | "own" | "list" | "nothing" | "known" | "forbidden" | "undecided";

/**
 * How a request keeps inside a session, for tokens that are for some sessions only. `closed`: it cannot. `named`: as it is, once what
 * widens its place is left out. `query`: with `sessionId` in the query. `body`: with `sessionId` in the body. `any`: it is about nothing
 * of a user's.
 */
type Narrowed = "closed" | "named" | "query" | "body" | "any";

export type Route = {
  /** null: open to everybody. */
  permission: Permission | null;
  path: (ids: Ids) => string;
  body?: (ids: Ids) => Record<string, unknown>;
  headers?: (ids: Ids) => Record<string, string>;
  /**
   * Whom it is about. `user`: somebody whom the request names, or to whom its key is bound. `named`: the user of its path. `tenant`: the
   * whole tenant, which is closed to who is bound to one user. `nobody`: open to every key.
   */
  about: "user" | "named" | "tenant" | "nobody";
  /** Closed to user tokens, as is whatever is about the tenant. */
  keysOnly?: true;
  /** How the request names its session, and its body where that differs; "none": it is closed to tokens for some sessions. */
  narrowed: Narrowed;
  /** Other forms of the body, so that each field that names a user is in one of them. */
  otherBodies?: (ids: Ids) => Record<string, unknown>[];
  /** The body goes on to a model server, which judges these fields and those that are not ours. */
  passesOn?: readonly string[];
  /** The body is a file's bytes, whatever they are. */
  isFile?: true;
  /** 1,000,000 when absent. */
  maxBytes?: number;
  otherTenant: Naming;
  otherUser: Naming;
};

const user = (ids: Ids) => `userId=${ids.user}`;
const session = (ids: Ids) => `/v1/sessions/${ids.session}`;
const project = (ids: Ids) => `/v1/projects/${ids.project}`;
const person = (ids: Ids) => `/v1/people/${ids.person}`;
const memory = (ids: Ids) => `/v1/memories/${ids.memory}`;
const source = (ids: Ids) => `/v1/sources/${ids.source}`;
const file = (ids: Ids) => `${source(ids)}/files/${ids.file}`;
const bytes = { marmalade: 3 };
const entity = (ids: Ids) => `/v1/entities/${ids.entity}`;
const search = { query: "marmalade", strategy: "text", includeGroups: false, kinds: ["episode"], limit: 5, maxTokens: 500 };

/** A local one that says again what it is told. */
export const modelServer = () => chatChannel("every-route").url;

/** A response that the model server keeps, and that can be cancelled. */
export async function keptResponse(input: string): Promise<string> {
  const body = JSON.stringify({ model: "echo", input, background: true });
  const answer = await fetch(`${modelServer()}/responses`, { method: "POST", body });
  return (await answer.json<{ id: string }>()).id;
}

const response = (ids: Ids) => `/v1/responses/${ids.response}`;

/** One entry for each operation of the OpenAPI document; a request that succeeds when the ids are the caller's own. */
export const ROUTES: Readonly<Record<string, Route>> = {
  "get /v1/health": {
    narrowed: "any",
    about: "nobody",
    permission: null,
    path: () => "/v1/health",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "get /v1/health/deep": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/health/deep",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/keys": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/keys",
    body: () => ({ name: "another", permissions: ["admin"], expiresAt: "2199-01-01T00:00:00Z" }),
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "get /v1/keys": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/keys?limit=100",
    otherTenant: "list",
    otherUser: "nothing",
  },
  "delete /v1/keys/{keyId}": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: (ids) => `/v1/keys/${ids.key}`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "post /v1/tokens": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    keysOnly: true,
    path: () => "/v1/tokens",
    body: (ids) => ({ userId: ids.user, expiresInSeconds: 60, sessions: [ids.session], readOnly: false }),
    otherTenant: "own",
    otherUser: "nothing",
  },
  "post /v1/tokens/rotate": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/tokens/rotate",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/tokens/revoke": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    keysOnly: true,
    path: () => "/v1/tokens/revoke",
    body: (ids) => ({ userId: ids.user, everybody: false }),
    otherTenant: "own",
    otherUser: "nothing",
  },
  "get /v1/settings": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/settings",
    otherTenant: "list",
    otherUser: "nothing",
  },
  "patch /v1/settings": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/settings",
    body: () => ({
      allowedOrigins: ["https://app.example.com"],
      maxTokens: 1000,
      retentionDays: 60,
      expireEpisodes: true,
      strategy: "recent",
      maxEntries: 500,
      autoGc: false,
      piiReview: false,
      legacyDisclosure: false,
      enabled: true,
      extraction: "off",
      instructions: "Never keep prices.",
      extractionThreshold: 0.5,
      skillsEnabled: true,
      identityProvider: null,
      upstream: { url: modelServer() },
      models: { withoutSystemRole: ["o1"] },
    }),
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "put /v1/users/{userId}": {
    narrowed: "closed",
    about: "named",
    permission: "write",
    path: (ids) => `/v1/users/${ids.user}`,
    body: () => ({ name: "Ann" }),
    otherTenant: "own",
    otherUser: "nothing",
  },
  "get /v1/users/{userId}": {
    narrowed: "closed",
    about: "named",
    permission: "read",
    path: (ids) => `/v1/users/${ids.user}`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "get /v1/users/{userId}/profile": {
    narrowed: "query",
    about: "named",
    permission: "read",
    path: (ids) => `/v1/users/${ids.user}/profile`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "post /v1/people": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: () => "/v1/people",
    body: (ids) => ({ userId: ids.user, name: "Rose", aliases: ["Rosie"], relationship: "friend", notes: "likes tea" }),
    otherTenant: "own",
    otherUser: "nothing",
  },
  "get /v1/people": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/people?${user(ids)}`,
    otherTenant: "list",
    otherUser: "list",
  },
  "get /v1/people/me": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/people/me?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "get /v1/people/{personId}": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `${person(ids)}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "known",
  },
  "patch /v1/people/{personId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: person,
    body: (ids) => ({ userId: ids.user, name: "Rose", aliases: ["Rosie"], relationship: "friend", notes: "likes tea" }),
    otherTenant: "missing",
    otherUser: "forbidden",
  },
  "put /v1/people/{personId}/aliases/{alias}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${person(ids)}/aliases/Rosie?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "forbidden",
  },
  "delete /v1/people/{personId}/aliases/{alias}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${person(ids)}/aliases/Rosie?${user(ids)}`,
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "forbidden",
  },
  "post /v1/people/{personId}/merge": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${person(ids)}/merge`,
    body: (ids) => ({ userId: ids.user, from: ids.spare }),
    otherTenant: "missing",
    otherUser: "forbidden",
  },
  "post /v1/people/merges/{mergeId}/undo": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `/v1/people/merges/${ids.merge}/undo`,
    body: (ids) => ({ userId: ids.user }),
    otherTenant: "missing",
    otherUser: "forbidden",
  },
  "get /v1/people/{personId}/memories": {
    narrowed: "query",
    about: "user",
    permission: "read",
    path: (ids) => `${person(ids)}/memories?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "list",
  },
  "post /v1/memories": {
    narrowed: "body",
    about: "user",
    permission: "write",
    path: () => "/v1/memories",
    body: (ids) => ({
      userId: ids.user,
      sessionId: ids.session,
      content: "grows roses",
      type: "preference",
      key: "garden",
      workspaceId: "w1",
      scopeType: "track",
      scopeId: "t1",
      confidence: 0.9,
      sensitivity: "personal",
      portable: true,
      pinned: false,
      expiresAt: "2199-01-01T00:00:00Z",
      validFrom: "2026-01-01T00:00:00Z",
      subjects: [ids.person],
      learnedIn: { sessionId: ids.session },
    }),
    otherBodies: (ids) => [
      { content: "grows mint", ownerId: ids.user },
      { userId: ids.user, memories: [{ content: "grows sage", ownerId: ids.user }] },
    ],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/memories": {
    narrowed: "query",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/memories?${user(ids)}`,
    otherTenant: "list",
    otherUser: "list",
  },
  "get /v1/memories/review": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/memories/review?${user(ids)}`,
    otherTenant: "list",
    otherUser: "list",
  },
  "post /v1/memories/review": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: () => "/v1/memories/review",
    body: (ids) => ({ userId: ids.user, decisions: [{ id: ids.waiting, action: "approve", content: "grows tulips" }] }),
    otherTenant: "undecided",
    otherUser: "undecided",
  },
  "get /v1/memories/{memoryId}": {
    narrowed: "query",
    about: "user",
    permission: "read",
    path: (ids) => `${memory(ids)}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "patch /v1/memories/{memoryId}": {
    narrowed: "query",
    about: "user",
    permission: "write",
    path: (ids) => `${memory(ids)}?${user(ids)}`,
    body: () => ({ content: "grows lilies", confidence: 0.9, pinned: true }),
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "delete /v1/memories/{memoryId}": {
    narrowed: "query",
    about: "user",
    permission: "write",
    path: (ids) => `${memory(ids)}?${user(ids)}`,
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/memories/{memoryId}/restore": {
    narrowed: "query",
    about: "user",
    permission: "write",
    path: (ids) => `/v1/memories/${ids.gone}/restore?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/forgettings": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/forgettings?${user(ids)}`,
    otherTenant: "list",
    otherUser: "list",
  },
  "post /v1/forgettings/{forgettingId}/undo": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `/v1/forgettings/${ids.forgetting}/undo`,
    body: (ids) => ({ userId: ids.user }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/memories/{memoryId}/history": {
    narrowed: "query",
    about: "user",
    permission: "read",
    path: (ids) => `${memory(ids)}/history?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/memories/{memoryId}/approve": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `/v1/memories/${ids.waiting}/approve`,
    body: (ids) => ({ userId: ids.user, content: "grows tulips", type: "preference" }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/memories/{memoryId}/reject": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `/v1/memories/${ids.waiting}/reject`,
    body: (ids) => ({ userId: ids.user }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/entities": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: () => "/v1/entities",
    body: (ids) => ({ userId: ids.user, projectId: ids.project, type: "tool", name: "Lathe", notes: "turns wood" }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/entities": {
    narrowed: "query",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/entities?${user(ids)}&projectId=${ids.project}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/entities/search": {
    narrowed: "body",
    about: "user",
    permission: "read",
    path: () => "/v1/entities/search",
    body: (ids) => ({ query: "marmalade", userId: ids.user, projectId: ids.project, types: ["tool"], limit: 5, explain: true }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/entities/retag": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: () => "/v1/entities/retag",
    body: (ids) => ({ userId: ids.user, fromProjectId: ids.project, toProjectId: ids.project, ids: [ids.entity] }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/entities/{entityId}": {
    narrowed: "query",
    about: "user",
    permission: "read",
    path: (ids) => `${entity(ids)}?${user(ids)}&projectId=${ids.project}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "patch /v1/entities/{entityId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: entity,
    body: (ids) => ({ userId: ids.user, type: "tool", name: "Lathe", notes: "turns metal" }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "delete /v1/entities/{entityId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${entity(ids)}?${user(ids)}`,
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/entities/{entityId}/mentions": {
    narrowed: "query",
    about: "user",
    permission: "read",
    path: (ids) => `${entity(ids)}/mentions?${user(ids)}&projectId=${ids.project}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/entities/{entityId}/retag": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${entity(ids)}/retag`,
    body: (ids) => ({ userId: ids.user, projectId: ids.project }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "put /v1/sources/{sourceId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: source,
    body: (ids) => ({ userId: ids.user, name: "Handbook" }),
    otherTenant: "own",
    otherUser: "refused",
  },
  "get /v1/sources": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/sources?${user(ids)}&projectId=${ids.project}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/sources/{sourceId}": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `${source(ids)}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "put /v1/sources/{sourceId}/files": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${source(ids)}/files?path=marmalade.json&${user(ids)}`,
    body: () => bytes,
    headers: () => ({ "content-length": String(JSON.stringify(bytes).length) }),
    isFile: true,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/sources/{sourceId}/files": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${source(ids)}/files`,
    body: (ids) => ({ userId: ids.user, files: [{ path: "toast.md", content: "marmalade on toast" }] }),
    maxBytes: 8_000_000,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/sources/{sourceId}/files/compare": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `${source(ids)}/files/compare`,
    body: (ids) => ({ userId: ids.user, files: [{ path: "toast.md", sha256: "0".repeat(64) }] }),
    maxBytes: 2_000_000,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/sources/{sourceId}/files": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `${source(ids)}/files?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/sources/{sourceId}/files/{fileId}": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `${file(ids)}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "delete /v1/sources/{sourceId}/files/{fileId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${file(ids)}?${user(ids)}`,
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/sources/{sourceId}/files/{fileId}/read": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${file(ids)}/read`,
    body: (ids) => ({ userId: ids.user }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/sources/{sourceId}/tree": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `${source(ids)}/tree?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "put /v1/projects/{projectId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: project,
    body: (ids) => ({ userId: ids.user, name: "Garden" }),
    otherTenant: "own",
    otherUser: "refused",
  },
  "get /v1/projects/{projectId}": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `${project(ids)}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/projects": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/projects?${user(ids)}`,
    otherTenant: "list",
    otherUser: "list",
  },
  "put /v1/projects/{projectId}/members/{memberId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${project(ids)}/members/${ids.member}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "delete /v1/projects/{projectId}/members/{memberId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: (ids) => `${project(ids)}/members/${ids.member}?${user(ids)}`,
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "put /v1/sessions/{sessionId}": {
    narrowed: "closed",
    about: "user",
    permission: "write",
    path: session,
    body: (ids) => ({ userId: ids.user, title: "Roses", kind: "group", participants: [ids.user], projectId: null }),
    otherTenant: "own",
    otherUser: "refused",
  },
  "get /v1/sessions/{sessionId}": {
    narrowed: "named",
    about: "user",
    permission: "read",
    path: (ids) => `${session(ids)}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/sessions": {
    narrowed: "closed",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/sessions?${user(ids)}`,
    otherTenant: "list",
    otherUser: "list",
  },
  "post /v1/sessions/{sessionId}/episodes": {
    narrowed: "named",
    about: "user",
    permission: "write",
    path: (ids) => `${session(ids)}/episodes`,
    body: (ids) => ({
      userId: ids.user,
      messages: [
        { role: "user", userId: ids.user, content: "marmalade on toast", speaker: "Ann", occurredAt: "2026-03-01T09:30:00Z" },
      ],
      occurredAt: "2026-03-01T09:30:00Z",
    }),
    otherBodies: (ids) => [
      { userId: ids.user, episodes: [{ messages: [{ role: "user", userId: ids.user, content: "marmalade" }] }] },
    ],
    otherTenant: "own",
    otherUser: "refused",
  },
  "get /v1/sessions/{sessionId}/episodes": {
    narrowed: "named",
    about: "user",
    permission: "read",
    path: (ids) => `${session(ids)}/episodes?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/sessions/{sessionId}/episodes/{episodeId}": {
    narrowed: "named",
    about: "user",
    permission: "read",
    path: (ids) => `${session(ids)}/episodes/${ids.episode}?${user(ids)}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "delete /v1/sessions/{sessionId}/episodes/{episodeId}": {
    narrowed: "named",
    about: "user",
    permission: "write",
    path: (ids) => `${session(ids)}/episodes/${ids.episode}?${user(ids)}`,
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/search": {
    narrowed: "body",
    about: "user",
    permission: "read",
    path: () => "/v1/search",
    body: (ids) => ({ ...search, userId: ids.user, sessionId: ids.session }),
    otherTenant: "opened",
    otherUser: "refused",
  },
  "post /v1/context": {
    narrowed: "body",
    about: "user",
    permission: "read",
    path: () => "/v1/context",
    body: (ids) => ({
      ...{ query: "marmalade", strategy: "text", includeGroups: false, kinds: ["episode", "memory"], limit: 5, maxTokens: 500 },
      ...{ userId: ids.user, sessionId: ids.session, workspaceId: "w1", explain: true },
    }),
    otherTenant: "opened",
    otherUser: "refused",
  },
  "post /v1/chat/completions": {
    narrowed: "named",
    about: "user",
    permission: "write",
    path: () => "/v1/chat/completions",
    body: (ids) => ({
      model: "echo",
      messages: [{ role: "user", content: "marmalade on toast" }],
      stream: false,
      n: 1,
      user: ids.user,
    }),
    otherBodies: (ids) => [
      { model: "echo", messages: [{ role: "user", content: "marmalade" }], metadata: { user_id: ids.user } },
    ],
    headers: (ids) => ({ "x-edgewise-session": ids.session }),
    passesOn: ["model", "stream", "n"],
    maxBytes: 10_000_000,
    otherTenant: "own",
    otherUser: "refused",
  },
  "post /v1/responses": {
    narrowed: "named",
    about: "user",
    permission: "write",
    path: () => "/v1/responses",
    body: (ids) => ({ model: "echo", input: "marmalade on toast", stream: false, store: false, user: ids.user }),
    otherBodies: (ids) => [{ model: "echo", input: [{ role: "user", content: "marmalade" }], metadata: { user_id: ids.user } }],
    headers: (ids) => ({ "x-edgewise-session": ids.session }),
    passesOn: ["model", "stream", "store"],
    maxBytes: 10_000_000,
    otherTenant: "own",
    otherUser: "refused",
  },
  "get /v1/responses/{responseId}": {
    narrowed: "closed",
    keysOnly: true,
    about: "tenant",
    permission: "read",
    path: response,
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "delete /v1/responses/{responseId}": {
    narrowed: "closed",
    keysOnly: true,
    about: "tenant",
    permission: "write",
    path: response,
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/responses/{responseId}/cancel": {
    narrowed: "closed",
    keysOnly: true,
    about: "tenant",
    permission: "write",
    path: (ids) => `${response(ids)}/cancel`,
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "get /v1/responses/{responseId}/input_items": {
    narrowed: "closed",
    keysOnly: true,
    about: "tenant",
    permission: "read",
    path: (ids) => `${response(ids)}/input_items`,
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/embeddings": {
    narrowed: "closed",
    about: "nobody",
    permission: "write",
    path: () => "/v1/embeddings",
    body: () => ({ model: "echo", input: "marmalade on toast" }),
    passesOn: ["model", "input"],
    maxBytes: 10_000_000,
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "get /v1/models": {
    narrowed: "any",
    about: "nobody",
    permission: "read",
    path: () => "/v1/models",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "get /v1/models/{model}": {
    narrowed: "any",
    about: "nobody",
    permission: "read",
    path: () => "/v1/models/echo",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/extract": {
    narrowed: "body",
    about: "user",
    permission: "read",
    path: () => "/v1/extract",
    body: (ids) => ({
      ...{ userId: ids.user, sessionId: ids.session, useModel: false },
      messages: [
        { role: "user", userId: ids.user, content: "I prefer marmalade", speaker: "Ann", occurredAt: "2026-01-01T00:00:00Z" },
      ],
    }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/usage": {
    narrowed: "closed",
    about: "tenant",
    permission: "read",
    path: () => "/v1/usage?from=2026-01-01&to=2026-12-31",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/facts": {
    narrowed: "body",
    about: "user",
    permission: "write",
    path: () => "/v1/facts",
    body: (ids) => ({
      userId: ids.user,
      sessionId: ids.session,
      topic: "color",
      kind: "ranked",
      rank: 2,
      value: "green",
      createdAt: "2026-03-01T09:30:00Z",
      sourceMessageId: "m1",
    }),
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/facts": {
    narrowed: "named",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/facts?${user(ids)}&sessionId=${ids.session}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "get /v1/facts/{topic}/{rank}": {
    narrowed: "named",
    about: "user",
    permission: "read",
    path: (ids) => `/v1/facts/color/1?${user(ids)}&sessionId=${ids.session}`,
    otherTenant: "missing",
    otherUser: "missing",
  },
  "delete /v1/facts": {
    narrowed: "named",
    about: "user",
    permission: "write",
    path: (ids) => `/v1/facts?${user(ids)}&sessionId=${ids.session}&topic=color`,
    otherBodies: (ids) => [{ userId: ids.user }],
    otherTenant: "missing",
    otherUser: "missing",
  },
  "post /v1/answer": {
    narrowed: "body",
    about: "user",
    permission: "read",
    path: () => "/v1/answer",
    body: (ids) => ({ userId: ids.user, sessionId: ids.session, question: "List my favorite colors" }),
    otherTenant: "opened",
    otherUser: "refused",
  },
  "get /v1/topics": {
    narrowed: "any",
    about: "nobody",
    permission: "read",
    path: () => "/v1/topics?limit=100",
    otherTenant: "list",
    otherUser: "nothing",
  },
  "get /v1/topics/{key}": {
    narrowed: "any",
    about: "nobody",
    permission: "read",
    path: (ids) => `/v1/topics/${ids.topic}`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "put /v1/topics/{key}": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: (ids) => `/v1/topics/${ids.topic}`,
    body: () => ({ nouns: [{ noun: "tulip", language: "en" }] }),
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "delete /v1/topics/{key}": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: (ids) => `/v1/topics/${ids.topic}`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "get /v1/jobs": {
    narrowed: "closed",
    about: "tenant",
    permission: "read",
    path: () => "/v1/jobs?limit=100",
    otherTenant: "list",
    otherUser: "nothing",
  },
  "get /v1/jobs/{jobId}": {
    narrowed: "closed",
    about: "tenant",
    permission: "read",
    path: (ids) => `/v1/jobs/${ids.job}`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "post /v1/jobs/rerun": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/jobs/rerun",
    body: () => ({ kind: "of nobody" }),
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/jobs/{jobId}/rerun": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: (ids) => `/v1/jobs/${ids.job}/rerun`,
    otherTenant: "missing",
    otherUser: "nothing",
  },
  "get /v1/audit": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: (ids) => `/v1/audit?limit=100&${user(ids)}`,
    otherTenant: "list",
    otherUser: "nothing",
  },
  "get /v1/audit/verify": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/audit/verify",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "get /v1/audit/export": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/audit/export",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/audit/erase": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/audit/erase",
    body: (ids) => ({ userId: ids.user }),
    otherTenant: "list",
    otherUser: "nothing",
  },
  "post /v1/lifecycle": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/lifecycle",
    body: () => ({ tasks: ["repair"], dryRun: false, limit: 10 }),
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "get /v1/doctor": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/doctor",
    otherTenant: "nothing",
    otherUser: "nothing",
  },
  "post /v1/doctor": {
    narrowed: "closed",
    about: "tenant",
    permission: "admin",
    path: () => "/v1/doctor",
    body: () => ({ dryRun: true }),
    otherTenant: "nothing",
    otherUser: "nothing",
  },
};
