import { expect } from "vitest";
import type {
  MemoryWorld,
  ModelMemory,
  ModelPerson,
  ModelProject,
  ModelSession,
  ModelTenant,
  ModelUser,
} from "./memory-model.ts";
import {
  COMMON_WORD,
  decisionOf,
  isAmongOthers,
  isOfProject,
  isSurvivor,
  mayEnter,
  participantsOf,
  personOf,
  plain,
  SCOPES,
  survivorOf,
  USERS,
  WORKSPACES,
} from "./memory-world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How far time goes on between two steps; often hardly or not at all, so that things happen at one moment or side by side. */
const PAUSES_MS = [0, 0, 1, 1, MINUTE_MS, HOUR_MS, DAY_MS / 3];
/** The types that the world uses, with the days that they live. */
const LIFETIME_DAYS = {
  ...{ knowledge: null, preference: null, identity: null, relationship: null, procedural: null },
  observation: 3,
} as const;
const TYPES = ["knowledge", "knowledge", "preference", "identity", "relationship", "procedural", "observation"] as const;
/** Projects with their owners and who belongs to them at first. Everything of that changes. */
const PROJECTS = [
  { name: "garden", owner: "u0", members: ["u1", "u2"] },
  { name: "orchard", owner: "u1", members: [] },
  { name: "shed", owner: "u3", members: [] },
] as const;

type Here = { world: MemoryWorld; tenant: ModelTenant };

/** Every write has to succeed: what may be written is another test's matter. */
async function send<T>({ tenant }: Here, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await tenant.harness.fetch<T>(method, path, { user: null, ...(body === undefined ? {} : { body }) });
  expect(answer.status, `${method} ${path} ${JSON.stringify(body)} answered ${answer.text}`).toBeLessThan(300);
  return answer.json;
}

function nextId({ world }: Here): number {
  world.made += 1;
  return world.made;
}

/** Five users, three made-up persons, three projects, two private sessions for each user and three groups. Names are the same in every tenant. */
export async function open(here: Here): Promise<void> {
  const { tenant, world } = here;
  for (const name of USERS) await makeUser(here, name);
  for (const createdBy of ["u0", "u0", "u1"]) {
    const { id } = await send<{ id: string }>(here, "POST", "/v1/people", { userId: createdBy, name: `made up ${nextId(here)}` });
    tenant.people.push({ id: nextId(here), publicId: id, user: null, createdBy, mergedInto: null });
  }
  for (const project of PROJECTS) await makeProject(here, project);
  for (const user of tenant.users.values())
    for (const name of [`of-${user.name}`, `more-of-${user.name}`]) {
      const project = world.random.chance(0.5) ? (world.random.maybe(projectsOf(tenant, user)) ?? null) : null;
      await send(here, "PUT", `/v1/sessions/${name}`, { userId: user.name, projectId: project?.name ?? null });
      addSession(here, { name, kind: "private", owner: user, project, stays: [] });
    }
  for (const name of ["g0", "g1", "g2"]) await makeGroup(here, name, name === "g2");
}

async function makeProject(here: Here, { name, owner, members }: (typeof PROJECTS)[number]): Promise<void> {
  const { tenant, world } = here;
  const ownMemories = world.random.chance(0.8);
  await send(here, "PUT", `/v1/projects/${name}`, { userId: owner, ...(ownMemories ? {} : { ownMemories }) });
  const project = { id: nextId(here), name, owner: userOf(tenant, owner), members: new Set<ModelUser>(), ownMemories };
  tenant.projects.set(name, project);
  for (const member of members) await changeMember(here, { project, user: userOf(tenant, member), joins: true });
}

const projectsOf = (tenant: ModelTenant, user: ModelUser) =>
  [...tenant.projects.values()].filter((project) => isOfProject(tenant, user, project));

async function makeUser(here: Here, name: string): Promise<void> {
  const { tenant } = here;
  await send(here, "PUT", `/v1/users/${name}`, {});
  const { id } = await send<{ id: string }>(here, "GET", `/v1/people/me?userId=${name}`);
  const user = { id: nextId(here), name };
  tenant.users.set(name, user);
  tenant.people.push({ id: nextId(here), publicId: id, user, createdBy: name, mergedInto: null });
}

function userOf(tenant: ModelTenant, name: string): ModelUser {
  const user = tenant.users.get(name);
  if (user === undefined) throw new Error(`There is no ${name}.`);
  return user;
}

function addSession(here: Here, session: Omit<ModelSession, "id">): void {
  here.tenant.sessions.set(session.name, { id: nextId(here), ...session });
}

