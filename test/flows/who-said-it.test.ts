import { beforeEach, describe, expect, it } from "vitest";
import type { ExtractView } from "#domain/extraction";
import type { EpisodeView } from "#domain/sessions";
import { chatChannel, type RemoteChannel } from "#test/chat-channel";
import { type Answer, createHarness, type Harness } from "#test/harness";
import { contextFor, linesOf } from "./context-requests.ts";
import { jobOf, settings } from "./extraction-requests.ts";
import { group, personOf } from "./memory-requests.ts";
import { chat, setUpstream } from "./proxy-requests.ts";
import { append, find, history, nth, type Problem, rows } from "./requests.ts";

let h: Harness;
/** A user token of Ben's, and a personal key of his. */
let token = "";
let personalKey = "";

beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await settings(h, { extraction: "rules" });
  await h.fetch("PUT", "/v1/users/anna", { body: { name: "Anna Larsson" } });
  await h.fetch("PUT", "/v1/users/ben", { body: { name: "Ben" } });
  await group(h, "trip", ["anna", "ben"]);
  await h.fetch("PUT", `/v1/people/${await personOf(h, "anna")}/aliases/Annika?userId=anna`);
  token = (await h.fetch<{ token: string }>("POST", "/v1/tokens", { user: null, body: { userId: "ben" } })).json.token;
  personalKey = (await h.fetch<{ key: string }>("POST", "/v1/keys", { user: null, body: { name: "ben's", userId: "ben" } })).json
    .key;
});

const user = (content: string, more: Record<string, unknown> = {}) => ({ role: "user", content, ...more });
const asBen = async <T = Problem>(key: string, session: string, body: Record<string, unknown>): Promise<Answer<T>> =>
  await h.fetch<T>("POST", `/v1/sessions/${session}/episodes`, { key, user: null, body });
const ben = async (method: string, path: string, body?: Record<string, unknown>): Promise<Answer<unknown>> =>
  await h.fetch(method, path, { key: token, user: null, ...(body === undefined ? {} : { body }) });
const shown = async (session: string, userId = "anna"): Promise<EpisodeView["messages"]> =>
  (await history(h, session, `?userId=${userId}`)).json.items.flatMap(({ messages }) => messages);
const owned = async () =>
  (
    await rows<{ who: string }>(
      "select u.external_id || ': ' || m.content as who from memories m join users u on u.id = m.owner_id where m.tenant_id = ? order by m.id",
      h.tenantId,
    )
  ).map(({ who }) => who);
const stored = async () => await rows("select id from episodes where tenant_id = ?", h.tenantId);

