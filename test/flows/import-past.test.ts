import { beforeEach, describe, expect, it } from "vitest";
import type { ErasureView } from "#domain/erasures";
import type { ImportView } from "#domain/imports";
import { episode, makeProject, recordEntities } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { download, importLines } from "./export-rows.ts";
import { chatGptConversation, idOf, part, start } from "./import-requests.ts";
import { list } from "./memory-requests.ts";
import { nth, rows } from "./requests.ts";

let h: Harness;

beforeEach(async () => {
  h = await createHarness();
});

async function eraseSession(id: string): Promise<void> {
  const started = await h.fetch<ErasureView>("DELETE", `/v1/sessions/${id}`, { user: null });
  expect(started.status, started.text).toBe(202);
  await h.settle();
  expect((await h.fetch<ErasureView>("GET", `/v1/erasures/${started.json.id}`, { user: null })).json.status).toBe("finished");
}

const say = async (content: string, session = "monday") => {
  const { status, text } = await h.fetch("POST", `/v1/sessions/${session}/episodes`, {
    body: { userId: "ann", messages: [{ role: "user", content }] },
  });
  expect(status, text).toBe(201);
  await h.settle();
};

/** A memory that was learned in a session and then said anew by hand, so that only its earlier version is of the session. */
async function learnAndRevise(): Promise<string> {
  await say("Remember that my passport is in the samovar.");
  const { items } = (await list(h, "userId=ann")).json;
  const { id, content } = nth(items, 0);
  expect(content).toContain("samovar");
  const revised = await h.fetch("PATCH", `/v1/memories/${id}`, {
    user: null,
    body: { userId: "ann", content: "my umbrella is in the hall" },
  });
  expect(revised.status, revised.text).toBe(200);
  return id;
}

async function versionsOf(id: string): Promise<unknown[]> {
  const { json } = await h.fetch<{ versions: unknown[] }>("GET", `/v1/memories/${id}/history?userId=ann`);
  return json.versions;
}

describe("an export that was made before", () => {
  it("brings back no earlier version of a memory that was erased with its session", async () => {
    const id = await learnAndRevise();
    expect(await versionsOf(id)).toHaveLength(1);
    const { lines } = await download(h);
    await eraseSession("monday");
    expect(await versionsOf(id)).toEqual([]);
    await importLines(h, lines);
    expect(await versionsOf(id)).toEqual([]);
  });

  it("brings back no earlier version that was forgotten", async () => {
    const id = await learnAndRevise();
    const { lines } = await download(h);
    await say("Please forget what I told you about the passport.");
    expect(await versionsOf(id)).toEqual([]);
    await importLines(h, lines);
    expect(await versionsOf(id)).toEqual([]);
  });

  it("brings back no forgetting with words of a session that was erased, in which they could still be put back", async () => {
    await say("Remember that my passport is in the samovar.");
    await say("Please forget what I told you about the passport.", "tuesday");
    const { lines, text } = await download(h);
    expect(text).toMatch(/"kind":"forgettings".*samovar/u);
    await eraseSession("monday");
    const { problems } = await importLines(h, lines);
    expect(problems).toContainEqual({ title: "forgettings", reason: "It was erased here, and stays erased." });
    expect((await download(h)).text).not.toContain("samovar");
  });

  it("brings back no entity of a project that was erased with the sessions that named it", async () => {
    await makeProject(h, "garden", "ann");
    const { internal } = await episode(h, "tuesday", "ann", { projectId: "garden" });
    await recordEntities(h, internal, [{ type: "organization", name: "Quixomatic" }]);
    await h.settle();
    const { lines, text } = await download(h);
    expect(text).toContain('"kind":"entities"');
    await eraseSession("tuesday");
    const { problems } = await importLines(h, lines);
    expect(problems).toContainEqual({ title: "entities", reason: "It was erased here, and stays erased." });
    expect((await download(h)).text).not.toContain("Quixomatic");
  });
});

