import type { Sensitivity } from "#core/safety/sensitivity";
import type { MEMORY_TYPES } from "#db/schema/memories";
import { belongsTo, type ProjectFacts, poolOf, type Viewer } from "./rule.ts";

type MemoryType = (typeof MEMORY_TYPES)[number];

/** What the rule needs to know of a memory. People are identified by the internal ids of persons, users by those of users. */
export type MemoryFacts = {
  tenantId: number;
  /** The owner of a personal memory. */
  ownerId: number | null;
  /** The group session of a group memory. With neither owner nor session it is shared. */
  sessionId: number | null;
  type: MemoryType;
  deleted: boolean;
  status: "approved" | "pending" | "rejected";
  /** Unix milliseconds. */
  expiresAt: number | null;
  superseded: boolean;
  /** What superseded it, and what superseded that in turn. */
  successors: readonly MemoryFacts[];
  validFrom: number;
  validTo: number | null;
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
  sensitivity: Sensitivity;
  portable: boolean;
  subjects: readonly { personId: number; userId: number | null }[];
  /** Merged persons are replaced by their survivors. */
  statedBy: number | null;
  learnedIn: number | null;
  /** The projects in which that session, and the group session of a group memory, are now. */
  learnedInProject: number | null;
  sessionProject: number | null;
  /** Users who took part in that session when it was learned. */
  presentUserIds: readonly number[];
};

/**
 * What a query reads. `session`: memories of the viewer's session. `user`: also all of the viewer's own. `tenant`: everything that they may
 * see.
 */
export type Reach = "session" | "user" | "tenant";

/** A project as memories depend on it: by the app's name in their scope, and by whether it takes in memories of its users. */
export type MemoryProject = ProjectFacts & { externalId: string; ownMemories: boolean };

/** A viewer of memories: their place, as for episodes, and what their query asks for. */
export type MemoryViewer = Omit<Viewer, "project"> & {
  project: MemoryProject | null;
  personId: number;
  workspaceId: string | null;
  /** null: any scope. Memories without a scope count as `global`. */
  scopeType: string | null;
  scopeId: string | null;
  /** Whether a viewer without a project gets none of their own memories of projects either. */
  ownProjectOnly: boolean;
  reach: Reach;
  /** Persons that the query asks about: others' memories about them are included. */
  about: "anyone" | readonly number[];
  /** An owner whose memories from elsewhere are left out, so that nothing counts twice. */
  exceptOwnerId: number | null;
  /** Reads what was valid at that time, superseded or not; `ever`: at any time. */
  asOf: number | "ever" | null;
  now: number;
  /** Whether a memory about others without a recorded session may be disclosed in private. */
  legacyDisclosure: boolean;
};

export type MemoryRefusal =
  | "other_tenant"
  | "deleted"
  | "not_approved"
  | "expired"
  | "superseded"
  | "not_valid_then"
  | "other_workspace"
  | "other_scope"
  | "other_project"
  | "nowhere"
  | "out_of_reach"
  | "stays_where_said"
  | "no_subject_takes_part"
  | "asker_is_neither_subject_nor_owner"
  | "not_portable"
  | "sensitive_elsewhere"
  | "personal_to_others"
  | "sensitive_to_others"
  | "said_in_confidence";

/** Why a memory is visible to a viewer. `own_lasting`: it came into the project from outside, because it lastingly holds of the viewer. */
export type MemoryVisibilityReason = "own" | "own_lasting" | "same_group" | "shared" | "cross_context";

export function isOwnReason(reason: MemoryVisibilityReason): boolean {
  return reason === "own" || reason === "own_lasting";
}

export type MemoryDecision = { visible: true; rule: MemoryVisibilityReason } | { visible: false; rule: MemoryRefusal };

