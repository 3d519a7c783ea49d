import { z } from "zod";
import type { JobRun, LeasedJob } from "#domain/jobs";
import { getSettings, wantsModel } from "#domain/settings";
import { count, type ExtractionCounts, resultOf } from "./extraction-counts.ts";
import { lastOfKeys } from "./ingest-drafts.ts";
import { mayTakeKey } from "./link-keys.ts";
import { type EpisodeToRead, readEpisodes } from "./read-episodes.ts";
import { messagesBySpeaker, takeFromSpeaker } from "./speakers.ts";
import { type Batch, type Finding, type Read, type RulesCtx, storeBatch } from "./store-batch.ts";
import { findChanged } from "./updates/find-replaced.ts";

const Payload = z.object({ from: z.number().int(), chunks: z.number().int().min(1), by: z.number().int().nullish() });

/** Episodes that are read and stored at a time. */
const EPISODES_A_BATCH = 50;
/** UTF-16 units that are read at a time: the clock of a Worker stands still while it reads, so that no deadline would end it. */
const UNITS_A_BATCH = 262_144;
/** The weight (see `weightOf`) that one run may store, and the most that is taken from one episode: an invocation may run a thousand statements. */
const MAX_WEIGHT = 60;

/** Of an import: whether a model may read the episodes too, later than others. What was said long ago asks for nothing to be forgotten now. */
export type OfImport = { model: boolean };

/**
 * Extracts by rules from the episodes of these jobs, each episode once, and queues them for the model where the tenant wants one. Returns
 * `unfinished` past the deadline or the run's weight; episodes that were read are marked, so the next run continues after them.
 */
export async function takeByRules(
  ctx: RulesCtx,
  jobs: readonly LeasedJob[],
  run: JobRun & { ofImport?: OfImport },
): Promise<"unfinished" | undefined> {
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
  const isImported = run.ofImport !== undefined;
  const toModel = wantsModel(settings) && ctx.chatModel !== null && run.ofImport?.model !== false;
  let room = MAX_WEIGHT;
  try {
    for (;;) {
      const episodes = await readEpisodes(ctx, { ranges, extracted: null, limit: EPISODES_A_BATCH });
      const batch = selectBatch(episodes, { room, instructions: settings.instructions });
      room -= weightOf(batch.findings);
      for (const found of batch.read) countRead(countsOf(found.episode), found);
      await storeBatch(ctx, batch, { countsOf, threshold: settings.extractionThreshold, wantsModel: toModel, isImported });
      const isFull = !batch.isCut && batch.read.length < episodes.length;
      if (batch.read.length === episodes.length && episodes.length < EPISODES_A_BATCH) return undefined;
      if (isFull || room <= 0 || ctx.now() >= run.deadline) return "unfinished";
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

/** What is stored together. `isCut`: what follows replaces some of it, which has to be stored first. */
type Selected = Batch & { isCut: boolean };

/** As many of the episodes, in order, as there is room for; none if there is no room for the first. */
function selectBatch(
  episodes: readonly EpisodeToRead[],
  { room, instructions }: { room: number; instructions: string },
): Selected {
  const batch: Selected = { read: [], findings: [], isCut: false };
  let left = room;
  let units = 0;
  for (const episode of episodes) {
    units += episode.messages.reduce((sum, { text }) => sum + text.length, 0);
    if (units > UNITS_A_BATCH && batch.read.length > 0) break;
    const { read, findings } = readOne(episode, instructions);
    batch.isCut = replacesAny(findings, batch.findings);
    if (batch.isCut) break;
    left -= weightOf(findings);
    if (left < 0) break;
    batch.read.push(read);
    batch.findings.push(...findings);
  }
  return batch;
}

function replacesAny(findings: readonly Finding[], before: readonly Finding[]): boolean {
  return findings.some(({ taken, speakerMessages }) => {
    const { userId } = speakerMessages.user;
    const own = before.filter((earlier) => earlier.speakerMessages.user.userId === userId);
    const known = own.map((earlier) => earlier.taken);
    const takesKey = known.some(({ key }) => key !== null) && (taken.gives !== null || mayTakeKey(taken.content));
    return takesKey || findChanged(taken, known) !== null;
  });
}

function readOne(episode: EpisodeToRead, instructions: string): { read: Read; findings: Finding[] } {
  const said = messagesBySpeaker(episode);
  const all = said.bySpeaker.flatMap((speakerMessages): Finding[] =>
    takeFromSpeaker(speakerMessages.messages, { place: episode.place, instructions }).map((taken) => ({
      episode,
      speakerMessages,
      taken,
    })),
  );
  const last = lastOfKeys(all, {
    nameOf: ({ speakerMessages, taken }) =>
      taken.key === null ? null : JSON.stringify([speakerMessages.user.userId, taken.isOfGroup, taken.key]),
    atOf: ({ speakerMessages, taken }) => speakerMessages.messages[taken.messageIndex]?.message.occurredAt ?? 0,
  });
  let room = MAX_WEIGHT;
  const findings = last.filter((finding) => {
    const weight = weightOf([finding]);
    if (weight > room) return false;
    room -= weight;
    return true;
  });
  const counts = { overtaken: all.length - last.length, tooMany: last.length - findings.length };
  return { read: { episode, ...said, ...counts }, findings };
}

/** In units of about ten statements: a memory with a key may need a call of its own, and a person is created by one. */
function weightOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { taken }) => sum + (taken.key === null ? 1 : 3) + taken.people.length, 0);
}
