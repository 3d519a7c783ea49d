import type { JobResult } from "#domain/jobs";
import type { DraftOutcome } from "./ingest-drafts.ts";

/** What a job counts while it extracts. */
export type Counted =
  | "episodes"
  | "stored"
  | "saidAgain"
  | "changed"
  | "known"
  | "linked"
  | "older"
  | "rejected"
  | "belowThreshold"
  | "secrets"
  | "expired"
  | "refused"
  | "speakerLeft"
  | "speakerUnknown"
  | "peopleMade"
  | "entities"
  | "overtaken"
  | "tooMany"
  | "messagesCut"
  | "calls"
  | "inputTokens"
  | "outputTokens"
  | "notTaken";

/** Counts by name, without those that are zero. */
export type ExtractionCounts = Map<Counted, number>;

export function count(counts: ExtractionCounts, name: Counted, by = 1): void {
  if (by > 0) counts.set(name, (counts.get(name) ?? 0) + by);
}

/** Outcomes that are counted under another name than their own. */
const COUNTED_AS: { [O in Exclude<DraftOutcome, Counted>]: Counted } = { again: "saidAgain", left: "speakerLeft" };

export function countOutcome(counts: ExtractionCounts, outcome: DraftOutcome = "refused"): void {
  count(counts, outcome === "again" || outcome === "left" ? COUNTED_AS[outcome] : outcome);
}

/** A job's result: these counts added to those of its earlier runs, and whether the rules or the model extracted. */
export function resultOf(before: JobResult | null, by: "rules" | "model", counts: ExtractionCounts): JobResult {
  const { skipped: _, ...counted } = before ?? {};
  const sums = Object.fromEntries([...counts].map(([name, value]) => [name, value + numberOf(counted[name])]));
  return { ...counted, by, ...sums };
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
