import { afterAll, expect, it } from "vitest";
import type { AnswerView } from "#domain/facts";
import {
  belongs,
  type List,
  listOf,
  mayEnter,
  newWorld,
  saidAt,
  stateOf,
  step,
  type Tenant,
  TOPICS,
  USERS,
  type World,
} from "./fact-world.ts";
import { randomOf } from "./random.ts";

/** The full run: `npm run test:isolation`; a longer one: VITE_ISOLATION_RUNS=300 VITE_ISOLATION_SEED=7 npx vitest run --project workerd test/isolation/facts */
const WORLDS = Number(import.meta.env.VITE_ISOLATION_RUNS ?? 3);
const SEED = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_419);
const STEPS = 70;
const VIEWERS = 24;

const checks = { steps: 0, answers: 0, found: 0, lists: 0, shown: 0, refused: 0, scopes: { session: 0, project: 0, user: 0 } };

afterAll(() => {
  // biome-ignore lint/suspicious/noConsole: how much was compared is what a reader of a long run wants to know.
  console.log(`facts: ${WORLDS} worlds, seed ${SEED}`, JSON.stringify(checks));
});

type Standing = { tenant: Tenant; user: string; session?: string; project?: string };

it(
  "answers and lists tell exactly what may be heard, in random worlds",
  async () => {
    for (let i = 0; i < WORLDS; i += 1) {
      const world = await newWorld(SEED + i);
      for (let n = 0; n < STEPS; n += 1) {
        expect(await step(world), `seed ${SEED + i}`).toBeNull();
        checks.steps += 1;
      }
      const random = randomOf(SEED - i);
      for (let n = 0; n < VIEWERS; n += 1) await compare(world, standingIn(world, random), `seed ${SEED + i}`);
    }
  },
  60_000 + WORLDS * 10_000,
);

function standingIn(world: World, random: ReturnType<typeof randomOf>): Standing {
  const tenant = random.chance(0.8) ? world.tenants[0] : world.tenants[1];
  const session = random.maybe([...tenant.sessions.keys()]);
  const insiders = session === undefined ? [] : [...USERS].filter((user) => mayEnter(tenant, user, sessionOf(tenant, session)));
  const kind = random.below(6);
  if (kind === 0) return { tenant, user: random.pick(USERS) };
  if (kind === 1) return { tenant, user: random.pick(USERS), project: random.pick(["p0", "p1"]) };
  const user = random.chance(0.9) ? (random.maybe(insiders) ?? random.pick(USERS)) : random.pick(USERS);
  return { tenant, user, ...(session === undefined ? {} : { session }) };
}

function sessionOf(tenant: Tenant, name: string) {
  const session = tenant.sessions.get(name);
  if (session === undefined) throw new Error(`There is no session ${name}.`);
  return session;
}

/** The project whose facts are visible, "none" where only the session's are, "user" for a private place outside projects, null where one may not be. */
function placeOf({ tenant, user, session: name, project }: Standing): { project: string } | "session" | "user" | null {
  if (name === undefined) {
    if (project === undefined) return "user";
    return belongs(tenant, user, project) ? { project } : null;
  }
  const session = sessionOf(tenant, name);
  if (!mayEnter(tenant, user, session)) return null;
  if (session.project === null) return session.group ? "session" : "user";
  const { project: its } = session;
  const allBelong = [...session.people].every((each) => belongs(tenant, each, its));
  return session.group && !allBelong ? "session" : { project: its };
}

