import { z } from "zod";
import type { Ctx, Settings } from "#context";
import { isLostRace } from "#db/guard";
import { commit } from "#domain/audit";
import { GaveUp, type JobRun, type LeasedJob } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import type { ChatModel } from "#ports/chat-model";
import { askAboutPart } from "./ask-about-part.ts";
import { batchEpisodes, partsOf, type Run } from "./batch-episodes.ts";
import { count, type ExtractionCounts, resultOf } from "./extraction-counts.ts";
import type { IngestCtx } from "./ingest-drafts.ts";
import { lookAround } from "./look-around.ts";
import { markRead } from "./mark-read.ts";
import type { Unusable } from "./model/index.ts";
import { readEpisodes } from "./read-episodes.ts";
import { messagesBySpeaker } from "./speakers.ts";
import { storePart } from "./store-part.ts";

type ModelCtx = IngestCtx & Ctx<"chatModel">;

const Payload = z.object({
  episodes: z.array(z.object({ id: z.number().int(), by: z.number().int().nullable() })).min(1),
});

/**
 * What an earlier run of the job told, by public ids: episodes of which nothing could be read, and why; and of episodes that are read in
 * part, the persons whose words were.
 */
const Before = z.object({
  unread: z.array(z.string()).default([]),
  unusable: z.array(z.string()).default([]),
  readOf: z.record(z.string(), z.array(z.string())).default({}),
});

/** Memories and persons after which a job leaves the rest to its next run: an invocation may make a thousand statements. */
const STORED_A_RUN = 30;

/** Why nothing of an answer could be used, and a second try would be no other. */
const REASONS: Record<Unusable, string> = {
  no_json: "its answers held no JSON",
  invalid: "its answers did not follow the schema",
  silent: "it said nothing",
  reasoning_only: "it reasoned and gave no answer",
  refused: "it refused",
  cut: "its answers were cut off",
};

/**
 * Lets the model read episodes after the rules have, run by run, each marked when it was read. What it cannot be asked now is tried again
 * later; an answer of which nothing can be used fails the job at once, with the reason and what it cost. The rules' memories stand.
 */
export async function takeByModel(ctx: ModelCtx, jobs: readonly LeasedJob[], run: JobRun): Promise<"unfinished" | undefined> {
  const [job] = jobs;
  if (job === undefined) return undefined;
  const settings = await getSettings(ctx);
  const model = ctx.chatModel;
  if (!settings.enabled || settings.extraction !== "model" || model === null) {
    run.report(job, { ...job.result, by: "model", skipped: whySkipped(settings) });
    return undefined;
  }
  const ranges = Payload.parse(job.payload).episodes.map(({ id, by }) => ({ from: id, chunks: 1, by }));
  const { unread, unusable: reasons, readOf } = Before.parse(job.result ?? {});
  const episodes = await readEpisodes(ctx, { ranges, extracted: "rules", limit: ranges.length });
  const runs = batchEpisodes(episodes.filter(({ publicId }) => !unread.includes(publicId)));
  const { deadline } = run;
  const taking: Taking = {
    model,
    counts: new Map(),
    threshold: settings.extractionThreshold,
    deadline,
    parts: 0,
    stored: 0,
    readOf,
  };
  const unusable = new Set(reasons);
  try {
    for (const one of runs) {
      const reason = await takeRun(ctx, one, taking);
      if (reason === "late") return "unfinished";
      if (reason === null) continue;
      unusable.add(REASONS[reason]);
      unread.push(...one.episodes.map(({ publicId }) => publicId));
    }
  } finally {
    const { readOf: _, ...result } = resultOf(job.result, "model", taking.counts);
    const gaps = unread.length === 0 ? {} : { unread, unusable: [...unusable] };
    run.report(job, { ...result, ...gaps, ...(Object.keys(readOf).length === 0 ? {} : { readOf }) });
  }
  if (unread.length === 0) return undefined;
  throw new GaveUp(`Nothing of what the model said could be used: ${[...unusable].join("; ")}.`);
}

function whySkipped({ enabled, extraction }: Settings): string {
  if (!enabled) return "memory is off";
  return extraction === "model" ? "no chat model is configured" : `extraction is ${extraction}`;
}

/** `parts` and `stored` count what this run of the job has read, and memories and persons that came of it. */
type Taking = {
  model: ChatModel;
  counts: ExtractionCounts;
  threshold: number;
  deadline: number;
  parts: number;
  stored: number;
  readOf: Record<string, string[]>;
};

/**
 * null when every speaker's part was read; else why one of them was not, and the run is left unmarked. `late` leaves the rest to the job's
 * next run, which asks nobody's part twice.
 */
async function takeRun(ctx: ModelCtx, run: Run, taking: Taking): Promise<Unusable | "late" | null> {
  const { place } = run;
  const { model, counts, threshold, readOf } = taking;
  const speakers = new Set(
    run.episodes.flatMap((episode) => messagesBySpeaker(episode).bySpeaker.map(({ user }) => user.userId)),
  );
  const { earlier, own } = await lookAround(ctx, run, [...speakers]);
  let unusable: Unusable | null = null;
  for (const part of partsOf(run, earlier)) {
    const person = part.speaker.personPublicId;
    if (run.episodes.every(({ publicId }) => readOf[publicId]?.includes(person))) continue;
    if (taking.parts > 0 && (ctx.now() >= taking.deadline || taking.stored >= STORED_A_RUN)) return "late";
    taking.parts += 1;
    const answered = await askAboutPart(ctx, model, { part, place, own: own.get(part.speaker.userId) ?? [], counts });
    const { outcome } = answered;
    if (outcome.kind !== "taken") {
      unusable = outcome.reason;
      continue;
    }
    taking.stored += await storePart(ctx, { part, place, answered, taken: outcome, threshold, counts });
    for (const { publicId } of run.episodes) readOf[publicId] = [...(readOf[publicId] ?? []), person];
  }
  if (unusable === null) {
    await markAsRead(ctx, run);
    count(counts, "episodes", run.episodes.length);
  }
  for (const { publicId } of run.episodes) delete readOf[publicId];
  return unusable;
}

async function markAsRead(ctx: ModelCtx, { episodes }: Run): Promise<void> {
  const statements = markRead(ctx, { episodes: episodes.map(({ id }) => id), as: "model", toModel: [], jobId: "" });
  try {
    await commit(ctx, { statements, audit: [] });
  } catch (error) {
    // Another run of this job was faster, or rules are to read them again: either way they are not this one's to mark.
    if (!isLostRace(error)) throw error;
  }
}