async function makeGroup(here: Here, name: string, inGarden: boolean): Promise<void> {
  const { tenant, world } = here;
  const garden = tenant.projects.get("garden");
  const owner = inGarden && garden !== undefined ? garden.owner : world.random.pick([...tenant.users.values()]);
  const others = world.random.some([...tenant.users.values()], 0.4).filter((user) => user !== owner);
  const participants = [owner, ...others].map((user) => user.name);
  const project = inGarden ? (garden ?? null) : null;
  await send(here, "PUT", `/v1/sessions/${name}`, { userId: owner.name, participants, projectId: project?.name ?? null });
  const stays = [owner, ...others].map((user) => ({ user, from: world.clock.now, to: null }));
  addSession(here, { name, kind: "group", owner, project, stays });
}

type Step = (here: Here) => Promise<void>;

/** What can happen in a tenant, with how often it does. */
const STEPS: readonly { weight: number; step: Step }[] = [
  { weight: 30, step: remember },
  { weight: 8, step: comeAndGo },
  { weight: 8, step: meet },
  { weight: 6, step: supersede },
  { weight: 4, step: forget },
  { weight: 2, step: restore },
  { weight: 4, step: review },
  { weight: 5, step: revise },
  { weight: 4, step: mergePeople },
  { weight: 2, step: undoMerge },
  { weight: 6, step: changeMembership },
  { weight: 5, step: moveSession },
  { weight: 2, step: openOrCloseProject },
  { weight: 2, step: changeSetting },
];
const DRAWN = STEPS.flatMap(({ weight, step }) => Array.from({ length: weight }, () => step));

/** One thing happens, and perhaps time goes by. A step that nobody can do in this world is left out. */
export async function grow(here: Here): Promise<void> {
  const { random, clock } = here.world;
  await random.pick(DRAWN)(here);
  clock.now += random.pick(PAUSES_MS);
}

const everybody = (tenant: ModelTenant) => [...tenant.users.values()];

async function remember(here: Here): Promise<void> {
  const { random } = here.world;
  const user = random.pick(everybody(here.tenant));
  const home = random.pick(["personal", "personal", "personal", "group", "group", "shared"] as const);
  await storeMemory(
    here,
    user,
    home === "group" ? { session: random.maybe(enterable(here, user).filter(isGroup)) } : { shared: home === "shared" },
  );
}

const isGroup = (session: ModelSession) => session.kind === "group";

function enterable({ world, tenant }: Here, user: ModelUser): ModelSession[] {
  return [...tenant.sessions.values()].filter((session) => mayEnter(world, tenant, user, session));
}

type Home = { session?: ModelSession | undefined; shared?: boolean };

/** One to three memories of the user's, of their group's or of the tenant's; the latter are written by a key that names nobody. */
async function storeMemory(here: Here, user: ModelUser, home: Home, supersedes: ModelMemory | null = null): Promise<void> {
  const { random } = here.world;
  const drafts = Array.from({ length: supersedes === null ? 1 + random.below(3) : 1 }, () =>
    draftOf(here, user, home, supersedes),
  );
  const { items } = await send<{ items: { id: string; created: boolean }[] }>(here, "POST", "/v1/memories", {
    ...(home.shared === true ? {} : { userId: user.name }),
    memories: drafts.map(({ body }) => body),
  });
  drafts.forEach(({ memory }, i) => {
    const item = items[i];
    if (item?.created !== true) throw new Error(`${memory.content} was there already.`);
    const stored = { ...memory, publicId: item.id };
    here.tenant.memories.push(stored);
    if (stored.status === "approved") replaceOld(stored);
  });
}

/** A memory that is in force replaces what it supersedes, if that is still there. */
function replaceOld(memory: ModelMemory): void {
  const { supersedes, validFrom } = memory;
  if (supersedes === null || !isLive(supersedes)) return;
  supersedes.superseded = true;
  supersedes.supersededBy = memory;
  supersedes.validTo = Math.max(supersedes.validFrom, validFrom);
}

type Draft = { body: Record<string, unknown>; memory: Omit<ModelMemory, "publicId"> };

