import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { contextFor } from "./context-requests.ts";
import { add, contentsOf, get, group, list, personOf } from "./memory-requests.ts";
import { append, find } from "./requests.ts";

let h: Harness;
const lines = vi.spyOn(console, "log");
beforeEach(async () => {
  h = await createHarness();
});
/** What the database lets through and the rule does not is a disagreement, which hides a mistake of the predicate. */
afterEach(() => {
  expect(lines.mock.calls.flat().filter((line) => String(line).includes("visibility.disagreement"))).toEqual([]);
  lines.mockClear();
});

type Place = { sessionId?: string; projectId?: string };

async function project(name: string, owner: string, more: object = {}): Promise<void> {
  const { status, text } = await h.fetch("PUT", `/v1/projects/${name}`, { body: { userId: owner, ...more } });
  expect(status, text).toBeLessThan(300);
}

async function join(name: string, user: string): Promise<void> {
  expect((await h.fetch("PUT", `/v1/projects/${name}/members/${user}?userId=alice`)).status).toBe(200);
}

async function leave(name: string, user: string): Promise<void> {
  expect((await h.fetch("DELETE", `/v1/projects/${name}/members/${user}?userId=alice`)).status).toBe(200);
}

async function move(sessionId: string, projectId: string | null): Promise<void> {
  expect((await h.fetch("PUT", `/v1/sessions/${sessionId}`, { body: { userId: "alice", projectId } })).status).toBeLessThan(300);
}

async function tell(sessionId: string, content: string, more: { userId?: string; projectId?: string } = {}): Promise<void> {
  await append(h, sessionId, { userId: "alice", ...more, messages: [{ role: "user", content }] });
  await h.settle();
}

const QUESTION = "What do you know about me, my health and my salary?";

/** All that a reader gets in a place, by every way that reads memories. */
async function everythingIn(userId: string, place: Place, query = QUESTION): Promise<string> {
  const named = new URLSearchParams({ userId, ...place }).toString();
  const isStored = place.sessionId === undefined || (await list(h, named)).status === 200;
  const answers = await Promise.all([
    contextFor(h, { userId, query, profile: true, ...place }),
    contextFor(h, { userId, query: "", strategy: "recent", ...place }),
    find(h, query, { userId, ...place }),
    find(h, query, { userId, ...place, strategy: "semantic" }),
    ...(isStored
      ? [
          list(h, `${named}&limit=100`),
          h.fetch("GET", `/v1/users/${userId}/profile?${new URLSearchParams(place)}`),
          h.fetch("GET", `/v1/people/${await personOf(h, userId)}/memories?${named}`),
        ]
      : []),
  ]);
  for (const { status, text } of answers) expect(status, text).toBe(200);
  return answers.map(({ text }) => text).join("\n");
}

const WORDS = "I have anxiety, I take Sertraline, my salary is 91,000.";
const SECRETS = /anxiety|Sertraline|91,000/;

