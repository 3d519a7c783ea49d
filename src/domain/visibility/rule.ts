import type { UserRef } from "#domain/tenants";

/** What the rule needs to know of a session. `participantIds` are a group's current ones; a private session has none. */
export type SessionFacts = {
  id: number;
  tenantId: number;
  kind: "private" | "group";
  ownerId: number;
  projectId: number | null;
  participantIds: readonly number[];
};

export type ProjectFacts = { id: number; tenantId: number; ownerId: number; memberIds: readonly number[] };

/** The reader and their place: a session, a project without a session, or no place (both null). */
export type Viewer = {
  tenantId: number;
  userId: number;
  session: SessionFacts | null;
  /** The project that the request names, else the session's. Naming another project than the session's shows nothing. */
  project: ProjectFacts | null;
  /** Whether a private viewer also wants to read the groups that they take part in. */
  includeGroups: boolean;
};

/** The same viewer as a request names it, before any lookup. */
export type ViewerRef = {
  tenantId: number;
  user: UserRef;
  sessionExternalId: string | null;
  projectExternalId: string | null;
  includeGroups: boolean;
  /** Whether a session that is not stored counts as a new private one of the user's, for reads before a reply; if not, it shows nothing. */
  sessionMayBeNew?: boolean;
  /** Whether a user who is not stored counts as one who has said nothing yet, and sees what every user of the tenant sees; if not, nothing. */
  userMayBeNew?: boolean;
};

/**
 * Which episodes a viewer may see, as a set of sessions.
 * `user`: their own private sessions outside projects (and their groups, if asked); `project`: every session of the project;
 * `session`: the group session alone; `none`: nothing at all.
 */
export type Pool = "user" | "project" | "session" | "none";

export type PoolRule =
  | "no_project"
  | "project_member"
  | "group_of_members"
  | "group_with_outsiders"
  | "group_without_project"
  | "not_in_session"
  | "not_in_project"
  | "other_tenant";

export type EpisodeRule =
  | "own_private_session"
  | "own_group_session"
  | "same_project"
  | "same_session"
  | "outside_pool"
  | PoolRule;

export type Decision<Rule> = { visible: boolean; rule: Rule };

/** What is visible from the viewer's place: the left column of the table in docs/visibility.md. */
export function poolOf(viewer: Viewer): { pool: Pool; rule: PoolRule } {
  const { session, project, userId } = viewer;
  if ((session ?? viewer).tenantId !== viewer.tenantId || (project ?? viewer).tenantId !== viewer.tenantId) {
    return { pool: "none", rule: "other_tenant" };
  }
  if (session !== null && !takesPart(userId, session)) return { pool: "none", rule: "not_in_session" };
  if (session !== null && session.projectId !== (project?.id ?? null)) return { pool: "none", rule: "not_in_project" };
  if (session?.kind === "group") {
    if (project === null) return { pool: "session", rule: "group_without_project" };
    return session.participantIds.every((id) => belongsTo(id, project))
      ? { pool: "project", rule: "group_of_members" }
      : { pool: "session", rule: "group_with_outsiders" };
  }
  if (project === null) return { pool: "user", rule: "no_project" };
  return belongsTo(userId, project) ? { pool: "project", rule: "project_member" } : { pool: "none", rule: "not_in_project" };
}

/**
 * The rule for episodes; the SQL of `predicate.ts` repeats it. It decides for a session, because all of its episodes are visible or none.
 */
export function decideEpisodes(viewer: Viewer, session: SessionFacts): Decision<EpisodeRule> {
  const { pool, rule } = poolOf(viewer);
  if (pool === "none" && session.tenantId === viewer.tenantId) return { visible: false, rule };
  const standing = {
    tenantId: viewer.tenantId,
    userId: viewer.userId,
    sessionId: viewer.session?.id ?? null,
    projectId: viewer.project?.id ?? null,
    includeGroups: viewer.includeGroups,
    pool,
  };
  return decideInPool(standing, { ...session, viewerTakesPart: takesPart(viewer.userId, session) });
}

/** A viewer whose pool is known, by ids alone. */
export type Standing = {
  tenantId: number;
  userId: number;
  sessionId: number | null;
  projectId: number | null;
  includeGroups: boolean;
  pool: Pool;
};

/** What a loaded row says of its session. */
export type LoadedSession = Pick<SessionFacts, "id" | "tenantId" | "kind" | "ownerId" | "projectId"> & {
  viewerTakesPart: boolean;
};

/** The rule once the pool is known; search evaluates it again for every row that SQL returned, and shows its reason. */
export function decideInPool(standing: Standing, session: LoadedSession): Decision<EpisodeRule> {
  if (session.tenantId !== standing.tenantId) return { visible: false, rule: "other_tenant" };
  const allowed = (held: boolean, because: EpisodeRule): Decision<EpisodeRule> => ({
    visible: held,
    rule: held ? because : "outside_pool",
  });
  switch (standing.pool) {
    case "none":
      return { visible: false, rule: "outside_pool" };
    case "session":
      return allowed(session.id === standing.sessionId, "same_session");
    case "project":
      return allowed(session.projectId !== null && session.projectId === standing.projectId, "same_project");
    case "user":
      if (session.projectId !== null) return { visible: false, rule: "outside_pool" };
      if (session.kind === "private") return allowed(session.ownerId === standing.userId, "own_private_session");
      return allowed(standing.includeGroups && session.viewerTakesPart, "own_group_session");
  }
}

/** Whether a user is in the session now: the owner of a private one, a current participant of a group. */
export function takesPart(userId: number, session: SessionFacts): boolean {
  return session.kind === "private" ? session.ownerId === userId : session.participantIds.includes(userId);
}

/** Whether a user belongs to the project: its owner or a member. */
export function belongsTo(userId: number, project: ProjectFacts): boolean {
  return project.ownerId === userId || project.memberIds.includes(userId);
}
