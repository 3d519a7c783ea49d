import { findSecrets } from "#core/safety/find-secrets";
import { nameKey } from "#core/text/normalize";
import type { EntityDraft } from "./names.ts";

/** An entity of a project to be recorded, mentioned by an episode or, with `episodeId` null, by a caller. Times are Unix milliseconds. */
export type NamedEntity = EntityDraft & { projectId: number; spaceId: number; episodeId: number | null; at: number };

/** An entity that exists. */
export type KnownEntity = {
  id: number;
  publicId: string;
  projectId: number;
  type: string;
  name: string;
  key: string;
  notes: string | null;
  version: number;
};

type Mention = { episodeId: number; at: number };

/** One entity as it should be stored: `known` is null for a new one. */
export type DecidedEntity = {
  known: KnownEntity | null;
  publicId: string;
  projectId: number;
  spaceId: number;
  type: string;
  name: string;
  key: string;
  notes: string | null;
  firstAt: number;
  lastAt: number;
  mentions: Mention[];
};

/** The same name and type in one project are one entity; its notes are merged in their order. */
export function decideEntities(
  namedEntities: readonly NamedEntity[],
  known: readonly KnownEntity[],
  newPublicId: () => string,
): DecidedEntity[] {
  const byKey = new Map(known.map((entity) => [nameOf(entity), entity]));
  const decided = new Map<string, DecidedEntity>();
  for (const one of namedEntities) {
    const id = nameOf(one);
    const entity = decided.get(id) ?? begin(one, byKey.get(id) ?? null, newPublicId);
    decided.set(id, add(entity, one));
  }
  return [...decided.values()];
}

/** Whether the indexed text changes. */
export function isChanged({ known, notes }: DecidedEntity): boolean {
  return known !== null && known.notes !== notes;
}

function nameOf({ projectId, type, key }: { projectId: number; type: string; key: string }): string {
  return JSON.stringify([projectId, type, key]);
}

function begin(one: NamedEntity, known: KnownEntity | null, newPublicId: () => string): DecidedEntity {
  const { projectId, spaceId, type, key, at } = one;
  return {
    known,
    publicId: known?.publicId ?? newPublicId(),
    projectId,
    spaceId,
    type,
    name: known?.name ?? one.name,
    key,
    notes: known?.notes ?? null,
    firstAt: at,
    lastAt: at,
    mentions: [],
  };
}

function add(entity: DecidedEntity, { notes, episodeId, at }: NamedEntity): DecidedEntity {
  const isNew = episodeId !== null && !entity.mentions.some((mention) => mention.episodeId === episodeId);
  return {
    ...entity,
    notes: mergeSafely(entity.notes, notes),
    firstAt: Math.min(entity.firstAt, at),
    lastAt: Math.max(entity.lastAt, at),
    mentions: isNew ? [...entity.mentions, { episodeId, at }] : entity.mentions,
  };
}

/** Two notes that are each free of secrets may contain one when joined. */
export function mergeSafely(known: string | null, added: string | null): string | null {
  const merged = mergeNotes(known, added);
  return merged === null || merged === known || findSecrets(merged).length === 0 ? merged : known;
}

/** The most characters of notes that an entity keeps; further notes are dropped. */
export const MAX_MERGED_CHARACTERS = 1_000;

/**
 * The previous and the new notes, each on a line of its own. A note whose words are already there in the same order adds nothing; a note
 * that contains the previous ones replaces them. Idempotent.
 */
export function mergeNotes(known: string | null, added: string | null): string | null {
  const addedKey = nameKey(added ?? "");
  if (added === null || addedKey === "") return known;
  const knownKey = nameKey(known ?? "");
  if (known === null || holds(addedKey, knownKey)) return added;
  if (holds(knownKey, addedKey)) return known;
  const both = `${known}\n${added}`;
  return both.length > MAX_MERGED_CHARACTERS ? known : both;
}

/** Whether the words of one text are in the other, in their order. */
function holds(whole: string, part: string): boolean {
  return ` ${whole} `.includes(` ${part} `);
}
