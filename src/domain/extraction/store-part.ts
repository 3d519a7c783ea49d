import { AppError } from "#core/errors";
import { toIso } from "#core/fields";
import { stricter } from "#core/safety/sensitivity";
import { nameKey } from "#core/text/normalize";
import { recordMentions } from "#domain/entities";
import { type MemoryDraftInput, revise } from "#domain/memories";
import { changeAlias, PersonName } from "#domain/people";
import { countUsage } from "#domain/usage";
import type { Answered } from "./ask-about-part.ts";
import type { Part } from "./batch-episodes.ts";
import { count, countOutcome, type ExtractionCounts } from "./extraction-counts.ts";
import type { Replaceable } from "./find-replaceable.ts";
import { batchDrafts, type Entry, type IngestCtx, ingestBatch, lastOfKeys } from "./ingest-drafts.ts";
import { loadPeople, type PeopleByName, participantNamed } from "./load-people.ts";
import type { ModelTaken } from "./model/types.ts";
import { isSpeaker, linksOf, modelStatement, namesIn, retyped, strictestOf, takenAlready } from "./model-statement.ts";
import type { EpisodeToRead, Place } from "./read-episodes.ts";
import { draftAfterMove, type Statement, toMemoryDraft } from "./to-memory-draft.ts";

type Storing = {
  part: Part;
  place: Place;
  answered: Answered;
  taken: ModelTaken;
  threshold: number;
  counts: ExtractionCounts;
};

/** Stores what a model extracted from one speaker's part. Returns how many memories and persons that were. */
export async function storePart(ctx: IngestCtx, storing: Storing): Promise<number> {
  const { part, taken, counts } = storing;
  count(
    counts,
    "notTaken",
    taken.dropped.reduce((sum, { count: dropped }) => sum + dropped, 0),
  );
  const { peopleByName, made } = await loadPeople(
    ctx,
    { ...storing, speaker: part.speaker, names: namesIn(part, taken) },
    { creates: true },
  );
  count(counts, "peopleMade", made);
  await addAliases(ctx, storing, peopleByName);
  await recordEntities(ctx, storing);
  const read = await retypeTaken(ctx, storing, peopleByName);
  const entries = draftsOf(ctx, read, peopleByName);
  let stored = 0;
  for (const call of batchDrafts(lastOf(entries, counts))) {
    // The mark is written when every speaker's part is stored; until then a repeated run knows the episode's memories and stores none twice.
    const ingested = await ingestBatch(ctx, call, { alongside: [], keepsOwn: true });
    for (const outcome of ingested.outcomes) countOutcome(counts, outcome);
    stored += ingested.outcomes.filter((outcome) => outcome === "stored").length;
  }
  await countUsage(ctx, { memoriesExtracted: stored });
  return entries.length + taken.people.length;
}

/** One episode gives a key one value. */
function lastOf(entries: readonly Entry[], counts: ExtractionCounts): readonly Entry[] {
  const last = lastOfKeys(entries, {
    nameOf: ({ draft: { key, sessionId }, episode }) => (key === undefined ? null : JSON.stringify([episode.id, sessionId, key])),
    atOf: ({ draft }) => Date.parse(draft.validFrom ?? ""),
  });
  count(counts, "overtaken", entries.length - last.length);
  return last;
}

/**
 * Gives what the rules took the type and the end that the model read of the same statement. Returns what is stored now, in place of what
 * the rules took.
 */