describe("a place that others read", () => {
  beforeEach(async () => {
    await project("boat", "alice");
    await tell("alone", WORDS);
    await move("deck", "boat");
    expect(await everythingIn("alice", {})).toMatch(SECRETS);
  });

  const PLACES = [{ sessionId: "deck" }, { projectId: "boat" }, { sessionId: "not-stored-yet", projectId: "boat" }];

  it("takes in nothing sensitive that was said alone, however it is asked for", async () => {
    await join("boat", "bob");
    for (const place of PLACES) expect(await everythingIn("alice", place)).not.toMatch(SECRETS);
    for (const place of [{}, { projectId: "boat" }]) expect(await everythingIn("bob", place)).not.toMatch(SECRETS);
  });

  it("holds for its members too, whose words its owner reads", async () => {
    await project("yard", "bob");
    expect((await h.fetch("PUT", "/v1/projects/yard/members/alice?userId=bob")).status).toBe(200);
    await move("shed", "yard");
    for (const place of [{ sessionId: "shed" }, { projectId: "yard" }])
      expect(await everythingIn("alice", place)).not.toMatch(SECRETS);
  });

  it("begins with the first other member and ends with the last", async () => {
    expect(await everythingIn("alice", { sessionId: "deck" })).toMatch(SECRETS);
    await join("boat", "bob");
    expect(await everythingIn("alice", { sessionId: "deck" })).not.toMatch(SECRETS);
    await leave("boat", "bob");
    expect(await everythingIn("alice", { sessionId: "deck" })).toMatch(SECRETS);
  });

  it("is where a session is moved to, from the next read on", async () => {
    await join("boat", "bob");
    await move("berth", null);
    expect(await everythingIn("alice", { sessionId: "berth" })).toMatch(SECRETS);
    await move("berth", "boat");
    expect(await everythingIn("alice", { sessionId: "berth" })).not.toMatch(SECRETS);
  });

  it("is a group of one in it, too", async () => {
    await group(h, "cabin", ["alice"]);
    expect(await everythingIn("alice", { sessionId: "cabin" })).toMatch(SECRETS);
    await move("cabin", "boat");
    expect(await everythingIn("alice", { sessionId: "cabin" })).toMatch(SECRETS);
    await join("boat", "bob");
    expect(await everythingIn("alice", { sessionId: "cabin" })).not.toMatch(SECRETS);
  });

  it("keeps what was said in it, which its members can read", async () => {
    await join("boat", "bob");
    await tell("deck", "I get seasick and I take Stugeron for it.");
    const memories = { userId: "alice", kinds: ["memory"] };
    for (const place of PLACES) {
      const { json } = await find(h, "What do I take when I am seasick?", { ...memories, ...place });
      expect(json.hits.map(({ content }) => content).join()).toContain("Stugeron");
    }
    expect((await find(h, "seasick Stugeron", { ...memories, userId: "bob", projectId: "boat" })).json.hits).toEqual([]);
    expect((await find(h, "seasick Stugeron", memories)).json.hits).toEqual([]);
  });

  it("shows what is personal only where it may leave, and is of the user", async () => {
    await join("boat", "bob");
    const stored = async (more: object) => (await add(h, { userId: "alice", type: "identity", ...more })).json.id;
    const ids = {
      own: await stored({ content: "I sail single-handed", portable: true }),
      private: await stored({ content: "I sleep badly", portable: false }),
      sensitive: await stored({ content: "I am a diabetic", portable: true }),
    };
    const place = "userId=alice&sessionId=deck";
    expect((await get(h, ids.own, place)).status).toBe(200);
    expect((await get(h, ids.private, place)).status).toBe(404);
    expect((await get(h, ids.sensitive, place)).status).toBe(404);
  });
});

