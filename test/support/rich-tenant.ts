/**
 * A tenant with a little of everything that is exported, made through the API, and a list of requests whose answers must be the same from
 * an export of it. It runs against any service: the caller says how a request is sent.
 */
export type Send = (method: string, path: string, body?: unknown) => Promise<{ status: number; json: Record<string, unknown> }>;

type Made = { ids: Record<string, string> };

const at = (day: number) => `2026-03-${String(day).padStart(2, "0")}T09:30:00Z`;

export async function makeRichTenant(send: Send): Promise<Made> {
  const ids: Record<string, string> = {};
  const ok = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  };
  const idOf = (json: Record<string, unknown>) => String(json.id);
  const say = async (session: string, userId: string, text: string, more: object = {}) =>
    idOf(
      await ok("POST", `/v1/sessions/${session}/episodes`, {
        userId,
        messages: [{ role: "user", content: text, messageId: `${session}-${text.slice(0, 8)}`, occurredAt: at(1) }],
        ...more,
      }),
    );
  const remember = async (body: object) => idOf(await ok("POST", "/v1/memories", body));

  await ok("PUT", "/v1/users/ann", { name: "Ann Müller" });
  await ok("PUT", "/v1/users/bob", { name: "Bob" });
  await ok("PATCH", "/v1/settings", { maxTokens: 700, instructions: "Never keep prices." });
  await ok("PUT", "/v1/topics/tea", { nouns: [{ noun: "tea", language: "en" }] });
  await ok("PUT", "/v1/projects/garden", { userId: "ann", name: "Garden" });
  await ok("PUT", "/v1/projects/garden/members/bob?userId=ann");
  await ok("PUT", "/v1/sessions/roses", { userId: "ann", title: "Roses", projectId: "garden" });
  await ok("PUT", "/v1/sessions/team", { userId: "ann", kind: "group", participants: ["ann", "bob"], title: "Team" });
  ids.episode = await say("chat", "ann", "I keep forty bees on the roof of my house");
  await say("chat", "ann", "My favorite colors are 1. red 2. green 3. blue");
  await say("chat", "ann", "The name of my cat is Whiskers.", {
    messages: [
      { role: "user", content: "The name of my cat is Whiskers.", occurredAt: at(2) },
      { role: "assistant", content: "Whiskers is a fine name for a cat.", occurredAt: at(2) },
    ],
  });
  await say("roses", "ann", "The roses need water twice a week");
  await say("team", "bob", "The meeting about the harvest is on Friday");
  await say("team", "ann", "I bring marmalade to the meeting");
  await say("bobs", "bob", "I repair old clocks in the cellar");

  const rose = idOf(await ok("POST", "/v1/people", { userId: "ann", name: "Rose", aliases: ["Rosie"], relationship: "friend" }));
  const rosa = idOf(await ok("POST", "/v1/people", { userId: "ann", name: "Rosa", notes: "likes tea" }));
  ids.about = await remember({ userId: "ann", content: "Rosa plays the cello", subjects: [rosa] });
  await ok("POST", `/v1/people/${rose}/merge`, { userId: "ann", from: rosa });
  ids.person = rose;
  ids.changed = await remember({ userId: "ann", content: "I live in Bern", key: "home" });
  await ok("PATCH", `/v1/memories/${ids.changed}?userId=ann`, {
    content: "I live in Bern, near the river",
    metadata: { street: "Aare" },
  });
  ids.first = await remember({ userId: "ann", content: "I drink coffee", key: "drink" });
  ids.second = await remember({ userId: "ann", content: "I drink green tea", supersedes: ids.first });
  ids.bobs = await remember({ userId: "bob", content: "I collect stamps of Norway" });
  ids.group = await remember({ userId: "ann", sessionId: "team", content: "The team meets in the blue room" });
  ids.shared = await remember({ shared: true, content: "The office closes at six" });
  ids.expiring = await remember({
    userId: "ann",
    content: "The parcel arrives soon",
    expiresAt: "2126-01-01T00:00:00Z",
    pinned: true,
  });
  ids.pending = await remember({ userId: "ann", content: "Perhaps I like opera", confidence: 0.3 });
  ids.scoped = await remember({
    userId: "ann",
    content: "Tulips bloom in April",
    scopeType: "project",
    scopeId: "garden",
    workspaceId: "w1",
  });
  ids.gone = await remember({ userId: "ann", content: "I own a trombone" });
  await ok("DELETE", `/v1/memories/${ids.gone}?userId=ann`);
  ids.entity = idOf(
    await ok("POST", "/v1/entities", { userId: "ann", projectId: "garden", type: "tool", name: "Lathe", notes: "turns wood" }),
  );
  await ok("POST", "/v1/facts", { userId: "ann", topic: "tea", kind: "single", value: "oolong", createdAt: at(3) });
  await ok("POST", "/v1/facts", {
    userId: "bob",
    sessionId: "bobs",
    topic: "color",
    kind: "ranked",
    rank: 1,
    value: "grey",
    createdAt: at(3),
  });
  return { ids };
}

