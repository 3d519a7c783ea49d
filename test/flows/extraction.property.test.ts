import { expect, it } from "vitest";
import type { Services } from "#context";
import type { ChatRequest } from "#ports/chat-model";
import { createHarness, type Harness } from "#test/harness";
import { memoriesOf, runDue, settings } from "./extraction-requests.ts";
import { add, group, personOf } from "./memory-requests.ts";
import { append, rows } from "./requests.ts";

const SEED = 20261120;
const ROUNDS = 20;

let state = SEED;
/** A linear congruential generator of Numerical Recipes; its high bits are good enough to pick from lists. */
const below = (n: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};
const chance = (probability: number) => below(1_000) < probability * 1_000;
const some = <T>(list: readonly T[], probability: number): T[] => list.filter(() => chance(probability));
const pick = <T>(list: readonly T[]): T => {
  const value = list[below(list.length)];
  if (value === undefined) throw new RangeError("Nothing to pick from.");
  return value;
};

const SENTENCES = [
  "I prefer green tea in the morning",
  "Bob moved to Rome last spring",
  "My sister Lea sings in a choir",
  "Carol lives in Paris and paints",
  "We deploy the shop on Tuesdays",
  "Ann and Bob own a boat together",
  "I work as a nurse in Lisbon",
  "The stand-up of the team is at nine",
] as const;
const ENDS = ["by the sea", "since March", "with joy", "at home", "every year", "in the north", "by bike", "after lunch"];
const NAMES = [
  "speaker",
  "Bob",
  "@bob",
  "Ann",
  "ann",
  "Carol",
  "carol",
  "Lea",
  "Dora",
  "Eve",
  "everybody",
  "null",
  "",
  "per_0190",
];
const TYPES = [
  "preference",
  "identity",
  "relationship",
  "knowledge",
  "procedural",
  "context",
  "event",
  "task",
  "observation",
  "opinion",
] as const;
const KEYS = [null, "identity:home", "theme", "preference:drink", "x".repeat(300)] as const;

/** An answer that may follow the schema, or the order of somebody in the transcript, or nothing at all. */
function answerTo({ messages }: ChatRequest): string {
  const asked = messages.at(-1)?.content ?? "";
  const texts = [...asked.matchAll(/"text":("(?:[^"\\]|\\.)*")/g)].map(([, json]): string => JSON.parse(json ?? '""'));
  const earlier = [...asked.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, json]): string => JSON.parse(json ?? '""'));
  if (chance(0.1)) return "{".repeat(below(4)) + JSON.stringify(texts);
  const memories = Array.from({ length: 3 + below(6) }, () => {
    const text = texts[below(texts.length)] ?? "";
    const quote = pick([text, text, text, text, ...earlier, "words that nobody said"]);
    return {
      type: chance(0.5) ? pick(TYPES) : "knowledge",
      content: pick([quote, quote, quote, `${quote} today`, ...earlier, "Is an administrator"]),
      quote,
      confidence: pick([0.9, 0.9, 0.95, 0.5, 1.2]),
      sensitivity: pick(["public", "personal", "sensitive", "secret"]),
      portable: chance(0.8),
      subjects: some(NAMES, 0.3),
      key: pick(KEYS),
      replaces: some(["K1", "K2", "K3", "K9", "mem_0190"], 0.4),
      ownerId: "carol",
      tenantId: 1,
      sessionId: "alone-carol",
      shared: true,
    };
  });
  const people = some(NAMES, 0.3).map((name) => ({
    name,
    aliases: some(NAMES, 0.3),
    relationship: pick([null, "sister", "boss"]),
  }));
  const entities = some(NAMES, 0.3).map((name) => ({ type: "tool", name, notes: pick([null, "a thing"]) }));
  return JSON.stringify({ memories, people, entities, tenantId: 1 });
}

const model: Services["chatModel"] = {
  model: "random",
  complete: async (request) => ({ kind: "text", text: answerTo(request), usage: { inputTokens: 10, outputTokens: 5 } }),
};

const USERS = ["ann", "bob", "carol"] as const;

async function world(): Promise<Harness> {
  const h = await createHarness({ replace: () => ({ log: () => undefined, chatModel: model }) });
  await settings(h, { extraction: "model", piiReview: false });
  await h.fetch("PUT", "/v1/projects/shop", { body: { userId: "ann" } });
  await group(h, "team", ["ann", "bob"]);
  for (const userId of [...USERS, "dora"]) {
    const person = await personOf(h, userId);
    await h.fetch("PUT", `/v1/users/${userId}`, { body: { name: userId.replace(/^./, (first) => first.toUpperCase()) } });
    await add(h, { userId, content: `${userId} lives in a house of ${userId}`, type: "identity", key: "theme" });
    await add(h, { userId, content: `${userId} hides something about tea`, subjects: [person], sensitivity: "sensitive" });
    await add(h, { userId, content: `${userId} thinks that Bob moved`, subjects: [await personOf(h, "bob")] });
  }
  return h;
}

/** Each episode with each user whose statements it holds. */
const authors = new Set<string>();

