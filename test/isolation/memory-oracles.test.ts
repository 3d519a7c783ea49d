import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";

/**
 * Two groups in which a participant does the same. In one of them somebody else has stored before what the participant may not see: a
 * sensitive memory, or one that waits for review or was rejected. Every answer must be the same in both.
 */
let h: Harness;
let plain: string;
beforeAll(async () => {
  h = await createHarness();
  plain = await h.as(["read", "write"]);
});

const WORDS = "Carl is looking for another job";
type Body = Record<string, unknown>;
type Call = { method: string; path: string; body?: Body };

let groups = 0;

type Group = { session: string; carl: string };

/** Eve's group with Dave and Fay, and Carl, whom Eve knows. */
async function makeGroup(): Promise<Group> {
  groups += 1;
  const session = `oracle-${groups}`;
  const participants = ["eve", "dave", "fay", "gil"];
  await h.fetch("PUT", `/v1/sessions/${session}`, { body: { userId: "eve", participants } });
  const carl = (await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "eve", name: "Carl" } })).json.id;
  return { session, carl };
}

const HIDDEN: Record<string, (group: Group) => Promise<unknown>> = {
  sensitive: async ({ session, carl }) => await stored({ session, sensitivity: "sensitive", subjects: [carl] }),
  "sensitive under the key": async ({ session, carl }) =>
    await stored({ session, sensitivity: "sensitive", subjects: [carl], key: "job", content: "Carl has been dismissed" }),
  "sensitive, the words and the key": async ({ session, carl }) =>
    await stored({ session, sensitivity: "sensitive", subjects: [carl], key: "job" }),
  pending: async ({ session }) => await stored({ session, confidence: 0.2 }),
  "pending, the words and the key": async ({ session }) => await stored({ session, confidence: 0.2, key: "job" }),
  "pending, said often and about Carl": async ({ session, carl }) => {
    for (let i = 0; i < 3; i += 1) await stored({ session, confidence: 0.2, subjects: [carl] });
  },
  rejected: async ({ session }) => {
    const id = await stored({ session, confidence: 0.2 });
    expect((await h.fetch("POST", `/v1/memories/${id}/reject`, { body: {} })).status).toBe(200);
  },
  "several of them": async ({ session, carl }) => {
    await stored({ session, confidence: 0.2 });
    await stored({ session, userId: "gil", sensitivity: "sensitive", subjects: [carl] });
    await stored({ session, confidence: 0.3, key: "job", content: "Carl has a new job" });
  },
};

/** By Eve, and not seen by Dave. */
async function stored({ session, ...body }: Body): Promise<string> {
  const { status, json } = await h.fetch<{ id: string }>("POST", "/v1/memories", {
    body: { userId: "eve", sessionId: session, content: WORDS, ...body },
  });
  expect(status).toBeLessThan(300);
  expect((await h.fetch("GET", `/v1/memories/${json.id}?userId=dave&sessionId=${session}`)).status).toBe(404);
  return json.id;
}

const dave = (session: string) => `userId=dave&sessionId=${session}`;

/** What Dave does, step by step; `made` are the ids of his earlier answers. */
type Step = (group: Group, made: readonly string[]) => Call;
const post =
  (body: Body, userId = "dave"): Step =>
  ({ session }) => ({ method: "POST", path: "/v1/memories", body: { userId, sessionId: session, ...body } });
const look: Step = ({ session }, made) => ({ method: "GET", path: `/v1/memories/${made.at(-1)}?${dave(session)}` });
const past: Step = ({ session }, made) => ({ method: "GET", path: `/v1/memories/${made.at(-1)}/history?${dave(session)}` });
const all: Step = ({ session }) => ({ method: "GET", path: `/v1/memories?${dave(session)}&reach=session&stats=true` });
const byKey: Step = ({ session }) => ({ method: "GET", path: `/v1/memories?${dave(session)}&reach=session&key=job` });
const waiting: Step = () => ({ method: "GET", path: "/v1/memories/review?userId=dave" });
const patch =
  (body: Body): Step =>
  ({ session }, made) => ({ method: "PATCH", path: `/v1/memories/${made.at(-1)}?${dave(session)}`, body });
const forget: Step = ({ session }, made) => ({ method: "DELETE", path: `/v1/memories/${made.at(-1)}?${dave(session)}` });
const restore: Step = ({ session }, made) => ({ method: "POST", path: `/v1/memories/${made.at(-1)}/restore?${dave(session)}` });
const words = { content: WORDS };
const about: Step = (group, made) => post({ ...words, subjects: [group.carl] })(group, made);

