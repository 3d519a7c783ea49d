import { beforeEach, describe, expect, it } from "vitest";
import type { ExtractView } from "#domain/extraction";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, linesOf } from "./context-requests.ts";
import { chatChannel, jobOf, memory, modelAt, said, settings } from "./extraction-requests.ts";
import { answerTo, COLORS } from "./fact-requests.ts";
import { type Answered, fieldsOf, group, personOf } from "./memory-requests.ts";
import { chat, setUpstream } from "./proxy-requests.ts";
import { append, find, history, nth, type Problem, rows, say } from "./requests.ts";

const channel = chatChannel();
let h: Harness;

beforeEach(async () => {
  await channel.reset();
  h = await createHarness({ replace: () => ({ log: () => undefined, chatModel: modelAt(channel) }) });
  await settings(h, { extraction: "rules" });
  for (const [id, name] of [
    ["alice", "Alice"],
    ["eve", "Eve"],
    ["bob", "Bob Miller"],
  ])
    await h.fetch("PUT", `/v1/users/${id}`, { body: { name } });
  await group(h, "team", ["alice", "eve", "bob"]);
});

const user = (text: string, more: Record<string, unknown> = {}) => ({ role: "user", content: text, ...more });
/** Eve sends messages to the group. */
const byEve = async (...messages: unknown[]) => {
  const answer = await append<Problem>(h, "team", { userId: "eve", messages });
  await h.settle();
  return answer;
};
/** Memories as `owner: content`, in the order in which they were stored. */
const owned = async () =>
  (
    await rows<{ who: string }>(
      `select coalesce(u.external_id, 'group') || ': ' || m.content as who from memories m left join users u on u.id = m.owner_id
       where m.tenant_id = ? and m.deleted_at is null order by m.id`,
      h.tenantId,
    )
  ).map(({ who }) => who);
const everyFact = async () =>
  (
    await rows<{ who: string }>(
      `select u.external_id || ': ' || f.value as who from facts f join users u on u.id = f.user_id
       where f.tenant_id = ? and f.value is not null order by f.user_id, f.rank`,
      h.tenantId,
    )
  ).map(({ who }) => who);
const addAlias = async (userId: string, alias: string) => {
  const { status } = await h.fetch("PUT", `/v1/people/${await personOf(h, userId)}/aliases/${alias}?userId=${userId}`);
  expect(status).toBe(200);
};
const SECOND = "What's my second favorite color?";