/** What the rule needs to know of a memory besides its row, for one viewer; SQL and the pure rule both compute this. */
export type MemoryRelation = {
  isOwner: boolean;
  /** The memory's group is the viewer's current session. */
  inItsGroup: boolean;
  isShared: boolean;
  /** It was learned in the viewer's current session. */
  learnedHere: boolean;
  /** It was learned where everybody who reads what is written here may read what was said. */
  learnedAmongReaders: boolean;
  /**
   * It is of the viewer's current project: by its scope, or because its session is in it now. In a group with outsiders only what is of that
   * group counts.
   */
  isOfProject: boolean;
  /** It is of a project all the same. */
  isOfOtherProject: boolean;
  hasSubject: boolean;
  /** The viewer is a subject. */
  isSubject: boolean;
  /** A subject takes part in the viewer's group now, or belongs to the project of a viewer who is in no group. */
  subjectTakesPart: boolean;
  /** The query asks about one of its subjects. */
  isAskedAbout: boolean;
  hasStated: boolean;
  /** The viewer took part in the session when it was learned. */
  wasPresent: boolean;
  hasRecordedSession: boolean;
};

/** The one rule for memories, which the SQL of `memory-predicate.ts` repeats. */
export function decideMemory(viewer: MemoryViewer, memory: MemoryFacts): MemoryDecision {
  if (memory.tenantId !== viewer.tenantId) return refuse("other_tenant");
  const state = decideState(viewer, memory);
  if (state !== null) return refuse(state);
  if (poolOf(viewer).pool === "none") return refuse("nowhere");
  const { reach, ownProjectOnly, legacyDisclosure, project } = viewer;
  const place = {
    ...{ reach, ownProjectOnly, legacyDisclosure },
    othersRead: doOthersRead(viewer),
    isInProject: project !== null,
    takesOwnMemories: project?.ownMemories === true,
  };
  return decideRelation(place, memory, relationOf(viewer, memory));
}

/** Whether others read what is written in the viewer's place: other participants of a group, or others who belong to the project. */
function doOthersRead(viewer: MemoryViewer): boolean {
  return hasOtherParticipants(viewer) || othersBelong(viewer);
}

function hasOtherParticipants({ session, userId }: MemoryViewer): boolean {
  return session?.kind === "group" && session.participantIds.some((id) => id !== userId);
}

function othersBelong({ project, userId }: MemoryViewer): boolean {
  return project !== null && [project.ownerId, ...project.memberIds].some((id) => id !== userId);
}

/** Checks status, time, workspace, scope and project. null if the memory passes. */
function decideState(viewer: MemoryViewer, memory: MemoryFacts): MemoryRefusal | null {
  if (memory.deleted) return "deleted";
  if (memory.status !== "approved") return "not_approved";
  if (memory.expiresAt !== null && memory.expiresAt <= viewer.now) return "expired";
  if (viewer.asOf === null && memory.superseded && !stillHolds(viewer, memory)) return "superseded";
  if (typeof viewer.asOf === "number" && !wasValid(viewer, memory, viewer.asOf)) return "not_valid_then";
  if (memory.workspaceId !== null && memory.workspaceId !== viewer.workspaceId) return "other_workspace";
  if (!isInScope(viewer, memory)) return "other_scope";
  return viewer.ownProjectOnly && isScopedElsewhere(viewer, memory) ? "other_project" : null;
}

function wasValid(viewer: MemoryViewer, memory: MemoryFacts, at: number): boolean {
  const { validFrom, validTo } = memory;
  return validFrom <= at && (validTo === null || at < validTo || (memory.superseded && stillHolds(viewer, memory)));
}

/**
 * Whether a superseded memory is current for the viewer all the same: it is not theirs, and they may see nothing of what replaced it. If all
 * of that was forgotten or has expired, it holds for nobody.
 */
function stillHolds(viewer: MemoryViewer, { ownerId, successors }: MemoryFacts): boolean {
  if (ownerId === viewer.userId) return false;
  const live = successors.filter(
    ({ deleted, status, expiresAt }) => !deleted && status === "approved" && (expiresAt === null || expiresAt > viewer.now),
  );
  return live.length > 0 && !live.some((successor) => maySee(viewer, successor));
}

/** Whether some query of the viewer may return a memory, by its privacy. */
function maySee(viewer: MemoryViewer, memory: MemoryFacts): boolean {
  const relation = relationOf(viewer, memory);
  const { isOwner, inItsGroup, isShared } = relation;
  if (!isOwner && !inItsGroup && !isShared && !memory.portable) return false;
  const refusal = doOthersRead(viewer)
    ? refusedAmongReaders(memory, relation, viewer.legacyDisclosure)
    : refusedInPrivate(memory.sensitivity, relation, viewer.legacyDisclosure);
  return refusal === null;
}

