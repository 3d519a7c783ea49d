import { AppError } from "#core/errors";
import { toIso } from "#core/fields";
import { stricter } from "#core/safety/sensitivity";
import { nameKey } from "#core/text/normalize";
import type { Statement as DbStatement } from "#db/client";
import { recordMentions } from "#domain/entities";
import type { MemoryDraftInput } from "#domain/memories";
import { changeAlias, PersonName } from "#domain/people";
import { countUsage } from "#domain/usage";
import type { Answered } from "./ask-about-part.ts";
import { batchDrafts, type Entry } from "./batch-drafts.ts";
import type { Part } from "./batch-episodes.ts";
import { count, countOutcome, type ExtractionCounts } from "./extraction-counts.ts";
import type { Replaceable } from "./find-replaceable.ts";
import { ingestBatch } from "./ingest-batch.ts";
import type { IngestCtx } from "./ingest-drafts.ts";
import { lastOfKeys } from "./last-of-keys.ts";
import { amongParticipants, loadPeople, type Named, type PeopleByName } from "./load-people.ts";
import type { ModelOutcome } from "./model/index.ts";
import { isSpeaker, linksOf, modelledStatement, strictestOf } from "./model-statement.ts";
import type { EpisodeToRead, Place } from "./read-episodes.ts";
import { takenAlready } from "./says-the-same.ts";
import { draftAfterMove, type Statement, toMemoryDraft } from "./to-memory-draft.ts";

type Taken = Extract<ModelOutcome, { kind: "taken" }>;

export type Storing = {
  part: Part;
  place: Place;
  answered: Answered;
  taken: Taken;
  threshold: number;
  counts: ExtractionCounts;
};

/** Stores what a model took from one speaker's part. Answers how many memories and persons that were. */
export async function storePart(ctx: IngestCtx, storing: Storing): Promise<number> {
  const { part, taken, counts } = storing;
  count(
    counts,
    "notTaken",
    taken.dropped.reduce((sum, { count: dropped }) => sum + dropped, 0),
  );
  const { peopleByName, made } = await loadPeople(
    ctx,
    { ...storing, speaker: part.speaker, names: namesIn(storing) },
    { makes: true },
  );
  count(counts, "peopleMade", made);
  await addAliases(ctx, storing, peopleByName);
  await recordEntities(ctx, storing);
  const entries = draftsOf(ctx, storing, peopleByName);
  let stored = 0;
  for (const call of batchDrafts(lastOf(entries, counts))) {
    const ingested = await ingestBatch(ctx, call, { alongside: NOTHING, keepsOwn: true });
    for (const outcome of ingested.outcomes) countOutcome(counts, outcome);
    stored += ingested.outcomes.filter((outcome) => outcome === "stored").length;
  }
  await countUsage(ctx, { memoriesExtracted: stored });
  return entries.length + taken.people.length;
}

/** One episode gives a name one value. */
function lastOf(entries: readonly Entry<EpisodeToRead>[], counts: ExtractionCounts): readonly Entry<EpisodeToRead>[] {
  const last = lastOfKeys(entries, {
    nameOf: ({ draft: { key, sessionId }, from }) => (key === undefined ? null : JSON.stringify([from.id, sessionId, key])),
    atOf: ({ draft }) => Date.parse(draft.validFrom ?? ""),
  });
  count(counts, "overtaken", entries.length - last.length);
  return last;
}

/** The mark comes when every speaker's part is stored: until then, what the episode said already is known by its memories. */
const NOTHING: readonly DbStatement[] = [];

/** Whom the speaker named in their own messages. */
function namesIn({ part, taken }: Storing): Named[] {
  const relationships = new Map(
    taken.people.flatMap(({ name, relationship, message }) =>
      part.spoken.has(message) ? [[nameKey(name), relationship] as const] : [],
    ),
  );
  const subjects = taken.memories.flatMap(({ subjects: names, message }) => (part.spoken.has(message) ? names : []));
  const people = taken.people.flatMap(({ name, message }) => (part.spoken.has(message) ? [name] : []));
  return [...people, ...subjects].flatMap((name) =>
    isSpeaker(name, part.speaker) ? [] : [{ name, relationship: relationships.get(nameKey(name)) ?? null }],
  );
}

