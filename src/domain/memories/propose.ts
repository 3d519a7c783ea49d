import { stricter } from "#core/safety/sensitivity";
import type { UserRef } from "#domain/tenants";
import type { Existing } from "./access.ts";
import { keyThatMoves, type NextMemory, sameSet } from "./change.ts";
import { aboutHash, contentHash, freeHash, guessHash } from "./content-hash.ts";
import { defaultPrivacy, isFirstPerson } from "./defaults.ts";
import type { Author, Person } from "./load-references.ts";
import type { Met } from "./match-existing.ts";
import type { ParsedDraft } from "./parse-input.ts";
import type { Named } from "./require-references.ts";
import type { StoredMemory } from "./rows.ts";
import type { MemoryView } from "./schemas.ts";
import { type Completion, complete, judgedAgain, sameValues, type Values, valuesOf } from "./values.ts";

/** How memories are taken from an episode, which may be read twice, or long after what came later. */
export type Ingest = {
  /** Whether what this episode has said already under a key stays as it is. */
  keepsOwn: boolean;
};

export type By = { author: Author; user: UserRef | null; now: number; piiReview: boolean; ingest: Ingest | null };

/** A draft with all that is known of it. */
export type ToDecide = By & {
  draft: ParsedDraft;
  met: Met;
  named: Named;
  /** Whether it was learned in a group in which somebody else took part. */
  amongOthers: boolean;
  /** The id of a new memory. */
  publicId: string;
};

/** What a draft would make of what it meets. `repeats`: nothing but its count, and what concerns privacy. */
export type Proposal = {
  before: Existing | null;
  duplicate: StoredMemory | null;
  superseded: StoredMemory | null;
  own: Values;
  next: NextMemory;
  repeats: boolean;
  shown: Pick<MemoryView, "subjects" | "statedBy" | "learnedIn" | "contradicts">;
};

/** What a draft would make of what it meets; where something is known and this would have to wait, beside it. */
export async function proposeAmongKnown(of: ToDecide): Promise<Proposal> {
  const { draft, met, named } = of;
  const { existing, hiddenHolder, guess, hiddenHashes } = met;
  // What waits for a key that has a hidden holder stands for what has the key.
  const before = (hiddenHolder === null ? null : guess) ?? existing;
  const duplicate = met.duplicate ?? (before === existing || existing?.status !== "approved" ? null : existing);
  const superseded = named.superseded?.id === before?.id ? null : named.superseded;
  const proposal = await propose(of, { before, duplicate, superseded });
  const holder = before?.status === "approved" ? before : hiddenHolder;
  const isGuess = holder !== null && !proposal.repeats && proposal.next.status !== "approved";
  // A guess takes no place of what is known: it waits beside it, as what would replace it. A keyless memory that waits already is the
  // guess, and gets no key from a holder that nobody is to know of.
  const waiting = guess ?? (before?.status === "pending" ? before : null);
  const chosen = isGuess ? await propose(of, { before: waiting, duplicate: null, superseded: holder }) : proposal;
  const { key, hash: words } = chosen.next;
  const hash = (isGuess ? await guessHash(words, draft.own.key) : null) ?? words;
  // A memory whose words are there already, in one that the writer may not know of, is another memory.
  const isHidden = key === null && hiddenHashes.size > 0;
  const free = isHidden
    ? await freeHash(hash, { taken: hiddenHashes, user: of.user, publicId: chosen.before?.publicId ?? of.publicId })
    : hash;
  return { ...chosen, next: { ...chosen.next, hash: free } };
}

async function propose(of: ToDecide, target: Pick<Proposal, "before" | "duplicate" | "superseded">): Promise<Proposal> {
  const { draft, met, named, now } = of;
  const { given, input } = draft;
  const { before, superseded } = target;
  // Of a memory that the writer may not see, nothing comes into what they write.
  const known = before?.isVisible === true ? before : null;
  const { own, values } = completed(of, known, [known === null ? before : null, target.duplicate]);
  const knownHolder = met.hiddenHolder === null ? superseded : null;
  const waitsForHolder =
    before?.key === null && knownHolder !== null && knownHolder.key !== null && knownHolder.key === values.key;
  const repeats = before !== null && (waitsForHolder || onlyRepeats(before, { given, values, named: named.subjects }));
  const judged = judgedAgain(known, { given, values, piiReview: of.piiReview });
  const isInForce = (repeats ? before : judged).status === "approved";
  const moves = keyThatMoves(superseded, values);
  const waitsForKey = met.hiddenHolder !== null || (before === null && values.key === moves);
  const words = await contentHash(values);
  const about = subjectsFor(of, { known, values });
  const learned = whereLearned(of, { known, values });
  return {
    ...{ ...target, repeats, own },
    next: {
      ...{ ...values, ...judged, ...learned.stored, subjects: about.ids },
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

/** What the caller says by itself, and with what is known; of what concerns privacy, as strict as all of `strict` too. */
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

/** Of what concerns privacy the stricter: a memory that takes another's words, or that its writer may not see, opens nothing. */
function keptAsStrictlyAs(values: Values, other: StoredMemory | null): Values {
  if (other === null) return values;
  return {
    ...values,
    sensitivity: stricter(values.sensitivity, other.sensitivity),
    portable: values.portable && other.portable,
    pinned: values.pinned || other.pinned,
  };
}

/** Without a key, the same words are only said again; with one, also everything else must be as it was. */
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

/** Named subjects; else what they were; else the speaker, when a user speaks of themselves. */
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
 * Where it was learned: as the draft says, or in its group. A memory of the same words keeps what it had; new words under its key were not
 * learned where the old ones were.
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
