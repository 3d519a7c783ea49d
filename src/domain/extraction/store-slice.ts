import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import { isLostRace } from "#db/guard";
import { commit } from "#domain/audit";
import { hurry } from "#domain/jobs";
import { countUsage } from "#domain/usage";
import { draftStatement, redraft, type Statement } from "./draft-taken.ts";
import { hearCall } from "./hear-call.ts";
import type { HearCtx } from "./hear-drafts.ts";
import { markRead, type ToModel } from "./mark-read.ts";
import { type Entry, planCalls } from "./plan-calls.ts";
import { presenceKey } from "./presence.ts";
import type { EpisodeToRead } from "./read-episodes.ts";
import { type Resolved, resolvePeople } from "./resolve-people.ts";
import type { TakenMemory } from "./rules/take-memories.ts";
import type { Share } from "./speakers.ts";
import { count, countOutcome, type Tally } from "./tally.ts";

export type RulesCtx = HearCtx & Ctx<"chatModel">;

export type Read = { episode: EpisodeToRead; shares: Share[]; left: number; unknown: number; overtaken: number; tooMany: number };

/** What rules took from one user's share of an episode. */
export type Finding = { episode: EpisodeToRead; share: Share; taken: TakenMemory };

export type Slice = { read: Read[]; findings: Finding[] };

type Storing = { tallyOf: (episode: EpisodeToRead) => Tally; threshold: number; wantsModel: boolean };

/** Stores what was found, and marks each episode as read in the batch that stores the last of it. */
export async function storeSlice(ctx: RulesCtx, slice: Slice, storing: Storing): Promise<void> {
  const calls = planCalls(await draftFindings(ctx, slice.findings, storing));
  const mark = marker(ctx, slice, storing);
  const unmarked = new Set(slice.read.map(({ episode }) => episode.id));
  let stored = 0;
  for (const [i, call] of calls.entries()) {
    const later = new Set(calls.slice(i + 1).flatMap((other) => other.map(({ from }) => from.id)));
    const ended = [...new Set(call.map(({ from }) => from.id))].filter((id) => !later.has(id));
    const marking = mark(ended);
    const heard = await hearCall(ctx, call, { alongside: marking.statements, keepsOwn: false });
    for (const [place, { from }] of call.entries()) countOutcome(storing.tallyOf(from), heard.outcomes[place]);
    stored += heard.outcomes.filter((outcome) => outcome === "stored").length;
    if (!heard.isStored) continue;
    for (const id of ended) unmarked.delete(id);
    hurry(ctx, marking.jobs);
  }
  await markRest(ctx, mark([...unmarked]));
  await countUsage(ctx, { memoriesExtracted: stored });
}

type Marking = ReturnType<ReturnType<typeof marker>>;

function marker(ctx: RulesCtx, { read }: Slice, { wantsModel }: Storing) {
  const toModel = new Map(
    read.flatMap(({ episode: { id, by }, shares }) => (wantsModel && shares.length > 0 ? [[id, { id, by }] as const] : [])),
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
  if (jobs.length > 0) hurry(ctx, jobs);
}

async function draftFindings(ctx: RulesCtx, findings: readonly Finding[], storing: Storing): Promise<Entry<EpisodeToRead>[]> {
  // A name means the same person only in words between which nobody joined or left.
  const groups = Map.groupBy(findings, ({ episode: { place }, share }) =>
    JSON.stringify([place.sessionId, share.user.userId, presenceKey(place.people)]),
  );
  const entries: Entry<EpisodeToRead>[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const wanted = { speaker: first.share.user, place: first.episode.place, names: group.flatMap(({ taken }) => taken.people) };
    const { resolved, made } = await resolvePeople(ctx, wanted, { makes: true });
    count(storing.tallyOf(first.episode), "peopleMade", made);
    for (const { episode, share, taken } of group) {
      const said = toStatement(taken, { at: share.messages[taken.messageIndex]?.message.occurredAt ?? ctx.now(), resolved });
      const from = { episode, speaker: share.user, now: ctx.now(), threshold: storing.threshold };
      const draft = draftStatement(said, from);
      if (typeof draft === "string") count(storing.tallyOf(episode), draft);
      else entries.push({ speaker: share.user, draft, draftIn: redraft(said, from, draft), from: episode });
    }
  }
  return entries;
}

/** What rules took, as a statement of whoever said it. */
export function toStatement(taken: TakenMemory, said: { at: number; resolved: Resolved }): Statement {
  const { category, type, content, confidence, key, sensitivity, isOfGroup } = taken;
  const people = taken.people.flatMap(({ name }) => said.resolved.get(nameKey(name)) ?? []);
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
