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

/** Who reads and where: in a session, in a project without a session, or nowhere in particular (both null). */
export type Viewer = {
  tenantId: number;
  userId: number;
  session: SessionFacts | null;
  /** The project that the request names, else the session's. Naming another one than the session's shows nothing. */
  project: ProjectFacts | null;
  /** A private viewer's wish to have the groups that they take part in read as well. */
  includeGroups: boolean;
};

/** The same viewer as a request names it, before anything is looked up. */
export type ViewerRef = {
  tenantId: number;
  user: UserRef;
  sessionExternalId: string | null;
  projectExternalId: string | null;
  includeGroups: boolean;
};
