import { beforeAll, describe, expect, it } from "vitest";
import { encodeCursor } from "#core/page";
import type { AppendedView, EpisodeView } from "#domain/sessions";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { createHarness, type Harness } from "#test/harness";
import { group } from "./memory-requests.ts";
import { append, find, history, nth, type Page, type Problem, rows, say } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

type Many = { items: AppendedView[] };
const episodesOf = (count: number, name = "line") => ({
  episodes: Array.from({ length: count }, (_, i) => ({ messages: [{ role: "user", content: `${name} ${i}` }] })),
});
const firstText = (episode: EpisodeView) => episode.messages[0]?.content;

describe("append", () => {
  it("stores one episode and answers what it became", async () => {
    const { status, json } = await append(h, "one", {
      messages: [
        { role: "user", content: "What is the wifi password?", messageId: "m1" },
        { role: "assistant", content: "It is on the fridge.", speaker: "Helper" },
      ],
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({ created: true, indexed: { text: true, vector: false }, skippedMessageIds: [] });
    expect(json.messages).toEqual([
      { index: 0, messageId: "m1" },
      { index: 1, messageId: null },
    ]);
    const { json: episode } = await h.fetch<EpisodeView>("GET", `/v1/sessions/one/episodes/${json.id}`);
    expect(episode.messages.map(({ role, speaker, content }) => [role, speaker, content])).toEqual([
      ["user", null, "What is the wifi password?"],
      ["assistant", "Helper", "It is on the fridge."],
    ]);
  });

  it("stores a hundred in one call, in their order, and refuses one more", async () => {
    const { status, json } = await append<Many>(h, "hundred", episodesOf(100));
    expect([status, json.items.length]).toEqual([201, 100]);
    const { json: page } = await history(h, "hundred", "?limit=100");
    expect(page.items.map(firstText)).toEqual(Array.from({ length: 100 }, (_, i) => `line ${i}`));
    expect(page.items.map(({ id }) => id)).toEqual(json.items.map(({ id }) => id));

    const tooMany = await append<Problem>(h, "hundred", episodesOf(101));
    expect([tooMany.status, tooMany.json.fields?.map(({ path }) => path)]).toEqual([400, ["episodes"]]);
    expect(
      (
        await rows("select count(*) as n from episodes e join sessions s on s.id = e.session_id where s.external_id = 'hundred'")
      )[0],
    ).toEqual({ n: 100 });
  });

  it("takes a body of almost a megabyte in a script whose index is larger than its text", async () => {
    const text = "我们在北京的公司昨天讨论了新的项目计划并且决定下个月开始实施".repeat(106);
    const big = { episodes: Array.from({ length: 100 }, () => ({ messages: [{ role: "user", content: text }] })) };
    expect((await append<Many>(h, "big", big)).status).toBe(201);
    expect((await find(h, "北京的公司", { sessionId: "big" })).json.hits.length).toBeGreaterThan(0);
  });

  it("names the field that is wrong, inside the variant that was meant", async () => {
    const { status, json } = await append<Problem>(h, "wrong", { messages: [{ role: "narrator", content: "x" }] });
    expect([status, json.fields?.map(({ path }) => path)]).toEqual([400, ["messages[0].role"]]);
  });

  it("keeps the time of a conversation apart from the time of storing", async () => {
    const before = Date.now();
    const { json } = await append(h, "times", {
      occurredAt: "2019-05-04T10:00:00+02:00",
      messages: [
        { role: "user", content: "an old remark" },
        { role: "user", content: "a later one", occurredAt: "2020-01-01T00:00:00Z" },
      ],
    });
    expect(json.occurredAt).toBe("2020-01-01T00:00:00.000Z");
    expect(Date.parse(json.createdAt)).toBeGreaterThanOrEqual(before);
    const { json: page } = await history(h, "times");
    expect(page.items[0]?.messages.map(({ occurredAt }) => occurredAt)).toEqual([
      "2019-05-04T08:00:00.000Z",
      "2020-01-01T00:00:00.000Z",
    ]);
    const now = await say(h, "times", "said now");
    expect(Date.parse(now.json.occurredAt)).toBeGreaterThanOrEqual(before);
  });

  it("keeps fifty appends at once, each once, with ids of their own and no gap between them", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => say(h, "crowd", `voice number ${i}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const acknowledged = answers.map(({ json }, i) => ({ id: json.id, text: `voice number ${i}` }));
    const stored = await rows<{ id: number; publicId: string; text: string; seq: number; chunks: number }>(`
      select e.id as id, e.public_id as publicId, e.messages ->> '$[0].text' as text, e.id % ${CHUNKS_PER_SESSION} as seq, e.chunk_count as chunks
      from episodes e join sessions s on s.id = e.session_id where s.external_id = 'crowd' order by e.id`);
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    expect(stored.map(({ publicId, text }) => ({ id: publicId, text })).sort(byId)).toEqual(acknowledged.sort(byId));
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i));
    expect(await rows("select next_seq as next from sessions where external_id = 'crowd'")).toEqual([{ next: stored.length }]);
    expect(await rows("select count(*) as n from sessions where external_id = 'crowd'")).toEqual([{ n: 1 }]);
  });

  it("refuses what a full session cannot hold, and changes nothing", async () => {
    await say(h, "full", "the beginning");
    await rows("update sessions set next_seq = ? where external_id = 'full'", CHUNKS_PER_SESSION - 1);
    expect((await say(h, "full", ["two more", "do not fit"])).status).toBe(409);
    expect((await say(h, "full", "the last one fits")).status).toBe(201);
    const refused = await append<Problem>(h, "full", { messages: [{ role: "user", content: "beyond" }] });
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
    expect((await history(h, "full")).json.items.map(firstText)).toEqual(["the beginning", "the last one fits"]);
  });
});

describe("a retry of an exchange in which only one message has a messageId", () => {
  const exchange = (session: string, id: { user?: string; assistant?: string }, reply = "Until six.") =>
    append(h, session, {
      userId: "retry",
      messages: [
        { role: "user", content: "Is it open?", messageId: id.user },
        { role: "assistant", content: reply, messageId: id.assistant },
      ],
    });
  const textsOf = async (session: string) =>
    (await history(h, session, "?userId=retry")).json.items.flatMap(({ messages }) => messages.map(({ content }) => content));

  it.each([{ user: "q" }, { assistant: "r" }])("stores nothing twice: %j", async (id) => {
    const session = `retry-${Object.keys(id)}`;
    const first = await exchange(session, id);
    const again = await exchange(session, id);
    expect([again.status, again.json.created, again.json.id]).toEqual([200, false, first.json.id]);
    expect(again.json.messages).toEqual(first.json.messages);
    expect(await textsOf(session)).toEqual(["Is it open?", "Until six."]);
  });

  it("stores nothing twice when the named one was stored before by itself", async () => {
    await append(h, "retry-late", { userId: "retry", messages: [{ role: "user", content: "Is it open?", messageId: "q" }] });
    expect((await exchange("retry-late", { user: "q" })).status).toBe(201);
    expect((await exchange("retry-late", { user: "q" })).status).toBe(200);
    expect(await textsOf("retry-late")).toEqual(["Is it open?", "Until six."]);
  });

  it("stores nothing twice when each of them was stored before by itself", async () => {
    await append(h, "retry-alone", { userId: "retry", messages: [{ role: "user", content: "Is it open?", messageId: "q" }] });
    await append(h, "retry-alone", { userId: "retry", messages: [{ role: "assistant", content: "Until six." }] });
    const both = await exchange("retry-alone", { user: "q" });
    expect([both.status, both.json.created]).toEqual([200, false]);
    expect(await textsOf("retry-alone")).toEqual(["Is it open?", "Until six."]);
  });

  it("stores nothing twice when the window of messages moves on", async () => {
    const ask = (messageId: string) => ({ role: "user", content: `Question ${messageId}?`, messageId });
    const reply = { role: "assistant", content: "Yes." };
    const send = (...messages: object[]) => append(h, "retry-window", { userId: "retry", messages });
    await send(ask("1"));
    await send(ask("2"));
    expect((await send(ask("1"), ask("2"), reply)).status).toBe(201);
    const moved = await send(ask("2"), reply);
    expect([moved.status, moved.json.created]).toEqual([200, false]);
    expect(await textsOf("retry-window")).toEqual(["Question 1?", "Question 2?", "Yes."]);
  });

  it("stores nothing twice when another's message came in between", async () => {
    await group(h, "retry-between", ["retry", "other"]);
    const named = (userId: string, text: string, messageId: string) =>
      append(h, "retry-between", { userId, messages: [{ role: "user", content: text, messageId }] });
    await named("retry", "Is it open?", "q");
    await named("other", "I wonder too.", "w");
    expect((await exchange("retry-between", { user: "q" })).json.created).toBe(true);
    for (let i = 0; i < 3; i += 1) expect((await exchange("retry-between", { user: "q" })).json.created).toBe(false);
    expect(await textsOf("retry-between")).toEqual(["Is it open?", "I wonder too.", "Until six."]);
  });

  it("one reply is the reply to one question: the same words to another are stored", async () => {
    const ask = (messageId: string) => ({ role: "user", content: `Question ${messageId}?`, messageId });
    const reply = { role: "assistant", content: "Yes." };
    for (const id of ["1", "2"]) await append(h, "retry-two", { userId: "retry", messages: [ask(id)] });
    await append(h, "retry-two", { userId: "retry", messages: [ask("1"), reply] });
    const both = () =>
      append(h, "retry-two", { userId: "retry", episodes: ["1", "2"].map((id) => ({ messages: [ask(id), reply] })) });
    await both();
    await both();
    expect(await textsOf("retry-two")).toEqual(["Question 1?", "Question 2?", "Yes.", "Yes."]);
  });

  it("stores nothing twice when nineteen messages came in between", async () => {
    await append(h, "retry-far", { userId: "retry", messages: [{ role: "user", content: "Is it open?", messageId: "q" }] });
    for (let i = 0; i < 19; i += 1)
      await append(h, "retry-far", {
        userId: "retry",
        messages: [{ role: "user", content: `Message ${i}`, messageId: `m${i}` }],
      });
    await exchange("retry-far", { user: "q" });
    expect((await exchange("retry-far", { user: "q" })).json.created).toBe(false);
  });

  it("stores nothing twice whether or not it names its sender as who said it", async () => {
    const said = (id: string, userId?: string) =>
      append(h, `retry-named-${id}`, {
        userId: "retry",
        messages: [
          { role: "user", content: "Is it open?", ...(userId === undefined ? {} : { userId }) },
          { role: "assistant", content: "Until six.", messageId: "r" },
        ],
      });
    for (const [id, first, second] of [
      ["first", "retry", undefined],
      ["second", undefined, "retry"],
    ] as const) {
      expect((await said(id, first)).json.created).toBe(true);
      expect((await said(id, second)).json.created).toBe(false);
      expect(await textsOf(`retry-named-${id}`)).toEqual(["Is it open?", "Until six."]);
    }
  });

  it("stores other words than before", async () => {
    await exchange("retry-other", { user: "q" });
    expect((await exchange("retry-other", { user: "q" }, "Until seven.")).json.created).toBe(true);
    expect(await textsOf("retry-other")).toEqual(["Is it open?", "Until six.", "Until seven."]);
  });

  it("at the same moment stores it once", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange("retry-at-once", { user: "q" })));
    expect(answers.filter(({ json }) => json.created)).toHaveLength(1);
    expect(await textsOf("retry-at-once")).toEqual(["Is it open?", "Until six."]);
  });
});

describe("messageId", () => {
  const message = (messageId: string, text = `text of ${messageId}`) => ({ role: "user", content: text, messageId });
  const countOf = async (session: string) =>
    nth(
      await rows<{ n: number }>(
        "select count(*) as n from message_keys k join sessions s on s.id = k.session_id where s.external_id = ?",
        session,
      ),
      0,
    ).n;

  it("is stored once when it comes in two calls", async () => {
    const first = await append(h, "ids", { messages: [message("a")] });
    const second = await append(h, "ids", { messages: [message("a")] });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json).toMatchObject({
      id: first.json.id,
      created: false,
      skippedMessageIds: ["a"],
      messages: [{ index: 0, messageId: "a" }],
    });
    expect(second.json.createdAt).toBe(first.json.createdAt);
    expect((await history(h, "ids")).json.items).toHaveLength(1);
  });

  it("is stored once when it comes twice in one call", async () => {
    const { json } = await append<Many>(h, "ids-bulk", {
      episodes: [{ messages: [message("a"), message("a")] }, { messages: [message("a")] }, { messages: [message("b")] }],
    });
    const [first, repeat, other] = json.items;
    expect([first?.created, repeat?.created, other?.created]).toEqual([true, false, true]);
    expect(repeat?.id).toBe(first?.id);
    expect(first?.skippedMessageIds).toEqual(["a"]);
    expect((await history(h, "ids-bulk")).json.items.map((episode) => episode.messages.length)).toEqual([1, 1]);
  });

  it("leaves the new messages of an episode that overlaps", async () => {
    await append(h, "ids-overlap", { messages: [message("a"), message("b")] });
    const { status, json } = await append(h, "ids-overlap", { messages: [message("b"), message("c")] });
    expect([status, json.created, json.skippedMessageIds, json.messages]).toEqual([
      201,
      true,
      ["b"],
      [{ index: 0, messageId: "c" }],
    ]);
    const { json: page } = await history(h, "ids-overlap");
    expect(page.items.map((episode) => episode.messages.map(({ messageId }) => messageId))).toEqual([["a", "b"], ["c"]]);
  });

  it("is stored once when two calls race", async () => {
    const body = { messages: [message("a"), message("b")] };
    const answers = await Promise.all(Array.from({ length: 6 }, () => append(h, "ids-race", body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect([await countOf("ids-race"), (await history(h, "ids-race")).json.items.length]).toEqual([2, 1]);
  });

  it("is refused with another text, and nothing of the call is stored", async () => {
    await append(h, "ids-conflict", { messages: [message("a")] });
    const { status, json } = await append<Problem>(h, "ids-conflict", {
      messages: [message("new"), message("a", "something else")],
    });
    expect([status, json.code, json.fields?.[0]?.path]).toEqual([409, "conflict", "messages[1].messageId"]);
    const inOneCall = await append<Problem>(h, "ids-conflict", { messages: [message("x"), message("x", "something else")] });
    expect(inOneCall.status).toBe(409);
    expect(await countOf("ids-conflict")).toBe(1);
  });

  it("belongs to its session", async () => {
    const first = await append(h, "ids", { messages: [message("a")] });
    const other = await append(h, "ids-elsewhere", { messages: [message("a", "another text")] });
    expect([other.status, other.json.id === first.json.id]).toEqual([201, false]);
  });
});

describe("passages", () => {
  const filler = (n: number) =>
    Array.from({ length: n }, (_, i) => `This sentence number ${i} says nothing of interest.`).join(" ");
  const cases: [string, string, string][] = [
    ["plain words", "", "xylophone"],
    ["emoji before it", "👩‍👩‍👧‍👦🎉😀 ".repeat(40), "xylophone"],
    ["astral letters before it", "𝒜𝓁𝑔𝑒𝒷𝓇𝒶 𠮷野家 ".repeat(40), "xylophone"],
    ["Chinese before it", "我们昨天去了公园。".repeat(60), "xylophone"],
    ["NUL and lone surrogates before it", "a\u0000b \ud800 c\udfff ".repeat(30), "xylophone"],
  ];

  it.each(cases)("cut exactly their text out of the message: %s", async (name, before, word) => {
    // A tenant each: hits that say the same as another session's would stand for them.
    const h = await createHarness();
    const session = `passage ${name}`;
    const { status, json } = await say(h, session, [
      "hello",
      `${before}${filler(30)} The ${word} 🎻 is in the attic. ${filler(30)}`,
    ]);
    expect(status).toBe(201);
    const { json: episode } = await h.fetch<EpisodeView>(
      "GET",
      `/v1/sessions/${encodeURIComponent(session)}/episodes/${json.id}`,
    );
    const { json: answer } = await find(h, word, { sessionId: session, limit: 100, maxTokens: 8000 });
    const hits = answer.hits.filter((hit) => hit.sessionId === session);
    expect(hits[0]?.content).toContain(`The ${word} 🎻 is in the attic.`);
    for (const hit of hits) {
      expect(hit.id).toBe(json.id);
      const text = episode.messages[hit.message?.index ?? -1]?.content ?? "";
      expect(text.slice(hit.passage.start, hit.passage.end)).toBe(hit.content);
    }
    expect(hits[0]?.content.length).toBeLessThan((episode.messages[1]?.content ?? "").length / 2);
  });

  it("keeps every offset where NUL and half pairs were replaced", async () => {
    const { json } = await say(h, "replaced", "a\u0000b\ud83dc");
    const { json: episode } = await h.fetch<EpisodeView>("GET", `/v1/sessions/replaced/episodes/${json.id}`);
    expect(episode.messages[0]?.content).toBe("a\ufffdb\ufffdc");
  });
});

describe("history", () => {
  const walk = async (session: string, order: string, between: () => Promise<unknown>) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { json }: { json: Page<EpisodeView> } = await history(
        h,
        session,
        `?limit=4&order=${order}${cursor === null ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...json.items.map((episode) => firstText(episode) ?? ""));
      cursor = json.nextCursor;
      if (cursor !== null) await between();
    } while (cursor !== null && seen.length < 100);
    return seen;
  };

  it("loses and doubles nothing going forward while others append", async () => {
    await append(h, "forward", episodesOf(10));
    let added = 0;
    const seen = await walk("forward", "asc", async () => {
      if (added < 2) await say(h, "forward", `added ${added++}`);
    });
    expect(seen).toEqual([...Array.from({ length: 10 }, (_, i) => `line ${i}`), "added 0", "added 1"]);
  });

  it("loses and doubles nothing going back while others append", async () => {
    await append(h, "back", episodesOf(10));
    const seen = await walk("back", "desc", () => say(h, "back", "added"));
    expect(seen).toEqual(Array.from({ length: 10 }, (_, i) => `line ${9 - i}`));
  });

  it("has an end when the last page is just full", async () => {
    await append(h, "even", episodesOf(4));
    const { json } = await history(h, "even", "?limit=4");
    expect([json.items.length, json.nextCursor]).toEqual([4, null]);
  });

  it.each([-1, -CHUNKS_PER_SESSION * 3, CHUNKS_PER_SESSION, 1e12, 0.5])(
    "takes no position outside the session: %d",
    async (position) => {
      await say(h, "neighbour-before", "of another session");
      await say(h, "middle", "of this session");
      await say(h, "neighbour-after", "of another session");
      for (const order of ["asc", "desc"]) {
        expect((await history(h, "middle", `?order=${order}&cursor=${encodeCursor("episodes", [position])}`)).status).toBe(422);
      }
    },
  );
});

describe("forget", () => {
  it("takes the episode out of history, text, vectors and message ids, and leaves its neighbours", async () => {
    await append(h, "forget", { messages: [{ role: "user", content: "the parakeet stays", messageId: "keep" }] });
    const { json } = await append(h, "forget", {
      messages: [
        { role: "user", content: "the walrus goes", messageId: "gone" },
        { role: "user", content: "walrus again" },
      ],
    });
    await h.settle();
    const chunks = await rows<{ id: number; space: number }>(
      "select e.id as id, s.space_id as space from episodes e join sessions s on s.id = e.session_id where e.public_id = ?",
      json.id,
    );
    const { id, space } = nth(chunks, 0);
    const vectorsLeft = async () => {
      const { vectors, embedder } = h.services();
      const [vector] = await embedder.embed(["walrus"], "query");
      const matches = await vectors.query(h.tenantId, {
        vector: nth([vector ?? new Float32Array()], 0),
        spaces: [space],
        filter: { kind: "episode" },
        topK: 50,
      });
      return matches.map((match) => match.id).filter((name) => name === `epi:${id}` || name === `epi:${id + 1}`);
    };
    expect(await vectorsLeft()).toHaveLength(2);

    expect((await h.fetch("DELETE", `/v1/sessions/forget/episodes/${json.id}`)).status).toBe(204);
    expect((await history(h, "forget")).json.items.map(firstText)).toEqual(["the parakeet stays"]);
    expect((await h.fetch("GET", `/v1/sessions/forget/episodes/${json.id}`)).status).toBe(404);
    expect((await find(h, "walrus", { strategy: "text" })).json.hits).toEqual([]);
    expect((await find(h, "parakeet", { strategy: "text" })).json.hits).toHaveLength(1);
    expect(
      await rows(
        "select message_id as id from message_keys k join sessions s on s.id = k.session_id where s.external_id = 'forget'",
      ),
    ).toEqual([{ id: "keep" }]);
    expect(await rows("select rowid as id from message_fts where rowid in (?, ?)", id, id + 1)).toEqual([]);
    await h.settle();
    expect(await vectorsLeft()).toEqual([]);

    const again = await append(h, "forget", { messages: [{ role: "user", content: "another text", messageId: "gone" }] });
    expect([again.status, again.json.created]).toEqual([201, true]);
  });

  it("is done once when two ask at the same moment", async () => {
    const { json } = await say(h, "forget-twice", "for two");
    const answers = await Promise.all([1, 2].map(() => h.fetch("DELETE", `/v1/sessions/forget-twice/episodes/${json.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await rows("select count(*) as n from audit where action = 'episode.forgotten' and object_id = ?", json.id)).toEqual([
      { n: 1 },
    ]);
  });

  it("answers 404 where there is nothing to forget", async () => {
    const { json } = await say(h, "forget-elsewhere", "stays");
    expect((await h.fetch("DELETE", `/v1/sessions/forget/episodes/${json.id}`)).status).toBe(404);
    expect((await h.fetch("DELETE", "/v1/sessions/forget/episodes/epi_none")).status).toBe(404);
    expect((await history(h, "forget-elsewhere")).json.items).toHaveLength(1);
  });
});

describe("hostile sizes and times", () => {
  it("takes a megabyte of letters that are sentences when they are normalised", async () => {
    for (const text of ["ﷺ".repeat(62_000), "ﷺ ".repeat(31_000), "ﷺ ㍿ ㌖ ".repeat(9_000)]) {
      const own = await createHarness();
      const messages = Array.from({ length: 5 }, (_, i) => ({ role: "user" as const, content: text.slice(i) }));
      const { status } = await own.fetch("POST", "/v1/sessions/large/episodes", { body: { messages } });
      expect([201, 413]).toContain(status);
    }
  });

  it("takes a body that is all quotes, in many episodes", async () => {
    const episodes = Array.from({ length: 40 }, (_, i) => ({
      messages: [{ role: "user", content: `${'"'.repeat(i === 0 ? 60_000 : 9_000)} ${i}` }],
    }));
    const { status } = await h.fetch("POST", "/v1/sessions/quotes/episodes", { body: { userId: "quoter", episodes } });
    expect(status).toBe(201);
    const { json } = await h.fetch<EpisodeView>("GET", "/v1/sessions/quotes/episodes?userId=quoter&limit=1");
    expect(JSON.stringify(json)).toContain('\\"\\"\\"');
  });

  it.each(["9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59", "0000-12-31T00:00:00Z"])(
    "refuses %s, which cannot be written again",
    async (occurredAt) => {
      const body = { messages: [{ role: "user", content: "when", occurredAt }] };
      expect((await h.fetch("POST", "/v1/sessions/times/episodes", { body })).status).toBe(422);
    },
  );

  it("takes the first year that can", async () => {
    const occurredAt = "0001-01-01T00:00:00Z";
    const { status, json } = await h.fetch("POST", "/v1/sessions/times/episodes", {
      body: { messages: [{ role: "user", content: "when", occurredAt }] },
    });
    expect([status, json]).toMatchObject([201, { occurredAt: occurredAt.replace("Z", ".000Z") }]);
  });
});
