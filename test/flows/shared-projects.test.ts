import { beforeEach, describe, expect, it } from "vitest";
import type { SearchView } from "#domain/retrieval";
import { createHarness, type Harness } from "#test/harness";
import { contextFor } from "./context-requests.ts";
import { add, contentsOf, get, group, list, personOf } from "./memory-requests.ts";
import { append, find } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
  await project("boat", "alice");
});

async function project(name: string, owner: string, more: object = {}): Promise<void> {
  const { status, text } = await h.fetch("PUT", `/v1/projects/${name}`, { body: { userId: owner, ...more } });
  expect(status, text).toBeLessThan(300);
}

async function member(name: string, user: string, joins = true): Promise<void> {
  const { status } = await h.fetch(joins ? "PUT" : "DELETE", `/v1/projects/${name}/members/${user}?userId=alice`);
  expect(status).toBe(200);
}

async function session(name: string, user: string, projectId: string | null): Promise<void> {
  const { status } = await h.fetch("PUT", `/v1/sessions/${name}`, { body: { userId: user, projectId } });
  expect(status).toBeLessThan(300);
}

async function tell(sessionId: string, userId: string, content: string, projectId?: string): Promise<void> {
  await append(h, sessionId, {
    userId,
    ...(projectId === undefined ? {} : { projectId }),
    messages: [{ role: "user", content }],
  });
  await h.settle();
}

const QUESTION = "What do you know about my anxiety, my medicine Sertraline and my salary?";

type Place = { sessionId?: string; projectId?: string };

/** All that a reader gets in a place, by every way that reads memories. */
async function everythingIn(userId: string, place: Place, query = QUESTION): Promise<string> {
  const named = new URLSearchParams({ userId, ...place }).toString();
  const answers = await Promise.all([
    contextFor(h, { userId, query, profile: true, ...place }),
    contextFor(h, { userId, query: "", strategy: "recent", ...place }),
    find(h, query, { userId, ...place }),
    find(h, query, { userId, ...place, strategy: "semantic" }),
    list(h, `${named}&stats=true&limit=100`),
    h.fetch("GET", `/v1/users/${userId}/profile?${new URLSearchParams(place)}`),
    h.fetch("GET", `/v1/people/${await personOf(h, userId)}/memories?${named}`),
  ]);
  return answers.map(({ text }) => text).join("\n");
}

const SECRETS = /anxiety|Sertraline|91,000/;

describe("a place that others read", () => {
  beforeEach(async () => {
    await tell("alone", "alice", "I have anxiety, I take Sertraline, my salary is 91,000.");
    await session("deck", "alice", "boat");
  });

  const ownWords = async () => contentsOf(await list(h, "userId=alice&limit=100")).join("\n");

  it("takes in nothing sensitive that was said alone, however it is asked for", async () => {
    expect(await ownWords()).toMatch(SECRETS);
    await member("boat", "bob");
    for (const place of [{ sessionId: "deck" }, { projectId: "boat" }, { sessionId: "new-one", projectId: "boat" }])
      expect(await everythingIn("alice", place)).not.toMatch(/(?<!my )anxiety, I|I have anxiety|I take Sertraline|91,000/);
    expect(await everythingIn("bob", { projectId: "boat" })).not.toMatch(/I have anxiety|I take Sertraline|91,000/);
    expect(await everythingIn("alice", {})).toMatch(SECRETS);
  });
});
