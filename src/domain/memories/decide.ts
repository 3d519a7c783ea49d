import { breaksRule } from "#core/errors";
import { stricter } from "#core/safety/sensitivity";
import type { Existing } from "./access.ts";
import type { NextMemory } from "./change.ts";
import { aboutHash } from "./content-hash.ts";
import type { FoundSession, References } from "./load-references.ts";
import type { Home, ParsedDraft } from "./parse-input.ts";
import { type By, type Ingest, type Proposal, proposeAmongKnown, type ToDecide } from "./propose.ts";
import { requireReferences } from "./require-references.ts";
import type { StoredMemory } from "./rows.ts";
import type { MemoryView } from "./schemas.ts";
import type { Values } from "./values.ts";

/**
 * `rejected`: a person rejected these words. Of what is read from episodes also `known`: the same episode said it already, and `older`: what
 * its key holds was said later.
 */
export type IgnoredBecause = "rejected" | "known" | "older";

/** What becomes of a draft that meets the memory `before`, or none. */
export type Outcome<Before> =
  | { kind: "create" }
  /** Stored to be reviewed; it replaces nothing yet. */
  | { kind: "wait" }
  /** It says what the memory says. It is not counted if it only adds links or stricter privacy. */
  | { kind: "reinforce"; before: Before; isCounted: boolean }
  /** Changed in place; the old version is kept. */
  | { kind: "change"; before: Before }
  | { kind: "ignore"; before: Before | null; because: IgnoredBecause };

/** What is done about one draft, and what its answer shows. */
export type Decision = Outcome<Existing> & {
  publicId: string;
  home: Home;
  session: FoundSession | null;
  given: Partial<Values>;
  /** What the caller says by itself, without what the memory was before. */
  own: Values;
  next: NextMemory;
  /** How often the call says it; 0 for what another of its drafts stands for: nothing is written of it. */
  times: number;
  /** Memories that it takes the place of. */
  replaces: readonly StoredMemory[];
  /** Internal ids of the memories that it meets by its words or its key. */
  touches: readonly number[];
  shown: Pick<MemoryView, "key" | "subjects" | "statedBy" | "learnedIn" | "contradicts">;
};

/**
 * What is to be done about the memories of a call.
 *
 * @throws not_found, unprocessable, forbidden for what they name and may not; see `requireReferences`.
 */
export async function decideAll(
  drafts: readonly ParsedDraft[],
  references: References,
  { newId, ...by }: By & { newId: () => string },
): Promise<Decision[]> {
  const decided = await Promise.all(
    drafts.flatMap((draft, place) => {
      const met = references.met[place];
      if (met === undefined) return [];
      const named = requireReferences(draft, references, by);
      return [decide({ ...by, draft, met, named, amongOthers: references.amongOthers.has(place), publicId: newId() })];
    }),
  );
  const decisions = await disambiguateHashes(decided, drafts);
  requireDistinctTargets(decisions, drafts);
  return decisions;
}

/** What is to be done about one draft. It does no I/O. */
export async function decide(of: ToDecide): Promise<Decision> {
  const { draft, met, named } = of;
  const proposal = await proposeAmongKnown(of);
  const { before, own, next, superseded, duplicate, repeats } = proposal;
  const outcome = outcomeOf({
    ...{ before, repeats, isSame: before?.hash === next.hash, isApproved: next.status === "approved" },
    ingest: of.ingest === null ? null : readAgain(of, proposal, of.ingest),
  });
  const isInForce = outcome.kind !== "ignore" && (outcome.kind === "reinforce" ? outcome.before : next).status === "approved";
  const replaced = isInForce ? [superseded, duplicate, met.hiddenHolder].filter((memory) => memory !== null) : [];
  const isNew = before === null || !before.isVisible;
  return {
    ...outcome,
    ...{ home: draft.home, session: named.session, given: draft.given, own, next, times: draft.times },
    publicId: before?.publicId ?? of.publicId,
    replaces: [...new Map(replaced.map((memory) => [memory.id, memory])).values()],
    touches: [before, duplicate].flatMap((memory) => memory?.id ?? []),
    shown: { ...proposal.shown, key: isNew && met.hiddenHolder === null ? next.key : own.key },
  };
}

