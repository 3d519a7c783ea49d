import { env } from "cloudflare:workers";
import type { Client } from "@modelcontextprotocol/client";
import { beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { callTool, connect } from "#test/mcp-client";
import { add, list } from "./memory-requests.ts";
import { history, say } from "./requests.ts";

type Forgotten = {
  dryRun: boolean;
  matched: number;
  forgotten: number;
  memories?: { id: string; type: string; content: string }[];
  undoUntil?: string;
};

const DAY_MS = 86_400_000;

let h: Harness;
let client: Client;
beforeEach(async () => {
  h = await createHarness();
  client = await connect(h);
});

const forget = async (args: Record<string, unknown>) => await callTool<Forgotten>(client, "forget", args);
const kept = async (user = "alice") => (await list(h, `userId=${user}`)).json.items.map(({ content }) => content);

/** Stored so many days ago. */
async function addOld(content: string, type: string, days: number): Promise<string> {
  const { json } = await add(h, { userId: "alice", content, type, expiresAt: null });
  await env.DB.prepare("update memories set created_at = created_at - ? where public_id = ?")
    .bind(days * DAY_MS, json.id)
    .run();
  return json.id;
}

it("by types and age lists what it would forget, and forgets only when told so", async () => {
  await addOld("Buy stamps for the letters.", "task", 40);
  await addOld("Call the plumber on Monday.", "task", 2);
  await addOld("I like liquorice.", "preference", 40);
  const filter = { types: ["task"], olderThanDays: 30 };
  for (const args of [filter, { ...filter, dryRun: true }]) {
    const listed = await forget(args);
    expect(listed.json).toMatchObject({
      ...{ dryRun: true, matched: 1, forgotten: 0 },
      memories: [{ type: "task", content: "Buy stamps for the letters." }],
    });
    expect(listed.text).toMatch(/^Dry run, nothing was forgotten\./);
  }
  expect(await kept()).toHaveLength(3);
  expect((await forget({ ...filter, dryRun: false })).json).toMatchObject({ dryRun: false, matched: 1, forgotten: 1 });
  expect(await kept()).toEqual(["I like liquorice.", "Call the plumber on Monday."]);
  expect((await forget({ types: ["task", "event"], dryRun: false })).json).toMatchObject({ forgotten: 1 });
  expect((await forget({ olderThanDays: 0, dryRun: false })).json).toMatchObject({ forgotten: 1 });
  expect(await kept()).toEqual([]);
});

it("takes twenty at a time, and says how many match", async () => {
  const memories = Array.from({ length: 23 }, (_, i) => ({ content: `The locker ${i} is empty.`, type: "observation" }));
  await h.fetch("POST", "/v1/memories", { body: { userId: "alice", memories } });
  const first = await forget({ types: ["observation"], dryRun: false });
  expect(first.json).toMatchObject({ matched: 23, forgotten: 20 });
  expect((await forget({ types: ["observation"], dryRun: false })).json).toMatchObject({ matched: 3, forgotten: 3 });
});

it("takes only the user's own memories: none of others, of their groups or of the tenant", async () => {
  await h.fetch("PUT", "/v1/sessions/team", { body: { userId: "alice", kind: "group", participants: ["alice", "bob"] } });
  await add(h, { userId: "alice", content: "The team meets on Tuesdays.", sessionId: "team" });
  await add(h, { userId: "bob", content: "Bob likes marzipan." });
  await add(h, { content: "The office closes at six.", shared: true }, { user: null });
  await add(h, { userId: "alice", content: "I like liquorice." });
  const inTeam = await connect(h, { headers: { "x-edgewise-user": "alice", "x-edgewise-session": "team" } });
  for (const from of [inTeam, client]) await callTool(from, "forget", { olderThanDays: 0, dryRun: false });
  expect(await kept()).toEqual(["The office closes at six."]);
  expect(await kept("bob")).toContain("Bob likes marzipan.");
  expect((await list(h, "userId=alice&sessionId=team")).json.items.map(({ content }) => content)).toContain(
    "The team meets on Tuesdays.",
  );
});

it("takes the words that a memory was learned from, and can be undone", async () => {
  const said = await say(h, "chat-1", "I like liquorice.", { userId: "alice" });
  const learnedIn = { sessionId: "chat-1", episodeId: said.json.id };
  await add(h, { userId: "alice", content: "I like liquorice.", type: "preference", learnedIn });
  expect((await forget({ types: ["preference"], dryRun: false })).json).toMatchObject({ forgotten: 1 });
  const text = async () => (await history(h, "chat-1", "?userId=alice")).json.items[0]?.messages[0]?.content;
  expect(await text()).not.toContain("liquorice");
  const { json } = await h.fetch<{ items: { id: string }[] }>("GET", "/v1/forgettings?userId=alice");
  await h.fetch("POST", `/v1/forgettings/${json.items[0]?.id}/undo`, { body: { userId: "alice" } });
  expect(await text()).toContain("liquorice");
});

it("shows one memory before it forgets it", async () => {
  const { json } = await add(h, { userId: "alice", content: "I like liquorice." });
  const shown = await forget({ id: json.id, dryRun: true });
  expect(shown.json).toMatchObject({ dryRun: true, matched: 1, memories: [{ id: json.id, content: "I like liquorice." }] });
  expect(await kept()).toHaveLength(1);
  const shared = await add(h, { content: "The office closes at six.", shared: true }, { user: null });
  for (const dryRun of [true, false]) expect(await forget({ id: shared.json.id, dryRun })).toMatchObject({ isError: true });
});

it("wants an id or a filter, and not both", async () => {
  const { json } = await add(h, { userId: "alice", content: "I like liquorice." });
  expect(await forget({ dryRun: false })).toMatchObject({ isError: true, text: expect.stringContaining("`olderThanDays`") });
  expect(await forget({ id: json.id, types: ["task"] })).toMatchObject({
    isError: true,
    text: expect.stringContaining("id alone"),
  });
  expect(await forget({ olderThanDays: -1 })).toMatchObject({ isError: true });
  expect(await forget({ types: [] })).toMatchObject({ isError: true });
  expect(await kept()).toHaveLength(1);
});
