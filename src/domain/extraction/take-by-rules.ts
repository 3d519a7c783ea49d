import { z } from "zod";
import type { JobRun, LeasedJob } from "#domain/jobs";
import { getSettings } from "#domain/settings";
import { gather, ROOM_A_RUN, weightOf } from "./gather.ts";
import { type EpisodeToRead, readEpisodes } from "./read-episodes.ts";
import { type Read, type RulesCtx, storeSlice } from "./store-slice.ts";
import { count, resultOf, type Tally } from "./tally.ts";

const Payload = z.object({ from: z.number().int(), chunks: z.number().int().min(1), by: z.number().int().nullish() });

/** Episodes that are read and stored at a time. */
const EPISODES_A_SLICE = 50;

/**
 * Takes what rules find in the episodes of appends, each episode once, and leaves the rest to a model where the tenant wants one. Past the
 * deadline or its share of statements it answers `unfinished`; what was read is marked, so a later run goes on there.
 */
export async function takeByRules(ctx: RulesCtx, jobs: readonly LeasedJob[], run: JobRun): Promise<"unfinished" | undefined> {
  const settings = await getSettings(ctx);
  if (!settings.enabled || settings.extraction === "off") {
    const why = settings.enabled ? "extraction is off" : "memory is off";
    for (const job of jobs) run.tell(job, { ...job.result, skipped: why });
    return undefined;
  }
  const ranges = jobs.map((job) => {
    const { from, chunks, by } = Payload.parse(job.payload);
    return { from, chunks, by: by ?? null };
  });
  const tallies = jobs.map((): Tally => new Map());
  const tallyOf = ({ range }: EpisodeToRead): Tally => tallies[range] ?? new Map();
  const wantsModel = settings.extraction === "model" && ctx.chatModel !== null;
  let room = ROOM_A_RUN;
  try {
    for (;;) {
      const episodes = await readEpisodes(ctx, { ranges, extracted: null, limit: EPISODES_A_SLICE });
      const slice = gather(episodes, room);
      room -= weightOf(slice.findings);
      for (const found of slice.read) countRead(tallyOf(found.episode), found);
      await storeSlice(ctx, slice, { tallyOf, threshold: settings.extractionThreshold, wantsModel });
      if (slice.read.length === episodes.length && episodes.length < EPISODES_A_SLICE) return undefined;
      if (slice.read.length < episodes.length || room <= 0 || ctx.now() >= run.deadline) return "unfinished";
    }
  } finally {
    for (const [i, job] of jobs.entries()) run.tell(job, resultOf(job.result, "rules", tallies[i] ?? new Map()));
  }
}

function countRead(tally: Tally, { left, unknown, overtaken, tooMany }: Read): void {
  count(tally, "episodes");
  count(tally, "overtaken", overtaken);
  count(tally, "tooMany", tooMany);
  count(tally, "speakerLeft", left);
  count(tally, "speakerUnknown", unknown);
}
