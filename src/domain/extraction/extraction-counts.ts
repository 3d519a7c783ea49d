import type { JobResult } from "#domain/jobs";
import type { DraftOutcome } from "./ingest-drafts.ts";

/** What is counted while knowledge is taken. */
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

/** Counts by name; what was never counted is not there. */
export type ExtractionCounts = Map<Counted, number>;

export function count(counts: ExtractionCounts, name: Counted, by = 1): void {
  if (by > 0) counts.set(name, (counts.get(name) ?? 0) + by);
}

const OUTCOMES: Record<DraftOutcome, Counted> = {
  stored: "stored",
  again: "saidAgain",
  changed: "changed",
  known: "known",
  linked: "linked",
  older: "older",
  rejected: "rejected",
  refused: "refused",
  left: "speakerLeft",
};

export function countOutcome(counts: ExtractionCounts, outcome: DraftOutcome | undefined): void {
  count(counts, OUTCOMES[outcome ?? "refused"]);
}

/** What a job has to tell: these counts on top of what it told before, and how knowledge was taken. */
export function resultOf(before: JobResult | null, by: "rules" | "model", counts: ExtractionCounts): JobResult {
  const { skipped: _, ...counted } = before ?? {};
  const sums = Object.fromEntries([...counts].map(([name, value]) => [name, value + numberOf(counted[name])]));
  return { ...counted, by, ...sums };
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