function isInScope({ scopeType, scopeId }: MemoryViewer, memory: MemoryFacts): boolean {
  if (scopeType === "global" && memory.scopeType !== "global" && memory.scopeType !== null) return false;
  if (scopeType !== null && scopeType !== "global" && memory.scopeType !== scopeType) return false;
  return scopeId === null || memory.scopeId === scopeId;
}

/** Whether its scope names a project that is not the viewer's. */
function isScopedElsewhere({ project }: MemoryViewer, { scopeType, scopeId }: MemoryFacts): boolean {
  return scopeType === "project" && (scopeId === null || scopeId !== project?.externalId);
}

function isScopedHere({ project }: MemoryViewer, { scopeType, scopeId }: MemoryFacts): boolean {
  return scopeType === "project" && project !== null && scopeId === project.externalId;
}

function relationOf(viewer: MemoryViewer, memory: MemoryFacts): MemoryRelation {
  const { session, about, project } = viewer;
  const persons = memory.subjects.map(({ personId }) => personId);
  const isShared = memory.ownerId === null && memory.sessionId === null;
  // A group's memory is where its group is.
  const home = isShared ? null : memory.sessionId === null ? memory.learnedInProject : memory.sessionProject;
  const learnedHere = memory.learnedIn !== null && memory.learnedIn === session?.id;
  const inItsGroup = memory.sessionId !== null && memory.sessionId === session?.id;
  const { pool } = poolOf(viewer);
  const isOfProject =
    pool === "project"
      ? isScopedHere(viewer, memory) || (home !== null && home === project?.id)
      : project !== null && (inItsGroup || learnedHere);
  const opensProject = !hasOtherParticipants(viewer) && pool === "project";
  return {
    isOwner: memory.ownerId === viewer.userId,
    inItsGroup,
    isShared,
    learnedHere,
    learnedAmongReaders: opensProject ? memory.learnedInProject !== null && memory.learnedInProject === project?.id : learnedHere,
    isOfProject,
    isOfOtherProject: !isShared && !isOfProject && (home !== null || memory.scopeType === "project"),
    hasSubject: persons.length > 0,
    isSubject: persons.includes(viewer.personId),
    subjectTakesPart: memory.subjects.some(({ userId }) => userId !== null && readsWith(viewer, userId)),
    isAskedAbout:
      (memory.ownerId === null || memory.ownerId !== viewer.exceptOwnerId) &&
      (about === "anyone" ? persons.length > 0 : persons.some((person) => about.includes(person))),
    hasStated: memory.statedBy === viewer.personId,
    wasPresent: memory.presentUserIds.includes(viewer.userId),
    hasRecordedSession: memory.learnedIn !== null,
  };
}

/**
 * Whether a user counts as present in the viewer's place. Several participants of a group are those who talk; members of its project who only
 * read along do not count. Else everybody counts who may read what is written.
 */
function readsWith(viewer: MemoryViewer, userId: number): boolean {
  if (hasOtherParticipants(viewer)) return viewer.session?.participantIds.includes(userId) === true;
  return userId === viewer.userId || (viewer.project !== null && belongsTo(userId, viewer.project));
}

/** The viewer's place, as far as memories depend on it. */
export type MemoryPlace = {
  reach: Reach;
  ownProjectOnly: boolean;
  /** Whether others read what is written there. */
  othersRead: boolean;
  isInProject: boolean;
  /** Whether that project takes in memories of its users from outside. */
  takesOwnMemories: boolean;
  legacyDisclosure: boolean;
};

type Decided = { type: MemoryType; sensitivity: Sensitivity; portable: boolean };

/**
 * Reach, project and privacy of a memory that passed `decideState`. Search evaluates it again for every row that SQL returned, and shows
 * its reason.
 */
