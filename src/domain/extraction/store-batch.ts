import type { Ctx } from "#context";
import { commitUnlessLost } from "#domain/audit";
import { dispatch, enqueue } from "#domain/jobs";
import { countUsage } from "#domain/usage";
import { count, countOutcome, type ExtractionCounts } from "./extraction-counts.ts";
import { batchDrafts, type Entry, type IngestCtx, ingestBatch } from "./ingest-drafts.ts";
import { linkReplaced } from "./link-replaced.ts";
import { loadPeople, mentionedIn, type PeopleByName, personKey } from "./load-people.ts";
import { type EpisodeToRead, markRead, type Place, presenceKey } from "./read-episodes.ts";
import { requestsIn } from "./requests.ts";
import type { SpeakerMessages } from "./speakers.ts";
import type { Taken } from "./take-statements.ts";
import { draftAfterMove, type Statement, toMemoryDraft } from "./to-memory-draft.ts";

export type RulesCtx = IngestCtx & Ctx<"chatModel">;

/** An episode that the rules have read, with what was left out, counted. */
export type Read = {
  episode: EpisodeToRead;
  bySpeaker: SpeakerMessages[];
  left: number;
  unknown: number;
  overtaken: number;
  tooMany: number;
};

/** What the rules extracted from one user's messages of an episode. */
export type Finding = { episode: EpisodeToRead; speakerMessages: SpeakerMessages; taken: Taken };

export type Batch = { read: Read[]; findings: Finding[] };

type Storing = {
  countsOf: (episode: EpisodeToRead) => ExtractionCounts;
  threshold: number;
  wantsModel: boolean;
  isImported: boolean;
};

/** Stores the findings. Each episode is marked as read in the batch that stores the last of its findings. */
export async function storeBatch(ctx: RulesCtx, batch: Batch, storing: Storing): Promise<void> {
  const calls = batchDrafts(await toDrafts(ctx, batch.findings, storing));
  const mark = marker(ctx, batch, storing);
  const unmarked = new Set(batch.read.map(({ episode }) => episode.id));
  let stored = 0;
  for (const [i, call] of calls.entries()) {
    const later = new Set(calls.slice(i + 1).flatMap((other) => other.map(({ episode }) => episode.id)));
    const ended = [...new Set(call.map(({ episode }) => episode.id))].filter((id) => !later.has(id));
    const marking = mark(ended);
    const ingested = await ingestBatch(ctx, call, { alongside: marking.statements, keepsOwn: false });
    for (const [place, { episode }] of call.entries()) countOutcome(storing.countsOf(episode), ingested.outcomes[place]);
    stored += ingested.outcomes.filter((outcome) => outcome === "stored").length;
    if (!ingested.isStored) continue;
    for (const id of ended) unmarked.delete(id);
    dispatch(ctx, marking.jobs);
  }
  await markRest(ctx, mark([...unmarked]));
  await countUsage(ctx, { memoriesExtracted: stored });
}

type Marking = ReturnType<ReturnType<typeof marker>>;

function marker(ctx: RulesCtx, { read }: Batch, { wantsModel, isImported }: Storing) {
  const toModel = new Map(
    read.flatMap(({ episode: { id, by }, bySpeaker }) => (wantsModel && bySpeaker.length > 0 ? [[id, { id, by }] as const] : [])),
  );
  const asking = new Map(
    isImported ? [] : read.flatMap(({ episode, bySpeaker }) => mapped(episode.id, requestsIn(episode, bySpeaker))),
  );
  return (episodes: readonly number[]) => {
    const [jobId, forgetting] = [ctx.newId("job"), ctx.newId("job")];
    const left = episodes.flatMap((id) => toModel.get(id) ?? []);
    const asked = episodes.flatMap((id) => asking.get(id) ?? []);
    const statements = [
      ...markRead(ctx, { episodes, as: "rules", toModel: left, jobId, isImported }),
      ...(asked.length === 0
        ? []
        : [enqueue(ctx, { id: forgetting, kind: "episodes.forget", payload: JSON.stringify({ episodes: asked }) })]),
    ];
    return {
      statements,
      jobs: [...(asked.length === 0 ? [] : [forgetting]), ...(left.length === 0 || isImported ? [] : [jobId])],
    };
  };
}

function mapped<T>(id: number, value: T | null): (readonly [number, T])[] {
  return value === null ? [] : [[id, value]];
}

/** Marks episodes without findings. If another run has read them in between, it has stored what they say. */
async function markRest(ctx: RulesCtx, { statements, jobs }: Marking): Promise<void> {
  if (statements.length === 0) return;
  const committed = await commitUnlessLost(ctx, { statements, audit: [] });
  if (committed !== "lost" && jobs.length > 0) dispatch(ctx, jobs);
}

async function toDrafts(ctx: RulesCtx, findings: readonly Finding[], storing: Storing): Promise<Entry[]> {
  // A name means the same person only in words between which nobody joined or left.
  const groups = Map.groupBy(findings, ({ episode: { place }, speakerMessages }) =>
    JSON.stringify([place.sessionId, speakerMessages.user.userId, presenceKey(place.people)]),
  );
  const entries: Entry[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const wanted = {
      speaker: first.speakerMessages.user,
      place: first.episode.place,
      names: group.flatMap(({ taken }) => taken.people),
    };
    const { peopleByName, made } = await loadPeople(ctx, wanted, { creates: true });
    count(storing.countsOf(first.episode), "peopleMade", made);
    const said = group.map(({ episode, speakerMessages, taken }) => {
      const at = speakerMessages.messages[taken.messageIndex]?.message.occurredAt ?? ctx.now();
      return { episode, speakerMessages, statement: takenStatement(taken, { at, place: episode.place, peopleByName }) };
    });
    for (const { episode, speakerMessages, statement } of await linkReplaced(ctx, said, wanted)) {
      const from = { episode, speaker: speakerMessages.user, now: ctx.now(), threshold: storing.threshold };
      const draft = toMemoryDraft(statement, from);
      if (typeof draft === "string") count(storing.countsOf(episode), draft);
      else entries.push({ speaker: speakerMessages.user, draft, draftIn: draftAfterMove(statement, from, draft), episode });
    }
  }
  return entries;
}

/**
 * What was taken from a message, as a statement of its speaker. In a group, participants whom it names are its subjects; an instruction to
 * the assistant is about its speaker alone, whomever it names.
 */
export function takenStatement(taken: Taken, said: { at: number; place: Place; peopleByName: PeopleByName }): Statement {
  const {
    category,
    type,
    content,
    confidence,
    key,
    sensitivity,
    isOfGroup,
    portable,
    lasts,
    source,
    aboutSpeaker,
    withdraws,
    states,
    gives,
  } = taken;
  const named = taken.people.flatMap((person) => said.peopleByName.get(personKey(person)) ?? []);
  const people = category === "instruction" ? [] : [...new Set([...named, ...mentionedIn(content, said.place)])];
  return {
    ...{ type, content, confidence, key, sensitivity, isOfGroup, category, portable, lasts, source, withdraws, states, gives },
    about: {
      people,
      speaker: source === "judge" && beginsWithParticipant(content, said.place) ? null : aboutSpeaker,
    },
    at: said.at,
  };
}

/** "@bob loves pizza": whom it is about, whatever the judge takes it for; its other words say whether the speaker is meant too. */
function beginsWithParticipant(content: string, place: Place): boolean {
  return mentionedIn(/^\S+(?:\s+\S+)?/u.exec(content)?.[0] ?? "", place).length > 0;
}