const STEPS: Record<string, Step[]> = {
  "repeats the words": [post(words), look, past, all, post(words), post({ content: `${WORDS.toUpperCase()}.` }), all],
  "repeats them about the same person": [about, look, about, all],
  "repeats them under a key": [
    post({ ...words, key: "job" }),
    look,
    byKey,
    post({ ...words, key: "job" }),
    past,
    post(words),
    all,
  ],
  "takes the key": [
    post({ content: "Carl juggles", key: "job", metadata: { a: 1 } }),
    look,
    past,
    post({ content: "Carl sings", key: "job", metadata: { b: 2 } }),
    past,
    byKey,
  ],
  guesses: [
    post({ ...words, confidence: 0.3 }),
    look,
    waiting,
    post({ ...words, confidence: 0.3 }),
    post({ ...words, key: "job", confidence: 0.3 }),
    post({ ...words, key: "job", confidence: 0.3 }),
    waiting,
    all,
  ],
  "guesses at a key of what is known": [
    post(words),
    post({ ...words, key: "job", confidence: 0.3 }),
    post({ ...words, key: "job", confidence: 0.3 }),
    all,
    post({ ...words, key: "job" }),
    byKey,
  ],
  "says it in a call of many": [
    ({ session }) => ({
      method: "POST",
      path: "/v1/memories",
      body: {
        userId: "dave",
        memories: [
          { sessionId: session, content: "Carl plays chess" },
          { sessionId: session, ...words },
          { sessionId: session, ...words },
        ],
      },
    }),
    all,
  ],
  "says it after another who saw none of it either": [post(words, "fay"), post(words), all, look],
  "changes a memory into it": [
    post({ content: "Carl draws" }),
    patch(words),
    look,
    past,
    patch({ metadata: { a: 1 } }),
    look,
    post(words),
    patch({ key: "job" }),
    byKey,
    look,
  ],
  "brings it back": [post(words), forget, restore, look, all],
  "brings it back under a key": [post({ ...words, key: "job" }), forget, restore, look, byKey],
};

/** Ids by the order in which they come, times and the group's name left out: what else could tell one group from the other stays. */
function seen(answers: readonly { status: number; text: string; etag: string | null }[], { session, carl }: Group): unknown {
  const names = new Map<string, string>([[carl, "carl"]]);
  return answers.map(({ status, text, etag }) => {
    const plainText = text
      .replaceAll(session, "group")
      .replaceAll(/\b(mem|per|epi|ses)_[0-9a-f-]{36}/g, (id, kind) => {
        if (!names.has(id)) names.set(id, `${kind}-${names.size}`);
        return names.get(id) ?? id;
      })
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
      .replaceAll(/"requestId":"[^"]+"/g, "");
    return [status, etag, plainText];
  });
}

async function act(group: Group, steps: readonly Step[], key: string) {
  const made: string[] = [];
  const answers: { status: number; text: string; etag: string | null; at: number }[] = [];
  for (const step of steps) {
    const { method, path, body } = step(group, made);
    const at = Date.now();
    const answer = await h.fetch<{ id?: string }>(method, path, { key, ...(body === undefined ? {} : { body }) });
    if (method === "POST" && typeof answer.json?.id === "string") made.push(answer.json.id);
    answers.push({ status: answer.status, text: answer.text, etag: answer.headers.get("etag"), at });
  }
  return { answers, made };
}

type Acted = Awaited<ReturnType<typeof act>>;

/** What a group without anything hidden answers to these steps, the same whatever is hidden in the other. */
const plainly = new Map<string, Promise<{ group: Group; acted: Acted }>>();

async function actPlainly(name: string, steps: readonly Step[], key: string): Promise<{ group: Group; acted: Acted }> {
  const done = plainly.get(`${name} ${key}`);
  if (done !== undefined) return await done;
  const made = makeGroup().then(async (group) => ({ group, acted: await act(group, steps, key) }));
  plainly.set(`${name} ${key}`, made);
  return await made;
}

describe.each(Object.entries(HIDDEN))("words that are %s", (_, hide) => {
  it.each(Object.entries(STEPS))("answer as new words do to who %s", async (name, steps) => {
    for (const key of [plain, h.key]) {
      const { group: without, acted: expected } = await actPlainly(name, steps, key);
      const within = await makeGroup();
      await hide(within);
      const before = `mem_${timeOf(Date.now())}`;
      const actual = await act(within, steps, key);
      expect(seen(actual.answers, within)).toEqual(seen(expected.answers, without));
      expect(actual.answers.some(({ status }) => status >= 400)).toBe(expected.answers.some(({ status }) => status >= 400));
      // An id tells when it was made.
      for (const id of actual.made) expect(id >= before).toBe(true);
    }
  });
});

/** The beginning of a UUIDv7 of that time. */
function timeOf(at: number): string {
  const hex = at.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