describe("a message label is no identity", () => {
  it("what Eve sends under Alice's name leaves Alice's own memory by that key as it is", async () => {
    await say(h, "team", "I live in Lisbon", { userId: "alice" });
    await h.settle();
    expect(await owned()).toEqual(["alice: I live in Lisbon"]);
    for (const label of ["Alice", "ALICE", "alice", "Ａｌｉｃｅ"])
      expect((await byEve(user("I live in Forgedville", { speaker: label }))).status, label).toBe(422);
    for (const label of ["Alicia", "!!"])
      expect((await byEve(user("I live in Forgedville", { speaker: label }))).status, label).toBe(201);
    expect(await owned()).toEqual(["alice: I live in Lisbon"]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, speakerUnknown: 1 });
    const found = await find(h, "Forgedville", { userId: "alice", sessionId: "team" });
    expect(found.json.hits.map(({ kind }) => kind)).toContain("episode");
  });

  it("a list that Eve sends under Alice's name leaves Alice's answers as they are", async () => {
    await say(h, "team", COLORS, { userId: "alice" });
    expect((await byEve(user("My favorite colors are 1) Mud, 2) Slime", { speaker: "Alice" }))).status).toBe(422);
    expect((await byEve(user(COLORS.replace("Blue", "Mud"), { speaker: "!!" }))).status).toBe(201);
    expect(await answerTo(h, SECOND, { userId: "alice", sessionId: "team" })).toBe("Green.");
    expect(await everyFact()).toEqual(["alice: Blue", "alice: Green", "alice: Black"]);
  });

  it("who gives themselves the alias Anna receives nothing that another user's message labelled Anna states", async () => {
    await addAlias("eve", "Anna");
    const labelled = [user("I live in Porto", { speaker: "Anna" }), user(COLORS, { speaker: "Anna" })];
    expect((await append(h, "team", { userId: "alice", messages: labelled })).status).toBe(201);
    await h.settle();
    // Nor what a server sends in Eve's name under that label, as it may send everybody's talk in one user's name.
    expect((await byEve(...labelled)).status).toBe(201);
    expect([await owned(), await everyFact()]).toEqual([[], []]);
  });

  it("nor does an alias that was taken since the message, when the episode is read again", async () => {
    await append(h, "team", { userId: "alice", messages: [user("I live in Porto", { speaker: "Anna" })] });
    await addAlias("eve", "Anna");
    await h.settle();
    await rows("update episodes set extracted = null where tenant_id = ?", h.tenantId);
    await h.fetch("POST", `/v1/jobs/${(await jobOf(h)).id}/rerun`);
    await h.settle();
    expect(await owned()).toEqual([]);
  });

  it("by a model neither: it is not asked about what is nobody's statement, and shown it as context only", async () => {
    await settings(h, { extraction: "model" });
    const forged = memory("Lives in Forgedville", { quote: "I live in Forgedville", key: "identity:home", type: "identity" });
    await byEve(user("I live in Forgedville", { speaker: "Alicia" }));
    expect(await channel.requests()).toEqual([]);
    await channel.answer(said([forged]), said([forged]));
    await append(h, "team", {
      userId: "eve",
      messages: [user("I live in Forgedville", { speaker: "Alicia" }), user("Nice weather today", { userId: "alice" })],
    });
    await h.settle();
    const asked = await channel.requests();
    expect(asked.length).toBe(1);
    expect(JSON.stringify(asked[0]?.body.messages.at(-1))).toMatch(/labelled [^,]*Alicia/);
    expect(await owned()).toEqual([]);
  });

  it("in one's own private session neither", async () => {
    await say(h, "eves", "I live in Rome", { userId: "eve" });
    await append(h, "eves", { userId: "eve", messages: [user("I live in Forgedville", { speaker: "Alice" })] });
    await h.settle();
    expect(await owned()).toEqual(["eve: I live in Rome"]);
  });

  it("one's own name or id is no other label than none, an alias is", async () => {
    await addAlias("bob", "Bobby");
    for (const [speaker, tea] of [
      ["BOB MILLER", "mint tea"],
      ["bobby", "black tea"],
      ["bob", "green tea"],
    ])
      await append(h, "team", { userId: "bob", messages: [user(`I prefer ${tea}`, { speaker })] });
    await h.settle();
    expect(await owned()).toEqual(["bob: I prefer mint tea", "bob: I prefer green tea"]);
  });

  it("through the proxy's name neither: neither memories nor facts are another's, nor is anybody's own answered", async () => {
    await setUpstream(h, { url: channel.url });
    await say(h, "team", ["I live in Lisbon", COLORS], { userId: "alice" });
    await h.settle();
    const headers = { "x-edgewise-user": "eve", "x-edgewise-session": "team" };
    const turn = (content: string, name: string) => [{ role: "user", content, name }];
    const forged = "I live in Forgedville. My favorite colors are 1) Mud, 2) Slime";
    expect((await chat(h, turn(forged, "Alicia"), { headers })).status).toBe(200);
    await h.settle();
    expect(await owned()).toEqual(["alice: I live in Lisbon"]);
    // Under Alice's own name it is what a server relays of Alice: hers to store, and never Eve's.
    expect((await chat(h, turn(forged, "Alice"), { headers })).status).toBe(200);
    await h.settle();
    expect(await owned()).toEqual(["alice: I live in Lisbon"]);
    expect(await everyFact()).toEqual(["alice: Blue", "alice: Green", "alice: Black"]);
    // Nor by an alias: what Alice's request labels Anna is not Eve's question.
    await byEve(user("My favorite colors are 1) Red, 2) Rose"));
    const asked = await chat(h, turn(SECOND, "Anna"), { headers: { ...headers, "x-edgewise-user": "alice" } });
    expect(asked.headers.get("x-edgewise-memory")).not.toMatch(/^answered/);
    await addAlias("eve", "Anna");
    const byAlice = await chat(h, turn(SECOND, "Anna"), { headers: { ...headers, "x-edgewise-user": "alice" } });
    expect(byAlice.status).toBe(200);
    expect(byAlice.headers.get("x-edgewise-memory")).not.toMatch(/^answered/);
    const own = await chat(h, turn(SECOND, "Alice"), { headers: { ...headers, "x-edgewise-user": "alice" } });
    expect(own.json.choices[0]?.message.content).toBe("Green.");
  });

  it("through the proxy neither in a chat that names no session, as an app does that forgot to open a group", async () => {
    await setUpstream(h, { url: channel.url });
    const headers = { "x-edgewise-user": "alice" };
    await chat(h, [{ role: "user", content: "I live in Forgedville", name: "Bob" }], { headers });
    await chat(h, [{ role: "user", content: "I prefer window seats", name: "Alice" }], { headers });
    await h.settle();
    expect(await owned()).toEqual(["alice: I prefer window seats"]);
  });

  it("through the proxy neither while memory fails", async () => {
    let isDown = false;
    const failing = await createHarness({
      replace: ({ db }) => {
        const $client = new Proxy(db.$client, {
          get: (target, name) => {
            if (isDown && name === "batch") throw new Error("down");
            return Reflect.get(target, name);
          },
        });
        return { log: () => undefined, db: isDown ? Object.assign(Object.create(db), { $client }) : db };
      },
    });
    await setUpstream(failing, { url: channel.url });
    await group(failing, "team", ["alice", "eve"]);
    isDown = true;
    const headers = { "x-edgewise-user": "eve", "x-edgewise-session": "team" };
    const chatting = chat(failing, [{ role: "user", content: "I live in Forgedville", name: "alice" }], { headers });
    expect((await chatting).headers.get("x-edgewise-memory")).toBe("skipped; reason=failed");
    isDown = false;
    await failing.settle();
    const owners = `select u.external_id as who from memories m join users u on u.id = m.owner_id where m.tenant_id = ?`;
    expect(await rows(owners, failing.tenantId)).toEqual([]);
  });

  it("POST /v1/extract shows nothing of it", async () => {
    const asked = async (body: Record<string, unknown>): Promise<Answered<ExtractView>> =>
      await h.fetch("POST", "/v1/extract", { body: { userId: "eve", sessionId: "team", ...body } });
    const messages = [user("I live in Forgedville", { speaker: "Alicia" }), user(COLORS, { speaker: "Alicia" })];
    const { json } = await asked({ messages, useModel: true });
    expect([json.memories, json.facts]).toEqual([[], []]);
    expect(await channel.requests()).toEqual([]);
  });
});

