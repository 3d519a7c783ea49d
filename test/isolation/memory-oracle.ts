import type { MemoryWorld, ModelMemory, ModelProject, ModelSession, ModelTenant, ModelUser, Standing } from "./memory-model.ts";

/**
 * Who may read which memory, written from the words of docs/visibility.md about people, conversations and projects, and from nothing else:
 * not the rule, its ids or its SQL. The rule is held against it wherever a test asks the rule.
 */
export function mayRead(
  world: MemoryWorld,
  asked: Standing,
  { tenant, memory }: { tenant: ModelTenant; memory: ModelMemory },
): boolean {
  if (tenant !== asked.tenant) return false;
  const asker = tenant.users.get(asked.user) ?? (asked.mayBeNew === true ? { id: 0, name: asked.user } : undefined);
  if (asker === undefined) return false;
  const room = roomOf(asked, asker);
  if (room === null) return false;
  const reader: Reader = { world, asked, tenant, asker, room };
  return isInForce(reader, memory) && isWanted(reader, memory) && fitsRoom(reader, memory) && isFitToBeRead(reader, memory);
}

/** Where the asker is: who talks there, and who reads it. */
type Room = {
  conversation: ModelSession | null;
  project: ModelProject | null;
  /** Who takes part in a conversation of several. */
  talking: Set<ModelUser>;
  /** Everybody who may read what is written there, the asker too. */
  readers: Set<ModelUser>;
};
type Reader = { world: MemoryWorld; asked: Standing; tenant: ModelTenant; asker: ModelUser; room: Room };

const peopleOf = (project: ModelProject) => new Set([project.owner, ...project.members]);

function talkers(conversation: ModelSession): Set<ModelUser> {
  if (conversation.kind === "private") return new Set([conversation.owner]);
  return new Set(conversation.stays.flatMap(({ user, to }) => (to === null ? [user] : [])));
}

/** null where the asker has no business. */
function roomOf({ tenant, session, project: named }: Standing, asker: ModelUser): Room | null {
  const conversation = session === null ? null : tenant.sessions.get(session);
  const namedProject = named === null ? null : tenant.projects.get(named);
  if (conversation === undefined || namedProject === undefined) return null;
  if (conversation !== null && namedProject !== null && conversation.project !== namedProject) return null;
  const project = conversation === null ? namedProject : conversation.project;
  const inside = conversation === null ? new Set([asker]) : talkers(conversation);
  if (!inside.has(asker)) return null;
  if (conversation?.kind !== "group" && project !== null && !peopleOf(project).has(asker)) return null;
  const readers = project === null ? inside : new Set([...inside, ...peopleOf(project)]);
  return { conversation, project, talking: inside.size > 1 ? inside : new Set(), readers };
}

/** Approved, there, not expired, and valid at the time that is asked about. */
function isInForce(reader: Reader, memory: ModelMemory): boolean {
  const { asOf } = reader.asked;
  if (!isLive(reader, memory)) return false;
  if (asOf === "ever") return true;
  const outlives = memory.superseded && isNewsWithheld(reader, memory);
  if (asOf === null) return !memory.superseded || outlives;
  return memory.validFrom <= asOf && (memory.validTo === null || asOf < memory.validTo || outlives);
}

function isLive({ world }: Reader, { deleted, status, expiresAt }: ModelMemory): boolean {
  return !deleted && status === "approved" && (expiresAt === null || expiresAt > world.clock.now);
}

/** Of somebody else's: whether something that still holds has replaced it, and the asker can be shown none of it here. */
function isNewsWithheld(reader: Reader, memory: ModelMemory): boolean {
  if (memory.owner === reader.asker) return false;
  const news: ModelMemory[] = [];
  for (let next = memory.supersededBy; next !== null; next = next.supersededBy) if (isLive(reader, next)) news.push(next);
  const near = (one: ModelMemory) =>
    one.owner === reader.asker || isTenants(one) || isOfConversation(reader, one) || one.portable;
  return news.length > 0 && !news.some((one) => near(one) && isFitToBeRead(reader, one));
}

const isTenants = ({ owner, session }: ModelMemory) => owner === null && session === null;

function isOfConversation({ room }: Reader, { session }: ModelMemory): boolean {
  return session !== null && session === room.conversation;
}

/** Workspace, scope, and how far the query reaches. */
function isWanted(reader: Reader, memory: ModelMemory): boolean {
  const { asked, asker, room } = reader;
  if (memory.workspaceId !== null && memory.workspaceId !== asked.workspaceId) return false;
  if (asked.scopeType !== null && (memory.scopeType ?? "global") !== asked.scopeType) return false;
  if (asked.scopeId !== null && memory.scopeId !== asked.scopeId) return false;
  if (isOfConversation(reader, memory)) return true;
  if (memory.owner === asker)
    return asked.reach !== "session" || (room.conversation !== null && memory.learnedIn === room.conversation);
  return asked.reach === "tenant" && (isTenants(memory) || isHearsay(reader, memory));
}