function draftOf(here: Here, user: ModelUser, home: Home, supersedes: ModelMemory | null): Draft {
  const { world, tenant } = here;
  const { random, clock } = world;
  const isShared = home.shared === true;
  const number = nextId(here);
  const content = `${COMMON_WORD} ${["b", "c", "d"].map((letter) => `${letter}q${tenant.index}x${number}`).join(" ")}`;
  const type = random.pick(TYPES);
  const said = saidOf(here, user, home);
  const subjects = random.chance(0.25) ? null : random.some(tenant.people, 0.25);
  const isPending = random.chance(0.12);
  const place = placeOf(here);
  const expiresAt = random.chance(0.12) ? clock.now + 1 + random.below(2 * DAY_MS) : null;
  const validFrom = random.chance(0.25) ? clock.now - random.below(3) * DAY_MS : null;
  const days = LIFETIME_DAYS[type];
  const contradicts = random.chance(0.2) ? contradictable(here, user, home) : null;
  const speaker = said.statedBy ?? (isShared ? null : personOf(tenant, user));
  const isOfSelf =
    (type === "preference" || type === "identity") && !isShared && speaker !== null && survivorOf(speaker).user === user;
  return {
    body: {
      content,
      type,
      metadata: { of: content },
      ...(contradicts === null ? {} : { contradicts: contradicts.publicId }),
      ...(home.session === undefined ? {} : { sessionId: home.session.name }),
      ...(isShared ? { shared: true } : {}),
      ...said.body,
      ...place.body,
      ...(subjects === null ? {} : { subjects: subjects.map(({ publicId }) => publicId) }),
      ...(isPending ? { confidence: 0.5 } : {}),
      ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
      ...(validFrom === null ? {} : { validFrom: new Date(validFrom).toISOString() }),
      ...(supersedes === null ? {} : { supersedes: supersedes.publicId }),
    },
    memory: {
      content,
      type,
      owner: isShared || home.session !== undefined ? null : user,
      session: home.session ?? null,
      status: isPending ? "pending" : "approved",
      deleted: false,
      deletedAt: null,
      expiresAt: expiresAt ?? (days === null ? null : clock.now + days * DAY_MS),
      superseded: false,
      supersededBy: null,
      supersedes,
      validFrom: validFrom ?? clock.now,
      validTo: null,
      ...place.memory,
      sensitivity: isShared ? "public" : said.sensitivity,
      // An observation is about the moment.
      portable: said.portable && (isShared || type !== "observation" || "portable" in said.body),
      subjects: new Set((subjects ?? (isOfSelf ? [speaker] : [])).map(survivorOf)),
      statedBy: speaker === null ? null : survivorOf(speaker),
      learnedIn: said.learnedIn ?? home.session ?? null,
      learnedAt: clock.now,
      contradicts,
      versions: [],
    },
  };
}

/** A memory that the author sees where the new one will be stored; shared ones contradict nothing in this world. */
function contradictable({ world, tenant }: Here, user: ModelUser, home: Home): ModelMemory | null {
  if (home.shared === true) return null;
  const standing = plain(tenant, user.name, home.session?.name ?? null);
  return world.random.maybe(tenant.memories.filter((memory) => decisionOf(world, standing, { tenant, memory }).visible)) ?? null;
}

/** Who said it, where, and how far it may go. */
function saidOf(here: Here, user: ModelUser, home: Home) {
  const { random } = here.world;
  const learnedIn = home.shared !== true && random.chance(0.5) ? (random.maybe(enterable(here, user)) ?? null) : null;
  const named = {
    ...(random.chance(0.7) ? { portable: random.chance(0.8) } : {}),
    ...(home.shared !== true && random.chance(0.7)
      ? { sensitivity: random.pick(["public", "public", "personal", "sensitive"] as const) }
      : {}),
  };
  const speakers = speakersOf(here, user, home.shared === true ? null : (learnedIn ?? home.session ?? null));
  const statedBy = home.shared === true || random.chance(0.5) ? null : (random.maybe(speakers) ?? null);
  return {
    statedBy,
    learnedIn,
    ...defaultsOf(user, home, learnedIn),
    ...named,
    body: {
      ...(statedBy === null ? {} : { statedBy: statedBy.publicId }),
      ...(learnedIn === null ? {} : { learnedIn: { sessionId: learnedIn.name } }),
      ...named,
    },
  };
}

/** Who may see what its author says nothing of; no word of these worlds is sensitive. */
function defaultsOf(
  user: ModelUser,
  home: Home,
  learnedIn: ModelSession | null,
): { portable: boolean; sensitivity: Sensitivity } {
  const session = learnedIn ?? home.session ?? null;
  const isPrivate = home.shared !== true && !isAmongOthers(session, user);
  return { portable: !isPrivate, sensitivity: isPrivate && home.session === undefined ? "personal" : "public" };
}

