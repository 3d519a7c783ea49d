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
 * Why a memory was not stored. `rejected`: a person rejected these words. Only when ingesting episodes: `known`: the same episode stated it
 * already; `older`: the current value of its key was stated later.
 */
export type IgnoredBecause = "rejected" | "known" | "older";

/** What happens to a draft, given the existing memory `before`, if any. */
export type Outcome<Before> =
  | { kind: "create" }
  /** Stored for review; it replaces nothing yet. */
  | { kind: "wait" }
  /** It repeats the memory. It is not counted if it only adds links or stricter privacy. */
  | { kind: "reinforce"; before: Before; isCounted: boolean }
  /** Changed in place; the old version is kept. */
  | { kind: "change"; before: Before }
  | { kind: "ignore"; before: Before | null; because: IgnoredBecause };

/** The decision about one draft, and what its answer shows. */
export type Decision = Outcome<Existing> & {
  publicId: string;
  home: Home;
  session: FoundSession | null;
  given: Partial<Values>;
  /** What the caller states, without the values that the memory had before. */
  own: Values;
  next: NextMemory;
  /** How many times the call states it; 0 for a duplicate of another draft, for which nothing is written. */
  times: number;
  /** Memories that it replaces. */
  replaces: readonly StoredMemory[];
  /** Internal ids of the existing memories that match its words or its key. */
  touches: readonly number[];
  shown: Pick<MemoryView, "key" | "subjects" | "statedBy" | "learnedIn" | "contradicts">;
};

/**
 * Decides what to do about the memories of a call.
 * @throws not_found, unprocessable or forbidden for references that are missing or not allowed; see `requireReferences`.
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

/** Decides about one draft. Pure. */
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

/** How a draft from an episode compares with what is stored. */
type ReadAgain = Ingest & {
  /** The memory was extracted from the same episode. */
  isOwn: boolean;
  /** It adds to what the memory replaces or contradicts, or makes its privacy stricter. */
  addsLinks: boolean;
  /** The memory with its key was stated later. */
  isOlder: boolean;
};

/** The table of decisions. `isSame`: the memory has the same words. `repeats`: and no other value would change. */
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

/** Refuses a call in which one memory would replace a memory that another one changes or replaces too: their order would be arbitrary. */
function requireDistinctTargets(decisions: readonly Decision[], drafts: readonly ParsedDraft[]): void {
  const touched = decisions.flatMap(({ touches, times }) => (times === 0 ? [] : touches));
  for (const [place, { next }] of decisions.entries()) {
    if (next.supersedes === null) continue;
    const others = decisions.some((decision, other) => other !== place && decision.next.supersedes === next.supersedes);
    if (others || touched.includes(next.supersedes))
      throw breaksRule(`${drafts[place]?.path}supersedes`, "Another memory of this call changes or replaces this one too.");
  }
}