/** What is asked of both services; `user` names the user where a key acts for any. */
export function questionsOf({ ids }: Made): { method: string; path: string; body?: unknown }[] {
  const search = (query: string, userId: string, more: object = {}) => ({
    method: "POST",
    path: "/v1/search",
    body: { query, userId, ...more },
  });
  const context = (query: string, userId: string, more: object = {}) => ({
    method: "POST",
    path: "/v1/context",
    body: { query, userId, ...more },
  });
  const answer = (question: string, userId: string, more: object = {}) => ({
    method: "POST",
    path: "/v1/answer",
    body: { question, userId, ...more },
  });
  const get = (path: string) => ({ method: "GET", path });
  const strategies = ["text", "semantic", "hybrid"].flatMap((strategy) => [
    search("bees on the roof", "ann", { strategy }),
    search("clocks", "bob", { strategy }),
    search("roses water", "bob", { strategy, projectId: "garden" }),
    search("harvest meeting", "ann", { strategy, includeGroups: true }),
    search("what do I drink?", "ann", { strategy, kinds: ["memory"] }),
    search("stamps", "bob", { strategy, kinds: ["memory"] }),
    search("tulips", "ann", { strategy, projectId: "garden", workspaceId: "w1" }),
    search("lathe", "ann", { strategy, projectId: "garden" }),
  ]);
  return [
    ...strategies,
    search("harvest", "bob", { sessionId: "team" }),
    search("trombone", "ann"),
    context("where do I live?", "ann"),
    context("what does Rose play?", "ann"),
    context("roses", "bob", { projectId: "garden" }),
    context("meeting", "ann", { sessionId: "team" }),
    answer("List my favorite colors", "ann", { sessionId: "chat" }),
    answer("What is my favorite tea?", "ann"),
    answer("What is my second favorite color?", "ann"),
    ...["ann", "bob"].flatMap((user) => [
      get(`/v1/users/${user}`),
      get(`/v1/users/${user}/profile`),
      get(`/v1/memories?userId=${user}&limit=100`),
      get(`/v1/memories?userId=${user}&status=pending`),
      get(`/v1/memories?userId=${user}&sessionId=team`),
      get(`/v1/sessions?userId=${user}`),
      get(`/v1/projects?userId=${user}`),
      get(`/v1/people?userId=${user}`),
      get(`/v1/people/me?userId=${user}`),
      get(`/v1/facts?userId=${user}`),
    ]),
    get("/v1/memories?userId=ann&asOf=2126-01-01T00:00:00Z"),
    get(`/v1/memories?userId=ann&person=${ids.person}`),
    get(`/v1/people/${ids.person}?userId=ann`),
    get(`/v1/people/${ids.person}/memories?userId=ann`),
    ...[ids.changed, ids.first, ids.second, ids.gone, ids.scoped].flatMap((id) => [
      get(`/v1/memories/${id}?userId=ann`),
      get(`/v1/memories/${id}/history?userId=ann`),
    ]),
    ...["chat", "roses", "team"].flatMap((session) => [
      get(`/v1/sessions/${session}?userId=ann`),
      get(`/v1/sessions/${session}/episodes?userId=ann`),
    ]),
    get(`/v1/sessions/chat/episodes/${ids.episode}?userId=ann`),
    get("/v1/facts?userId=ann&sessionId=chat"),
    get("/v1/entities?userId=ann&projectId=garden"),
    get(`/v1/entities/${ids.entity}?userId=ann&projectId=garden`),
    get(`/v1/entities/${ids.entity}/mentions?userId=ann&projectId=garden`),
    get("/v1/topics?limit=100"),
    get("/v1/settings"),
    get("/v1/memories/review"),
    get("/v1/forgettings?userId=ann"),
  ];
}
