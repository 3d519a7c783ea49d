import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { encodeCursor } from "#core/page";
import { type Answer, createHarness, type Harness } from "#test/harness";

/** The full run: `npm run test:isolation`. */
const RUNS = Number(import.meta.env.VITE_ISOLATION_RUNS ?? 20);
const SEED = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_419);

/** In every memory that Ann may not see; no answer to her may hold it. */
const SECRET = "walrus";

const ODD = [
  "NEAR(a b, 3)",
  '"unclosed',
  "a* ^b -c +d",
  "space : (s1)",
  '" OR space : "s1',
  "p1 s1 s2",
  "memory_fts",
  "'; drop table memories; --",
  "%",
  "{}",
  "null",
  "__proto__",
  "..",
  "%00",
  "\u0000",
  "a\u0000b",
  "\u001b[31m",
  "\ud800",
  "a\udfffb",
  "👩‍👩‍👧‍👦",
  "\u202eabc",
  "日本語の文章です",
  "𝔘𝔫𝔦",
  "1e999",
  "-0",
  "don't",
  "?!…",
  " ",
  "\u3000",
];

const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...ODD), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" ")) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom("x", "界", "😀", '" ').map((unit) => unit.repeat(2_000)) },
);

let ours: Harness;
let theirs: Harness;
let foreign: string[];

beforeAll(async () => {
  [ours, theirs] = [await createHarness(), await createHarness()];
  foreign = [];
  const memories = ODD.map((odd, i) => ({ content: `${SECRET} ${i} ${odd}`, subjects: [], key: `${SECRET} ${i}` }));
  for (const [harness, userId] of [
    [theirs, "ann"],
    [ours, "ben"],
  ] as const) {
    const { status, json } = await harness.fetch<{ items: { id: string }[] }>("POST", "/v1/memories", {
      body: { userId, memories },
    });
    expect(status).toBe(201);
    foreign.push(...json.items.map(({ id }) => id));
  }
});

/** 2xx, or a refusal that a client can read; never somebody else's words. */
async function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  const answer = await ours.fetch<T>(method, path, body === undefined ? {} : { body });
  const described = `${method} ${path.slice(0, 200)} ${JSON.stringify(body)?.slice(0, 300)} ${answer.text.slice(0, 300)}`;
  expect(answer.status < 300 || [400, 403, 404, 409, 422].includes(answer.status), described).toBe(true);
  if (answer.status >= 400)
    expect(answer.json, described).toMatchObject({ code: expect.any(String), requestId: expect.any(String) });
  expect(answer.text, described).not.toContain(SECRET);
  return answer;
}

const limits = { numRuns: RUNS, seed: SEED, endOnFailure: true };
const TIMEOUT_MS = 30_000 + RUNS * 500;
const stored = (words: string) => words.toWellFormed().replaceAll("\0", "\ufffd").trim();
const parameter = (words: string) => encodeURIComponent(words.slice(0, 400).toWellFormed());

type Memory = { id: string; content: string; metadata: unknown; created: boolean };

it(
  "any words and metadata are stored as they are, found again, and in nobody else's way",
  async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }), async (words, metadata) => {
        const content = `quince ${words}`.slice(0, 4_000);
        const body = { userId: "ann", content, metadata, subjects: [] };
        const { status, json } = await ask<Memory>("POST", "/v1/memories", body);
        if (status === 422) return;
        expect([200, 201]).toContain(status);
        const again = await ask<Memory>("POST", "/v1/memories", body);
        expect(again.json).toMatchObject({ id: json.id, created: false });
        const read = await ask<Memory>("GET", `/v1/memories/${json.id}?userId=ann`);
        if (json.created) {
          expect(read.json.content).toBe(stored(content));
          expect(JSON.stringify(read.json.metadata)).toBe(JSON.stringify(JSON.parse(JSON.stringify(metadata))));
        }
        const others = await ask<{ items: Memory[] }>("GET", "/v1/memories?userId=cat&text=quince");
        expect(others.json.items).toEqual([]);
      }),
      limits,
    );
  },
  TIMEOUT_MS,
);

it(
  "any name, place, filter and cursor is taken or refused, and reaches nothing of anybody else",
  async () => {
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat(), async (one, other, pick) => {
        const id = foreign[pick % foreign.length];
        const [name, place] = [parameter(one), parameter(other)];
        const position = [pick % 2 === 0 ? one.slice(0, 100).toWellFormed() : (id ?? "")];
        const cursor = encodeURIComponent(encodeCursor("memories", position));
        for (const query of [
          `text=${name}`,
          `text=${name}%20OR%20${SECRET}&key=${place}`,
          `person=${name}&text=${place}`,
          `workspaceId=${name}&scopeType=${place}&scopeId=${name}`,
          `sessionId=${name}&projectId=${place}`,
          `learnedIn=${name}&cursor=${cursor}`,
          `cursor=${place}&stats=true`,
          `status=pending&person=${name}&workspaceId=${place}`,
          `asOf=${name}&from=${place}`,
        ])
          await ask("GET", `/v1/memories?userId=ann&${query}`);
        await ask("GET", `/v1/memories/review?userId=ann&cursor=${encodeURIComponent(encodeCursor("review", position))}`);
        for (const target of [name, id]) {
          await ask("GET", `/v1/memories/${target}?userId=ann&workspaceId=${place}`);
          await ask("GET", `/v1/memories/${target}/history?userId=ann&sessionId=${place}`);
          await ask("PATCH", `/v1/memories/${target}?userId=ann`, { content: other, key: one });
          await ask("DELETE", `/v1/memories/${target}?userId=ann`);
          await ask("POST", `/v1/memories/${target}/restore?userId=ann`);
          await ask("POST", `/v1/memories/${target}/reject`, { userId: "ann" });
          await ask("GET", `/v1/people/${target}/memories?userId=ann`);
        }
        const named = { userId: "ann", content: "quince", key: one, workspaceId: other, scopeType: one, scopeId: other };
        const made = await ask<Memory>("POST", "/v1/memories", named);
        if (made.status < 300) expect((await ask<Memory>("POST", "/v1/memories", named)).json.id).toBe(made.json.id);
        await ask("POST", "/v1/memories", { userId: "ann", content: other, supersedes: id, contradicts: one });
        await ask("POST", "/v1/memories", { userId: "ann", content: other, sessionId: one, subjects: [other], statedBy: one });
      }),
      limits,
    );
    const left = await theirs.fetch<{ stats: { total: number } }>("GET", "/v1/memories?userId=ann");
    expect(left.json.stats.total).toBe(ODD.length);
  },
  TIMEOUT_MS * 2,
);
