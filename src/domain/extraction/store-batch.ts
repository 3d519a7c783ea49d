import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import { isLostRace } from "#db/guard";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { countUsage } from "#domain/usage";
import { batchDrafts, type Entry } from "./batch-drafts.ts";
import { count, countOutcome, type ExtractionCounts } from "./extraction-counts.ts";
import { ingestBatch } from "./ingest-batch.ts";
import type { IngestCtx } from "./ingest-drafts.ts";
import { loadPeople, type PeopleByName } from "./load-people.ts";
import { markRead, type ToModel } from "./mark-read.ts";
import { presenceKey } from "./presence.ts";
import type { EpisodeToRead } from "./read-episodes.ts";
import type { TakenMemory } from "./rules/take-memories.ts";
import type { SpeakerMessages } from "./speakers.ts";
import { draftAfterMove, type Statement, toMemoryDraft } from "./to-memory-draft.ts";

export type RulesCtx = IngestCtx & Ctx<"chatModel">;

export type Read = {
  episode: EpisodeToRead;
  bySpeaker: SpeakerMessages[];
  left: number;
  unknown: number;
  overtaken: number;
  tooMany: number;
};

/** What rules took from one user's share of an episode. */
export type Finding = { episode: EpisodeToRead; speakerMessages: SpeakerMessages; taken: TakenMemory };

export type Batch = { read: Read[]; findings: Finding[] };

type Storing = { countsOf: (episode: EpisodeToRead) => ExtractionCounts; threshold: number; wantsModel: boolean };

/** Stores what was found, and marks each episode as read in the batch that stores the last of it. */
export async function storeBatch(ctx: RulesCtx, batch: Batch, storing: Storing): Promise<void> {
  const calls = batchDrafts(await toDrafts(ctx, batch.findings, storing));
  const mark = marker(ctx, batch, storing);
  const unmarked = new Set(batch.read.map(({ episode }) => episode.id));
  let stored = 0;
  for (const [i, call] of calls.entries()) {
    const later = new Set(calls.slice(i + 1).flatMap((other) => other.map(({ from }) => from.id)));
    const ended = [...new Set(call.map(({ from }) => from.id))].filter((id) => !later.has(id));
    const marking = mark(ended);
    const ingested = await ingestBatch(ctx, call, { alongside: marking.statements, keepsOwn: false });
    for (const [place, { from }] of call.entries()) countOutcome(storing.countsOf(from), ingested.outcomes[place]);
    stored += ingested.outcomes.filter((outcome) => outcome === "stored").length;
    if (!ingested.isStored) continue;
    for (const id of ended) unmarked.delete(id);
    dispatch(ctx, marking.jobs);
  }
  await markRest(ctx, mark([...unmarked]));
  await countUsage(ctx, { memoriesExtracted: stored });
}

type Marking = ReturnType<ReturnType<typeof marker>>;

function marker(ctx: RulesCtx, { read }: Batch, { wantsModel }: Storing) {
  const toModel = new Map(
    read.flatMap(({ episode: { id, by }, bySpeaker }) => (wantsModel && bySpeaker.length > 0 ? [[id, { id, by }] as const] : [])),
  );
  return (episodes: readonly number[]) => {
    const jobId = ctx.newId("job");
    const left = episodes.flatMap((id): ToModel[] => {
      const waiting = toModel.get(id);
      return waiting === undefined ? [] : [waiting];
    });
    const statements = markRead(ctx, { episodes, as: "rules", toModel: left, jobId });
    return { statements, jobs: left.length === 0 ? [] : [jobId] };
  };
}

/** Whoever has read them meanwhile has taken what they say. */
async function markRest(ctx: RulesCtx, { statements, jobs }: Marking): Promise<void> {
  if (statements.length === 0) return;
  try {
    await commit(ctx, { statements, audit: [] });
  } catch (error) {
    if (isLostRace(error)) return;
    throw error;
  }
  if (jobs.length > 0) dispatch(ctx, jobs);
}

async function toDrafts(ctx: RulesCtx, findings: readonly Finding[], storing: Storing): Promise<Entry<EpisodeToRead>[]> {
  // A name means the same person only in words between which nobody joined or left.
  const groups = Map.groupBy(findings, ({ episode: { place }, speakerMessages }) =>
    JSON.stringify([place.sessionId, speakerMessages.user.userId, presenceKey(place.people)]),
  );
  const entries: Entry<EpisodeToRead>[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const wanted = {
      speaker: first.speakerMessages.user,
      place: first.episode.place,
      names: group.flatMap(({ taken }) => taken.people),
    };
    const { peopleByName, made } = await loadPeople(ctx, wanted, { makes: true });
    count(storing.countsOf(first.episode), "peopleMade", made);
    for (const { episode, speakerMessages, taken } of group) {
      const said = toStatement(taken, {
        at: speakerMessages.messages[taken.messageIndex]?.message.occurredAt ?? ctx.now(),
        peopleByName,
      });
      const from = { episode, speaker: speakerMessages.user, now: ctx.now(), threshold: storing.threshold };
      const draft = toMemoryDraft(said, from);
      if (typeof draft === "string") count(storing.countsOf(episode), draft);
      else entries.push({ speaker: speakerMessages.user, draft, draftIn: draftAfterMove(said, from, draft), from: episode });
    }
  }
  return entries;
}

/** What rules took, as a statement of whoever said it. */
export function toStatement(taken: TakenMemory, said: { at: number; peopleByName: PeopleByName }): Statement {
  const { category, type, content, confidence, key, sensitivity, isOfGroup } = taken;
  const people = taken.people.flatMap(({ name }) => said.peopleByName.get(nameKey(name)) ?? []);
  // What is asked to be kept may be about anything; all else that rules take is about the speaker.
  const speaker = category === "remember" || isOfGroup ? null : true;
  return {
    ...{ type, content, confidence, key, sensitivity, isOfGroup, category },
    portable: true,
    about: { people, speaker },
    source: "rules",
    at: said.at,
  };
}