/** The user's lists of a topic that may be seen, in the order in which they answer. */
function visible(
  standing: Standing,
  topic: string,
  { isListing }: { isListing: boolean } = { isListing: false },
): { list: List; scope: "session" | "project" | "user" }[] {
  const { tenant, user, session } = standing;
  const place = placeOf(standing);
  const own = session === undefined ? [] : [{ list: listOf(tenant, user, { session }, topic), scope: "session" as const }];
  const says = ({ list }: { list: List }) => {
    const { ranked, single } = stateOf(list);
    return ranked.length > 0 || single !== null;
  };
  if (place === "user") {
    const privates = [...tenant.sessions].filter(([name, each]) => !isListing && isOwn(each, user) && name !== session);
    const kept = [
      listOf(tenant, user, { user: true }, topic),
      ...privates.map(([name]) => listOf(tenant, user, { session: name }, topic)),
    ].map((list) => ({ list, scope: "user" as const }));
    return [...own.filter(says), ...kept.filter(says).toSorted((a, b) => saidAt(b.list) - saidAt(a.list))];
  }
  if (place === null || place === "session") return own.filter(says);
  const { project } = place;
  const others = [...tenant.sessions].filter(([name, each]) => each.project === project && name !== session);
  const shared = [
    listOf(tenant, user, { project }, topic),
    ...others.map(([name]) => listOf(tenant, user, { session: name }, topic)),
  ].map((list) => ({ list, scope: "project" as const }));
  return [...own.filter(says), ...shared.filter(says).toSorted((a, b) => saidAt(b.list) - saidAt(a.list))];
}

/** Whether a session is the user's alone, outside projects. */
function isOwn({ group, owner, project }: { group: boolean; owner: string; project: string | null }, user: string): boolean {
  return !group && owner === user && project === null;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

async function compare(world: World, standing: Standing, seed: string): Promise<void> {
  const { tenant, user, session, project } = standing;
  const place = { userId: user, sessionId: session, projectId: project };
  const about = `${seed} ${JSON.stringify(place)} of tenant ${tenant.index}`;
  const ask = async (question: string) =>
    await tenant.harness.fetch<AnswerView>("POST", "/v1/answer", { body: { question, ...place } });
  for (const topic of TOPICS) {
    const [answering] = placeOf(standing) === null ? [] : visible(standing, topic.key);
    const state = answering === undefined ? { ranked: [], single: null } : stateOf(answering.list);
    const due = state.ranked.length > 0 || state.single === null ? state.ranked : [[1, state.single]];
    const whole = await ask(`List my favorite ${topic.noun}s`);
    checks.answers += 1;
    if (placeOf(standing) === null) {
      expect(whole.status, about).toBe(404);
      checks.refused += 1;
      continue;
    }
    expect(
      whole.json.values.map(({ rank, value }) => [rank, value]),
      `${about} ${topic.key}`,
    ).toEqual(due);
    expect(whole.json.scope, about).toBe(due.length === 0 ? null : answering?.scope);
    expect(whole.json.topic, about).toBe(whole.json.routed ? topic.key : null);
    if (answering !== undefined) checks.scopes[answering.scope] += 1;
    const rank = world.random.below(ORDINALS.length);
    const one = await ask(`What's my ${ORDINALS[rank]} favorite ${topic.noun}?`);
    const value = due.find(([each]) => each === rank + 1)?.[1];
    // Where other talk speaks of the topic, that nothing is stored would deny it.
    const none = one.json.routed ? "I don't have that stored yet." : null;
    expect(one.json.text, about).toBe(value === undefined ? none : `${value}.`);
    checks.answers += 1;
    if (value !== undefined) checks.found += 1;
  }
  await compareLists(standing, about);
}

async function compareLists(standing: Standing, about: string): Promise<void> {
  const { tenant, user, session, project } = standing;
  const query = new URLSearchParams({
    userId: user,
    ...(session === undefined ? {} : { sessionId: session }),
    ...(project === undefined ? {} : { projectId: project }),
  });
  const shown: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/v1/facts?${query}&limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`;
    type Items = { items: { topic: string; rank: number | null; value: string }[]; nextCursor: string | null };
    const page: { status: number; json: Items } = await tenant.harness.fetch<Items>("GET", path);
    checks.lists += 1;
    if (placeOf(standing) === null) {
      expect(page.status, about).toBe(404);
      return;
    }
    shown.push(...page.json.items.map(({ topic, rank, value }) => `${topic} ${rank ?? "-"} ${value}`));
    cursor = page.json.nextCursor;
  }
  const due = TOPICS.flatMap(({ key }) =>
    visible(standing, key, { isListing: true }).flatMap(({ list }) => {
      const { ranked, single } = stateOf(list);
      return [...ranked.map(([rank, value]) => `${key} ${rank} ${value}`), ...(single === null ? [] : [`${key} - ${single}`])];
    }),
  );
  checks.shown += shown.length;
  expect(shown.toSorted(), about).toEqual(due.toSorted());
}