/** Says a few things somewhere, and lets rules and the model read it. */
async function talk(h: Harness): Promise<void> {
  const userId = pick(USERS);
  const session = pick(userId === "carol" ? ["alone"] : ["alone", "team", "shop"]);
  const speakers = [undefined, undefined, undefined, undefined, "Ann", "Bob", "Carol", "Dora", "Stranger"] as const;
  const messages = Array.from({ length: 1 + below(4) }, () => {
    const speaker = speakers[below(speakers.length)];
    const role = pick(["user", "user", "user", "assistant"]);
    const isNamed = session === "team" && role === "user" && chance(0.3);
    return {
      role,
      text: `${pick(SENTENCES)} ${pick(ENDS)}`,
      ...(isNamed ? { userId: pick(["ann", "bob"]) } : {}),
      ...(speaker === undefined ? {} : { speaker }),
    };
  });
  const project = session === "shop" ? { projectId: "shop" } : {};
  const name = session === "team" ? "team" : `${session}-${userId}`;
  const owner = session === "shop" ? { userId: "ann" } : { userId };
  const { json } = await append(h, session === "shop" ? "shop-ann" : name, { ...owner, ...project, messages });
  // Whose statements its messages are: whom they name, else who sends them by no other name.
  const isOwn = (speaker: string | undefined) => speaker === undefined || speaker.toLowerCase() === owner.userId;
  for (const message of messages)
    if (message.role === "user")
      authors.add(`${json.id} ${message.userId ?? (isOwn(message.speaker) ? owner.userId : "nobody")}`);
  await runDue(h);
}

it(`whatever a model answers, nothing lands where the speaker has no say, and everything names its episode (seed ${SEED})`, async () => {
  const [h, other] = [await world(), await world()];
  for (const each of [h, other]) await each.settle();
  const before = await memoriesOf(h);
  const elsewhere = JSON.stringify(await memoriesOf(other));
  for (let round = 0; round < ROUNDS; round += 1) await talk(h);
  const after = await memoriesOf(h);
  expect(JSON.stringify(await memoriesOf(other))).toBe(elsewhere);
  const known = new Set(before.map(({ public_id }) => public_id));
  const taken = after.filter(({ public_id }) => !known.has(public_id));
  expect(taken.length).toBeGreaterThan(10);

  // What was there has no other words, but for what its own owner said under its key, and is replaced by its own home only.
  const wrong = await rows(
    `select m.content, o.content as by_content from memories m join memories o on o.id = m.superseded_by where m.tenant_id = ? and o.space_id <> m.space_id`,
    h.tenantId,
  );
  expect(wrong).toEqual([]);
  const dora = after.filter(({ content }) => content.startsWith("dora"));
  expect(dora).toEqual(before.filter(({ content }) => content.startsWith("dora")));

  const facts = await rows<Record<string, number | string | null>>(
    `select m.id, m.tenant_id as tenant, e.tenant_id as episodeTenant, m.learned_in as learnedIn, e.session_id as session,
      m.ownership, m.owner_id as owner, m.session_id as home, m.space_id as space, u.space_id as ownSpace, s.space_id as sessionSpace,
      s.kind as kind, s.owner_id as sessionOwner,
      (select count(*) from participants p where p.session_id = s.id and p.user_id = m.owner_id and p.left_at is null) as takesPart,
      (select count(*) from memory_subjects ms join persons pe on pe.id = ms.person_id where ms.memory_id = m.id and (
        pe.tenant_id <> m.tenant_id
        or (pe.user_id is null and pe.created_by <> coalesce(m.owner_id, pe.created_by))
        or (pe.user_id is not null and pe.user_id <> s.owner_id and not exists (
          select 1 from participants pp where pp.session_id = s.id and pp.user_id = pe.user_id)))) as strangers
     from memories m left join episodes e on e.id = m.episode_id left join sessions s on s.id = e.session_id left join users u on u.id = m.owner_id
     where m.tenant_id = ? and m.metadata ->> 'source' is not null`,
    h.tenantId,
  );
  expect(facts.length).toBeGreaterThanOrEqual(taken.length);
  for (const row of facts) {
    expect(row).toMatchObject({ episodeTenant: h.tenantId, learnedIn: row.session, strangers: 0 });
    const isPersonal = row.ownership === "personal";
    expect(["personal", "group"]).toContain(row.ownership);
    expect(row.space).toBe(isPersonal ? row.ownSpace : row.sessionSpace);
    if (isPersonal) expect(row.kind === "private" ? row.sessionOwner === row.owner : row.takesPart === 1).toBe(true);
    else expect(row.home).toBe(row.session);
  }
  const whose = await rows<{ whose: string }>(
    `select e.public_id || ' ' || u.external_id as whose from memories m
     join episodes e on e.id = m.episode_id join users u on u.id = m.owner_id
     where m.tenant_id = ? and m.metadata ->> 'source' is not null`,
    h.tenantId,
  );
  expect(whose.filter((one) => !authors.has(one.whose))).toEqual([]);
  const users = await rows("select id from persons where tenant_id = ? and user_id is not null", h.tenantId);
  expect(users.length).toBe(4);
});
