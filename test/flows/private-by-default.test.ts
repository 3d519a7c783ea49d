import { beforeEach, describe, expect, it } from "vitest";
import type { HitView } from "#domain/retrieval";
import { createHarness, type Harness } from "#test/harness";
import { add, change, contentsOf, get, group, list, personOf } from "./memory-requests.ts";
import { append, find } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

/** Everything that a reader can learn of a person, by every way that reads memories. */
async function everythingShown(userId: string, about: { person: string; memory: string; question: string }, sessionId?: string) {
  const place: Record<string, string> = sessionId === undefined ? {} : { sessionId };
  const query = new URLSearchParams({ userId, ...place }).toString();
  const answers = await Promise.all([
    h.fetch("POST", "/v1/context", { body: { userId, query: about.question, ...place } }),
    find(h, about.question, { userId, ...place }),
    find(h, about.question, { userId, ...place, about: [about.person] }),
    list(h, query),
    list(h, `${query}&person=${about.person}`),
    h.fetch("GET", `/v1/people/${about.person}/memories?${query}`),
    get(h, about.memory, query),
    h.fetch("GET", `/v1/memories/${about.memory}/history?${query}`),
  ]);
  return answers.map(({ text }) => text).join("\n");
}

describe("private by default", () => {
  it("what is stored for a user with no session named is shown to nobody else, wherever they ask", async () => {
    const alice = await personOf(h, "alice");
    const stored = await add(h, { userId: "alice", content: "I prefer dark mode" });
    expect(stored.json).toMatchObject({ sensitivity: "personal", portable: false, subjects: [alice] });
    await group(h, "team", ["alice", "bob"]);
    const about = { person: alice, memory: stored.json.id, question: "Tell me about alice. Does she prefer dark mode?" };
    for (const place of [undefined, "team"]) expect(await everythingShown("bob", about, place)).not.toContain("I prefer dark");
    expect(await everythingShown("alice", about)).toContain("I prefer dark");
    // Everybody in the group reads the answer, whoever asks.
    expect(await everythingShown("alice", about, "team")).not.toContain("I prefer dark");
  });

  it("what is said to the assistant in private is shown to no other in a group with its speaker", async () => {
    const olga = await personOf(h, "olga");
    const paul = await personOf(h, "paul");
    await append(h, "olgas", {
      userId: "olga",
      messages: [{ role: "user", content: "I hate my colleague Paul. I live in Oslo." }],
    });
    await h.settle();
    const own = await list(h, "userId=olga");
    expect(own.json.items.length).toBeGreaterThan(0);
    for (const memory of own.json.items) expect(memory).toMatchObject({ portable: false });
    await group(h, "office", ["olga", "paul"]);
    for (const { id } of own.json.items)
      for (const asker of ["paul", "olga"])
        for (const person of [olga, paul]) {
          const about = { person, memory: id, question: "What is known about Paul and Olga? Who lives in Oslo?" };
          expect(await everythingShown(asker, about, "office")).not.toMatch(/I hate|I live in Oslo/);
        }
  });

  it.each([
    ["I have anxiety", "sensitive"],
    ["My salary is $150k", "sensitive"],
    ["Ich bin schwanger", "sensitive"],
    ["I like blue", "personal"],
  ])("the words of sensitivity are looked for in what is stored: %s", async (content, sensitivity) => {
    expect((await add(h, { userId: "alice", content })).json.sensitivity).toBe(sensitivity);
    expect((await add(h, { userId: "alice", content: `${content} too`, sensitivity: "public" })).json.sensitivity).toBe("public");
  });

  it("what is learned in a group is public and portable unless it is sensitive or about the moment", async () => {
    await group(h, "team", ["alice", "bob"]);
    const learned = async (content: string, extra: object = {}) =>
      (await add(h, { userId: "alice", content, learnedIn: { sessionId: "team" }, ...extra })).json;
    expect(await learned("Bob loves pizza")).toMatchObject({ sensitivity: "public", portable: true });
    expect(await learned("Bob has anxiety")).toMatchObject({ sensitivity: "sensitive", portable: true });
    expect(await learned("Bob is presenting next")).toMatchObject({ sensitivity: "public", portable: false });
    expect(await learned("Bob is at his desk", { type: "observation" })).toMatchObject({ portable: false });
    const ofGroup = (await add(h, { userId: "alice", sessionId: "team", content: "Bob is presenting next" })).json;
    expect(ofGroup).toMatchObject({ ownership: "group", sensitivity: "public", portable: false });
    expect((await add(h, { userId: "alice", sessionId: "team", content: "Bob is on insulin" })).json.sensitivity).toBe(
      "sensitive",
    );
  });

  it("what is learned in a private session is personal and not portable, unless the caller says otherwise", async () => {
    await h.fetch("PUT", "/v1/sessions/mine", { body: { userId: "alice" } });
    const learnedIn = { sessionId: "mine" };
    const byDefault = await add(h, { userId: "alice", content: "I collect stamps", learnedIn });
    expect(byDefault.json).toMatchObject({ sensitivity: "personal", portable: false });
    const marked = await add(h, {
      userId: "alice",
      content: "I collect coins",
      learnedIn,
      sensitivity: "public",
      portable: true,
    });
    expect(marked.json).toMatchObject({ sensitivity: "public", portable: true });
  });

  it("what is said in a group of one is learned in private", async () => {
    await group(h, "alone", ["dora"]);
    const content = "Paul is a bad cook";
    const stored = await add(h, { userId: "dora", content, learnedIn: { sessionId: "alone" } });
    expect(stored.json).toMatchObject({ sensitivity: "personal", portable: false });
    await h.fetch("PUT", "/v1/sessions/alone", { body: { userId: "dora", participants: ["dora", "paul"] } });
    const later = await add(h, { userId: "dora", content: "Paul sings well", learnedIn: { sessionId: "alone" } });
    expect(later.json).toMatchObject({ sensitivity: "public", portable: true });
  });

  it("new words under an old key are as close as where they were learned, and never more open than the old", async () => {
    await group(h, "team", ["alice", "bob"]);
    const put = async (content: string, extra: object = {}) =>
      (await add(h, { userId: "alice", key: "home", content, ...extra })).json;
    expect(await put("I live in Rome", { learnedIn: { sessionId: "team" } })).toMatchObject({
      sensitivity: "public",
      portable: true,
    });
    expect(await put("I live in Oslo")).toMatchObject({ sensitivity: "personal", portable: false });
    expect(await put("I live in Bern", { learnedIn: { sessionId: "team" } })).toMatchObject({ sensitivity: "personal" });
  });

  it("new words under an old key, with no session named, are not shown where the old ones were learned", async () => {
    await group(h, "team", ["alice", "bob"]);
    const alice = await personOf(h, "alice");
    const put = async (content: string, extra: object = {}) =>
      (await add(h, { userId: "alice", key: "home", content, ...extra })).json;
    const about = { person: alice, memory: "", question: "Where does alice live?" };
    const { id } = await put("I live in Rome", { learnedIn: { sessionId: "team" } });
    expect(await everythingShown("bob", { ...about, memory: id }, "team")).toContain("I live in Rome");
    expect(await put("I live in Oslo")).toMatchObject({ id, learnedIn: null });
    for (const place of ["team", undefined])
      expect(await everythingShown("bob", { ...about, memory: id }, place)).not.toMatch(/I live in (Oslo|Rome)/);
  });

  it("new words of a PATCH are not shown where, or to whom, the old ones were", async () => {
    await group(h, "team", ["alice", "bob"]);
    const [alice, carl] = [
      await personOf(h, "alice"),
      (await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "alice", name: "Carl" } })).json.id,
    ];
    const learnedIn = { sessionId: "team" };
    const mine = (await add(h, { userId: "alice", content: "I like plums", learnedIn })).json.id;
    const elsewhere = await change(h, mine, { content: "I hate plums" }, "userId=alice");
    expect(elsewhere.json).toMatchObject({ sensitivity: "personal", portable: false, learnedIn: null });
    const about = { person: alice, memory: mine, question: "Does alice like plums?" };
    for (const place of ["team", undefined]) expect(await everythingShown("bob", about, place)).not.toContain("I hate plums");
    const there = (await add(h, { userId: "alice", content: "I like figs", learnedIn })).json.id;
    const inTeam = await change(h, there, { content: "I like dates" }, "userId=alice&sessionId=team");
    expect(inTeam.json).toMatchObject({ sensitivity: "public", portable: true, learnedIn: { sessionId: "team" } });
    // Who has left a group does not see what its memory says since.
    const ofTeam = (await add(h, { userId: "alice", sessionId: "team", content: "Carl likes jam", subjects: [carl] })).json.id;
    const ofCarl = { person: carl, memory: ofTeam, question: "What of Carl and his jam?" };
    await h.fetch("PUT", "/v1/sessions/team", { body: { userId: "alice", participants: ["alice", "dora"] } });
    expect(await everythingShown("bob", ofCarl)).toContain("Carl likes jam");
    await change(h, ofTeam, { content: "Carl stole my jam" }, "userId=alice&sessionId=team");
    expect(await everythingShown("bob", ofCarl)).not.toContain("stole my jam");
    expect(await everythingShown("dora", ofCarl, "team")).toContain("stole my jam");
  });

  it("sensitive words of a key or of metadata count", async () => {
    const learned = async (content: string, extra: object) => (await add(h, { userId: "alice", content, ...extra })).json;
    expect(await learned("It was so", { key: "diagnosis:hiv" })).toMatchObject({ sensitivity: "sensitive" });
    const plain = await learned("It is so", { metadata: { colour: "blue" } });
    expect(plain).toMatchObject({ sensitivity: "personal" });
    const noted = await change(h, plain.id, { metadata: { diagnosis: "HIV positive" } }, "userId=alice");
    expect(noted.json).toMatchObject({ sensitivity: "sensitive" });
    expect(await add(h, { shared: true, content: "The office", metadata: { topic: "salary" } })).toMatchObject({ status: 201 });
  });

  it("a change of words looks for sensitivity again", async () => {
    await group(h, "team", ["alice", "bob"]);
    const { id } = (await add(h, { userId: "alice", content: "Bob likes tea", learnedIn: { sessionId: "team" } })).json;
    const place = "userId=alice&sessionId=team";
    expect((await change(h, id, { content: "Bob likes coffee" }, place)).json.sensitivity).toBe("public");
    expect((await change(h, id, { content: "Bob takes antidepressants" }, place)).json.sensitivity).toBe("sensitive");
  });

  it("drafts of one call that say the same are as close as the closest of them", async () => {
    await group(h, "team", ["alice", "bob"]);
    const answer = await h.fetch<{ items: { sensitivity: string; portable: boolean }[] }>("POST", "/v1/memories", {
      body: {
        userId: "alice",
        memories: [
          { content: "I like jazz", learnedIn: { sessionId: "team" } },
          { content: "I like jazz" },
          { content: "I like rock", sensitivity: "public", portable: true },
          { content: "I like rock" },
        ],
      },
    });
    expect(answer.json.items.map(({ sensitivity, portable }) => [sensitivity, portable])).toEqual(
      Array.from({ length: 4 }, () => ["personal", false]),
    );
  });

  it("what extraction takes in private is private, and what it takes in a group is not", async () => {
    await group(h, "team", ["alice", "bob"]);
    const said = { userId: "alice", messages: [{ role: "user", content: "I prefer window seats on night trains." }] };
    await append(h, "alices", said);
    await append(h, "team", { userId: "alice", messages: [{ role: "user", content: "I prefer aisle seats on planes." }] });
    await h.settle();
    const found = await list(h, "userId=alice");
    const by = Object.fromEntries(found.json.items.map((m) => [m.content, [m.sensitivity, m.portable]]));
    expect(by).toEqual({
      "I prefer window seats on night trains": ["personal", false],
      "I prefer aisle seats on planes": ["public", true],
    });
    const preview = await h.fetch<{ memories: { sensitivity: string; portable: boolean }[] }>("POST", "/v1/extract", {
      body: { ...said, userId: "alice" },
    });
    expect(preview.json.memories).toMatchObject([{ sensitivity: "personal", portable: false }]);
  });
});