/** Portable, and about somebody who is asked about. */
function isHearsay({ asked }: Reader, { owner, subjects, portable }: ModelMemory): boolean {
  if (!portable || (owner !== null && owner === asked.except)) return false;
  return asked.about === "anyone" ? subjects.size > 0 : asked.about.some((person) => subjects.has(person));
}

/**
 * A project is kept apart from everything else, in both directions. What is the tenant's was said nowhere. Where a stranger to the project
 * talks, nothing of the project is told but what was said there. Outside projects a group has what is its own, and whoever reads alone has
 * their own of every project, unless they want none of it.
 */
function fitsRoom(reader: Reader, memory: ModelMemory): boolean {
  const { asked, asker, room } = reader;
  const scoped = memory.scopeType === "project" ? memory.scopeId : null;
  const isScopedHere = scoped !== null && scoped === room.project?.name;
  if (asked.ownProjectOnly && memory.scopeType === "project" && !isScopedHere) return false;
  if (isTenants(memory)) return true;
  const isTheirs = memory.owner === asker;
  const saidIn = (memory.session ?? memory.learnedIn)?.project ?? null;
  const isOfAProject = saidIn !== null || memory.scopeType === "project";
  if (room.project === null) {
    if (!isOfAProject) return true;
    return !asked.ownProjectOnly && (isOfConversation(reader, memory) || (isTheirs && room.readers.size === 1));
  }
  const family = peopleOf(room.project);
  const hasStranger = [...room.readers].some((one) => !family.has(one));
  const isSaidHere = room.conversation !== null && [memory.session, memory.learnedIn].includes(room.conversation);
  if (hasStranger ? isSaidHere : isScopedHere || saidIn === room.project) return true;
  if (isOfAProject || !room.project.ownMemories) return false;
  const isOfThem = isAbout(memory, asker);
  if (memory.type === "procedural") return isTheirs && memory.statedBy?.user === asker;
  if (memory.type === "relationship") return isTheirs || isOfThem;
  if (memory.type !== "identity" && memory.type !== "preference") return false;
  return isOfThem || (isTheirs && memory.subjects.size === 0);
}

const isAbout = ({ subjects }: ModelMemory, user: ModelUser) => [...subjects].some((person) => person.user === user);

/** The table of privacy. Alone, nobody else reads the answer; else everybody does who may read what is written there. */
function isFitToBeRead(reader: Reader, memory: ModelMemory): boolean {
  const { asker, room } = reader;
  const isTheirs = memory.owner === asker;
  const isOfThem = isAbout(memory, asker);
  if (room.readers.size === 1) {
    if (memory.sensitivity === "personal" && !isTheirs && !isOfThem) return false;
    if (memory.sensitivity === "sensitive" && !isOfThem && !(isTheirs && memory.subjects.size === 0)) return false;
    return isKnownAlready(reader, memory);
  }
  const present = room.talking.size > 0 ? room.talking : room.readers;
  const concernsPresent = [...present].some((user) => isAbout(memory, user));
  if (isOfConversation(reader, memory) || wasSaidHere(room, asker, memory))
    return memory.sensitivity === "public" || concernsPresent;
  if (memory.sensitivity === "sensitive" || (isTheirs && !memory.portable)) return false;
  if (memory.sensitivity === "personal" && !(concernsPresent && (isTheirs || isOfThem))) return false;
  return isKnownAlready(reader, memory);
}

/** Several who talk have heard what was said in this conversation; who belongs to a project has heard all of its conversations. */
function wasSaidHere({ conversation, project, talking }: Room, asker: ModelUser, { learnedIn }: ModelMemory): boolean {
  if (learnedIn === null) return false;
  if (talking.size === 0 && project !== null && peopleOf(project).has(asker)) return learnedIn.project === project;
  return learnedIn === conversation;
}

/** What is about others is for who knows it: who said it, who was there, or whom it concerns. */
function isKnownAlready({ tenant, asker }: Reader, memory: ModelMemory): boolean {
  if (isTenants(memory) || memory.subjects.size === 0 || isAbout(memory, asker) || memory.statedBy?.user === asker) return true;
  if (memory.learnedIn === null) return tenant.legacyDisclosure;
  const { learnedIn, learnedAt } = memory;
  if (learnedIn.kind === "private") return learnedIn.owner === asker;
  return learnedIn.stays.some(({ user, from, to }) => user === asker && from <= learnedAt && (to === null || learnedAt < to));
}