describe("who joins after the words were said is nobody whom they name", () => {
  const ALLERGY = "My colleague Paul is allergic to peanuts.";
  const memberships = async (participants: string[]) => {
    // All of it happened a second earlier, so that whoever is added now joins in a later millisecond.
    await rows("update episodes set created_at = created_at - 1000 where tenant_id = ?", h.tenantId);
    await rows(
      `update participants set joined_at = joined_at - 1000, left_at = left_at - 1000
       where session_id in (select id from sessions where tenant_id = ?)`,
      h.tenantId,
    );
    const { status } = await h.fetch("PUT", "/v1/sessions/office", { body: { userId: "alice", participants } });
    expect(status).toBe(200);
  };
  const subjects = async () =>
    (
      await rows<{ who: string }>(
        `select coalesce(u.external_id, p.name) as who from memory_subjects ms cross join memories m on m.id = ms.memory_id
         cross join persons p on p.id = ms.person_id left join users u on u.id = p.user_id
         where m.tenant_id = ? and m.deleted_at is null order by m.id, p.id`,
        h.tenantId,
      )
    ).map(({ who }) => who);
  const seenByEve = async () =>
    (await contextFor(h, { userId: "eve", query: "What am I allergic to? peanuts", kinds: ["memory"] })).json.items.length;

  beforeEach(async () => {
    await addAlias("eve", "Paul");
    await group(h, "office", ["alice", "bob"]);
  });

  it("by rules: Eve, who calls herself Paul, is not the subject, and reads nothing of it", async () => {
    await append(h, "office", {
      userId: "alice",
      messages: [user("My colleague Paul works at Acme."), user("Remember that Paul is allergic to peanuts.")],
    });
    await memberships(["alice", "bob", "eve"]);
    await h.settle();
    expect((await owned()).length).toBeGreaterThan(0);
    expect(await subjects()).not.toContain("eve");
    expect(await seenByEve()).toBe(0);
  });

  it("by a model neither, which is not told of Eve, and what is said after she joined is of her", async () => {
    await settings(h, { extraction: "model" });
    const paul = (content: string, quote: string) => memory(content, { quote, subjects: ["Paul"] });
    const allergy = said([paul("Paul is allergic to peanuts", ALLERGY)], {
      people: [{ name: "Paul", relationship: "colleague", aliases: [], quote: "My colleague Paul" }],
    });
    const tea = said([paul("Paul drinks green tea", "Paul drinks green tea")]);
    await channel.answer(allergy, tea);
    await append(h, "office", { userId: "alice", messages: [user(ALLERGY)] });
    await memberships(["alice", "bob", "eve"]);
    await append(h, "office", { userId: "alice", messages: [user("Paul drinks green tea")] });
    await h.settle();
    const asked = await channel.requests();
    expect(asked.length).toBe(2);
    expect(JSON.stringify(asked[0]?.body.messages.slice(1))).not.toMatch(/\bEve\b/);
    expect(JSON.stringify(asked[1]?.body.messages.slice(1))).toMatch(/\bEve\b/);
    expect(await owned()).toEqual(["alice: My colleague Paul is allergic to peanuts", "alice: Paul drinks green tea"]);
    expect(await subjects()).toEqual(["alice", "Paul", "eve"]);
  });

  it("nor who was there before and came back since", async () => {
    await memberships(["alice", "bob", "eve"]);
    await memberships(["alice", "bob"]);
    await append(h, "office", {
      userId: "alice",
      messages: [user("Remember that Paul is allergic to peanuts."), user("My colleague Paul works at Acme.")],
    });
    await memberships(["alice", "bob", "eve"]);
    await h.settle();
    expect(await subjects()).not.toContain("eve");
  });
});

