import { createHarness, type Harness } from "#test/harness";
import { type Random, randomOf } from "./random.ts";

export const USERS = ["u0", "u1", "u2", "u3"] as const;
export const TOPICS = [
  { key: "favorite_colors", noun: "color" },
  { key: "favorite_candies", noun: "candy" },
  { key: "favorite_zebras", noun: "zebra" },
] as const;
const PROJECTS = ["p0", "p1"] as const;
const SESSIONS = ["s0", "s1", "s2", "s3", "s4", "s5"] as const;

type Project = { owner: string; members: Set<string> };
type Session = { group: boolean; owner: string; people: Set<string>; project: string | null };
/** What was said of one list at a time; `whole` replaces everything older. A null value takes away. */
type Said = { at: number; whole: boolean; ranked: [number, string | null][]; single?: string | null };
/** What a list is kept with. */
export type Home = { session: string } | { project: string } | { user: true };
export type List = { user: string; home: Home; topic: string; said: Said[] };
export type Tenant = {
  index: number;
  harness: Harness;
  users: Set<string>;
  projects: Map<string, Project>;
  sessions: Map<string, Session>;
  lists: Map<string, List>;
};
export type World = { random: Random; tenants: [Tenant, Tenant]; words: number; steps: number; clock: number };

/** Two tenants whose users, projects and sessions have the same names. No two moments of its clock are the same. */
export async function newWorld(seed: number): Promise<World> {
  const clock = { now: Date.parse("2026-06-01T00:00:00Z") };
  const make = async (index: number): Promise<Tenant> => ({
    index,
    harness: await createHarness({
      replace: () => ({
        now: () => {
          clock.now += 1;
          return clock.now;
        },
      }),
    }),
    users: new Set(),
    projects: new Map(),
    sessions: new Map(),
    lists: new Map(),
  });
  return { random: randomOf(seed), tenants: [await make(0), await make(1)], words: 0, steps: 0, clock: 1e15 };
}

/** A word that no other statement of the world has. */
function newWord(world: World): string {
  world.words += 1;
  return `Q${[...String(world.words)].map((digit) => "abcdefghij"[Number(digit)]).join("")}x`;
}

export function listOf(tenant: Tenant, user: string, home: Home, topic: string): List {
  const key = JSON.stringify([user, home, topic]);
  const list = tenant.lists.get(key) ?? { user, home, topic, said: [] };
  tenant.lists.set(key, list);
  return list;
}

/** What a list says now: of each slot, and of the list as a whole, the latest word counts. */
export function stateOf({ said }: List): { ranked: [number, string][]; single: string | null } {
  let ranked = new Map<number, string | null>();
  let single: string | null = null;
  for (const each of said.toSorted((a, b) => a.at - b.at)) {
    if (each.whole) ranked = new Map();
    for (const [rank, value] of each.ranked) ranked.set(rank, value);
    if (each.single !== undefined) single = each.single;
  }
  const live = [...ranked].flatMap(([rank, value]): [number, string][] => (value === null ? [] : [[rank, value]]));
  return { ranked: live.toSorted(([a], [b]) => a - b), single };
}

/** When the latest of what the list still says was said. */
export function saidAt(list: List): number {
  const { ranked, single } = stateOf(list);
  const live = new Set([...ranked.map(([, value]) => value), single]);
  return Math.max(
    ...list.said
      .filter((each) => [...each.ranked.map(([, value]) => value), each.single ?? null].some((v) => v !== null && live.has(v)))
      .map(({ at }) => at),
  );
}

export const belongs = (tenant: Tenant, user: string, project: string) => {
  const found = tenant.projects.get(project);
  return found !== undefined && (found.owner === user || found.members.has(user));
};

/** Whether the user may speak in the session. */
export function mayEnter(tenant: Tenant, user: string, session: Session): boolean {
  if (session.group) return session.people.has(user);
  return session.owner === user && (session.project === null || belongs(tenant, user, session.project));
}

type Step = { method: string; path: string; body?: unknown; allowed: boolean; done: (json: unknown) => void };

/** One random step, sent; it answers what went otherwise than it had to. */
export async function step(world: World): Promise<string | null> {
  const { random } = world;
  const tenant = random.chance(0.8) ? world.tenants[0] : world.tenants[1];
  // A world begins with projects, who is of them, and sessions; talk comes then.
  const stages = [
    [project],
    [member],
    [session],
    [member, session, session, session, say, say, say, storeFact, storeFact, storeFact, retract],
  ];
  const make = random.pick(stages[Math.min(Math.floor(world.steps / 8), stages.length - 1)] ?? []);
  world.steps += 1;
  const { method, path, body, allowed, done } = make(world, tenant);
  const { status, json, text } = await tenant.harness.fetch(method, path, body === undefined ? {} : { body });
  if (allowed !== status < 300) return `${method} ${path} ${JSON.stringify(body)} answered ${status} ${text}`;
  if (allowed) done(json);
  return null;
}

function project({ random }: World, tenant: Tenant): Step {
  const [name, user] = [random.pick(PROJECTS), random.pick(USERS)];
  return {
    method: "PUT",
    path: `/v1/projects/${name}`,
    body: { userId: user },
    allowed: !tenant.projects.has(name) || belongs(tenant, user, name),
    done: () => {
      tenant.users.add(user);
      if (!tenant.projects.has(name)) tenant.projects.set(name, { owner: user, members: new Set() });
    },
  };
}