function draftsOf(ctx: IngestCtx, storing: Storing, peopleByName: PeopleByName): Entry<EpisodeToRead>[] {
  const { part, place, answered, taken, threshold, counts } = storing;
  const { speaker } = part;
  const { known } = answered;
  return taken.memories.flatMap((memory): Entry<EpisodeToRead>[] => {
    const said = part.spoken.get(memory.message);
    if (said === undefined) {
      count(counts, "notTaken");
      return [];
    }
    const { episode, message } = said;
    const at = message.occurredAt;
    const before = takenAlready(memory, answered.taken);
    if (before !== undefined) {
      const links = linksOf(memory, { at, known }, before.inThisGroup === 1);
      const draft = linkDraft(before, { ...links, sensitivity: strictestOf(memory), portable: memory.portable }, episode);
      if (draft !== "known") return [{ speaker, draft, draftIn: () => draft, from: episode }];
      count(counts, "known");
      return [];
    }
    const statement = modelledStatement(memory, { at, place, speaker, peopleByName, known });
    const from = { episode, speaker, now: ctx.now(), threshold };
    const draft = toMemoryDraft(statement, from);
    if (typeof draft !== "string") return [{ speaker, draft, draftIn: draftAfterMove(statement, from, draft), from: episode }];
    count(counts, draft);
    return [];
  });
}

type Seen = ReturnType<typeof linksOf> & Pick<Statement, "sensitivity" | "portable">;

/** What stands as the rules took it gets only what the model saw that it replaces or contradicts, and is kept closer if either says so. */
function linkDraft(
  row: Replaceable,
  { sensitivity: seen, portable: isPortable, ...links }: Seen,
  { publicId, place }: EpisodeToRead,
): MemoryDraftInput | "known" {
  const named = Object.fromEntries(Object.entries(links).filter(([, id]) => id !== undefined));
  const sensitivity = stricter(row.sensitivity, seen);
  const portable = row.portable === 1 && isPortable;
  if (Object.keys(named).length === 0 && sensitivity === row.sensitivity && portable === (row.portable === 1)) return "known";
  const { content, type, confidence, scopeType, scopeId, expiresAt } = row;
  return {
    ...{ content, type, confidence, scopeType, scopeId, sensitivity, portable },
    ...(expiresAt === null ? {} : { expiresAt: toIso(expiresAt) }),
    ...(row.inThisGroup === 1 ? { sessionId: place.externalId } : {}),
    ...named,
    validFrom: toIso(row.validFrom),
    learnedIn: { sessionId: place.externalId, episodeId: publicId },
  };
}

/** Other names of persons whom the speaker made: who they are themselves, users say, and nobody is given another's name. */
async function addAliases(ctx: IngestCtx, { part, place, taken }: Storing, peopleByName: PeopleByName): Promise<void> {
  for (const { name, aliases, message } of taken.people) {
    const person = peopleByName.get(nameKey(name));
    const isOwn = part.spoken.has(message) && amongParticipants(name, place) === "nobody" && !isSpeaker(name, part.speaker);
    if (person === undefined || person === null || !isOwn) continue;
    for (const given of aliases) {
      const alias = PersonName.safeParse(given);
      if (!alias.success || amongParticipants(alias.data, place) !== "nobody") continue;
      try {
        await changeAlias(ctx, person, { alias: alias.data, userId: part.speaker.externalId, added: true });
      } catch (error) {
        // One that holds a secret or is one too many is no reason to lose the rest.
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
}

async function recordEntities(ctx: IngestCtx, { part, place, taken, counts }: Storing): Promise<void> {
  if (place.project === null) return;
  const named = taken.entities.flatMap(({ message, ...entity }) => {
    const episode = part.episodes.get(message);
    return episode === undefined ? [] : [{ episode, entity }];
  });
  const byEpisode = Map.groupBy(named, ({ episode }) => episode);
  const episodes = [...byEpisode].map(([episode, entries]) => ({
    episodeId: episode.id,
    at: Math.max(...episode.messages.map(({ occurredAt }) => occurredAt)),
    entities: entries.map(({ entity }) => entity),
  }));
  if (episodes.length === 0) return;
  const { made, mentioned } = await recordMentions(ctx, { episodes });
  count(counts, "entities", Math.max(made, mentioned));
}
