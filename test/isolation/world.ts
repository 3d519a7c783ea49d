import fc from "fast-check";
import type { UserRef } from "#domain/tenants";
import {
  belongsTo,
  type PoolRule,
  type ProjectFacts,
  poolOf,
  type SessionFacts,
  type Viewer,
  type ViewerRef,
} from "#domain/visibility";
import { createHarness, type Harness } from "#test/harness";

/** The word that every episode of a world holds, beside words of its own. */
export const COMMON_WORD = "marmalade";

type ModelEpisode = { id: string; text: string };
export type ModelSession = {
  id: number;
  name: string;
  kind: "private" | "group";
  owner: number;
  project: string | null;
  participants: Set<number>;
  episodes: ModelEpisode[];
};
type ModelProject = { id: number; name: string; owner: number; members: Set<number> };

/** What the test believes of one tenant, kept by its own reckoning and never read back. */
export type ModelTenant = {
  index: number;
  harness: Harness;
  users: Set<string>;
  projects: Map<string, ModelProject>;
  sessions: Map<string, ModelSession>;
};

export type World = { tenants: [ModelTenant, ModelTenant]; made: number };

const USERS = 4;
const PROJECTS = 3;
const SESSIONS = 6;

const tenant = fc.constantFrom<0 | 1>(0, 0, 0, 1);
const user = fc.nat(USERS - 1).map((i) => `u${i}`);
const project = fc.nat(PROJECTS - 1).map((i) => `p${i}`);
const session = fc.nat(SESSIONS - 1).map((i) => `s${i}`);
const friends = fc.subarray(["u1", "u2", "u3"]);
const participants = fc.uniqueArray(user, { minLength: 1, maxLength: USERS });

/** Names are the same in both tenants, so that a forgotten tenant shows. An `insider` acts as somebody who may. */
const who = { tenant, user, insider: fc.boolean() };