async function retypeTaken(ctx: IngestCtx, storing: Storing, peopleByName: PeopleByName): Promise<Storing> {
  const { part, place, answered, counts } = storing;
  const { speaker } = part;
  const taken = [...answered.taken];
  for (const memory of storing.taken.memories) {
    const said = part.spoken.get(memory.message);
    const before = takenAlready(memory, taken);
    if (said === undefined || before === undefined || !before.isOwn || memory.confidence < storing.threshold) continue;
    const of = { at: said.message.occurredAt, place, speaker, peopleByName, known: answered.known };
    const now = retyped(before, modelStatement(memory, of), ctx.now());
    if (now === null) continue;
    const { type, expiresAt } = now;
    const named = {
      memoryId: before.publicId,
      versions: null,
      place: { userId: speaker.externalId, sessionId: place.externalId },
    };
    try {
      await revise(ctx, named, { type, expiresAt: expiresAt === null ? null : toIso(expiresAt) });
    } catch (error) {
      // Forgotten since, or there is another memory of that type with these words: what is stored stays.
      if (!(error instanceof AppError)) throw error;
      continue;
    }
    count(counts, "changed");
    taken.splice(taken.indexOf(before), 1, { ...before, type, expiresAt });
  }
  return { ...storing, answered: { ...answered, taken } };
}

function draftsOf(ctx: IngestCtx, storing: Storing, peopleByName: PeopleByName): Entry[] {
  const { part, place, answered, taken, threshold, counts } = storing;
  const { speaker } = part;
  const { known } = answered;
  return taken.memories.flatMap((memory): Entry[] => {
    const said = part.spoken.get(memory.message);
    if (said === undefined) {
      count(counts, "notTaken");
      return [];
    }
    const { episode, message } = said;
    const at = message.occurredAt;
    const before = takenAlready(memory, answered.taken);
    if (before !== undefined) {
      const links = linksOf(memory, { at, known }, before.inThisGroup);
      const draft = linkDraft(before, { ...links, sensitivity: strictestOf(memory), portable: memory.portable }, episode);
      if (draft !== "known") return [{ speaker, draft, draftIn: () => draft, episode }];
      count(counts, "known");
      return [];
    }
    const statement = modelStatement(memory, { at, place, speaker, peopleByName, known });
    const from = { episode, speaker, now: ctx.now(), threshold };
    const draft = toMemoryDraft(statement, from);
    if (typeof draft !== "string") return [{ speaker, draft, draftIn: draftAfterMove(statement, from, draft), episode }];
    count(counts, draft);
    return [];
  });
}

type Seen = ReturnType<typeof linksOf> & Pick<Statement, "sensitivity" | "portable">;

/** Rules already stored this; add only links and stricter privacy. */
function linkDraft(
  row: Replaceable,
  { sensitivity: seen, portable: isPortable, ...links }: Seen,
  { publicId, place }: EpisodeToRead,
): MemoryDraftInput | "known" {
  const named = Object.fromEntries(Object.entries(links).filter(([, id]) => id !== undefined));
  const sensitivity = stricter(row.sensitivity, seen);
  const portable = row.portable && isPortable;
  if (Object.keys(named).length === 0 && sensitivity === row.sensitivity && portable === row.portable) return "known";
  const { content, type, confidence, scopeType, scopeId, expiresAt } = row;
  return {
    ...{ content, type, confidence, scopeType, scopeId, sensitivity, portable },
    ...(expiresAt === null ? {} : { expiresAt: toIso(expiresAt) }),
    ...(row.inThisGroup ? { sessionId: place.externalId } : {}),
    ...named,
    validFrom: toIso(row.validFrom),
    learnedIn: { sessionId: place.externalId, episodeId: publicId },
  };
}

/** Adds other names to persons that the speaker created. Users name themselves, and no person gets a participant's name. */
async function addAliases(ctx: IngestCtx, { part, place, taken }: Storing, peopleByName: PeopleByName): Promise<void> {
  for (const { name, aliases, message } of taken.people) {
    const person = peopleByName.get(nameKey(name));
    const isOwn = part.spoken.has(message) && participantNamed(name, place) === "nobody" && !isSpeaker(name, part.speaker);
    if (person === undefined || person === null || !isOwn) continue;
    for (const given of aliases) {
      const alias = PersonName.safeParse(given);
      if (!alias.success || participantNamed(alias.data, place) !== "nobody") continue;
      try {
        await changeAlias(ctx, person, { alias: alias.data, userId: part.speaker.externalId, added: true });
      } catch (error) {
        // An alias that holds a secret or is one too many does not stop the rest.
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
