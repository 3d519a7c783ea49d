import type { Sensitivity } from "#core/safety/sensitivity";
import { poolOf, type Viewer } from "./rule.ts";

/** What the rule needs to know of a memory. People are identified by the internal ids of persons, users by those of users. */
export type MemoryFacts = {
  tenantId: number;
  /** The owner of a personal memory. */
  ownerId: number | null;
  /** The group session of a group memory. With neither owner nor session it is shared. */
  sessionId: number | null;
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
  /** Users who took part in that session when it was learned. */
  presentUserIds: readonly number[];
};

/**
 * What a query reads. `session`: memories of the viewer's session. `user`: also all of the viewer's own. `tenant`: everything that they may
 * see.
 */
export type Reach = "session" | "user" | "tenant";

/** A viewer of memories: their place, as for episodes, and what their query asks for. */
export type MemoryViewer = Viewer & {
  personId: number;
  workspaceId: string | null;
  /** null: any scope. Memories without a scope count as `global`. */
  scopeType: string | null;
  scopeId: string | null;
  /**
   * The one project whose memories count, by the app's name for it: the viewer's own, null if they are in none. A memory of a project has
   * `scopeType` project and that name as its `scopeId`. `any`: no restriction.
   */
  onlyProject: "any" | { named: string | null };
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
  | "no_subject_takes_part"
  | "asker_is_neither_subject_nor_owner"
  | "not_portable"
  | "sensitive_elsewhere"
  | "personal_to_others"
  | "sensitive_to_others"
  | "said_in_confidence";

/** Why a memory is visible to a viewer. */
export type MemoryVisibilityReason = "own" | "same_group" | "shared" | "cross_context";

export type MemoryDecision = { visible: true; rule: MemoryVisibilityReason } | { visible: false; rule: MemoryRefusal };

/** What the rule needs to know of a memory besides its row, for one viewer; SQL and the pure rule both compute this. */
export type MemoryRelation = {
  isOwner: boolean;
  /** The memory's group is the viewer's current session. */
  inItsGroup: boolean;
  isShared: boolean;
  /** It was learned in the viewer's current session. */
  learnedHere: boolean;
  hasSubject: boolean;
  /** The viewer is a subject. */
  isSubject: boolean;
  /** A subject takes part in the viewer's group now. */
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
  return decideRelation(
    { reach: viewer.reach, isGroup: hasOtherParticipants(viewer), legacyDisclosure: viewer.legacyDisclosure },
    memory,
    relationOf(viewer, memory),
  );
}

/** Whether others read the answer too: a group session in which the viewer is alone counts as private. */
function hasOtherParticipants({ session, userId }: MemoryViewer): boolean {
  return session?.kind === "group" && session.participantIds.some((id) => id !== userId);
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
  return isOfProject(viewer.onlyProject, memory) ? null : "other_project";
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
  const refusal = hasOtherParticipants(viewer)
    ? refusedInGroup(memory, relation, viewer.legacyDisclosure)
    : refusedInPrivate(memory.sensitivity, relation, viewer.legacyDisclosure);
  return refusal === null;
}

function isInScope({ scopeType, scopeId }: MemoryViewer, memory: MemoryFacts): boolean {
  if (scopeType === "global" && memory.scopeType !== "global" && memory.scopeType !== null) return false;
  if (scopeType !== null && scopeType !== "global" && memory.scopeType !== scopeType) return false;
  return scopeId === null || memory.scopeId === scopeId;
}

function isOfProject(only: MemoryViewer["onlyProject"], { scopeType, scopeId }: MemoryFacts): boolean {
  return only === "any" || scopeType !== "project" || (scopeId !== null && scopeId === only.named);
}

function relationOf(viewer: MemoryViewer, memory: MemoryFacts): MemoryRelation {
  const { session, about } = viewer;
  const persons = memory.subjects.map(({ personId }) => personId);
  const participants: readonly number[] = session?.kind === "group" ? session.participantIds : [];
  return {
    isOwner: memory.ownerId === viewer.userId,
    inItsGroup: memory.sessionId === session?.id,
    isShared: memory.ownerId === null && memory.sessionId === null,
    learnedHere: memory.learnedIn === session?.id,
    hasSubject: persons.length > 0,
    isSubject: persons.includes(viewer.personId),
    subjectTakesPart: memory.subjects.some(({ userId }) => userId !== null && participants.includes(userId)),
    isAskedAbout:
      (memory.ownerId === null || memory.ownerId !== viewer.exceptOwnerId) &&
      (about === "anyone" ? persons.length > 0 : persons.some((person) => about.includes(person))),
    hasStated: memory.statedBy === viewer.personId,
    wasPresent: memory.presentUserIds.includes(viewer.userId),
    hasRecordedSession: memory.learnedIn !== null,
  };
}

/** The viewer's place, as far as privacy depends on it. `isGroup`: in a group session with others, who read the answer too. */
export type MemoryPlace = { reach: Reach; isGroup: boolean; legacyDisclosure: boolean };

/**
 * Reach and privacy of a memory that passed `decideState`. Search evaluates it again for every row that SQL returned, and shows
 * its reason.
 */
export function decideRelation(
  place: MemoryPlace,
  memory: { sensitivity: Sensitivity; portable: boolean },
  relation: MemoryRelation,
): MemoryDecision {
  const visibilityReason = visibilityReasonOf(place.reach, memory, relation);
  if (visibilityReason === null) return refuse("out_of_reach");
  const refusal = place.isGroup
    ? refusedInGroup(memory, relation, place.legacyDisclosure)
    : refusedInPrivate(memory.sensitivity, relation, place.legacyDisclosure);
  return refusal === null ? { visible: true, rule: visibilityReason } : refuse(refusal);
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

/** Everybody in the group reads the answer: a memory from elsewhere must be portable, and visible to the asker in private too. */
function refusedInGroup(
  { sensitivity, portable }: { sensitivity: Sensitivity; portable: boolean },
  relation: MemoryRelation,
  legacyDisclosure: boolean,
): MemoryRefusal | null {
  const isOfThisGroup = relation.inItsGroup || relation.learnedHere;
  if (isOfThisGroup) return sensitivity === "public" || relation.subjectTakesPart ? null : "no_subject_takes_part";
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