describe("a user's export that was made before", () => {
  it("brings back no words of a session that was erased and has been made again", async () => {
    await say("Good morning.");
    await say("My passport is in the samovar.");
    const { lines } = await download(h, "?userId=ann");
    await eraseSession("monday");
    await say("Good evening.");
    await importLines(h, lines, { user: "ann" });
    expect((await download(h)).text).not.toContain("samovar");
  });

  it("brings back no document of a source that was erased and has been made again", async () => {
    await makeProject(h, "p", "ann");
    const source = async () => await h.fetch("PUT", "/v1/sources/s", { body: { userId: "ann", projectId: "p" } });
    await source();
    await h.fetch("POST", "/v1/sources/s/files", {
      body: { userId: "ann", files: [{ path: "a.md", content: "In the samovar." }] },
    });
    await h.settle();
    const { lines } = await download(h, "?userId=ann");
    await h.fetch("DELETE", "/v1/sources/s", { user: null });
    await h.settle();
    await source();
    await importLines(h, lines, { user: "ann" });
    expect((await download(h)).text).not.toContain("samovar");
  });
});

describe("a backup from before a user was erased", () => {
  it("brings back neither ids nor mentions of their words in a group that stays", async () => {
    await makeProject(h, "zoo", "ben", ["ann"]);
    await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "ben", projectId: "zoo", participants: ["ann", "ben"] } });
    const messages = [
      { role: "user", content: "The Zebrafish is ill", userId: "ann", messageId: "ann-1" },
      { role: "user", content: "The Walrus is well", userId: "ben", messageId: "ben-1" },
    ];
    await h.fetch("POST", "/v1/sessions/crew/episodes", { body: { userId: "ben", messages } });
    await h.fetch("POST", "/v1/sessions/crew/episodes", {
      body: { userId: "ben", messages: [{ role: "user", content: "Zebrafish!" }] },
    });
    await h.settle();
    const [first, second] = await rows<{ id: number }>("select id from episodes where tenant_id = ? order by id", h.tenantId);
    await recordEntities(h, first?.id ?? 0, [
      { type: "animal", name: "Zebrafish" },
      { type: "animal", name: "Walrus" },
    ]);
    await recordEntities(h, second?.id ?? 0, [{ type: "animal", name: "Zebrafish" }]);
    await h.settle();
    const state = async () => [
      await rows(
        "select k.message_id from message_keys k join sessions s on s.id = k.session_id where s.tenant_id = ?",
        h.tenantId,
      ),
      await rows(
        "select en.name, em.episode_id from entity_mentions em join entities en on en.id = em.entity_id where en.tenant_id = ? order by 1, 2",
        h.tenantId,
      ),
    ];
    const { lines } = await download(h);
    await h.fetch("DELETE", "/v1/users/ann", { user: null });
    await h.settle();
    const before = await state();
    expect(before[0]).toEqual([{ message_id: "ben-1" }]);
    expect(before[1]).toHaveLength(2);
    await importLines(h, lines);
    expect(await state()).toEqual(before);
  });
});

it("an import does not put a private conversation into a group of the user's that has its id", async () => {
  await h.fetch("PUT", "/v1/sessions/chatgpt:shared", { body: { userId: "me", participants: ["me", "bob"] } });
  const id = await start(h, { sha: "a7" });
  const answer = await part(h, id, [chatGptConversation("shared", ["My diagnosis is a secret."])]);
  expect(answer.json.items).toMatchObject([{ outcome: "stored", messages: 1 }]);
  expect((await h.fetch("GET", "/v1/sessions/chatgpt:shared/episodes?userId=bob")).text).not.toContain("diagnosis");
});

it("the report of an import names a conversation that was read by its id, so that no title outlives its session", async () => {
  const conversation = chatGptConversation("titled", ["Hello", "Hi"], { title: "My diagnosis" });
  Object.assign((conversation.mapping as Record<string, { message: object }>)["titled-1"]?.message ?? {}, { create_time: null });
  const report = async (id: string) => (await h.fetch<ImportView>("GET", `/v1/imports/${id}`)).json.problems;
  const id = await start(h, { sha: "a8" });
  await part(h, id, [conversation]);
  const title = await idOf(h, "chatgpt:titled");
  expect(await report(id)).toMatchObject([{ title }]);
  await h.settle();
  await h.fetch("DELETE", `/v1/sessions/${title}`);
  await h.settle();
  const again = await start(h, { sha: "a9" });
  await part(h, again, [conversation]);
  expect(await report(again)).toEqual([{ title, reason: "It was erased here." }]);
});