type Sensitivity = ModelMemory["sensitivity"];

/** Persons who may be named as having said what the user stores: the user, and whoever takes part where it is learned. */
function speakersOf({ tenant }: Here, user: ModelUser, session: ModelSession | null): ModelPerson[] {
  const users = [user, ...(session === null || session.kind === "private" ? [] : participantsOf(session))];
  return tenant.people.filter((person) => users.some((one) => survivorOf(person).user === one));
}

function placeOf({ world: { random } }: Here) {
  const workspaceId = random.chance(0.15) ? random.pick(WORKSPACES) : null;
  const scope = random.chance(0.25) ? random.pick(SCOPES) : { scopeType: null, scopeId: null };
  const memory = { workspaceId, ...scope };
  return { memory, body: Object.fromEntries(Object.entries(memory).filter(([, value]) => value !== null)) };
}

const isLive = (memory: ModelMemory) => !memory.deleted && !memory.superseded;

/** Somebody who may change the memory, and the session in which they do. */
function changerOf({ world, tenant }: Here, memory: ModelMemory): { user: ModelUser | null; session: string | null } | null {
  if (memory.session === null) return { user: memory.owner, session: null };
  const user = world.random.maybe(participantsOf(memory.session));
  return user === undefined || !mayEnter(world, tenant, user, memory.session) ? null : { user, session: memory.session.name };
}

function query(place: { user: ModelUser | null; session: string | null }, more: Record<string, string | null> = {}): string {
  const named = { userId: place.user?.name ?? null, sessionId: place.session, ...more };
  const entries = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(entries).toString();
}

/** What is replaced must be visible where it is stored; the tenant itself knows of everything that it shares. */
function seesHere(here: Here, changer: { user: ModelUser | null; session: string | null }, memory: ModelMemory): boolean {
  const { world, tenant } = here;
  if (changer.user === null) return !hasExpired(here, memory);
  return decisionOf(world, plain(tenant, changer.user.name, changer.session), { tenant, memory }).visible;
}

async function supersede(here: Here): Promise<void> {
  const old = here.world.random.maybe(here.tenant.memories.filter((memory) => isLive(memory) && memory.status === "approved"));
  const changer = old === undefined ? null : changerOf(here, old);
  if (old === undefined || changer === null || !seesHere(here, changer, old)) return;
  const home = { session: old.session ?? undefined, shared: old.session === null && old.owner === null };
  await storeMemory(here, changer.user ?? here.world.random.pick(everybody(here.tenant)), home, old);
}

async function forget(here: Here): Promise<void> {
  const memory = here.world.random.maybe(here.tenant.memories.filter(({ deleted }) => !deleted));
  const changer = memory === undefined ? null : changerOf(here, memory);
  if (memory === undefined || changer === null) return;
  await send(here, "DELETE", `/v1/memories/${memory.publicId}?${query(changer)}`);
  memory.deleted = true;
  memory.deletedAt = here.world.clock.now;
  bringBack(here, memory);
}

/** What a forgotten memory replaced holds again. */
function bringBack(here: Here, memory: ModelMemory): void {
  const { supersedes: old } = memory;
  if (memory.superseded || old === null || old.supersededBy !== memory || old.deleted || hasExpired(here, old)) return;
  old.superseded = false;
  old.supersededBy = null;
  old.validTo = null;
}

function hasExpired({ world }: Here, { expiresAt }: ModelMemory): boolean {
  return expiresAt !== null && expiresAt <= world.clock.now;
}

async function restore(here: Here): Promise<void> {
  const memory = here.world.random.maybe(here.tenant.memories.filter((row) => row.deleted && !hasExpired(here, row)));
  const changer = memory === undefined ? null : changerOf(here, memory);
  if (memory === undefined || changer === null) return;
  const path = `/v1/memories/${memory.publicId}/restore?${query(changer)}`;
  if (!wasThereWhenForgotten(memory, changer.user)) {
    expect((await here.tenant.harness.fetch("POST", path)).status, path).toBe(404);
    return;
  }
  await send(here, "POST", path);
  memory.deleted = false;
  const isNewer = memory.supersedes === null || memory.supersedes.validFrom <= memory.validFrom;
  if (memory.status === "approved" && isNewer) replaceOld(memory);
}

/** To who joined a group since, what it forgot never was there. */
function wasThereWhenForgotten({ session, deletedAt }: ModelMemory, user: ModelUser | null): boolean {
  if (session === null || deletedAt === null) return true;
  return session.stays.some((stay) => stay.user === user && stay.from <= deletedAt && (stay.to === null || stay.to >= deletedAt));
}

