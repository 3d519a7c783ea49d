import { z } from "zod";
import type { Ctx, Settings } from "#context";
import { commitUnlessLost } from "#domain/audit";
import { GaveUp, type JobRun, type LeasedJob } from "#domain/jobs";
import { getSettings, wantsModel } from "#domain/settings";
import type { ChatModel } from "#ports/chat-model";
import { askAboutPart, loadSurroundings } from "./ask-about-part.ts";
import { batchEpisodes, partsOf, type Run } from "./batch-episodes.ts";
import { count, type ExtractionCounts, resultOf } from "./extraction-counts.ts";
import type { IngestCtx } from "./ingest-drafts.ts";
import type { Unusable } from "./model/types.ts";
import { markRead, readEpisodes } from "./read-episodes.ts";
import { messagesBySpeaker } from "./speakers.ts";
import { storePart } from "./store-part.ts";

type ModelCtx = IngestCtx & Ctx<"chatModel">;

const Payload = z.object({
  episodes: z.array(z.object({ id: z.number().int(), by: z.number().int().nullable() })).min(1),
});

/**
 * What an earlier run of the job reported, by public ids: episodes that could not be read, and why; and for episodes that were read in
 * part, the persons whose words were read.
 */
const Before = z.object({
  unread: z.array(z.string()).default([]),
  unusable: z.array(z.string()).default([]),
  readOf: z.record(z.string(), z.array(z.string())).default({}),
});

/** Memories and persons after which a job leaves the rest to its next run: an invocation may run a thousand statements. */
const STORED_A_RUN = 30;

/** Why an answer could not be used; a second try would give no other. */
const REASONS: Record<Unusable, string> = {
  no_json: "its answers held no JSON",
  invalid: "its answers did not follow the schema",
  silent: "it said nothing",
  reasoning_only: "it reasoned and gave no answer",
  refused: "it refused",
  cut: "its answers were cut off",
};

/**
 * Extracts by model from episodes that the rules have read, run by run; each run of episodes is marked when it was read. A model that
 * cannot be reached is asked again later. The rules' memories stay in any case.
 *
 * @throws GaveUp if an answer cannot be used: the job fails at once, with the reason and what it cost.
 */
export async function takeByModel(ctx: ModelCtx, jobs: readonly LeasedJob[], run: JobRun): Promise<"unfinished" | undefined> {
  const [job] = jobs;
  if (job === undefined) return undefined;
  const settings = await getSettings(ctx);
  const model = ctx.chatModel;
  if (!wantsModel(settings) || model === null) {
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
    instructions: settings.instructions,
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

function whySkipped(settings: Settings): string {
  if (!settings.enabled) return "memory is off";
  return wantsModel(settings) ? "no chat model is configured" : `extraction is ${settings.extraction}`;
}

/** `parts` counts the speakers' parts that this run of the job has read, `stored` the memories and persons extracted from them. */
type Taking = {
  model: ChatModel;
  counts: ExtractionCounts;
  threshold: number;
  instructions: string;
  deadline: number;
  parts: number;
  stored: number;
  readOf: Record<string, string[]>;
};

/**
 * Returns null if every speaker's part was read, else why one was not: the run is then not marked. After `late` the job's next run
 * continues, without the parts that were read.
 */
async function takeRun(ctx: ModelCtx, run: Run, taking: Taking): Promise<Unusable | "late" | null> {
  const { place } = run;
  const { model, counts, threshold, instructions, readOf } = taking;
  const speakers = new Set(
    run.episodes.flatMap((episode) => messagesBySpeaker(episode).bySpeaker.map(({ user }) => user.userId)),
  );
  const { earlier, own } = await loadSurroundings(ctx, run, [...speakers]);
  let unusable: Unusable | null = null;
  for (const part of partsOf(run, earlier)) {
    const person = part.speaker.personPublicId;
    if (run.episodes.every(({ publicId }) => readOf[publicId]?.includes(person))) continue;
    if (taking.parts > 0 && (ctx.now() >= taking.deadline || taking.stored >= STORED_A_RUN)) return "late";
    taking.parts += 1;
    const known = own.get(part.speaker.userId) ?? [];
    const answered = await askAboutPart(ctx, model, { part, place, own: known, counts, instructions });
    const { outcome } = answered;
    if (outcome.kind !== "taken") {
      unusable = outcome.reason;
      continue;
    }
    taking.stored += await storePart(ctx, { part, place, answered, taken: outcome, threshold, counts });
    for (const { publicId } of run.episodes) readOf[publicId] = [...(readOf[publicId] ?? []), person];
  }
  if (unusable === null) {
    const episodes = run.episodes.map(({ id }) => id);
    // If the race is lost, another run of this job has marked them, or the rules are to read them again.
    await commitUnlessLost(ctx, { statements: markRead(ctx, { episodes, as: "model", toModel: [], jobId: "" }), audit: [] });
    count(counts, "episodes", run.episodes.length);
  }
  for (const { publicId } of run.episodes) delete readOf[publicId];
  return unusable;
}
