import { type SQL, sql } from "drizzle-orm";
import {
  belongsTo,
  decideMemory,
  type MemoryDecision,
  type MemoryFacts,
  type MemoryProject,
  type MemoryViewer,
  type MemoryViewerRef,
  poolOf,
  type SessionFacts,
} from "#domain/visibility";
import { createHarness } from "#test/harness";
import type {
  Differs,
  MemoryWorld,
  ModelMemory,
  ModelPerson,
  ModelProject,
  ModelSession,
  ModelTenant,
  ModelUser,
  ModelVersion,
  Standing,
} from "./memory-model.ts";
import { mayRead } from "./memory-oracle.ts";
import type { Random } from "./random.ts";

/** The word that every memory of a world holds, beside words of its own. */
export const COMMON_WORD = "marmalade";

export const USERS = ["u0", "u1", "u2", "u3", "u4"] as const;
export const WORKSPACES = ["north", "south"] as const;
export const SCOPES = [
  { scopeType: "global", scopeId: null },
  { scopeType: "track", scopeId: null },
  { scopeType: "track", scopeId: "one" },
  { scopeType: "paper", scopeId: "one" },
  { scopeType: "project", scopeId: "garden" },
  { scopeType: "project", scopeId: "orchard" },
] as const;

const DAY_MS = 86_400_000;

/** Two tenants of their own clock, which begins a month ago, so that it never overtakes the platform's. */
export async function newWorld(random: Random, differs: Differs): Promise<MemoryWorld> {
  const startedAt = Date.now() - 30 * DAY_MS;
  const clock = { now: startedAt };
  const make = async (index: number): Promise<ModelTenant> => ({
    index,
    harness: await createHarness({ replace: () => ({ now: () => clock.now }) }),
    users: new Map(),
    people: [],
    projects: new Map(),
    sessions: new Map(),
    memories: [],
    merges: [],
    legacyDisclosure: false,
  });
  return { tenants: [await make(0), await make(1)], clock, startedAt, random, made: 0, differs };
}

export const isSurvivor = (person: ModelPerson) => person.mergedInto === null;

/** The survivor of this person, however often it was merged. */
export function survivorOf(person: ModelPerson): ModelPerson {
  return person.mergedInto === null ? person : survivorOf(person.mergedInto);
}

/** Each person is somebody's own or made up; a user's own is found by the user. */
export function personOf(tenant: ModelTenant, user: ModelUser): ModelPerson {
  const person = tenant.people.find((candidate) => candidate.user === user);
  if (person === undefined) throw new Error(`${user.name} has no person.`);
  return person;
}

/** Whether somebody else takes part in the session now: alone, one is in private. */
export function isAmongOthers(session: ModelSession | null, user: ModelUser): boolean {
  return session?.kind === "group" && participantsOf(session).some((other) => other !== user);
}

export function participantsOf(session: ModelSession): ModelUser[] {
  return session.stays.filter(({ to }) => to === null).map(({ user }) => user);
}

/** Who took part at that moment: from the moment of joining, and no more at the moment of leaving. */
export function presentAt(session: ModelSession, at: number): ModelUser[] {
  if (session.kind === "private") return [session.owner];
  return session.stays.filter(({ from, to }) => from <= at && (to === null || at < to)).map(({ user }) => user);
}

function sessionFacts(tenant: ModelTenant, session: ModelSession): SessionFacts {
  return {
    id: session.id,
    tenantId: tenant.harness.tenantId,
    kind: session.kind,
    ownerId: session.owner.id,
    projectId: session.project?.id ?? null,
    participantIds: participantsOf(session).map(({ id }) => id),
  };
}

function projectFacts(tenant: ModelTenant, project: ModelProject): MemoryProject {
  return {
    id: project.id,
    externalId: project.name,
    ownMemories: project.ownMemories,
    tenantId: tenant.harness.tenantId,
    ownerId: project.owner.id,
    memberIds: [...project.members].map(({ id }) => id),
  };
}

export function isOfProject(tenant: ModelTenant, user: ModelUser, project: ModelProject): boolean {
  return belongsTo(user.id, projectFacts(tenant, project));
}

