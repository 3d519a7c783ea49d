import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { encodeCursor, type List } from "#core/page";
import { type Answer, createHarness, type Harness } from "#test/harness";

/** The full run: `npm run test:isolation`. */
const RUNS = Number(import.meta.env.VITE_ISOLATION_RUNS ?? 20);
const SEED = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_419);

/** In every text that is not Ann's; no answer to her may hold it. */
const SECRET = "walrus";

const HOSTILE = [
  "NEAR(",
  "NEAR(a b, 3)",
  '"',
  '""',
  '"unclosed',
  "*",
  "a*",
  "^",
  "^a",
  "-",
  "-a",
  ":",
  "+",
  "(",
  ")",
  "a AND",
  "OR",
  "NOT x",
  "AND OR NOT",
  "space:s1",
  'space : ("s1" OR "s2")',
  "{space text} : s1",
  '" OR space : "s1',
  "s1 s2 s3 s4 s5 s6",
  "message_fts",
  "rowid:1",
  "text:walrus",
  "walrus",
  "'; drop table episodes; --",
  "' or 1=1 --",
  "\\",
  "%",
  "_",
  "?",
  "$1",
  "\u0024{x}",
  "{}",
  "[]",
  "null",
  "undefined",
  "NaN",
  "__proto__",
  "constructor",
  "../..",
  "%00",
  "%2e%2e",
  "%ud800",
  "<script>alert(1)</script>",
  "\u0000",
  "a\u0000b",
  "\u001b[31m",
  "\r\nset-cookie: a=b",
  "\ud800",
  "\udfff",
  "\udfff\ud800",
  "a\ud800b",
  "😀",
  "👩‍👩‍👧‍👦",
  "🏳️‍🌈",
  "\u200b",
  "\u200d\u200c\u2060",
  "\ufeff",
  "\u202eabc\u202c",
  "שלום עולם",
  "مرحبا بالعالم",
  "ﷺ",
  "İstanbul",
  "ß",
  "ﬁ",
  "e\u0301",
  "한국어",
  "日本語の文章です",
  "ภาษาไทย",
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
  "1e999",
  "-0",
  "2026-02-31",
  "3.14",
  "don't",
  "a-b_c.d",
  "C++",
  "a\tb",
  "the of and to",
  "?!…—,;",
  "",
  " ",
  "\u3000",
  "\u2028",
];

const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
);
const hostile = fc.oneof(
  { weight: 10, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(" ")) },
  { weight: 2, arbitrary: piece },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("x", "ab ", "界", "😀", '" ', "( ", "\ud800", "the ")
      .map((unit) => unit.repeat(10_000 / unit.length)),
  },
);
const position = fc.oneof(hostile, fc.double({ noNaN: true }), fc.integer());

let ours: Harness;
const anns = new Set<string>();

beforeAll(async () => {
  ours = await createHarness();
  const theirs = await createHarness();
  // Others say all of it as well, so that whatever a question matches, it could match there.
  const messages = HOSTILE.map((text) => ({ role: "user", content: `${SECRET} ${text} ${text}` }));
  const episodes = [0, 50]
    .map((from) => ({ messages: messages.slice(from, from + 50) }))
    .filter((episode) => episode.messages.length > 0);
  for (const [harness, userId, session] of [
    [theirs, "ann", "a"],
    [ours, "ben", "b"],
    [theirs, "ben", "c"],
  ] as const) {
    expect((await harness.fetch("POST", `/v1/sessions/${session}/episodes`, { body: { userId, episodes } })).status).toBe(201);
    await harness.fetch("PUT", `/v1/projects/${session}-${SECRET}`, { body: { userId, name: SECRET } });
  }
  await ours.fetch("POST", "/v1/sessions/mine/episodes", {
    body: { userId: "ann", messages: [{ role: "user", content: "tea at five" }] },
  });
  anns.add("mine");
  await ours.settle();
  await theirs.settle();
});

type Search = { hits: { sessionId: string; content: string }[]; degraded: unknown[] };

/** 2xx, or a refusal that a client can read; never somebody else's words. */
async function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  const answer = await ours.fetch<T>(method, path, body === undefined ? {} : { body });
  const described = `${method} ${path.slice(0, 200)} ${JSON.stringify(body)?.slice(0, 300)} ${answer.text.slice(0, 300)}`;
  expect(answer.status < 300 || [400, 404, 409, 422].includes(answer.status), described).toBe(true);
  if (answer.status >= 400)
    expect(answer.json, described).toMatchObject({ code: expect.any(String), requestId: expect.any(String) });
  return answer;
}

/** A path segment; a half of a surrogate pair cannot be in one. */
const segment = (text: string) => encodeURIComponent(text.slice(0, 300).toWellFormed());

const limits = { numRuns: RUNS, seed: SEED, endOnFailure: true };
const TIMEOUT_MS = 30_000 + RUNS * 500;