export const command = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("project" as const), ...who, project }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("member" as const), ...who, project, member: user, join: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("session" as const),
      ...who,
      session,
      project: fc.option(fc.option(project, { freq: 4 }), { nil: undefined, freq: 2 }),
      participants: fc.option(participants, { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant("append" as const),
      ...who,
      session,
      project: fc.option(project, { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settle" as const), tenant }) },
);

export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** Moves after the vectors were tagged. */
export const lateMove = fc.record({
  kind: fc.constant("session" as const),
  ...who,
  insider: fc.constant(true),
  session,
  project: fc.option(project, { freq: 3 }),
  participants: fc.constant(undefined),
});

export const settleAll: Command[] = [
  { kind: "settle", tenant: 0 },
  { kind: "settle", tenant: 1 },
];

/** What every world begins with: two projects a tenant with members, and a group in one of them whose participants come and go. */
export const prelude = fc
  .tuple(...([0, 1] as const).map((tenant) => fc.tuple(fc.constant(tenant), friends, friends, friends, friends)))
  .map((tenants) =>
    tenants.flatMap(([tenant, members, others, joining, staying]) => openingOf(tenant, { members, others, joining, staying })),
  );

function openingOf(tenant: 0 | 1, who: { members: string[]; others: string[]; joining: string[]; staying: string[] }): Command[] {
  const ann = { tenant, user: "u0", insider: false, project: "p0" };
  const ben = { tenant, user: "u1", insider: false, project: "p1" };
  return [
    { kind: "project", ...ann },
    { kind: "project", ...ben },
    ...who.members.map((member): Command => ({ kind: "member", ...ann, member, join: true })),
    ...who.others.map((member): Command => ({ kind: "member", ...ben, member, join: true })),
    { kind: "session", ...ann, session: "s0", participants: ["u0", ...who.joining] },
    { kind: "session", ...ann, session: "s0", participants: ["u0", ...who.staying] },
  ];
}

export const viewer = fc.record({
  tenant,
  user: fc.oneof({ weight: 12, arbitrary: user }, { weight: 1, arbitrary: fc.constant("nobody") }),
  insider: fc.boolean(),
  session: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 9, arbitrary: session },
    { weight: 1, arbitrary: fc.constant("s-none") },
  ),
  project: fc.oneof(
    { weight: 7, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: project },
    { weight: 1, arbitrary: fc.constant("p-none") },
  ),
  /** Names the session's own project rather than a random one. */
  sameProject: fc.boolean(),
  includeGroups: fc.boolean(),
});

export type ViewerChoice = typeof viewer extends fc.Arbitrary<infer V> ? V : never;

export async function newWorld(): Promise<World> {
  const make = async (index: number): Promise<ModelTenant> => ({
    index,
    harness: await createHarness(),
    users: new Set(),
    projects: new Map(),
    sessions: new Map(),
  });
  return { tenants: [await make(0), await make(1)], made: 0 };
}

/** The model's own number of a user; no number means the same in two tenants. */
export function userId(tenant: ModelTenant, name: string): number {
  return (tenant.index + 1) * 1000 + (name === "nobody" ? 999 : Number(name.slice(1)));
}

export function sessionFacts(tenant: ModelTenant, session: ModelSession): SessionFacts {
  return {
    id: session.id,
    tenantId: tenant.harness.tenantId,
    kind: session.kind,
    ownerId: session.owner,
    projectId: session.project === null ? null : (tenant.projects.get(session.project)?.id ?? null),
    participantIds: session.kind === "private" ? [] : [...session.participants],
  };
}

function projectFacts(tenant: ModelTenant, project: ModelProject): ProjectFacts {
  return { id: project.id, tenantId: tenant.harness.tenantId, ownerId: project.owner, memberIds: [...project.members] };
}

/** A viewer as the request names them. */
export type Standing = {
  tenant: ModelTenant;
  user: string;
  session: string | null;
  project: string | null;
  includeGroups: boolean;
};

/** Where a reader before a reply stands: a session that is not stored is a new private one. */
export function openedAt<S extends { tenant: { sessions: ReadonlyMap<string, unknown> }; session: string | null }>(
  standing: S,
): S {
  const { tenant, session } = standing;
  return session === null || tenant.sessions.has(session) ? standing : { ...standing, session: null };
}

export function viewerRef(standing: Standing): ViewerRef {
  const user: UserRef = { externalId: standing.user };
  return {
    tenantId: standing.tenant.harness.tenantId,
    user,
    sessionExternalId: standing.session,
    projectExternalId: standing.project,
    includeGroups: standing.includeGroups,
  };
}

/** The rule's own viewer, or the answer for names that name nothing, of which the rule knows nothing. */
export function ruleViewer(standing: Standing): Viewer | "unknown_user" | Extract<PoolRule, "not_in_session" | "not_in_project"> {
  const { tenant } = standing;
  if (!tenant.users.has(standing.user)) return "unknown_user";
  const session = standing.session === null ? null : tenant.sessions.get(standing.session);
  if (session === undefined) return "not_in_session";
  const named = standing.project === null ? null : tenant.projects.get(standing.project);
  const own = session?.project == null ? null : (tenant.projects.get(session.project) ?? null);
  const viewer: Viewer = {
    tenantId: tenant.harness.tenantId,
    userId: userId(tenant, standing.user),
    session: session === null ? null : sessionFacts(tenant, session),
    project: own === null ? null : projectFacts(tenant, own),
    includeGroups: standing.includeGroups,
  };
  if (named === null) return viewer;
  if (named !== undefined) return { ...viewer, project: projectFacts(tenant, named) };
  return session !== null && poolOf(viewer).rule === "not_in_session" ? "not_in_session" : "not_in_project";
}

/** Whether the user may be in the session: what every write to it asks. */
function mayEnter(tenant: ModelTenant, user: string, session: ModelSession): boolean {
  const viewer = ruleViewer({ tenant, user, session: session.name, project: null, includeGroups: false });
  return typeof viewer !== "string" && poolOf(viewer).pool !== "none";
}

function belongs(tenant: ModelTenant, user: string, name: string): boolean {
  const project = tenant.projects.get(name);
  return project !== undefined && tenant.users.has(user) && belongsTo(userId(tenant, user), projectFacts(tenant, project));
}

/** Somebody who takes part, chosen by the name that was drawn; that name itself if there is none. */
export function insiderOf(session: ModelSession | undefined, drawn: string): string {
  if (session === undefined) return drawn;
  const ids = session.kind === "private" ? [session.owner] : [...session.participants];
  const id = ids[Number(drawn.slice(1)) % Math.max(ids.length, 1)];
  return id === undefined || Number.isNaN(id) ? drawn : `u${id % 1000}`;
}

/** Somebody of the project, chosen by the name that was drawn. */
export function memberOf(tenant: ModelTenant, name: string, drawn: string): string {
  const project = tenant.projects.get(name);
  if (project === undefined) return drawn;
  const ids = [project.owner, ...project.members];
  return `u${(ids[Number(drawn.slice(1)) % ids.length] ?? project.owner) % 1000}`;
}

/** A project that the user is of, rather than the one drawn. */
function projectOf(tenant: ModelTenant, user: string, drawn: string): string {
  if (belongs(tenant, user, drawn)) return drawn;
  return [...tenant.projects.keys()].find((name) => belongs(tenant, user, name)) ?? drawn;
}

type Step = { method: string; path: string; body?: unknown; status: number; apply: (json: unknown) => void };

/** Sends the command and answers the status that came and the one that had to come; the model moves on if it was carried out. */
export async function carryOut(world: World, command: Command): Promise<{ expected: number; status: number; text: string }> {
  const tenant = world.tenants[command.tenant];
  if (command.kind === "settle") {
    await tenant.harness.settle();
    return { expected: 200, status: 200, text: "" };
  }
  const step = stepOf(world, tenant, command);
  const answer = await tenant.harness.fetch<unknown>(step.method, step.path, step.body === undefined ? {} : { body: step.body });
  if (answer.status === step.status && step.status < 300) step.apply(answer.json);
  return { expected: step.status, status: answer.status, text: answer.text };
}

function stepOf(world: World, tenant: ModelTenant, command: Exclude<Command, { kind: "settle" }>): Step {
  switch (command.kind) {
    case "project":
      return projectStep(world, tenant, command);
    case "member":
      return memberStep(tenant, command);
    case "session":
      return sessionStep(world, tenant, command);
    case "append":
      return appendStep(world, tenant, command);
  }
}

function projectStep(world: World, tenant: ModelTenant, { user, project: name }: Extract<Command, { kind: "project" }>): Step {
  const known = tenant.projects.has(name);
  return {
    method: "PUT",
    path: `/v1/projects/${name}`,
    body: { userId: user },
    status: !known ? 201 : belongs(tenant, user, name) ? 200 : 404,
    apply: () => {
      if (known) return;
      tenant.users.add(user);
      world.made += 1;
      tenant.projects.set(name, { id: world.made, name, owner: userId(tenant, user), members: new Set() });
    },
  };
}

function memberStep(tenant: ModelTenant, command: Extract<Command, { kind: "member" }>): Step {
  const project = tenant.projects.get(command.project);
  const user = command.insider && project !== undefined ? `u${project.owner % 1000}` : command.user;
  const isOwner = project?.owner === userId(tenant, user);
  const member = userId(tenant, command.member);
  const status = !belongs(tenant, user, command.project) ? 404 : !isOwner ? 403 : member === project?.owner ? 409 : 200;
  return {
    method: command.join ? "PUT" : "DELETE",
    path: `/v1/projects/${command.project}/members/${command.member}?userId=${user}`,
    status,
    apply: () => {
      if (command.join) {
        tenant.users.add(command.member);
        project?.members.add(member);
      } else project?.members.delete(member);
    },
  };
}

function sessionStep(world: World, tenant: ModelTenant, command: Extract<Command, { kind: "session" }>): Step {
  const existing = tenant.sessions.get(command.session);
  const user = command.insider ? insiderOf(existing, command.user) : command.user;
  const project =
    command.insider && typeof command.project === "string" ? projectOf(tenant, user, command.project) : command.project;
  const named =
    existing === undefined && command.insider && command.participants !== undefined
      ? [user, ...command.participants]
      : command.participants;
  const status = (): number => {
    if (typeof project === "string" && !belongs(tenant, user, project)) return 404;
    if (existing === undefined) return named === undefined || named.includes(user) ? 201 : 422;
    const takesOut = existing.kind === "private" && existing.owner === userId(tenant, user) && project === null;
    if (!mayEnter(tenant, user, existing)) return takesOut && named === undefined ? 200 : 404;
    return existing.kind === "private" && named !== undefined ? 422 : 200;
  };
  return {
    method: "PUT",
    path: `/v1/sessions/${command.session}`,
    body: { userId: user, projectId: project, participants: named },
    status: status(),
    apply: () => {
      for (const name of [user, ...(named ?? [])]) tenant.users.add(name);
      const ids = named?.map((name) => userId(tenant, name));
      if (existing !== undefined) {
        if (project !== undefined) existing.project = project;
        if (ids !== undefined) existing.participants = new Set(ids);
        return;
      }
      world.made += 1;
      tenant.sessions.set(command.session, {
        id: world.made,
        name: command.session,
        kind: ids === undefined ? "private" : "group",
        owner: userId(tenant, user),
        project: project ?? null,
        participants: new Set(ids),
        episodes: [],
      });
    },
  };
}

function appendStep(world: World, tenant: ModelTenant, command: Extract<Command, { kind: "append" }>): Step {
  const existing = tenant.sessions.get(command.session);
  const user = command.insider ? insiderOf(existing, command.user) : command.user;
  const project =
    command.insider && existing === undefined && command.project !== undefined
      ? projectOf(tenant, user, command.project)
      : command.project;
  world.made += 1;
  const text = `${COMMON_WORD} ${["b", "c", "d"].map((letter) => `${letter}q${tenant.index}x${world.made}`).join(" ")}`;
  const status = (): number => {
    if (project !== undefined && !belongs(tenant, user, project)) return 404;
    if (existing === undefined) return 201;
    if (!mayEnter(tenant, user, existing)) return 404;
    return project !== undefined && project !== existing.project ? 409 : 201;
  };
  return {
    method: "POST",
    path: `/v1/sessions/${command.session}/episodes`,
    body: { userId: user, projectId: project, messages: [{ role: "user", content: text }] },
    status: status(),
    apply: (json) => {
      tenant.users.add(user);
      const { id } = json as { id: string };
      const session = existing ?? {
        id: world.made,
        name: command.session,
        kind: "private" as const,
        owner: userId(tenant, user),
        project: project ?? null,
        participants: new Set<number>(),
        episodes: [],
      };
      tenant.sessions.set(command.session, session);
      session.episodes.push({ id, text });
    },
  };
}