describe("no way round by place", () => {
  it("a group of one shows what private shows", async () => {
    await group(h, "club", ["bob", "cat"]);
    const ben = (await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "bob", name: "Ben" } })).json.id;
    const said = await add(h, { userId: "bob", sessionId: "club", content: "Ben sells his boat", subjects: [ben] });
    const about = { person: ben, memory: said.json.id, question: "What is known of Ben and his boat?" };
    await h.fetch("PUT", "/v1/sessions/dans", { body: { userId: "dan" } });
    await group(h, "dan-alone", ["dan"]);
    await group(h, "dan-and-eve", ["dan", "eve"]);
    for (const place of ["dans", "dan-alone", "dan-and-eve", undefined])
      expect(await everythingShown("dan", about, place)).not.toContain("sells his boat");
    // Who was there sees it wherever they ask.
    await group(h, "cat-and-eve", ["cat", "eve"]);
    for (const place of ["cat-and-eve", undefined])
      expect(await everythingShown("cat", about, place)).toContain("sells his boat");
  });

  it("a group of one shows its user what is their own", async () => {
    const own = await add(h, { userId: "dan", content: "I keep bees and sell honey" });
    await group(h, "dan-alone", ["dan"]);
    expect(contentsOf(await list(h, "userId=dan&sessionId=dan-alone"))).toEqual(["I keep bees and sell honey"]);
    const hits = (await find(h, "Who keeps bees?", { userId: "dan", sessionId: "dan-alone" })).json.hits;
    expect(hits.map(({ id }: HitView) => id)).toContain(own.json.id);
    await h.fetch("PUT", "/v1/sessions/dan-alone", { body: { userId: "dan", participants: ["dan", "eve"] } });
    expect(contentsOf(await list(h, "userId=dan&sessionId=dan-alone"))).toEqual([]);
  });

  it("who left a group of two leaves the other in private", async () => {
    await group(h, "pair", ["dan", "eve"]);
    const said = await add(h, {
      userId: "eve",
      sessionId: "pair",
      content: "Dan is on insulin",
      subjects: [await personOf(h, "eve")],
    });
    expect((await get(h, said.json.id, "userId=dan&sessionId=pair")).status).toBe(200);
    await h.fetch("PUT", "/v1/sessions/pair", { body: { userId: "dan", participants: ["dan"] } });
    expect((await get(h, said.json.id, "userId=dan&sessionId=pair")).status).toBe(404);
  });

  it("old data without a session stays closed unless the tenant opens it", async () => {
    await group(h, "team", ["alice", "bob"]);
    const ben = (await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "alice", name: "Ben" } })).json.id;
    const draft = { userId: "alice", content: "Ben sells his boat", subjects: [ben], sensitivity: "public", portable: true };
    const said = await add(h, draft);
    const about = { person: ben, memory: said.json.id, question: "What is known of Ben and his boat?" };
    for (const place of ["team", undefined]) expect(await everythingShown("bob", about, place)).not.toContain("sells his boat");
    await h.fetch("PATCH", "/v1/settings", { body: { legacyDisclosure: true } });
    for (const place of ["team", undefined]) expect(await everythingShown("bob", about, place)).toContain("sells his boat");
  });
});