/** A memory that waits is approved or rejected, by its owner or by the key. */
async function review(here: Here): Promise<void> {
  const { random } = here.world;
  const memory = random.maybe(here.tenant.memories.filter((row) => isLive(row) && row.status === "pending"));
  if (memory === undefined) return;
  const isApproved = !hasExpired(here, memory) && random.chance(0.6);
  const body = memory.owner === null ? {} : { userId: memory.owner.name };
  await send(here, "POST", `/v1/memories/${memory.publicId}/${isApproved ? "approve" : "reject"}`, body);
  if (isApproved) keepVersion(memory);
  memory.status = isApproved ? "approved" : "rejected";
  if (isApproved) replaceOld(memory);
}

function keepVersion(memory: ModelMemory): void {
  const { status, workspaceId, sensitivity, portable, subjects, statedBy, learnedIn, learnedAt, versions } = memory;
  versions.push({ status, workspaceId, sensitivity, portable, subjects: new Set(subjects), statedBy, learnedIn, learnedAt });
}

/** A user who may see and change a memory changes who else may see it. */
async function revise(here: Here): Promise<void> {
  const { world, tenant } = here;
  const { random, clock } = world;
  const memory = random.maybe(tenant.memories.filter(isLive));
  const changer = memory === undefined ? null : changerOf(here, memory);
  if (memory === undefined || changer?.user == null) return;
  const { workspaceId } = memory;
  const standing = { ...plain(tenant, changer.user.name, changer.session), workspaceId };
  if (!decisionOf(world, standing, { tenant, memory }).visible) return;
  const wasMerged = tenant.merges.some(({ about }) => about.some((edge) => edge.memory === memory));
  const subjects = wasMerged || random.chance(0.5) ? null : random.some(tenant.people, 0.2);
  const next = {
    ...(random.chance(0.6) ? { sensitivity: random.pick(["public", "personal", "sensitive"] as const) } : {}),
    ...(random.chance(0.3) ? { portable: !memory.portable } : {}),
    ...(random.chance(0.3) ? { workspaceId: random.pick([null, ...WORKSPACES]) } : {}),
    ...(random.chance(0.3) ? random.pick(SCOPES) : {}),
  };
  const expiresAt = random.chance(0.2) ? clock.now + 1 + random.below(DAY_MS) : memory.expiresAt;
  await send(here, "PATCH", `/v1/memories/${memory.publicId}?${query(changer, { workspaceId })}`, {
    ...next,
    ...(subjects === null ? {} : { subjects: subjects.map(({ publicId }) => publicId) }),
    ...(expiresAt === memory.expiresAt || expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  });
  const before = { ...memory };
  const after = {
    ...before,
    ...next,
    expiresAt,
    subjects: subjects === null ? memory.subjects : new Set(subjects.map(survivorOf)),
  };
  if (saysTheSame(before, after)) return;
  keepVersion(memory);
  Object.assign(memory, after);
}

/** A change that changes nothing leaves no version. */
function saysTheSame(before: ModelMemory, after: ModelMemory): boolean {
  const names = ["sensitivity", "portable", "workspaceId", "scopeType", "scopeId", "expiresAt"] as const;
  const sameSubjects =
    before.subjects.size === after.subjects.size && [...before.subjects].every((one) => after.subjects.has(one));
  return sameSubjects && names.every((name) => before[name] === after[name]);
}

/** A made-up person turns out to be a user, or another that the same user made up. */
async function mergePeople(here: Here): Promise<void> {
  const { tenant, world } = here;
  const free = tenant.people.filter(isSurvivor);
  const from = world.random.maybe(free.filter(({ user }) => user === null));
  if (from === undefined) return;
  const into = world.random.maybe(
    free.filter((person) => person !== from && (person.user !== null || person.createdBy === from.createdBy)),
  );
  if (into === undefined) return;
  const body = { userId: from.createdBy, from: from.publicId };
  const { id } = await send<{ id: string }>(here, "POST", `/v1/people/${into.publicId}/merge`, body);
  const about = tenant.memories
    .filter(({ subjects }) => subjects.has(from))
    .map((memory) => ({ memory, both: memory.subjects.has(into) }));
  for (const { memory } of about) {
    memory.subjects.delete(from);
    memory.subjects.add(into);
  }
  const stated = tenant.memories.filter(({ statedBy }) => statedBy === from);
  for (const memory of stated) memory.statedBy = into;
  from.mergedInto = into;
  tenant.merges.push({ publicId: id, from, into, about, stated });
}

/** The latest merge is undone. */
async function undoMerge(here: Here): Promise<void> {
  const merge = here.tenant.merges.at(-1);
  if (merge === undefined) return;
  const { from, into } = merge;
  await send(here, "POST", `/v1/people/merges/${merge.publicId}/undo`, { userId: from.createdBy });
  here.tenant.merges.pop();
  for (const { memory, both } of merge.about) {
    memory.subjects.add(from);
    if (!both) memory.subjects.delete(into);
  }
  for (const memory of merge.stated) memory.statedBy = from;
  from.mergedInto = null;
}

const groupsOf = (tenant: ModelTenant) => [...tenant.sessions.values()].filter(isGroup);

async function comeAndGo(here: Here): Promise<void> {
  await changeParticipants(here, here.world.random.pick(groupsOf(here.tenant)));
}

/** Some come, something is said, and some go, all at one moment or side by side. */
async function meet(here: Here): Promise<void> {
  const { random, clock } = here.world;
  const session = random.pick(groupsOf(here.tenant));
  await changeParticipants(here, session);
  clock.now += random.below(2);
  await storeMemory(here, random.pick(participantsOf(session)), { session });
  clock.now += random.below(2);
  await changeParticipants(here, session);
}

/** Whoever takes part says who takes part from now on. Who leaves and comes back within one moment has never left. */
async function changeParticipants(here: Here, session: ModelSession): Promise<void> {
  const { tenant, world } = here;
  const { random, clock } = world;
  const before = participantsOf(session);
  const after = random.some(everybody(tenant), 0.5);
  const acting = random.maybe(before);
  if (acting === undefined || after.length === 0) return;
  const participants = after.map(({ name }) => name);
  await send(here, "PUT", `/v1/sessions/${session.name}`, { userId: acting.name, participants });
  for (const stay of session.stays) if (stay.to === null && !after.includes(stay.user)) stay.to = clock.now;
  for (const user of after.filter((name) => !before.includes(name))) {
    const sameMoment = session.stays.find((stay) => stay.user === user && stay.from === clock.now);
    if (sameMoment === undefined) session.stays.push({ user, from: clock.now, to: null });
    else sameMoment.to = null;
  }
}

async function changeMembership(here: Here): Promise<void> {
  const { random } = here.world;
  const project = random.pick([...here.tenant.projects.values()]);
  const user = random.pick(everybody(here.tenant).filter((one) => one !== project.owner));
  await changeMember(here, { project, user, joins: random.chance(0.4) });
}

type Membership = { project: ModelProject; user: ModelUser; joins: boolean };

async function changeMember(here: Here, { project, user, joins }: Membership): Promise<void> {
  const path = `/v1/projects/${project.name}/members/${user.name}?userId=${project.owner.name}`;
  await send(here, joins ? "PUT" : "DELETE", path);
  if (joins) project.members.add(user);
  else project.members.delete(user);
}

/** A project takes in its users' own memories from now on, or does no more. */
async function openOrCloseProject(here: Here): Promise<void> {
  const { random } = here.world;
  const project = random.pick([...here.tenant.projects.values()]);
  const ownMemories = random.chance(0.6);
  await send(here, "PUT", `/v1/projects/${project.name}`, { userId: project.owner.name, ownMemories });
  project.ownMemories = ownMemories;
}

/** Into a project of the user's, or out of the one where it is; out of a project that they were put out of, too. */
async function moveSession(here: Here): Promise<void> {
  const { tenant, world } = here;
  const session = world.random.pick([...tenant.sessions.values()]);
  const user = session.kind === "private" ? session.owner : world.random.maybe(participantsOf(session));
  if (user === undefined) return;
  const mayStay = mayEnter(world, tenant, user, session);
  if (!mayStay && session.kind === "group") return;
  const others = projectsOf(tenant, user).filter((project) => project !== session.project);
  const project = mayStay && world.random.chance(0.6) ? (world.random.maybe(others) ?? null) : null;
  await send(here, "PUT", `/v1/sessions/${session.name}`, { userId: user.name, projectId: project?.name ?? null });
  session.project = project;
}

async function changeSetting(here: Here): Promise<void> {
  const legacyDisclosure = here.world.random.pick([true, false, null]);
  await send(here, "PATCH", "/v1/settings", { legacyDisclosure });
  here.tenant.legacyDisclosure = legacyDisclosure ?? false;
}
