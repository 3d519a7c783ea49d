import { z } from "zod";
import type { JobRun, LeasedJob } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { count, type ExtractionCounts, resultOf } from "./extraction-counts.ts";
import { type EpisodeToRead, readEpisodes } from "./read-episodes.ts";
import { ROOM_A_RUN, selectBatch, weightOf } from "./select-batch.ts";
import { type Read, type RulesCtx, storeBatch } from "./store-batch.ts";

const Payload = z.object({ from: z.number().int(), chunks: z.number().int().min(1), by: z.number().int().nullish() });

/** Episodes that are read and stored at a time. */
const EPISODES_A_BATCH = 50;

/**
 * Takes what rules find in the episodes of appends, each episode once, and leaves the rest to a model where the tenant wants one. Past the
 * deadline or its share of statements it answers `unfinished`; what was read is marked, so a later run goes on there.
 */
export async function takeByRules(ctx: RulesCtx, jobs: readonly LeasedJob[], run: JobRun): Promise<"unfinished" | undefined> {
  const settings = await getSettings(ctx);
  if (!settings.enabled || settings.extraction === "off") {
    const why = settings.enabled ? "extraction is off" : "memory is off";
    for (const job of jobs) run.report(job, { ...job.result, skipped: why });
    return undefined;
  }
  const ranges = jobs.map((job) => {
    const { from, chunks, by } = Payload.parse(job.payload);
    return { from, chunks, by: by ?? null };
  });
  const countsByJob = jobs.map((): ExtractionCounts => new Map());
  const countsOf = ({ range }: EpisodeToRead): ExtractionCounts => countsByJob[range] ?? new Map();
  const wantsModel = settings.extraction === "model" && ctx.chatModel !== null;
  let room = ROOM_A_RUN;
  try {
    for (;;) {
      const episodes = await readEpisodes(ctx, { ranges, extracted: null, limit: EPISODES_A_BATCH });
      const batch = selectBatch(episodes, room);
      room -= weightOf(batch.findings);
      for (const found of batch.read) countRead(countsOf(found.episode), found);
      await storeBatch(ctx, batch, { countsOf, threshold: settings.extractionThreshold, wantsModel });
      if (batch.read.length === episodes.length && episodes.length < EPISODES_A_BATCH) return undefined;
      if (batch.read.length < episodes.length || room <= 0 || ctx.now() >= run.deadline) return "unfinished";
    }
  } finally {
    for (const [i, job] of jobs.entries()) run.report(job, resultOf(job.result, "rules", countsByJob[i] ?? new Map()));
  }
}

function countRead(counts: ExtractionCounts, { left, unknown, overtaken, tooMany }: Read): void {
  count(counts, "episodes");
  count(counts, "overtaken", overtaken);
  count(counts, "tooMany", tooMany);
  count(counts, "speakerLeft", left);
  count(counts, "speakerUnknown", unknown);
}
