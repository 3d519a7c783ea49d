import { toIso } from "#core/fields";
import { lowerCase } from "#core/language/folded";
import { endsSoon } from "#core/language/frames";
import { lastNamedDay } from "#core/language/named-day";
import { signsOfKind } from "#core/language/signs";
import { withOffset } from "#core/local-time";
import { findSecrets } from "#core/safety/find-secrets";
import type { Sensitivity } from "#core/safety/sensitivity";
import {
  isFirstPerson,
  lifetimeMs,
  MAX_CONTENT_CHARACTERS,
  type MemoryDraftInput,
  type MemoryType,
  STATES,
} from "#domain/memories";
import type { Counted } from "./extraction-counts.ts";
import type { Judged } from "./judge/judge.ts";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";

/** A statement that the rules or the model extracted from an episode, with its persons identified. */
export type Statement = {
  type: MemoryType;
  content: string;
  confidence: number;
  key: string | null;
  /** Keys of which it gives a value beside saying something else: it has none of them. Of `gives` it surely gives a new one. */
  states?: readonly string[];
  gives?: string | null;
  sensitivity: Sensitivity;
  portable: boolean;
  /** How long it holds; null: as long as its type says. */
  lasts?: Judged["lasts"] | null;
  /** Whether it is about the whole group, where it was said in one. */
  isOfGroup: boolean;
  /** Public ids of the persons that it names, and whether it is about the speaker too; null: its words decide. */
  about: { people: readonly string[]; speaker: boolean | null };
  /** Public ids of the memory that it replaces, and of another user's memory that it contradicts. */
  supersedes?: string | undefined;
  contradicts?: string | undefined;
  /** If it takes back an earlier wish of the speaker's for how the assistant behaves, it is one, with this key. */
  withdraws?: { key: string | null } | undefined;
  source: "rules" | "judge" | "model";
  category: string;
  /** When it was said, Unix milliseconds. */
  at: number;
};

/** What episodes have in place of a secret. */
const REDACTED = /\[redacted[:_][a-z_]+\]/u;

/** The memory to store for a statement, or why none is stored. */
export function toMemoryDraft(
  said: Statement,
  from: { episode: Pick<EpisodeToRead, "publicId" | "place" | "messages">; speaker: Participant; now: number; threshold: number },
): MemoryDraftInput | Extract<Counted, "belowThreshold" | "secrets" | "expired" | "refused"> {
  const { episode, speaker, now, threshold } = from;
  // A clock that is ahead must not win over what is said later.
  const at = Math.min(said.at, now);
  const { place } = episode;
  const offset = episode.messages.find(({ role, occurredAt }) => role === "user" && occurredAt === said.at)?.offset ?? null;
  if (said.confidence < threshold) return "belowThreshold";
  if (REDACTED.test(said.content) || findSecrets(said.content).length > 0) return "secrets";
  if (said.content.trim() === "" || said.content.length > MAX_CONTENT_CHARACTERS) return "refused";
  const lifetime = lifetimeOf(said);
  if (lifetime !== null && at + lifetime <= now) return "expired";
  const ofGroup = said.isOfGroup && place.kind === "group";
  const scope = scopeOf({ place, speaker, ofGroup });
  const key = keyIn(scope?.scopeId ?? null, said.key);
  const states = (said.states ?? []).flatMap((stated) => keyIn(scope?.scopeId ?? null, stated) ?? []);
  return {
    content: said.content,
    type: said.type,
    confidence: said.confidence,
    ...(said.portable ? {} : { portable: false }),
    ...(key === null ? {} : { key }),
    ...(said.sensitivity === "public" ? {} : { sensitivity: said.sensitivity }),
    ...(scope ?? {}),
    ...(ofGroup ? { sessionId: place.externalId } : {}),
    ...subjectsOf(said, speaker, ofGroup),
    ...(said.supersedes === undefined ? {} : { supersedes: said.supersedes }),
    ...(said.contradicts === undefined ? {} : { contradicts: said.contradicts }),
    ...(lifetime === null && lifetimeMs(said.type) === null
      ? {}
      : { expiresAt: lifetime === null ? null : toIso(at + lifetime) }),
    validFrom: withOffset(at, offset),
    learnedIn: { sessionId: place.externalId, episodeId: episode.publicId },
    metadata: { source: said.source, category: said.category, ...(states.length === 0 ? {} : { [STATES]: states }) },
  };
}

const DAY_MS = 86_400_000;
const MONTHS_MS = 180 * DAY_MS;
const WEEKS_MS = 30 * DAY_MS;

/**
 * Milliseconds for which a statement is kept; null for ever. What is of the moment is kept as long as its type says after the day that it
 * names, longer where the judge says so, and never for ever. What ends within days by its own words is kept for a month at most, whatever
 * its type.
 */
export function lifetimeOf({ type, lasts, content, at }: Pick<Statement, "type" | "lasts" | "content" | "at">): number | null {
  const lifetime = lifetimeMs(type);
  const isShort = lasts !== undefined && lasts !== null && endsSoon(lowerCase(content));
  if (lifetime === null) return isShort ? WEEKS_MS : null;
  const wait = signsOfKind(content).has("done") ? 0 : (lastNamedDay(content, at) ?? at) - at;
  if (isShort || lasts === undefined || lasts === null || lasts === "days") return wait + lifetime;
  return Math.max(wait + lifetime, lasts === "weeks" ? WEEKS_MS : MONTHS_MS);
}

/** Makes the draft again for a session that has moved: only what the session's project decides changes. */
export function draftAfterMove(said: Statement, from: Parameters<typeof toMemoryDraft>[1], draft: MemoryDraftInput) {
  return (place: Place): MemoryDraftInput => {
    const speaker = place.people.find(({ userId }) => userId === from.speaker.userId) ?? { ...from.speaker, isMember: false };
    const again = toMemoryDraft(said, { ...from, speaker, episode: { ...from.episode, place } });
    return typeof again === "string" ? draft : again;
  };
}

/** What a member says in a project belongs to the project. A group's memory moves with its session. */
function scopeOf({ place, speaker, ofGroup }: { place: Place; speaker: Participant; ofGroup: boolean }): Scope | null {
  if (place.project === null || ofGroup || !speaker.isMember) return null;
  return { scopeType: "project", scopeId: place.project.externalId };
}

type Scope = { scopeType: "project"; scopeId: string };

/** The same limit as for a key that the app gives. */
const MAX_KEY_CHARACTERS = 200;

/** One key means something else in each project. */
function keyIn(project: string | null, key: string | null): string | null {
  if (key === null) return null;
  const named = project === null ? key : `${key}@${project}`;
  return named.length > MAX_KEY_CHARACTERS ? null : named;
}

/** The named persons, and the speaker where they speak of themselves; without either, the memory's words decide. */
function subjectsOf(
  { about, content }: Statement,
  speaker: Participant,
  ofGroup: boolean,
): Pick<MemoryDraftInput, "subjects"> | Record<string, never> {
  const ofSelf = about.speaker ?? (!ofGroup && isFirstPerson(content));
  const subjects = [...new Set([...(ofSelf ? [speaker.personPublicId] : []), ...about.people])].slice(0, MAX_SUBJECTS);
  return subjects.length === 0 && about.speaker !== false ? {} : { subjects };
}

const MAX_SUBJECTS = 20;
