import type { Statement } from "#db/client";
import { type Decision, isRejected } from "./decide.ts";
import { stricter } from "./parse-input.ts";
import type { StoredMemory } from "./stored.ts";

/** How memories are taken from an episode, which may be read twice, or long after what came later. */
export type IngestOptions = {
  /** Statements that belong in the same batch, such as the mark that the episode was read. */
  alongside: readonly Statement[];
  /** Whether what this episode has said already under a key stands as it is. */
  keepsOwn: boolean;
};

/**
 * `known`: the same episode said it already. `older`: what its key holds was said later. Of both nothing is written, nor of what a
 * person has rejected. `linked`: known, but not yet what it replaces or contradicts, or how close it is to be kept.
 */
export type IngestOutcome = "stored" | "again" | "changed" | "linked" | "known" | "older" | "rejected";

/** What becomes of a plan that comes from an episode. */
export function ingestOutcome(decision: Decision, { keepsOwn }: Pick<IngestOptions, "keepsOwn">): IngestOutcome {
  const { before, superseded, hiddenHolder, next, own, isAgain } = decision;
  if (isRejected(decision)) return "rejected";
  const fromHere = before !== null && before.episodeId !== null && before.episodeId === next.episodeId;
  if (fromHere && isAgain && (superseded !== null || next.contradicts !== null || isCloser(decision, before))) return "linked";
  if (fromHere && (isAgain || keepsOwn)) return "known";
  if (isAgain) return "again";
  const holders = [before, superseded, hiddenHolder].filter((row) => row !== null && row.key !== "" && row.key === own.key);
  if (holders.some((row) => row !== null && row.validFrom > own.validFrom)) return "older";
  return before === null ? "stored" : "changed";
}

/** Whether fewer may hear it than so far. */
function isCloser({ given }: Decision, before: StoredMemory): boolean {
  const sensitivity = given.sensitivity ?? null;
  return stricter(before.sensitivity, sensitivity) !== before.sensitivity || (before.portable === 1 && given.portable === false);
}

export function isWritten(outcome: IngestOutcome): boolean {
  return outcome === "stored" || outcome === "again" || outcome === "changed" || outcome === "linked";
}