/** What is read from an episode, compared with what is stored. */
type ReadAgain = Ingest & {
  /** The memory was taken from the same episode. */
  isOwn: boolean;
  /** It says what the memory replaces or contradicts, or keeps it more strictly. */
  addsLinks: boolean;
  /** What has its key was said later. */
  isOlder: boolean;
};

/** The table of decisions. `isSame`: the memory has these very words; `repeats`: and nothing else of it would change. */
export function outcomeOf<Before extends { status: StoredMemory["status"] }>(of: {
  before: Before | null;
  isSame: boolean;
  repeats: boolean;
  isApproved: boolean;
  ingest: ReadAgain | null;
}): Outcome<Before> {
  const { before, ingest } = of;
  const repeats = before !== null && of.repeats;
  if (before?.status === "rejected" && of.isSame) return { kind: "ignore", before, because: "rejected" };
  if (ingest?.isOwn === true && repeats && ingest.addsLinks) return { kind: "reinforce", before, isCounted: false };
  if (ingest?.isOwn === true && (repeats || ingest.keepsOwn)) return { kind: "ignore", before, because: "known" };
  if (repeats) return { kind: "reinforce", before, isCounted: true };
  if (ingest?.isOlder === true) return { kind: "ignore", before, because: "older" };
  if (before !== null) return { kind: "change", before };
  return { kind: of.isApproved ? "create" : "wait" };
}

function readAgain({ draft, met }: ToDecide, { before, superseded, next }: Proposal, ingest: Ingest): ReadAgain {
  const { own, given } = draft;
  const holders = [before, superseded, met.hiddenHolder].filter((memory) => memory !== null && memory.key !== null);
  const isStricter =
    before !== null &&
    ((given.sensitivity !== undefined && stricter(before.sensitivity, given.sensitivity) !== before.sensitivity) ||
      (before.portable && given.portable === false));
  return {
    ...ingest,
    isOwn: before !== null && before.episodeId !== null && before.episodeId === next.episodeId,
    addsLinks: superseded !== null || next.contradicts !== null || isStricter,
    isOlder: holders.some((memory) => memory?.key === own.key && memory.validFrom > own.validFrom),
  };
}

/** Drafts of one call with the same words about different people are different memories. */
async function disambiguateHashes(decisions: readonly Decision[], drafts: readonly ParsedDraft[]): Promise<Decision[]> {
  const seen = new Set<string>();
  const distinct: Decision[] = [];
  for (const [place, decision] of decisions.entries()) {
    const { home, next, kind, times } = decision;
    const words = JSON.stringify([home, next.hash, next.key]);
    const isRepeated = (kind === "create" || kind === "wait") && times > 0 && seen.has(words);
    const hash = (isRepeated ? await aboutHash(next.hash, drafts[place]?.input.subjects) : null) ?? next.hash;
    distinct.push({ ...decision, next: { ...next, hash } });
    seen.add(words);
  }
  return distinct;
}

/** Refuses a call in which one memory would replace what another one changes or replaces too: neither is the one to come first. */
function requireDistinctTargets(decisions: readonly Decision[], drafts: readonly ParsedDraft[]): void {
  const touched = decisions.flatMap(({ touches, times }) => (times === 0 ? [] : touches));
  for (const [place, { next }] of decisions.entries()) {
    if (next.supersedes === null) continue;
    const others = decisions.some((decision, other) => other !== place && decision.next.supersedes === next.supersedes);
    if (others || touched.includes(next.supersedes))
      throw breaksRule(`${drafts[place]?.path}supersedes`, "Another memory of this call changes or replaces this one too.");
  }
}