describe("a message's userId says who said it", () => {
  const GROUP_TALK = [
    user("I live in Oslo", { userId: "alice", speaker: "Al ✨" }),
    user(COLORS, { userId: "bob" }),
    user("I prefer jam", { userId: "eve", speaker: "Alice" }),
    user("I prefer tea"),
    { role: "assistant", content: "Noted." },
  ];

  it("each speaker's statements become that speaker's own, one request for all of them", async () => {
    expect((await byEve(...GROUP_TALK)).status).toBe(201);
    expect(await owned()).toEqual(["alice: I live in Oslo", "eve: I prefer jam", "eve: I prefer tea"]);
    expect(await everyFact()).toEqual(["bob: Blue", "bob: Green", "bob: Black"]);
    expect((await jobOf(h)).result).toMatchObject({ stored: 3 });
    expect(await answerTo(h, SECOND, { userId: "bob", sessionId: "team" })).toBe("Green.");
    expect(await answerTo(h, SECOND, { userId: "eve", sessionId: "team" })).toBeNull();
  });

  it("is shown with the episode, with a hit and in a context, by the app's id and by the user's own name", async () => {
    await byEve(...GROUP_TALK);
    const shown = nth((await history(h, "team", "?userId=bob")).json.items, 0).messages;
    expect(shown.map(({ userId, speaker }) => [userId, speaker])).toEqual([
      ["alice", "Al ✨"],
      ["bob", null],
      ["eve", "Alice"],
      ["eve", null],
      [null, null],
    ]);
    const inTeam = { userId: "bob", sessionId: "team", kinds: ["episode"] };
    const { hits } = (await find(h, "jam", inTeam)).json;
    expect(hits[0]?.message).toMatchObject({ userId: "eve", speaker: "Alice" });
    expect((await find(h, "favorite colors", inTeam)).json.hits[0]?.message).toMatchObject({
      userId: "bob",
      speaker: "Bob Miller",
    });
    const lines = linesOf(await contextFor(h, { ...inTeam, query: "jam" }));
    expect(lines.filter((line) => line.includes("jam"))).toEqual([expect.stringContaining('said by "Eve") I prefer jam')]);
    const stored = await rows<{ id: number }>(
      "select m.value ->> 'userId' as id from episodes e, json_each(e.messages) m where e.tenant_id = ? and m.value ->> 'userId' is not null",
      h.tenantId,
    );
    const users = await rows<{ id: number }>("select id from users where tenant_id = ?", h.tenantId);
    expect(stored.every(({ id }) => users.some((one) => one.id === id))).toBe(true);
  });

  it("is who takes part, else 422: nobody of another place, nobody unknown, and nothing is stored", async () => {
    await h.fetch("PUT", "/v1/users/zoe");
    const before = await rows("select count(*) as n from episodes");
    for (const userId of ["zoe", "nobody", "Alice"]) {
      const answer = await byEve(user("Hello"), user("I prefer mud", { userId }));
      expect([answer.status, answer.json.code, fieldsOf(answer as Answered<object>)]).toEqual([
        422,
        "unprocessable",
        ["messages[1].userId"],
      ]);
    }
    const many = await append<Problem>(h, "team", {
      userId: "eve",
      episodes: [{ messages: [user("Hello")] }, { messages: [user("Hello"), user("I prefer mud", { userId: "zoe" })] }],
    });
    expect([many.status, fieldsOf(many as Answered<object>)]).toEqual([422, ["episodes[1].messages[1].userId"]]);
    const assistant = await byEve({ role: "assistant", content: "I prefer mud", userId: "alice" });
    expect([assistant.status, fieldsOf(assistant as Answered<object>)]).toEqual([422, ["messages[0].userId"]]);
    expect(await rows("select count(*) as n from episodes")).toEqual(before);
    expect(await rows("select id from users where tenant_id = ? and external_id in ('nobody', 'Alice')", h.tenantId)).toEqual([]);
  });

  it("of a private session is its owner, who may be new with it", async () => {
    const said = await append<Problem>(h, "news", {
      userId: "nora",
      messages: [user("I prefer tea", { userId: "nora", speaker: "N." })],
    });
    expect(said.status).toBe(201);
    await h.settle();
    expect(await owned()).toEqual(["nora: I prefer tea"]);
    for (const session of ["news", "not-yet"]) {
      const other = await append<Problem>(h, session, { userId: "nora", messages: [user("I prefer mud", { userId: "alice" })] });
      expect([other.status, fieldsOf(other as Answered<object>)]).toEqual([422, ["messages[0].userId"]]);
    }
    const messages = [user("I prefer rum", { userId: "nora" })];
    const shown = await h.fetch<ExtractView>("POST", "/v1/extract", { body: { userId: "nora", messages } });
    expect(shown.json.memories).toMatchObject([{ userId: "nora", wouldStore: true }]);
  });

  it("who has left may be named for what was said until then, and is not taken at their word any more", async () => {
    const before = new Date().toISOString();
    await h.fetch("PUT", "/v1/sessions/team", { body: { participants: ["alice", "eve"], userId: "eve" } });
    const late = user("I prefer tea", { userId: "bob", occurredAt: before });
    expect((await byEve(late, { ...user(COLORS, { userId: "bob" }), occurredAt: "2020-01-01T00:00:00Z" })).status).toBe(201);
    expect([await owned(), await everyFact()]).toEqual([[], []]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, speakerLeft: 2 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await byEve(user("I prefer tea", { userId: "bob" }))).status).toBe(422);
  });

  it("a retry is answered as the first, though its speaker has left since", async () => {
    const message = user("I prefer tea", { userId: "bob", messageId: "m1" });
    expect((await byEve(message)).status).toBe(201);
    await h.fetch("PUT", "/v1/sessions/team", { body: { participants: ["alice", "eve"], userId: "eve" } });
    expect((await byEve(message)).json).toMatchObject({ created: false, skippedMessageIds: ["m1"] });
  });

  it("POST /v1/extract shows whose each would be, and of others' stored memories and people nothing", async () => {
    await settings(h, { extraction: "model" });
    const made = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "alice", name: "Lea" } });
    await h.fetch("POST", "/v1/memories", {
      body: { userId: "alice", content: "I keep the wedding of Lea a secret", portable: true },
    });
    await channel.answer(said([], { people: [{ name: "Lea", aliases: [], relationship: "sister" }] }));
    const messages = [
      user("My sister Lea is at the wedding. I prefer tea", { userId: "alice" }),
      user(COLORS, { userId: "bob" }),
    ];
    const asked = async (userId: string) =>
      (await h.fetch<ExtractView>("POST", "/v1/extract", { body: { userId, sessionId: "team", messages, useModel: true } })).json;
    const byOther = await asked("eve");
    expect(byOther.memories.map(({ userId }) => userId)).toContain("alice");
    expect(byOther.facts.map(({ userId }) => userId)).toEqual(["bob", "bob", "bob"]);
    expect(byOther.people.map(({ personId }) => personId)).not.toContain(made.json.id);
    expect(JSON.stringify(await channel.requests())).not.toContain("a secret");
    await channel.answer(said([], { people: [{ name: "Lea", aliases: [], relationship: "sister" }] }));
    expect((await asked("alice")).people.map(({ personId }) => personId)).toContain(made.json.id);
    const wrong = await h.fetch<Problem>("POST", "/v1/extract", {
      body: { userId: "eve", sessionId: "team", messages: [user("Hello"), user("I prefer mud", { userId: "zoe" })] },
    });
    expect([wrong.status, fieldsOf(wrong as Answered<object>)]).toEqual([422, ["messages[1].userId"]]);
  });
});