it(
  "any question in any place finds nothing of anybody else, and no channel fails over it",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        hostile,
        fc.constantFrom("text", "semantic", "hybrid", "recent"),
        fc.boolean(),
        async (query, strategy, includeGroups) => {
          const body = { userId: "ann", query, strategy, includeGroups, limit: 100, maxTokens: 8000, explain: true };
          const { status, json, text } = await ask<Search>("POST", "/v1/search", body);
          expect(status, text).toBe(200);
          expect(json.degraded).toEqual([]);
          for (const hit of json.hits) {
            expect(anns).toContain(hit.sessionId);
            expect(hit.content).not.toContain(SECRET);
          }
        },
      ),
      { ...limits, numRuns: RUNS * 4 },
    );
  },
  TIMEOUT_MS,
);

it(
  "any text is stored as it is, found by its own words, and in nobody else's way",
  async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (text, speaker) => {
        fc.pre(!text.includes(SECRET) && !speaker.includes(SECRET));
        const body = {
          userId: "ann",
          messages: [{ role: "user", content: `quince ${text}`, speaker: `s${speaker}`.slice(0, 200) }],
        };
        const { status, json } = await ask<{ id: string }>("POST", "/v1/sessions/mine/episodes", body);
        expect(status).toBe(201);
        const stored = await ask<{ messages: { content: string; speaker: string }[] }>(
          "GET",
          `/v1/sessions/mine/episodes/${json.id}?userId=ann`,
        );
        expect(stored.json.messages[0]?.content).toBe(`quince ${text}`.toWellFormed().replaceAll("\0", "\ufffd"));
        const found = await ask<Search>("POST", "/v1/search", { userId: "ann", query: "quince", strategy: "recent", limit: 1 });
        expect(found.json.hits[0]?.sessionId).toBe("mine");
        const others = await ask<Search>("POST", "/v1/search", { userId: "cat", query: "quince", strategy: "text" });
        expect(others.json.hits).toEqual([]);
      }),
      limits,
    );
  },
  TIMEOUT_MS,
);

it(
  "any id, title and cursor is taken or refused, and reaches nothing of anybody else",
  async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, fc.array(position, { maxLength: 2 }), async (id, other, positions) => {
        const places = positions.map((part) => (typeof part === "string" ? part.slice(0, 100).toWellFormed() : part));
        const cursor = (list: List) => encodeURIComponent(encodeCursor(list, places));
        const name = segment(id);
        const user = `h${other}`;
        const reads = [
          await ask("POST", "/v1/search", { userId: user, sessionId: id, query: other }),
          await ask("POST", "/v1/search", { userId: "ann", projectId: id, query: other, includeGroups: true }),
          await ask("GET", `/v1/sessions/${name}?userId=ann`),
          await ask("GET", `/v1/sessions/${name}/episodes?userId=ann&cursor=${cursor("episodes")}`),
          await ask("GET", `/v1/sessions/mine/episodes?userId=ann&cursor=${cursor("episodes")}`),
          await ask("GET", `/v1/sessions/mine/episodes?userId=ann&cursor=${segment(other)}&order=desc`),
          await ask("GET", `/v1/sessions/mine/episodes/${name}?userId=ann`),
          await ask("GET", `/v1/sessions?userId=ann&cursor=${cursor("sessions")}`),
          await ask("GET", `/v1/sessions?userId=${segment(user)}&projectId=${name}`),
          await ask("GET", `/v1/projects?userId=ann&cursor=${segment(other)}`),
          await ask("GET", `/v1/jobs/${name}`),
          await ask("GET", `/v1/jobs?cursor=${cursor("jobs")}`),
          await ask("DELETE", `/v1/keys/${name}`),
        ];
        for (const { text } of reads) expect(text).not.toMatch(new RegExp(`"(?:content|text)":"${SECRET}`));

        const made = await ask<{ title: string; participants: string[] }>("PUT", `/v1/sessions/${name}`, {
          userId: "ann",
          title: other.slice(0, 500),
          participants: ["ann", user],
        });
        if (made.status < 300) {
          expect(new Set(made.json.participants)).toEqual(new Set(["ann", user]));
          expect(made.json.title).toBe(other.slice(0, 500).toWellFormed());
        }
        await ask("PUT", `/v1/users/${name}`, { name: other });
        await ask("PUT", `/v1/projects/${name}`, { userId: user, name: other });
        await ask("PUT", `/v1/projects/${name}/members/${segment(other)}?userId=${segment(user)}`);
        const message = { userId: "ann", messages: [{ role: "user", content: "quince", messageId: other }] };
        const first = await ask<{ id: string }>("POST", `/v1/sessions/${name}/episodes`, message);
        if (first.status >= 300) return;
        const second = await ask<{ id: string; created: boolean }>("POST", `/v1/sessions/${name}/episodes`, message);
        expect(second.json).toMatchObject({ id: first.json.id, created: false });
      }),
      limits,
    );
  },
  TIMEOUT_MS * 2,
);

it("two ids that differ only in half a surrogate pair are not one", async () => {
  for (const id of ["\ud800", "a\udc00"]) {
    const { status, json } = await ask("POST", "/v1/search", { userId: id, query: "tea" });
    expect(status).toBe(400);
    expect(json).toMatchObject({ fields: [{ path: "userId" }] });
  }
});