function member({ random }: World, tenant: Tenant): Step {
  const [name, who] = [random.pick(PROJECTS), random.pick(USERS)];
  const found = tenant.projects.get(name);
  const joins = random.chance(0.7);
  return {
    method: joins ? "PUT" : "DELETE",
    path: `/v1/projects/${name}/members/${who}?userId=${found?.owner ?? "u0"}`,
    allowed: found !== undefined && found.owner !== who,
    done: () => {
      if (joins) tenant.users.add(who);
      if (joins) found?.members.add(who);
      else found?.members.delete(who);
    },
  };
}

/** Opens a session or moves it, or changes who takes part, as somebody who may. */
function session({ random }: World, tenant: Tenant): Step {
  const name = random.pick(SESSIONS);
  const found = tenant.sessions.get(name);
  const user = random.pick(found === undefined ? USERS : found.group ? [...found.people] : [found.owner]);
  const own = PROJECTS.filter((each) => belongs(tenant, user, each));
  const project = random.chance(0.2) ? null : (random.maybe(own) ?? null);
  const isGroup = found?.group ?? ["s0", "s1"].includes(name);
  const people =
    isGroup && (found === undefined || random.chance(0.5)) ? [...new Set([user, ...random.some(USERS, 0.5)])] : undefined;
  return {
    method: "PUT",
    path: `/v1/sessions/${name}`,
    body: { userId: user, projectId: project, participants: people },
    allowed: found === undefined || mayEnter(tenant, user, found) || (!isGroup && project === null),
    done: () => {
      for (const each of [user, ...(people ?? [])]) tenant.users.add(each);
      if (found === undefined) {
        tenant.sessions.set(name, { group: isGroup, owner: user, people: new Set(people), project });
        return;
      }
      found.project = project;
      if (people !== undefined) found.people = new Set(people);
    },
  };
}

function moment(world: World): { at: number; iso: string | undefined } {
  if (world.random.chance(0.4)) {
    world.clock += 1;
    return { at: world.clock, iso: undefined };
  }
  const at = Date.parse("2020-01-01T00:00:00Z") + world.random.below(1e9) * 10 + (world.words % 10);
  return { at, iso: new Date(at).toISOString() };
}

function say(world: World, tenant: Tenant): Step {
  const { random } = world;
  const name = random.pick(SESSIONS);
  const found = tenant.sessions.get(name);
  const people = found === undefined ? [] : found.group ? [...found.people] : [found.owner];
  const user = random.chance(0.9) ? (random.maybe(people) ?? random.pick(USERS)) : random.pick(USERS);
  const topic = random.pick(TOPICS);
  const { at, iso } = moment(world);
  const items = Array.from({ length: 2 + random.below(3) }, (_, i): [number, string] => [i + 1, newWord(world)]);
  const text = `My favorite ${topic.noun}s are ${items.map(([rank, value]) => `${rank}) ${value}`).join(", ")}`;
  return {
    method: "POST",
    path: `/v1/sessions/${name}/episodes`,
    body: { userId: user, messages: [{ role: "user", content: text, occurredAt: iso }] },
    allowed: found === undefined || mayEnter(tenant, user, found),
    done: () => {
      tenant.users.add(user);
      if (found === undefined) tenant.sessions.set(name, { group: false, owner: user, people: new Set(), project: null });
      listOf(tenant, user, { session: name }, topic.key).said.push({ at, whole: true, ranked: items });
    },
  };
}

function homeFor(
  { random }: World,
  tenant: Tenant,
  user: string,
): { home: Home; query: Record<string, string>; allowed: boolean } {
  const kind = random.below(3);
  if (kind === 0) return { home: { user: true }, query: {}, allowed: true };
  if (kind === 1) {
    const name = random.pick(PROJECTS);
    return { home: { project: name }, query: { projectId: name }, allowed: belongs(tenant, user, name) };
  }
  const name = random.pick(SESSIONS);
  const found = tenant.sessions.get(name);
  return { home: { session: name }, query: { sessionId: name }, allowed: found !== undefined && mayEnter(tenant, user, found) };
}

function storeFact(world: World, tenant: Tenant): Step {
  const { random } = world;
  const user = random.pick(USERS);
  const { home, query, allowed } = homeFor(world, tenant, user);
  const topic = random.pick(TOPICS);
  const { at, iso } = moment(world);
  const value = newWord(world);
  const rank = random.chance(0.8) ? 1 + random.below(5) : undefined;
  return {
    method: "POST",
    path: "/v1/facts",
    body: { userId: user, ...query, topic: topic.noun, rank, value, createdAt: iso },
    allowed,
    done: () => {
      tenant.users.add(user);
      const said = rank === undefined ? { ranked: [], single: value } : { ranked: [[rank, value] as [number, string]] };
      listOf(tenant, user, home, topic.key).said.push({ at, whole: false, ...said });
    },
  };
}

function retract(world: World, tenant: Tenant): Step {
  const { random } = world;
  const user = random.pick(USERS);
  const { home, query, allowed } = homeFor(world, tenant, user);
  const topic = random.pick(TOPICS);
  const rank = random.chance(0.5) ? 1 + random.below(4) : null;
  const params = new URLSearchParams({
    userId: user,
    ...query,
    topic: topic.key,
    ...(rank === null ? {} : { rank: String(rank) }),
  });
  return {
    method: "DELETE",
    path: `/v1/facts?${params}`,
    allowed,
    done: (json) => {
      // Where nothing was taken away, nothing is noted either.
      if ((json as { retracted: number }).retracted === 0) return;
      world.clock += 1;
      const said =
        rank === null ? { whole: true, ranked: [], single: null } : { whole: false, ranked: [[rank, null] as [number, null]] };
      listOf(tenant, user, home, topic.key).said.push({ at: world.clock, ...said });
    },
  };
}