describe("with a user token or a personal key", () => {
  it.each(["token", "personal key"])("(%s) a user message is the acting user's, stored so and shown so", async (kind) => {
    const key = kind === "token" ? token : personalKey;
    const said = await asBen(key, "trip", {
      messages: [
        user("I live in Malmö"),
        user("I prefer window seats", { speaker: "Captain B 🌊" }),
        user("Ahoy", { speaker: "ben" }),
      ],
    });
    expect(said.status).toBe(201);
    await asBen(key, "bens", { messages: [user("I prefer tea")] });
    await h.settle();
    expect((await shown("trip")).map(({ userId }) => userId)).toEqual(["ben", "ben", "ben"]);
    expect((await shown("bens", "ben")).map(({ userId }) => userId)).toEqual(["ben"]);
    expect(await owned()).toEqual(["ben: I live in Malmö", "ben: I prefer window seats", "ben: I prefer tea"]);
    const lines = linesOf(
      await contextFor(h, { userId: "anna", sessionId: "trip", query: "Malmö window seats", kinds: ["episode"] }),
    );
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toContain('said by "Ben")');
  });

  it.each(["anna", "ANNA", "Anna Larsson", "ａｎｎａ"])(
    "a speaker that is another participant's name or id is refused: %s",
    async (speaker) => {
      for (const key of [token, personalKey]) {
        const message = user("I hate this trip", { speaker });
        const one = await asBen(key, "trip", { messages: [user("Hello"), message] });
        expect([one.status, one.json.code, one.json.fields?.map(({ path }) => path)]).toEqual([
          422,
          "unprocessable",
          ["messages[1].speaker"],
        ]);
        expect(one.json.detail).toMatch(/Leave .*speaker.* out/);
        const many = await asBen(key, "trip", { episodes: [{ messages: [user("Hello")] }, { messages: [message] }] });
        expect([many.status, many.json.fields?.map(({ path }) => path)]).toEqual([422, ["episodes[1].messages[0].speaker"]]);
        const named = await asBen(key, "trip", { messages: [{ ...message, userId: "ben" }] });
        expect(named.status).toBe(422);
        const preview = await h.fetch<Problem>("POST", "/v1/extract", {
          ...{ key, user: null },
          body: { sessionId: "trip", messages: [message] },
        });
        expect([preview.status, preview.json.fields?.map(({ path }) => path)]).toEqual([422, ["messages[0].speaker"]]);
      }
      expect(await stored()).toEqual([]);
    },
  );

  it("a message that was stored is answered as before, though somebody of that name has joined since", async () => {
    const message = user("I prefer tea", { speaker: "Zoe", messageId: "m1" });
    expect((await asBen(token, "trip", { messages: [message] })).status).toBe(201);
    await h.fetch("PUT", "/v1/sessions/trip", { body: { userId: "anna", participants: ["anna", "ben", "zoe"] } });
    expect((await asBen(token, "trip", { messages: [message] })).json).toMatchObject({ created: false });
    expect((await asBen(token, "trip", { messages: [{ ...message, messageId: "m2" }] })).status).toBe(422);
  });

  it.each<[string, (name: string) => Promise<Answer<unknown>>]>([
    ["an alias", async (name) => await ben("PUT", `/v1/people/${await personOf(h, "ben")}/aliases/${name}`)],
    ["a person's name", async (name) => await ben("PATCH", `/v1/people/${await personOf(h, "ben")}`, { name })],
    ["a user's name", async (name) => await ben("PUT", "/v1/users/ben", { name })],
  ])("%s that somebody gives themselves neither takes another's name nor keeps a label from anybody", async (_, call) => {
    for (const name of ["Annie", "User"]) {
      expect((await call(name)).status, name).toBeLessThan(300);
      expect((await append(h, "trip", { userId: "anna", messages: [user("Hello", { speaker: name })] })).status, name).toBe(201);
    }
    expect((await call("Anna Larsson")).status).toBeLessThan(300);
    for (const speaker of ["Anna Larsson", "anna"])
      for (const key of [token, personalKey])
        expect((await asBen(key, "trip", { messages: [user("I hate this trip", { speaker })] })).status, speaker).toBe(422);
    const byServer = { userId: "ben", messages: [user("I hate this trip", { speaker: "Anna Larsson" })] };
    expect((await append(h, "trip", byServer)).status).toBe(422);
    const hers = { userId: "anna", messages: [user("I love this trip", { speaker: "Anna Larsson" })] };
    expect((await append(h, "trip", hers)).status).toBe(201);
    expect((await shown("trip")).at(-1)).toMatchObject({ userId: "anna", content: "I love this trip" });
    expect((await asBen(token, "trip", { messages: [user("Ahoy", { speaker: "ben" })] })).status).toBe(201);
  });

  it("the name that a server key gives is the app's, also where the user has taken it before", async () => {
    await ben("PUT", "/v1/users/ben", { name: "Benny" });
    const hers = async () => (await append(h, "trip", { userId: "anna", messages: [user("Hi", { speaker: "Benny" })] })).status;
    expect(await hers()).toBe(201);
    await h.fetch("PUT", "/v1/users/ben", { body: { name: "Benny" } });
    expect(await hers()).toBe(422);
  });

  it("who has left cannot be named either", async () => {
    await h.fetch("PUT", "/v1/sessions/trip", { body: { userId: "ben", participants: ["ben"] } });
    expect((await asBen(token, "trip", { messages: [user("Hi", { speaker: "anna" })] })).status).toBe(422);
  });
});

