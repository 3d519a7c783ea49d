import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { callTool, connect } from "#test/mcp-client";

/** In everything that bob stores; nobody else may be shown it. */
const SECRET = "xylophone";

type Ids = { memory: string; episode: string; person: string };

/** A user's memory, episode, list and person, all with the word; the fact of a name makes a profile. */
async function thingsOf(h: Harness, user: string, word: string): Promise<Ids> {
  const body = { userId: user, content: `I play the ${word} on Fridays.`, type: "preference" };
  const memory = await h.fetch<{ id: string }>("POST", "/v1/memories", { body });
  const messages = [{ role: "user", content: `My packing list: ${word}, ${word} mallets` }];
  const said = await h.fetch<{ id: string }>("POST", `/v1/sessions/${user}-chat/episodes`, { body: { userId: user, messages } });
  const named = {
    userId: user,
    name: `Bruno of ${user}`,
    aliases: ["Bruno"],
    relationship: `${word} teacher`,
    notes: `${word} notes`,
  };
  const person = await h.fetch<{ id: string }>("POST", "/v1/people", { body: named });
  return { memory: memory.json.id, episode: said.json.id, person: person.json.id };
}

/** What a client can be shown about the word: the answer of each read of the server, by its name. */
async function everythingShown(client: Client): Promise<[read: string, answer: string][]> {
  const calls: [string, Record<string, unknown>][] = [
    ["search", { query: `Who plays the ${SECRET}?`, limit: 100 }],
    ["search", { query: "", limit: 100 }],
    ["context", { query: `Tell me about the ${SECRET}.`, maxTokens: 8000 }],
    ["answer", { question: "What is on my packing list?" }],
    ["people", { limit: 100 }],
    ["people", { name: "Bruno" }],
    ["forget", { olderThanDays: 0 }],
  ];
  const shown: [string, unknown][] = [];
  for (const [name, args] of calls) shown.push([name, (await client.callTool({ name, arguments: args })).content]);
  shown.push(["profile", await client.readResource({ uri: "edgewise://profile" }).catch((error: Error) => error.message)]);
  shown.push(["recall", await client.getPrompt({ name: "recall", arguments: { question: `Who plays the ${SECRET}?` } })]);
  // The question itself is in the prompt.
  return shown.map(([read, answer]) => [read, JSON.stringify(answer).replaceAll(`Who plays the ${SECRET}?`, "")]);
}

let ours: Harness;
let theirs: Harness;
let bobs: Ids;
beforeAll(async () => {
  [ours, theirs] = [await createHarness(), await createHarness()];
  bobs = await thingsOf(ours, "bob", SECRET);
  await thingsOf(ours, "alice", "trumpet");
  await thingsOf(theirs, "bob", "trumpet");
});

const as = (user: string, session?: string) => ({
  "x-edgewise-user": user,
  ...(session === undefined ? {} : { "x-edgewise-session": session }),
});

async function personalKey(h: Harness, userId: string): Promise<string> {
  const body = { name: "desk", permissions: ["read", "write"], userId };
  return (await h.fetch<{ key: string }>("POST", "/v1/keys", { body })).json.key;
}

/** Who is not bob of our tenant. */
const strangers = (): Record<string, () => Promise<Client>> => ({
  "another user": async () => await connect(ours, { headers: as("alice") }),
  "another user with a personal key": async () => await connect(ours, { key: await personalKey(ours, "alice"), headers: {} }),
  "a new user": async () => await connect(ours, { headers: as("zoe") }),
  "the user of the same name in another tenant": async () => await connect(theirs, { headers: as("bob") }),
});

it("shows bob what is his by every tool, the profile and recall", async () => {
  const client = await connect(ours, { headers: as("bob") });
  for (const [read, answer] of await everythingShown(client)) expect(answer, read).toContain(SECRET);
  for (const id of [bobs.memory, bobs.episode]) expect((await callTool(client, "fetch", { id })).text).toContain(SECRET);
});

