import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { AppendedView, EpisodeView } from "#domain/sessions";
import { createHarness, type Harness } from "#test/harness";
import { append, find, history, nth, type Problem, rows, say } from "./requests.ts";

const SECRET = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
/** Words of the secret as the text index would cut them. */
const WORDS = ["4eC39HqLyjWDarjtT1zdp7dc", "4ec39hqlyjwdarjtt1zdp7dc"];

const log = vi.spyOn(console, "log");
let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});
afterAll(() => log.mockRestore());

/** Every row of every table, and what the text indexes have kept of their words. */
async function everywhere(): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name not in ('message_fts', 'memory_fts') and name not like '%_fts_%'",
  ).all<{ name: string }>();
  const all = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)));
  return JSON.stringify([all.map(({ results }) => results), log.mock.calls]);
}

async function expectNowhere(): Promise<void> {
  const kept = await everywhere();
  for (const word of [SECRET, ...WORDS]) expect(kept).not.toContain(word);
  for (const word of WORDS)
    expect(await rows("select rowid from message_fts where message_fts match ?", `text : "${word}"`)).toEqual([]);
}

const body = (messageId?: string) => ({
  messages: [{ role: "user", content: `Pay with ${SECRET}, she said.`, speaker: `Ann ${SECRET}`, messageId }],
});

it("a secret in a message or a speaker is stored nowhere: its place is marked, and the answer has its kind", async () => {
  const { status, json, text } = await h.fetch<AppendedView>("POST", "/v1/sessions/shop/episodes", {
    body: body("m1"),
    headers: { "idempotency-key": "with a secret" },
  });
  expect([status, json.redacted]).toEqual([201, ["stripe_key"]]);
  expect(text).not.toContain(SECRET);
  await h.settle();
  const { json: episode } = await h.fetch<EpisodeView>("GET", `/v1/sessions/shop/episodes/${json.id}`);
  expect(episode.messages[0]).toMatchObject({
    content: "Pay with [redacted:stripe_key], she said.",
    speaker: "Ann [redacted:stripe_key]",
  });
  await expectNowhere();
});

it("an answer has the kinds of each episode separately", async () => {
  const { json } = await append<{ items: AppendedView[] }>(h, "many", {
    episodes: [
      { messages: [{ role: "user", content: "nothing secret" }] },
      { messages: [{ role: "user", content: `${SECRET} and the password is hunter2hunter2` }] },
    ],
  });
  expect(json.items.map(({ redacted }) => redacted.toSorted())).toEqual([[], ["password", "stripe_key"]]);
  expect((await say(h, "many", "nothing at all")).json.redacted).toEqual([]);
});

it("the same message with a secret, sent twice, is stored once; with another text it is refused", async () => {
  const first = await append(h, "twice", body("m1"));
  const second = await append(h, "twice", body("m1"));
  expect([first.status, second.status, second.json.created, second.json.redacted]).toEqual([201, 200, false, ["stripe_key"]]);
  const inOneCall = await append<{ items: AppendedView[] }>(h, "twice", { episodes: [body("m2"), body("m2")] });
  expect(inOneCall.json.items.map(({ created }) => created)).toEqual([true, false]);
  const other = await append<Problem>(h, "twice", {
    messages: [{ role: "user", content: `Pay with ${SECRET}.`, messageId: "m1" }],
  });
  expect(other.status).toBe(409);
  expect((await history(h, "twice")).json.items).toHaveLength(2);
  await expectNowhere();
});

it("the passages of a hit are cut out of what is stored", async () => {
  const filler = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} says nothing.`).join(" ");
  const said = `😀 ${SECRET} ${filler} The xylophone is in the attic, ${SECRET}. ${filler}`;
  const { json } = await say(h, "offsets", ["hello", said]);
  const { json: episode } = await h.fetch<EpisodeView>("GET", `/v1/sessions/offsets/episodes/${json.id}`);
  const { json: answer } = await find(h, "xylophone", { sessionId: "offsets" });
  const hit = nth(answer.hits, 0);
  expect(hit.content).toContain("The xylophone is in the attic, [redacted:stripe_key].");
  expect(nth(episode.messages, 1).content.slice(hit.passage.start, hit.passage.end)).toBe(hit.content);
  expect((await find(h, WORDS.join(" "), { sessionId: "offsets", strategy: "text" })).json.hits).toEqual([]);
});

it.each([
  ["PUT", "/v1/sessions/titled", { title: SECRET }, "title"],
  ["PUT", "/v1/projects/named", { name: SECRET }, "name"],
  ["PUT", "/v1/users/named", { name: SECRET }, "name"],
])("%s %s with one is refused: %o", async (method, path, given, field) => {
  const { status, json, text } = await h.fetch<Problem>(method, path, { body: given });
  expect([status, json.code, json.fields?.map((one) => one.path)]).toEqual([422, "unprocessable", [field]]);
  expect(text).not.toContain(SECRET);
  expect((await h.fetch(method, path, { body: {} })).status).toBeLessThan(300);
  expect((await h.fetch(method, path, { body: given })).status).toBe(422);
  await expectNowhere();
});

it.each([
  ["/v1/memories", { key: "password", content: "Xk9#mQ2v" }, "content"],
  ["/v1/memories", { key: "wifi_password", content: "sunshine" }, "content"],
  ["/v1/facts", { topic: "password", value: "Xk9#mQ2v" }, "value"],
  ["/v1/facts", { topic: "my card pin", value: "4821" }, "value"],
  ["/v1/entities", { projectId: "safe", type: "password", name: "Xk9#mQ2v" }, "name"],
  ["/v1/entities", { projectId: "safe", type: "password", name: "for the router", notes: "Xk9#mQ2v" }, "notes"],
])("POST %s with a label in one field and its secret in the next is refused: %o", async (path, given, field) => {
  await h.fetch("PUT", "/v1/projects/safe", { body: { userId: "pam" } });
  const { status, json, text } = await h.fetch<Problem>("POST", path, { body: { userId: "pam", ...given } });
  expect([status, json.code, json.fields?.map((one) => one.path)], text).toEqual([422, "unprocessable", [field]]);
  expect(text).not.toContain("Xk9#mQ2v");
  expect(await everywhere()).not.toContain("Xk9#mQ2v");
});

it("a memory under a key that names a password is changed to no password, and one about a password manager is stored", async () => {
  const make = async (key: string, content: string) =>
    await h.fetch<{ id: string }>("POST", "/v1/memories", { body: { userId: "pam", key, content } });
  const { json: noted } = await make("password", "was changed in spring");
  const change = async (body: Record<string, unknown>) =>
    (await h.fetch<Problem>("PATCH", `/v1/memories/${noted.id}?userId=pam`, { body })).status;
  expect(await change({ content: "Xk9#mQ2v" })).toBe(422);
  const { json: odd } = await make("odd", "Xk9#mQ2v");
  const patched = await h.fetch("PATCH", `/v1/memories/${odd.id}?userId=pam`, { body: { key: "password" } });
  expect(patched.status).toBeGreaterThanOrEqual(400);
  expect((await make("preference:password-manager", "uses 1Password")).status).toBeLessThan(300);
});
