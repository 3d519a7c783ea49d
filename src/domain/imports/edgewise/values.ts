import { z } from "zod";
import { CHUNKS_PER_SESSION } from "#db/schema/sessions";
import type { Kind } from "#domain/exports";

/** New ids for those of an export; null for a row that was not imported. Messages and versions name users and rows inside JSON. */
export type Ids = (kind: Kind, oldId: number) => number | null;

/** A JSON column: what it may hold, and how internal ids in it are replaced. */
type JsonColumn = { schema: z.ZodType; map?: (value: never, ids: Ids) => unknown };

const MAX_TEXT = 1_000_000;
const Text = z.string().max(MAX_TEXT);
const Name = z.string().max(2_000);
const Whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Unix milliseconds between the years 1 and 9999, which dates can show. */
export const Millis = z.number().int().min(-62_135_596_800_000).max(253_402_300_799_999);
/** Minutes ahead of UTC. */
export const ZoneOffset = z.number().int().min(-1440).max(1440);
const Aliases = z.array(Name).max(1_000);

const Message = z.object({
  role: z.string().max(40),
  speaker: Name.nullable(),
  userId: Whole.optional(),
  text: Text,
  occurredAt: Millis,
  offset: ZoneOffset.optional(),
  messageId: Name.nullable(),
});
const Messages = z.array(Message).min(1).max(10_000);
const Chunk = z.object({ m: Whole, s: Whole, e: Whole, p: Whole, n: Whole });
const Chunks = z.array(Chunk).min(1).max(CHUNKS_PER_SESSION);

const Metadata = z.record(z.string(), z.unknown());

const Version = z
  .looseObject({
    content: Text,
    subjects: z.array(Whole).max(1_000),
    statedBy: Whole.nullable(),
    learnedIn: Whole.nullable(),
    episodeId: Whole.nullish(),
    learnedAt: Millis,
    metadata: Metadata,
  })
  .refine((data) => JSON.stringify(data).length < MAX_TEXT);

const Originals = z.object({
  words: z.array(z.object({ episode: Whole, message: Whole, start: Whole, words: Text })),
  memories: z.array(Name),
  facts: z.array(
    z.object({
      topic: Name,
      sessionId: Whole,
      projectId: Whole,
      kind: Name,
      rank: Whole,
      value: Text,
      createdAt: Millis,
    }),
  ),
  hidden: z.array(Whole),
  versions: z.array(z.object({ memory: Whole, version: Whole, replacedAt: Millis, data: Text })),
  names: z.array(z.object({ id: Name, name: Name, aliases: Aliases, relationship: Text.nullable(), notes: Text.nullable() })),
});

/** A message whose speaker is not in the export is nobody's. */
function mapMessages(messages: z.infer<typeof Messages>, ids: Ids): unknown {
  return messages.map(({ userId, ...message }) => {
    const speaker = userId === undefined ? null : ids("users", userId);
    return speaker === null ? message : { ...message, userId: speaker };
  });
}

function mapVersion(data: z.infer<typeof Version>, ids: Ids): unknown {
  const mapped = (kind: Kind, id: number | null | undefined) => (id == null ? null : ids(kind, id));
  return {
    ...data,
    subjects: data.subjects.flatMap((id) => ids("persons", id) ?? []),
    statedBy: mapped("persons", data.statedBy),
    learnedIn: mapped("sessions", data.learnedIn),
    ...(data.episodeId === undefined ? {} : { episodeId: mapped("episodes", data.episodeId) }),
  };
}

/** A passage keeps its place in its session. */
export function mapPassage(id: number, ids: Ids): number | null {
  const session = ids("sessions", Math.floor(id / CHUNKS_PER_SESSION));
  return session === null ? null : session * CHUNKS_PER_SESSION + (id % CHUNKS_PER_SESSION);
}

/** What belongs to a row that was not imported is left out: it cannot be restored. */
function mapOriginals({ words, facts, hidden, versions, ...rest }: z.infer<typeof Originals>, ids: Ids): unknown {
  const orZero = (kind: Kind, id: number) => (id === 0 ? 0 : ids(kind, id));
  return {
    ...rest,
    words: words.flatMap((one) => {
      const episode = ids("episodes", one.episode);
      return episode === null ? [] : [{ ...one, episode }];
    }),
    facts: facts.flatMap((one) => {
      const [sessionId, projectId] = [orZero("sessions", one.sessionId), orZero("projects", one.projectId)];
      return sessionId === null || projectId === null ? [] : [{ ...one, sessionId, projectId }];
    }),
    hidden: hidden.flatMap((id) => mapPassage(id, ids) ?? []),
    versions: versions.flatMap((one) => {
      const memory = ids("memories", one.memory);
      const data = Version.safeParse(jsonIn(one.data));
      return memory === null || !data.success ? [] : [{ ...one, memory, data: JSON.stringify(mapVersion(data.data, ids)) }];
    }),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const Noun = z.object({ noun: Name, language: Name.nullable() });

const ALL: Readonly<Record<string, JsonColumn>> = {
  "episodes.messages": { schema: Messages, map: mapMessages },
  "episodes.chunks": { schema: Chunks },
  "persons.aliases": { schema: Aliases },
  "memories.metadata": { schema: Metadata },
  "memory_versions.data": { schema: Version, map: mapVersion },
  "person_merges.addedNames": { schema: Aliases },
  "topics.nouns": { schema: z.array(Noun).max(1_000) },
  "forgettings.originals": { schema: Originals, map: mapOriginals },
  "chunks.headings": { schema: z.array(Name).max(100) },
};

/** Every JSON column of an exported table is here; a test compares it with the schema. */
export const JSON_COLUMNS: ReadonlyMap<string, { schema: z.ZodType; map: (value: unknown, ids: Ids) => unknown }> = new Map(
  Object.entries(ALL).map(([name, { schema, map }]) => [name, { schema, map: asMap(map) }]),
);

/** The value has passed the schema that stands beside the function. */
function asMap(map: JsonColumn["map"]): (value: unknown, ids: Ids) => unknown {
  return map === undefined ? (value) => value : (value, ids) => map(value as never, ids);
}

/** What stands in the line of the row that it is stored with. */
export const WITHIN: Readonly<Record<string, z.ZodType>> = {
  "users.person": z
    .object({
      id: Whole,
      publicId: Name,
      name: Name,
      aliases: Aliases,
      relationship: Text.nullable(),
      notes: Text.nullable(),
      version: Whole.min(1),
      createdAt: Millis,
      updatedAt: Millis,
    })
    .nullable(),
  "projects.members": z.array(z.object({ userId: Whole, addedAt: Millis })).max(100_000),
  "sessions.participants": z.array(z.object({ userId: Whole, joinedAt: Millis, leftAt: Millis.nullable() })).max(100_000),
  "memories.subjects": z.array(Whole).max(1_000),
};

/** Whether the passages of an episode are parts of its messages, and as many as it says. */
export function hasSoundChunks({ messages, chunks, chunkCount }: Record<string, unknown>): boolean {
  const [texts, parts] = [Messages.safeParse(messages), Chunks.safeParse(chunks)];
  if (!texts.success || !parts.success || parts.data.length !== chunkCount) return false;
  return parts.data.every(({ m, s, e }) => {
    const message = texts.data[m];
    return message !== undefined && s <= e && e <= message.text.length;
  });
}
