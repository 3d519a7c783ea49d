import { stricter } from "#core/safety/sensitivity";
import type { UserRef } from "#domain/tenants";
import type { Existing } from "./access.ts";
import { inheritedKey, type NextMemory, sameSet } from "./change.ts";
import { aboutHash, contentHash, freeHash, guessHash } from "./content-hash.ts";
import { defaultPrivacy, isFirstPerson, statedKeys } from "./defaults.ts";
import type { Author, Person } from "./load-references.ts";
import type { Met } from "./match-existing.ts";
import type { ParsedDraft } from "./parse-input.ts";
import type { Named } from "./require-references.ts";
import type { StoredMemory } from "./rows.ts";
import type { MemoryView } from "./schemas.ts";
import { type Completion, complete, judgedAgain, offsetOf, sameValues, type Values, valuesOf } from "./values.ts";

/** How memories are taken from an episode. An episode may be read twice, or long after newer ones. */
export type Ingest = {
  /** Whether a value that this episode already stated under a key is kept. */
  keepsOwn: boolean;
};

export type By = { author: Author; user: UserRef | null; now: number; piiReview: boolean; ingest: Ingest | null };

/** A draft with everything that was looked up for it. */
export type ToDecide = By & {
  draft: ParsedDraft;
  met: Met;
  named: Named;
  /** Whether it was learned in a group with another participant. */
  amongOthers: boolean;
  /** The id of a new memory. */
  publicId: string;
};

/** The memory that a draft would produce. `repeats`: it changes nothing but the count and the privacy. */
export type Proposal = {
  before: Existing | null;
  duplicate: StoredMemory | null;
  superseded: StoredMemory | null;
  own: Values;
  next: NextMemory;
  repeats: boolean;
  shown: Pick<MemoryView, "subjects" | "statedBy" | "learnedIn" | "contradicts">;
};

/** The memory that a draft would produce. If a current memory exists and this one would wait for review, it is stored beside it. */
export async function proposeAmongKnown(of: ToDecide): Promise<Proposal> {
  const { draft, met, named } = of;
  const { existing, hiddenHolder, guess, hiddenHashes } = met;
  // A memory that waits under a key with a hidden holder is matched like the memory that has the key.
  const before = (hiddenHolder === null ? null : guess) ?? existing;
  const duplicate = met.duplicate ?? (before === existing || existing?.status !== "approved" ? null : existing);
  const superseded = named.superseded?.id === before?.id ? null : named.superseded;
  const changed = await propose(of, { before, duplicate, superseded });
  const proposal = isForOthers(of, changed) ? await propose(of, { before: null, duplicate, superseded: before }) : changed;
  const holder = before?.status === "approved" ? before : hiddenHolder;
  const isGuess = holder !== null && !proposal.repeats && proposal.next.status !== "approved";
  // A guess does not replace a known value: it waits for review beside it. A keyless waiting memory with the same words is that guess; it
  // gets no key from a holder that the writer may not know of.
  const waiting = guess ?? (before?.status === "pending" ? before : null);
  const chosen = isGuess ? await propose(of, { before: waiting, duplicate: null, superseded: holder }) : proposal;
  const { key, hash: words } = chosen.next;
  const hash = (isGuess ? await guessHash(words, draft.own.key) : null) ?? words;
  // Words that exist in a memory that the writer may not know of are stored as a separate memory.
  const isHidden = key === null && hiddenHashes.size > 0;
  const free = isHidden
    ? await freeHash(hash, { taken: hiddenHashes, user: of.user, publicId: chosen.before?.publicId ?? of.publicId })
    : hash;
  return { ...chosen, next: { ...chosen.next, hash: free } };
}

/**
 * Whether what an episode states under a key is for other eyes than the memory that it would change in place. Then it replaces the memory
 * instead: who may not see the new words still sees the old ones, and what is said to all is visible to all. A caller who changes a memory by
 * its key means that memory.
 */
function isForOthers({ ingest, draft }: ToDecide, { before, repeats, own, next }: Proposal): boolean {
  if (ingest === null || draft.own.key === null || before === null || !before.isVisible || repeats) return false;
  if (before.key !== draft.own.key || before.status !== "approved" || next.status !== "approved") return false;
  const isForSame = own.sensitivity === before.sensitivity && own.portable === before.portable;
  return !isForSame && next.content !== before.content && next.supersedes === null;
}