describe("a project is kept apart", () => {
  const LASTING = ["I live in Lisbon", "I prefer short answers", "My sister is called Dee", "Always answer in Portuguese"];
  const PASSING = ["The tomatoes need water", "I went to the dentist", "Ben likes tea", "The bins go out on Monday"];

  beforeEach(async () => {
    const types = ["identity", "preference", "relationship", "procedural"];
    for (const [i, content] of LASTING.entries()) await add(h, { userId: "alice", content, type: types[i] });
    const { json: ben } = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "alice", name: "Ben" } });
    await add(h, { userId: "alice", content: "The tomatoes need water" });
    await add(h, { userId: "alice", content: "I went to the dentist", type: "event" });
    await add(h, { userId: "alice", content: "Ben likes tea", type: "preference", subjects: [ben.id] });
    await move("chat", null);
    const learnedIn = { sessionId: "chat" };
    await add(h, { userId: "alice", content: "The bins go out on Monday", type: "task", learnedIn });
  });

  const shownIn = async (place: Place) =>
    contentsOf(await list(h, `${new URLSearchParams({ userId: "alice", limit: "100", ...place })}`));

  it("into it follows only what lastingly holds of its user", async () => {
    await project("boat", "alice");
    await move("deck", "boat");
    for (const place of [{ sessionId: "deck" }, { projectId: "boat" }])
      expect((await shownIn(place)).toSorted()).toEqual(LASTING.toSorted());
    expect((await shownIn({})).toSorted()).toEqual([...LASTING, ...PASSING].toSorted());
    const words = await everythingIn("alice", { sessionId: "deck" }, "tomatoes dentist tea bins Lisbon");
    for (const content of PASSING) expect(words).not.toContain(content);
    expect(words).toContain("I live in Lisbon");
  });

  it("says by which rule it came in", async () => {
    await project("boat", "alice");
    await tell("deck", "I moor at berth nine.", { projectId: "boat" });
    const { json } = await find(h, "Lisbon berth nine", {
      ...{ userId: "alice", sessionId: "deck", kinds: ["memory"], explain: true },
    });
    const reasons = new Map(json.hits.map(({ content, explain }) => [content, explain?.visibleBy]));
    expect(reasons.get("I live in Lisbon")).toBe("own_lasting");
    expect([...reasons].find(([content]) => content.includes("berth"))?.[1]).toBe("own");
  });

  it("nothing at all, if it does not take in its users' own memories", async () => {
    await project("vault", "alice", { ownMemories: false });
    expect(await shownIn({ projectId: "vault" })).toEqual([]);
    await tell("safe", "I keep the gold in the safe.", { projectId: "vault" });
    expect((await shownIn({ projectId: "vault" })).join()).toContain("gold");
    const labelled = { scopeType: "project", scopeId: "vault" };
    await add(h, { userId: "alice", content: "The code is in the drawer", ...labelled });
    expect(await shownIn({ projectId: "vault" })).toContain("The code is in the drawer");
    await project("vault", "alice", { ownMemories: true });
    expect(await shownIn({ projectId: "vault" })).toEqual(expect.arrayContaining(LASTING));
  });

  it("nothing of another project, and what was learned in one is not told outside", async () => {
    for (const name of ["boat", "house"]) await project(name, "alice");
    await move("deck", "boat");
    const learned = { userId: "alice", content: "I live on a boat now", type: "identity", learnedIn: { sessionId: "deck" } };
    await add(h, learned);
    const found = async (place: Place) =>
      (await find(h, "I live on a boat now", { userId: "alice", kinds: ["memory"], ...place })).json.hits.map(
        ({ content }) => content,
      );
    expect(await found({ projectId: "boat" })).toContain(learned.content);
    for (const place of [{}, { projectId: "house" }]) expect(await found(place)).not.toContain(learned.content);
    expect(await shownIn({ projectId: "house" })).not.toContain(learned.content);
    await move("deck", "house");
    expect(await found({ projectId: "house" })).toContain(learned.content);
    expect(await found({ projectId: "boat" })).not.toContain(learned.content);
  });
});

it("whether a project takes in own memories is its owner's to say, and is answered", async () => {
  const save = async (userId: string, body: object) =>
    await h.fetch<{ ownMemories: boolean }>("PUT", "/v1/projects/boat", { body: { userId, ...body } });
  expect((await save("alice", {})).json.ownMemories).toBe(true);
  await join("boat", "bob");
  expect((await save("bob", { ownMemories: false })).status).toBe(403);
  expect((await save("alice", { ownMemories: false })).json.ownMemories).toBe(false);
  expect((await save("alice", { name: "The boat" })).json.ownMemories).toBe(false);
  const read = await h.fetch<{ ownMemories: boolean }>("GET", "/v1/projects/boat?userId=bob");
  expect(read.json.ownMemories).toBe(false);
  const listed = await h.fetch<{ items: { ownMemories: boolean }[] }>("GET", "/v1/projects?userId=alice");
  expect(listed.json.items).toEqual([expect.objectContaining({ ownMemories: false })]);
});
