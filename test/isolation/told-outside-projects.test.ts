import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { makeProject } from "./reach.ts";

const ROSES = "Dan will water the garden roses";
const TULIPS = "Dan will plant the tulips";

/** The garden of Cara, of which Dan is a member: its group, a group in it with Zed, who does not belong to it, and a group outside with Zed. */
let harness: Harness;
let dan: string;
beforeAll(async () => {
  harness = await createHarness();
  await makeProject(harness, "garden", "cara", ["dan"]);
  await putGroup("pg", { projectId: "garden", participants: ["cara", "dan"] });
  await putGroup("og3", { projectId: "garden", participants: ["cara", "dan", "zed"] });
  await putGroup("og", { participants: ["cara", "dan", "zed"] });
  dan = (await harness.fetch<{ id: string }>("GET", "/v1/people/me?userId=dan")).json.id;
  await store(ROSES, "pg");
  await store(TULIPS, "og3");
});

async function putGroup(session: string, body: Record<string, unknown>): Promise<void> {
  const { status } = await harness.fetch("PUT", `/v1/sessions/${session}`, { body: { userId: "cara", ...body } });
  expect(status).toBe(201);
}

async function store(content: string, sessionId: string): Promise<void> {
  const body = { userId: "cara", content, learnedIn: { sessionId }, subjects: [dan], sensitivity: "public", portable: true };
  expect((await harness.fetch("POST", "/v1/memories", { body })).status).toBe(201);
}

type Found = { hits: { content: string }[] };

async function found(body: Record<string, unknown>): Promise<string[]> {
  const { status, json } = await harness.fetch<Found>("POST", "/v1/search", { body: { kinds: ["memory"], ...body } });
  expect(status).toBe(200);
  return json.hits.map(({ content }) => content);
}

async function listed(query: string): Promise<string[]> {
  const { status, json } = await harness.fetch<{ items: { content: string }[] }>("GET", `/v1/memories?${query}`);
  expect(status).toBe(200);
  return json.items.map(({ content }) => content);
}

async function context(userId: string, sessionId: string): Promise<string> {
  const body = { userId, sessionId, query: "What will Dan do in the garden?" };
  const { status, json } = await harness.fetch("POST", "/v1/context", { body });
  expect(status).toBe(200);
  return JSON.stringify(json);
}

describe("what was learned in a project, outside it", () => {
  it("is told in its own group", async () => {
    expect(await found({ userId: "dan", sessionId: "pg", query: "roses", about: [dan] })).toContain(ROSES);
  });

  it.each([{}, { scopeType: "global" }])("is not found in a group outside, with the scope %j", async (scope) => {
    for (const userId of ["dan", "cara", "zed"])
      expect(await found({ userId, sessionId: "og", query: "roses", about: [dan], ...scope })).toEqual([]);
  });

  it("is not listed in a group outside", async () => {
    for (const userId of ["dan", "cara", "zed"])
      expect(await listed(`userId=${userId}&sessionId=og&person=${dan}&others=true`)).toEqual([]);
    expect(await listed("userId=cara&sessionId=og")).toEqual([]);
  });

  it("is listed in private to its owner alone", async () => {
    expect(await listed("userId=cara")).toEqual(expect.arrayContaining([ROSES, TULIPS]));
    expect(await listed(`userId=dan&person=${dan}&others=true`)).toEqual([]);
    expect(await found({ userId: "dan", query: "roses", about: [dan], scopeType: "global" })).toEqual([]);
  });
});

describe("in a group in a project with somebody who does not belong to it", () => {
  it("only what was learned in that group is told, whoever asks", async () => {
    for (const userId of ["dan", "cara", "zed"]) {
      const told = await context(userId, "og3");
      expect(told).not.toContain(ROSES);
      expect(await found({ userId, sessionId: "og3", query: "roses tulips", about: [dan] })).toEqual([TULIPS]);
      expect(await listed(`userId=${userId}&sessionId=og3&person=${dan}`)).not.toContain(ROSES);
    }
    expect(await context("dan", "og3")).toContain(TULIPS);
  });
});