async function propose(of: ToDecide, target: Pick<Proposal, "before" | "duplicate" | "superseded">): Promise<Proposal> {
  const { draft, met, named, now } = of;
  const { given, input } = draft;
  const { before, superseded } = target;
  // Nothing of a memory that the writer may not see is copied into what they write.
  const known = before?.isVisible === true ? before : null;
  const { own, values } = completed(of, known, [known === null ? before : null, target.duplicate]);
  const knownHolder = met.hiddenHolder === null ? superseded : null;
  const waitsForHolder =
    before?.key === null && knownHolder !== null && knownHolder.key !== null && knownHolder.key === values.key;
  const repeats = before !== null && (waitsForHolder || onlyRepeats(before, { given, values, named: named.subjects }));
  const judged = judgedAgain(known, { given, values, piiReview: of.piiReview });
  const isInForce = (repeats ? before : judged).status === "approved";
  const inherited = inheritedKey(superseded, values);
  // What says more than a key's value replaces it and does not have the key.
  const moves = inherited !== null && values.key === null && statedKeys(values).includes(inherited) ? null : inherited;
  const waitsForKey = met.hiddenHolder !== null || (before === null && values.key === moves);
  const words = await contentHash(values);
  const about = subjectsFor(of, { known, values });
  const learned = whereLearned(of, { known, values });
  return {
    ...{ ...target, repeats, own },
    next: {
      ...{ ...values, ...judged, ...learned.stored, subjects: about.ids },
      validOffset: offsetOf(input.validFrom, known !== null && values.content === known.content ? known : null),
      validFrom: given.validFrom ?? (known !== null && values.content !== known.content ? now : values.validFrom),
      key: isInForce ? (values.key ?? moves) : waitsForKey ? null : values.key,
      hash: before === null && met.isTaken ? ((await aboutHash(words, input.subjects)) ?? words) : words,
      statedBy:
        known !== null && input.statedBy === undefined && values.content === known.content
          ? known.statedBy
          : (named.speaker?.id ?? null),
      supersedes: superseded?.id ?? null,
      contradicts: named.contradicts,
    },
    shown: {
      subjects: about.publicIds,
      statedBy: named.speaker?.publicId ?? null,
      learnedIn: learned.shown,
      contradicts: input.contradicts === undefined ? [] : [input.contradicts],
    },
  };
}

/** What the caller states, alone and completed with the known values. Privacy is as strict as everything in `strict`. */
function completed(
  { draft, amongOthers, now }: ToDecide,
  known: StoredMemory | null,
  strict: readonly (StoredMemory | null)[],
): { own: Values; values: Values } {
  const { ownership } = draft.home;
  const completion: Completion = {
    ...{ now, path: draft.path, isShared: ownership === "shared" },
    privacyOf: (words) => defaultPrivacy(words, { ownership, amongOthers }),
  };
  const merged = complete(draft.given, known === null ? null : valuesOf(known), completion);
  const { sensitivity, portable } = known === null ? merged : complete(draft.given, null, completion);
  return { own: { ...draft.own, sensitivity, portable }, values: strict.reduce(keptAsStrictlyAs, merged) };
}

/** Takes the stricter privacy: a memory that takes over another's words, or that its writer may not see, is never opened. */
function keptAsStrictlyAs(values: Values, other: StoredMemory | null): Values {
  if (other === null) return values;
  return {
    ...values,
    sensitivity: stricter(values.sensitivity, other.sensitivity),
    portable: values.portable && other.portable,
    pinned: values.pinned || other.pinned,
  };
}

/** Without a key, equal words are a repetition. With a key, every other value must be equal too. */
function onlyRepeats(
  before: Existing,
  { given, values, named }: { given: Partial<Values>; values: Values; named: readonly Person[] | null },
): boolean {
  if (given.key === undefined || given.key === null) return true;
  const { confidence, ...old } = valuesOf(before);
  const next = {
    ...values,
    expiresAt: given.expiresAt === undefined ? old.expiresAt : values.expiresAt,
    validFrom: given.validFrom === undefined ? old.validFrom : values.validFrom,
  };
  const subjects = named === null ? before.subjects : named.map(({ id }) => id);
  return before.isVisible && sameSet(subjects, before.subjects) && sameValues(old, next);
}

/** The named subjects; else the previous ones; else the speaker, if a user refers to themselves. */
function subjectsFor(
  { named, author }: ToDecide,
  { known, values }: { known: Existing | null; values: Values },
): { ids: number[]; publicIds: string[] } {
  const { subjects, speaker } = named;
  const isOfSelf = values.type === "preference" || values.type === "identity" || isFirstPerson(values.content);
  const own = speaker !== null && speaker.id === author.personId && isOfSelf ? [speaker] : [];
  const about = subjects ?? (known === null ? own : null);
  return { ids: about?.map(({ id }) => id) ?? known?.subjects ?? [], publicIds: about?.map(({ publicId }) => publicId) ?? [] };
}

/**
 * Where it was learned: as the draft says, or in its group. A memory with the same words keeps its value; new words under the same key do
 * not take over where the old ones were learned.
 */
function whereLearned(
  { named, now }: ToDecide,
  { known, values }: { known: Existing | null; values: Values },
): { stored: Pick<NextMemory, "learnedIn" | "episodeId" | "learnedAt">; shown: MemoryView["learnedIn"] } {
  const { learned, session } = named;
  if (learned !== null) {
    const { sessionId, episodeId, at, view } = learned;
    return { stored: { learnedIn: sessionId, episodeId, learnedAt: at ?? now }, shown: view };
  }
  if (known !== null && known.content === values.content) {
    const { learnedIn, episodeId, learnedAt } = known;
    return { stored: { learnedIn, episodeId, learnedAt }, shown: null };
  }
  return {
    stored: { learnedIn: session?.id ?? null, episodeId: null, learnedAt: now },
    shown: session === null ? null : { sessionId: session.externalId, episodeId: null },
  };
}