describe.each(Object.keys(strangers()))("%s", (name) => {
  it("is shown nothing of bob's", async () => {
    const client = await strangers()[name]?.();
    if (client === undefined) throw new Error("Nobody.");
    for (const [read, answer] of await everythingShown(client)) expect(answer, read).not.toContain(SECRET);
  });

  it("gets the same answer for bob's things as for what does not exist", async () => {
    const client = await strangers()[name]?.();
    if (client === undefined) throw new Error("Nobody.");
    const missing = (id: string) => `${id.slice(0, -12)}000000000000`;
    const calls: [string, (id: string) => Record<string, unknown>, string[]][] = [
      ["fetch", (id) => ({ id }), [bobs.memory, bobs.episode]],
      ["update", (id) => ({ id, content: "I play nothing." }), [bobs.memory]],
      ["forget", (id) => ({ id }), [bobs.memory]],
      ["forget", (id) => ({ id, dryRun: true }), [bobs.memory]],
    ];
    for (const [tool, args, ids] of calls) {
      for (const id of ids) {
        const refused = await callTool(client, tool, args(id));
        expect(refused, `${tool} ${id}`).toMatchObject({ isError: true, text: expect.stringContaining("There is no such") });
        expect(await callTool(client, tool, args(missing(id)))).toEqual(refused);
      }
    }
    await callTool(client, "forget", { olderThanDays: 0, dryRun: false });
    const bob = await connect(ours, { headers: as("bob") });
    expect((await callTool(bob, "fetch", { id: bobs.memory })).text).toContain(`I play the ${SECRET} on Fridays.`);
  });
});

describe("a group", () => {
  let memory = "";
  let privately = "";
  beforeAll(async () => {
    await ours.fetch("PUT", "/v1/sessions/team", { body: { userId: "alice", kind: "group", participants: ["alice", "carol"] } });
    const inTeam = await connect(ours, { headers: as("alice", "team") });
    const stored = await callTool<{ id: string }>(inTeam, "remember", {
      content: "The marimba arrives on Monday.",
      forGroup: true,
    });
    memory = stored.json.id;
    await ours.fetch("PUT", "/v1/projects/tower", { body: { userId: "alice" } });
    const body = { userId: "alice", messages: [{ role: "user", content: "The celesta stays between us." }] };
    privately = (await ours.fetch<{ id: string }>("POST", "/v1/sessions/alice-diary/episodes", { body })).json.id;
  });

  const found = async (client: Client, query: string) => (await callTool(client, "search", { query, limit: 100 })).text;

  it("sees its own memory in its session, and nobody sees it from anywhere else", async () => {
    for (const user of ["alice", "carol"]) {
      const client = await connect(ours, { headers: as(user, "team") });
      expect(await found(client, "marimba")).toContain(memory);
      expect((await callTool(client, "fetch", { id: memory })).text).toContain("marimba");
    }
    for (const headers of [as("alice"), as("alice", "alice-diary"), as("bob"), as("bob", "bob-chat")]) {
      const client = await connect(ours, { headers });
      expect(await found(client, "marimba")).not.toContain("marimba");
      expect(await callTool(client, "fetch", { id: memory })).toMatchObject({ isError: true });
    }
  });

  it("is read by who takes part in it from their private place too, and by nobody else", async () => {
    const body = { userId: "carol", messages: [{ role: "user", content: "The dulcimer is out of tune." }] };
    const { id } = (await ours.fetch<{ id: string }>("POST", "/v1/sessions/team/episodes", { body })).json;
    const alone = await connect(ours, { headers: as("alice") });
    expect(await found(alone, "dulcimer")).toContain(id);
    expect((await callTool(alone, "fetch", { id })).text).toContain("dulcimer");
    for (const headers of [as("bob"), { ...as("alice"), "x-edgewise-project": "tower" }]) {
      const client = await connect(ours, { headers });
      expect(await found(client, "dulcimer")).not.toContain("out of tune");
      expect(await callTool(client, "fetch", { id })).toMatchObject({ isError: true });
    }
  });

  it("is closed to who takes no part in it", async () => {
    const client = await connect(ours, { headers: as("bob", "team") });
    const closed = { isError: true, text: "There is no such session, or you may not see it." };
    expect(await callTool(client, "search", { query: "marimba" })).toMatchObject(closed);
    expect(await callTool(client, "context", { query: "marimba" })).toMatchObject(closed);
    expect(await callTool(client, "remember", { content: "I was here.", forGroup: true })).toMatchObject({ isError: true });
    expect(await callTool(client, "fetch", { id: memory })).toMatchObject({ isError: true });
  });

  it("is not shown what one of them said in private, though they may read it themselves elsewhere", async () => {
    const inTeam = await connect(ours, { headers: as("alice", "team") });
    expect(await found(inTeam, "celesta")).not.toContain("celesta");
    expect(await callTool(inTeam, "fetch", { id: privately })).toMatchObject({ isError: true });
    expect(await callTool(inTeam, "context", { query: "Who knows of the celesta?" })).not.toMatchObject({
      text: expect.stringContaining("stays between us"),
    });
    const alone = await connect(ours, { headers: as("alice") });
    expect((await callTool(alone, "fetch", { id: privately })).text).toContain("celesta");
  });
});