export function memoryFacts(tenant: ModelTenant, memory: ModelMemory): MemoryFacts {
  const { owner, session, subjects, statedBy, learnedIn, learnedAt, sensitivity } = memory;
  const { type, deleted, status, expiresAt, superseded, validFrom, validTo, workspaceId, scopeType, scopeId, portable } = memory;
  return {
    ...{ type, deleted, status, expiresAt, superseded, validFrom, validTo, workspaceId, scopeType, scopeId, portable },
    tenantId: tenant.harness.tenantId,
    successors: successorsOf(memory).map((successor) => memoryFacts(tenant, { ...successor, supersededBy: null })),
    ownerId: owner?.id ?? null,
    sessionId: session?.id ?? null,
    sensitivity,
    subjects: [...subjects].map((person) => ({ personId: person.id, userId: person.user?.id ?? null })),
    statedBy: statedBy?.id ?? null,
    learnedIn: learnedIn?.id ?? null,
    learnedInProject: learnedIn?.project?.id ?? null,
    sessionProject: session?.project?.id ?? null,
    presentUserIds: learnedIn === null ? [] : presentAt(learnedIn, learnedAt).map(({ id }) => id),
  };
}

function successorsOf({ supersededBy }: ModelMemory): ModelMemory[] {
  return supersededBy === null ? [] : [supersededBy, ...successorsOf(supersededBy)];
}

/** Somebody somewhere who asks for something. */
export function someStanding(world: MemoryWorld): Standing {
  const { random } = world;
  const tenant = random.pick(world.tenants);
  const user = random.chance(0.02) ? "nobody" : random.pick(USERS);
  const all = [...tenant.sessions.values()];
  const inside = all.filter((session) => presentAt(session, world.clock.now).some(({ name }) => name === user));
  const session = random.chance(0.35)
    ? null
    : random.chance(0.02)
      ? "s-none"
      : (random.maybe(random.chance(0.88) ? inside : all)?.name ?? null);
  const scope = random.pick(SCOPES);
  const asksScope = random.chance(0.12);
  return {
    tenant,
    user,
    session,
    project: random.chance(session === null ? 0.5 : 0.94)
      ? null
      : random.chance(0.05)
        ? "p-none"
        : random.pick([...tenant.projects.keys()]),
    workspaceId: random.chance(0.5) ? null : random.pick(WORKSPACES),
    scopeType: asksScope ? scope.scopeType : null,
    scopeId: asksScope ? scope.scopeId : null,
    ownProjectOnly: random.chance(0.4),
    reach: random.pick(["tenant", "tenant", "tenant", "tenant", "user", "session"] as const),
    about: random.chance(0.6) ? "anyone" : random.chance(0.2) ? [] : [random.pick(tenant.people), random.pick(tenant.people)],
    except: random.chance(0.7) ? null : random.pick([...tenant.users.values()]),
    asOf: random.chance(0.7) ? null : random.chance(0.1) ? "ever" : someTime(world, tenant),
  };
}

/** Mostly a moment at which something held that does no more, or at which something changed. */
function someTime({ random, startedAt, clock }: MemoryWorld, tenant: ModelTenant): number {
  const past = tenant.memories.filter(({ validTo }) => validTo !== null);
  const memory = random.maybe(past.length > 0 && random.chance(0.7) ? past : tenant.memories);
  if (memory === undefined || random.chance(0.1)) return startedAt + random.below(clock.now - startedAt + 1);
  const end = memory.validTo ?? clock.now;
  return random.pick([memory.validFrom - 1, memory.validFrom, memory.validFrom, Math.max(memory.validFrom, end - 1), end]);
}

export function viewerRef(world: MemoryWorld, standing: Standing): MemoryViewerRef {
  const { tenant, about, except } = standing;
  const { tenantId } = tenant.harness;
  return {
    tenantId,
    user: { externalId: standing.user },
    sessionExternalId: standing.session,
    projectExternalId: standing.project,
    includeGroups: false,
    workspaceId: standing.workspaceId,
    scopeType: standing.scopeType,
    scopeId: standing.scopeId,
    ownProjectOnly: standing.ownProjectOnly,
    reach: standing.reach,
    about: about === "anyone" ? about : about.length === 0 ? null : personsNamed(tenantId, about),
    exceptOwner:
      except === null
        ? null
        : sql`(select xu.id from users xu where xu.tenant_id = ${tenantId} and xu.external_id = ${except.name})`,
    asOf: standing.asOf,
    now: world.clock.now,
  };
}

function personsNamed(tenantId: number, people: readonly ModelPerson[]): SQL {
  const ids = JSON.stringify(people.map(({ publicId }) => publicId));
  return sql`select xp.id as person_id from persons xp
    where xp.tenant_id = ${tenantId} and xp.public_id in (select value from json_each(${ids}))`;
}

const NEWCOMER: ModelUser = { id: -1, name: "a newcomer" };