describe("with a server key", () => {
  const byBen = async (...messages: unknown[]) => await append<Problem>(h, "trip", { userId: "ben", messages });

  it("a message that names nobody is the acting user's, stored so and shown so", async () => {
    await byBen(user("I live in Malmö"), user("I like it", { speaker: "BEN" }), { role: "assistant", content: "Noted." });
    await append(h, "new", { userId: "newcomer", messages: [user("I prefer tea")] });
    expect((await shown("trip")).map(({ userId }) => userId)).toEqual(["ben", "ben", null]);
    expect((await shown("new", "newcomer")).map(({ userId }) => userId)).toEqual(["newcomer"]);
    const { hits } = (await find(h, "Malmö", { userId: "anna", sessionId: "trip", kinds: ["episode"] })).json;
    expect(nth(hits, 0).message).toMatchObject({ userId: "ben", speaker: "Ben" });
  });

  it("a speaker that is another participant's is refused with the fix, unless the message names who said it", async () => {
    const answer = await byBen(user("I hate this trip", { speaker: "anna" }));
    expect([answer.status, answer.json.fields?.map(({ path }) => path)]).toEqual([422, ["messages[0].speaker"]]);
    expect(answer.json.detail).toMatch(/userId/);
    expect(await stored()).toEqual([]);
    expect((await byBen(user("I love this trip", { speaker: "anna", userId: "anna" }))).status).toBe(201);
  });

  it("a label of somebody who takes no part makes it nobody's, and the block says that it is a label", async () => {
    await byBen(user("Zebras are striped", { speaker: "Zoe" }), {
      role: "assistant",
      content: "Plains zebras migrate in Botswana.",
      speaker: "Anna",
    });
    await h.settle();
    expect((await jobOf(h)).result).toMatchObject({ speakerUnknown: 1 });
    expect((await shown("trip")).map(({ userId }) => userId)).toEqual([null, null]);
    const lines = linesOf(
      await contextFor(h, {
        userId: "anna",
        sessionId: "trip",
        query: "What did you say about zebras that migrate in Botswana?",
        kinds: ["episode"],
      }),
    );
    expect(lines.map((line) => line.replace(/^\[M\d\] \([\d :-]+, /, "(")).toSorted()).toEqual([
      '(labelled "Zoe") Zebras are striped',
      '(said by the assistant, labelled "Anna") Plains zebras migrate in Botswana.',
    ]);
  });
});

describe("the proxy's `name`", () => {
  let channel: RemoteChannel;
  beforeEach(async () => {
    channel = chatChannel();
    await channel.reset();
    await setUpstream(h, { url: channel.url });
  });
  const headers = { "x-edgewise-user": "ben", "x-edgewise-session": "trip" };

  it("that is another participant's lets the chat go on: a token's user said it, and of a server's it is not the acting user's", async () => {
    const last = [user("I live in Malmö", { name: "anna" })];
    const answer = await chat(h, last, { headers });
    expect([answer.status, answer.headers.get("x-edgewise-memory")]).toEqual([200, "none"]);
    const byToken = await h.fetch("POST", "/v1/chat/completions", {
      ...{ key: token, user: null, headers: { "x-edgewise-session": "trip" } },
      body: { model: "echo", messages: [user("I prefer window seats", { name: "Anna-Larsson" })] },
    });
    expect(byToken.status).toBe(200);
    await h.settle();
    expect((await channel.requests())[0]?.body.messages.filter(({ role }) => role === "user")).toEqual(last);
    expect((await shown("trip")).map(({ role, userId, speaker, content }) => [role, userId, speaker, content])).toEqual([
      ["assistant", null, null, "You said: I live in Malmö"],
      ["user", "ben", null, "I prefer window seats"],
      ["assistant", null, null, "You said: I prefer window seats"],
    ]);
    expect(await owned()).toEqual(["ben: I prefer window seats"]);
  });

  it("makes no chat fail, whatever others call themselves", async () => {
    for (const name of ["User", "Annie"]) {
      await ben("PUT", `/v1/people/${await personOf(h, "ben")}/aliases/${name}`);
      await ben("PUT", "/v1/users/ben", { name });
      const asAnna = { headers: { ...headers, "x-edgewise-user": "anna" } };
      expect((await chat(h, [user(`I am ${name}`, { name })], asAnna)).status, name).toBe(200);
      await h.settle();
      expect((await shown("trip")).at(-2)).toMatchObject({ content: `I am ${name}`, speaker: name });
    }
  });

  it("may be another's before the last message, which is the model's to read and theirs to store", async () => {
    const messages = [
      user("I love this trip", { name: "anna" }),
      user("Zebras!", { name: "zoe" }),
      user("Me too", { name: "ben" }),
    ];
    expect((await chat(h, messages, { headers })).status).toBe(200);
    await h.settle();
    expect((await channel.requests())[0]?.body.messages.filter(({ role }) => role === "user")).toEqual(messages);
    expect((await shown("trip")).map(({ userId, speaker, content }) => [userId, speaker, content])).toEqual([
      [null, "zoe", "Zebras!"],
      ["ben", "ben", "Me too"],
      [null, null, "You said: Me too"],
    ]);
  });

  it("may be anybody's in what was said before the last reply, which is not stored again", async () => {
    const messages = [
      user("I love this trip", { name: "anna" }),
      { role: "assistant", content: "Great." },
      user("Me too", { name: "ben" }),
    ];
    expect((await chat(h, messages, { headers })).status).toBe(200);
    await h.settle();
    expect((await shown("trip")).map(({ userId, content }) => [userId, content])).toEqual([
      ["ben", "Me too"],
      [null, "You said: Me too"],
    ]);
  });
});

it("POST /v1/extract shows whose a message would be", async () => {
  const { json } = await h.fetch<ExtractView>("POST", "/v1/extract", {
    ...{ key: token, user: null },
    body: { sessionId: "trip", messages: [user("I live in Malmö", { speaker: "Captain B 🌊" })] },
  });
  expect(json.memories).toMatchObject([{ userId: "ben", content: "I live in Malmö" }]);
});