describe("nothing learned from one user's words changes another user's", () => {
  it("hearsay is the speaker's own memory: what it says the contrary of stays in force, whoever's it is", async () => {
    await settings(h, { extraction: "model" });
    const lives = memory("Bob lives in Oslo", {
      type: "identity",
      key: "identity:home",
      quote: "I live in Oslo",
      subjects: ["speaker"],
    });
    await channel.answer(said([lives]));
    await append(h, "team", { userId: "bob", messages: [user("I live in Oslo")] });
    await h.settle();
    const kept = await rows("select * from memories m where tenant_id = ? and owner_id is not null", h.tenantId);
    const moved = memory("Bob moved to Rome", {
      ...{ type: "identity", key: "identity:home", quote: "Bob moved to Rome", subjects: ["Bob Miller"], replaces: ["K1", "K2"] },
    });
    await channel.answer(said([moved]));
    await append(h, "team", {
      userId: "eve",
      messages: [user("Bob moved to Rome"), user("Hello all", { speaker: "Bob M." })],
    });
    await h.settle();
    for (const row of kept)
      expect(await rows("select * from memories where id = ?", Number(row.id)), String(row.content)).toEqual([row]);
    expect((await owned()).filter((line) => line.startsWith("eve"))).toEqual(["eve: Bob moved to Rome"]);
  });

  it("neither their aliases nor their notes", async () => {
    await settings(h, { extraction: "model" });
    const people = async () =>
      await rows(
        "select name, aliases, relationship, notes, version from persons where tenant_id = ? and user_id is not null",
        h.tenantId,
      );
    const before = await people();
    await channel.answer(said([], { people: [{ name: "Alice", aliases: ["Trudy"], relationship: "liar" }] }));
    await byEve(user("Alice, also known as Trudy, is a liar"));
    expect((await channel.requests()).length).toBe(1);
    expect(await people()).toEqual(before);
  });
});