/** The rule's own viewer; null where the names name nothing, of which the rule knows nothing: then nothing is visible. */
export function ruleViewer(world: MemoryWorld, standing: Standing): MemoryViewer | null {
  const { tenant } = standing;
  const user = tenant.users.get(standing.user) ?? (standing.mayBeNew === true ? NEWCOMER : undefined);
  const session = standing.session === null ? null : tenant.sessions.get(standing.session);
  const named = standing.project === null ? null : tenant.projects.get(standing.project);
  if (user === undefined || session === undefined || named === undefined) return null;
  const project = named ?? session?.project ?? null;
  return {
    tenantId: tenant.harness.tenantId,
    userId: user.id,
    personId: user === NEWCOMER ? NEWCOMER.id : personOf(tenant, user).id,
    session: session === null ? null : sessionFacts(tenant, session),
    project: project === null ? null : projectFacts(tenant, project),
    includeGroups: false,
    workspaceId: standing.workspaceId,
    scopeType: standing.scopeType,
    scopeId: standing.scopeId,
    ownProjectOnly: standing.ownProjectOnly,
    reach: standing.reach,
    about: standing.about === "anyone" ? "anyone" : standing.about.map(({ id }) => id),
    exceptOwnerId: standing.except?.id ?? null,
    asOf: standing.asOf,
    now: world.clock.now,
    legacyDisclosure: tenant.legacyDisclosure,
  };
}

/** Whether the standing is one: who stands nowhere is told 404 for the session or project that they name. */
export function stands(world: MemoryWorld, standing: Standing): boolean {
  const who = ruleViewer(world, standing);
  return who !== null && poolOf(who).pool !== "none";
}

/** Whether the user may be in the session now: what every write in it asks. */
export function mayEnter(world: MemoryWorld, tenant: ModelTenant, user: ModelUser, session: ModelSession): boolean {
  return stands(world, plain(tenant, user.name, session.name));
}

/** A standing that asks for everything. */
export function plain(tenant: ModelTenant, user: string, session: string | null = null): Standing {
  const nothing = {
    project: null,
    workspaceId: null,
    scopeType: null,
    scopeId: null,
    ownProjectOnly: false,
    except: null,
    asOf: null,
  };
  return { tenant, user, session, ...nothing, reach: "tenant", about: "anyone" };
}

/** What the pure rule says, held against the oracle; `no_such_place` for names that name nothing. */
export function decisionOf(
  world: MemoryWorld,
  standing: Standing,
  of: { tenant: ModelTenant; memory: ModelMemory },
): MemoryDecision | { visible: false; rule: "no_such_place" } {
  const who = ruleViewer(world, standing);
  const decision =
    who === null
      ? { visible: false as const, rule: "no_such_place" as const }
      : decideMemory(who, memoryFacts(of.tenant, of.memory));
  if (decision.visible !== mayRead(world, standing, of))
    world.differs(decision.visible ? "leaks" : "denials", `the rule says ${decision.rule} to ${described(standing)}`, of);
  return decision;
}

const STRICTNESS = { public: 0, personal: 1, sensitive: 2 };

/** Whether an old version is told to whom the memory itself is told: as what it was then, and never more freely than it is now. */
export function isVersionDisclosed(
  world: MemoryWorld,
  standing: Standing,
  of: { tenant: ModelTenant; memory: ModelMemory; version: ModelVersion },
): boolean {
  const { tenant, memory, version } = of;
  const isStricterNow = STRICTNESS[memory.sensitivity] > STRICTNESS[version.sensitivity];
  const then: ModelMemory = {
    ...memory,
    ...version,
    sensitivity: isStricterNow ? memory.sensitivity : version.sensitivity,
    portable: memory.portable && version.portable,
  };
  return decisionOf(world, standing, { tenant, memory }).visible && decisionOf(world, standing, { tenant, memory: then }).visible;
}

/** The standing as a query. */
export function placeOf({ user, session, project, workspaceId, scopeType, scopeId, asOf }: Standing): Record<string, string> {
  const time = asOf === null || asOf === "ever" ? null : new Date(asOf).toISOString();
  const named = { userId: user, sessionId: session, projectId: project, workspaceId, scopeType, scopeId, asOf: time };
  return Object.fromEntries(Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null));
}

export function described(standing: Standing): string {
  const { tenant, about, except, ...rest } = standing;
  const names = about === "anyone" ? about : about.map(({ publicId, user }) => user?.name ?? publicId);
  return JSON.stringify({ tenant: tenant.index, ...rest, about: names, except: except?.name ?? null });
}