it("keeps what is said in a project in the project", async () => {
  const body = { userId: "alice", projectId: "tower", messages: [{ role: "user", content: "The carillon needs new ropes." }] };
  const { json } = await ours.fetch<{ id: string }>("POST", "/v1/sessions/bells/episodes", { body });
  const inside = await connect(ours, { headers: { ...as("alice"), "x-edgewise-project": "tower" } });
  expect((await callTool(inside, "search", { query: "carillon" })).text).toContain(json.id);
  expect((await callTool(inside, "fetch", { id: json.id })).text).toContain("carillon");
  const outside = await connect(ours, { headers: as("alice") });
  expect((await callTool(outside, "search", { query: "carillon" })).text).not.toContain("carillon");
  expect(await callTool(outside, "fetch", { id: json.id })).toMatchObject({ isError: true });
});

it("keeps a workspace's memories to queries of the workspace", async () => {
  const headers = { ...as("alice"), "x-edgewise-workspace": "choir" };
  const inside = await connect(ours, { headers });
  const { json } = await callTool<{ id: string }>(inside, "remember", { content: "The glockenspiel is in the vestry." });
  expect((await callTool(inside, "search", { query: "glockenspiel" })).text).toContain(json.id);
  const outside = await connect(ours, { headers: as("alice") });
  expect((await callTool(outside, "search", { query: "glockenspiel" })).text).not.toContain(json.id);
  expect(await callTool(outside, "fetch", { id: json.id })).toMatchObject({ isError: true });
});

it("takes a session that is not stored as a new private one, in every tool alike", async () => {
  const client = await connect(ours, { headers: as("alice", "not-stored-yet") });
  const { json } = await callTool<{ id: string }>(client, "remember", { content: "I play the ocarina.", type: "preference" });
  expect((await callTool(client, "search", { query: "ocarina" })).text).toContain(json.id);
  expect((await callTool(client, "context", { query: "ocarina" })).text).toContain("ocarina");
  expect((await callTool(client, "fetch", { id: json.id })).text).toContain("ocarina");
  const episodes = await callTool<{ results: { id: string }[] }>(client, "search", { query: "trumpet mallets" });
  for (const { id } of episodes.json.results) expect((await callTool(client, "fetch", { id })).isError, id).toBe(false);
  expect(await callTool(client, "update", { id: json.id, content: "I play the alto ocarina." })).toMatchObject({
    isError: false,
  });
  expect((await callTool(client, "forget", { types: ["preference"] })).text).toContain("ocarina");
  expect(await callTool(client, "forget", { id: json.id })).toMatchObject({ isError: false });
  const taken = await connect(ours, { headers: as("alice", "bob-chat") });
  expect(await callTool(taken, "search", { query: "ocarina" })).toMatchObject({ isError: true });
  expect(await callTool(taken, "fetch", { id: json.id })).toMatchObject({ isError: true });
});
