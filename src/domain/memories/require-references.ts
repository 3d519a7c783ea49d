import { AppError, breaksRule, notFound } from "#core/errors";
import type { Author, FoundSession, Person, References } from "./load-references.ts";
import type { ParsedDraft } from "./parse-input.ts";
import type { StoredMemory } from "./rows.ts";
import type { MemoryDraftInput, MemoryView } from "./schemas.ts";

/** Where a draft was learned. */
export type Learned = {
  sessionId: number;
  episodeId: number | null;
  /** When the episode was stored; null without one. */
  at: number | null;
  view: NonNullable<MemoryView["learnedIn"]>;
};

/** The resolved references of a draft. */
export type Named = {
  /** The group session in which it is stored. */
  session: FoundSession | null;
  /** Who stated it: as the draft says, else the author; nobody for a shared memory. */
  speaker: Person | null;
  /** The subjects that the draft names, without repetitions; null when it names none. */
  subjects: readonly Person[] | null;
  learned: Learned | null;
  superseded: StoredMemory | null;
  contradicts: number | null;
};

/**
 * Resolves the references of a draft.
 * @throws not_found for a session that the author has no access to.
 * @throws unprocessable for any other reference that is missing, or that the author may not name.
 * @throws forbidden for `statedBy` of another person, by a caller that is bound to one user.
 */
export function requireReferences(draft: ParsedDraft, references: References, by: { author: Author; now: number }): Named {
  const { input, path, home } = draft;
  const { author, now } = by;
  const session = home.ownership === "group" ? requireGroup(references, home.sessionExternalId, path) : null;
  const superseded = findSuperseded(draft, references, { session, author });
  const learned = requireLearnedIn(references, input, path);
  const place = learned?.sessionId ?? session?.id;
  const where = place === undefined ? null : { sessionId: place, at: learned?.at ?? now };
  return {
    session,
    superseded,
    learned,
    subjects: requireSubjects(references, input.subjects, path),
    speaker:
      input.statedBy !== undefined
        ? requireStatedBy(references, input.statedBy, { author, learned: where, path: `${path}statedBy` })
        : home.ownership === "shared"
          ? null
          : { id: author.personId, publicId: author.personPublicId, userId: author.userId },
    contradicts: findContradicted(draft, references),
  };
}

function requireGroup({ sessions }: References, sessionExternalId: string, path: string): FoundSession {
  const session = sessions.get(sessionExternalId);
  if (session === undefined || !session.mayEnter) throw notFound("session");
  if (session.kind !== "group")
    throw breaksRule(`${path}sessionId`, "A memory of a group needs a group session. Say where it was learned with learnedIn.");
  return session;
}

function requireLearnedIn({ sessions, episodes }: References, { learnedIn }: MemoryDraftInput, path: string): Learned | null {
  if (learnedIn === undefined) return null;
  const session = sessions.get(learnedIn.sessionId);
  if (session === undefined || !session.mayEnter) throw notFound("session");
  const episode = learnedIn.episodeId === undefined ? null : episodes.get(learnedIn.episodeId);
  if (episode === undefined || (episode !== null && episode.sessionId !== session.id))
    throw breaksRule(`${path}learnedIn.episodeId`, "There is no such episode in that session.");
  return {
    sessionId: session.id,
    episodeId: episode?.id ?? null,
    at: episode?.createdAt ?? null,
    view: { sessionId: learnedIn.sessionId, episodeId: learnedIn.episodeId ?? null },
  };
}

/**
 * The person who stated a memory: the author, or a participant of the session where it was learned, at that time. Others are refused, so
 * that no statement can be attributed to somebody who did not make it. A caller that is bound to one user may name that user only: they
 * could open a group with anybody and attribute words to them there.
 */
function requireStatedBy(
  references: References,
  id: string,
  { author, learned, path }: { author: Author; learned: { sessionId: number; at: number } | null; path: string },
): Person {
  if (references.isBound && references.persons.get(id)?.id !== author.personId)
    throw new AppError(
      "forbidden",
      "This key is bound to one user and states only what that user said. Leave statedBy out, or use a server key, which may name who took part.",
      { fields: [{ path, message: "Only the user's own person may be named." }] },
    );
  const person = requirePerson(references, id, path);
  const tookPart = references.stays.some(
    ({ sessionId, userId, joinedAt, leftAt }) =>
      learned !== null &&
      sessionId === learned.sessionId &&
      userId === person.userId &&
      joinedAt <= learned.at &&
      (leftAt === null || leftAt > learned.at),
  );
  if (person.id === author.personId || tookPart) return person;
  throw breaksRule(
    path,
    "A memory is stated by the user for whom the request acts, or by somebody who took part in the session of learnedIn when it was learned. Leave statedBy out, or say in learnedIn where it was said.",
  );
}

function requirePerson({ persons }: Pick<References, "persons">, id: string, path: string): Person {
  const person = persons.get(id);
  if (person === undefined) throw breaksRule(path, "There is no such person.");
  return person;
}

/**
 * Each person once, or null when none are named.
 *
 * @throws unprocessable for a person who is not there.
 */
export function requireSubjects(
  references: Pick<References, "persons">,
  subjects: readonly string[] | undefined,
  path = "",
): Person[] | null {
  if (subjects === undefined) return null;
  const named = subjects.map((id, i) => requirePerson(references, id, `${path}subjects[${i}]`));
  return [...new Map(named.map((person) => [person.id, person])).values()];
}

function findSuperseded(
  { input, path, home }: ParsedDraft,
  { superseded, tenantSpace }: References,
  { session, author }: { session: FoundSession | null; author: Author },
): StoredMemory | null {
  if (input.supersedes === undefined) return null;
  const found = superseded.get(input.supersedes);
  if (found === undefined)
    throw breaksRule(`${path}supersedes`, "There is no such memory in force, or the author may not change it.");
  const space = home.ownership === "shared" ? tenantSpace : (session?.spaceId ?? author.spaceId);
  if (found.spaceId !== space) throw breaksRule(`${path}supersedes`, "A memory replaces one of its own home.");
  return found;
}

function findContradicted({ input, path }: ParsedDraft, { contradicted }: References): number | null {
  if (input.contradicts === undefined) return null;
  const found = contradicted.get(input.contradicts);
  if (found === undefined) throw breaksRule(`${path}contradicts`, "There is no such memory, or the author may not see it.");
  return found;
}