export function decideRelation(place: MemoryPlace, memory: Decided, relation: MemoryRelation): MemoryDecision {
  const visibilityReason = visibilityReasonOf(place.reach, memory, relation);
  if (visibilityReason === null) return refuse("out_of_reach");
  const refusal =
    refusedByProject(place, memory.type, relation) ??
    (place.othersRead
      ? refusedAmongReaders(memory, relation, place.legacyDisclosure)
      : refusedInPrivate(memory.sensitivity, relation, place.legacyDisclosure));
  if (refusal !== null) return refuse(refusal);
  const isFromOutside = visibilityReason === "own" && place.isInProject && !relation.isOfProject;
  return { visible: true, rule: isFromOutside ? "own_lasting" : visibilityReason };
}

/**
 * A project is kept apart: what is of one is not shown outside it, except to its owner where nobody else reads, and in the group whose it
 * is. Into it comes only what lastingly holds of the viewer, if the project takes that in. What the tenant shares was said nowhere, and is
 * shown everywhere.
 */
function refusedByProject(
  { isInProject, ownProjectOnly, othersRead, takesOwnMemories }: MemoryPlace,
  type: MemoryType,
  relation: MemoryRelation,
): MemoryRefusal | null {
  if (relation.isShared || relation.isOfProject) return null;
  if (relation.isOfOtherProject) {
    const isForThem = relation.inItsGroup || (relation.isOwner && !othersRead);
    return isForThem && !isInProject && !ownProjectOnly ? null : "other_project";
  }
  if (!isInProject) return null;
  return takesOwnMemories && holdsOfViewer(type, relation) ? null : "stays_where_said";
}

/** Whether a memory lastingly holds of the viewer: who they are, what they prefer, whom they know, and their wishes to the assistant. */
function holdsOfViewer(type: MemoryType, { isOwner, isSubject, hasSubject, hasStated }: MemoryRelation): boolean {
  switch (type) {
    case "identity":
    case "preference":
      return isSubject || (isOwner && !hasSubject);
    case "relationship":
      return isSubject || isOwner;
    case "procedural":
      return isOwner && hasStated;
    default:
      return false;
  }
}

function visibilityReasonOf(
  reach: Reach,
  { portable }: { portable: boolean },
  relation: MemoryRelation,
): MemoryVisibilityReason | null {
  if (relation.inItsGroup) return "same_group";
  if (relation.isOwner && (reach !== "session" || relation.learnedHere)) return "own";
  if (reach !== "tenant") return null;
  if (relation.isShared) return "shared";
  return portable && relation.isAskedAbout ? "cross_context" : null;
}

/** Others read the answer: a memory from elsewhere must be portable, and visible to the asker in private too. */
function refusedAmongReaders(
  { sensitivity, portable }: { sensitivity: Sensitivity; portable: boolean },
  relation: MemoryRelation,
  legacyDisclosure: boolean,
): MemoryRefusal | null {
  if (relation.inItsGroup || relation.learnedAmongReaders)
    return sensitivity === "public" || relation.subjectTakesPart ? null : "no_subject_takes_part";
  if (sensitivity === "sensitive") return "sensitive_elsewhere";
  if (relation.isOwner && !portable) return "not_portable";
  if (sensitivity === "personal" && !relation.subjectTakesPart) return "no_subject_takes_part";
  if (sensitivity === "personal" && !relation.isSubject && !relation.isOwner) return "asker_is_neither_subject_nor_owner";
  return isDisclosed(relation, legacyDisclosure) ? null : "said_in_confidence";
}

function refusedInPrivate(sensitivity: Sensitivity, relation: MemoryRelation, legacyDisclosure: boolean): MemoryRefusal | null {
  const { isSubject, isOwner, hasSubject } = relation;
  if (sensitivity === "personal" && !isSubject && !isOwner) return "personal_to_others";
  if (sensitivity === "sensitive" && !isSubject && !(isOwner && !hasSubject)) return "sensitive_to_others";
  return isDisclosed(relation, legacyDisclosure) ? null : "said_in_confidence";
}

/** A memory about others is disclosed only to users who know it already, unless the tenant published it. */
function isDisclosed(relation: MemoryRelation, legacyDisclosure: boolean): boolean {
  return (
    relation.isShared ||
    relation.isSubject ||
    relation.hasStated ||
    relation.wasPresent ||
    !relation.hasSubject ||
    (!relation.hasRecordedSession && legacyDisclosure)
  );
}

function refuse(rule: MemoryRefusal): MemoryDecision {
  return { visible: false, rule };
}
