import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import type { UserRef } from "#domain/tenants";
import { type NextMemory, sameSet } from "./change.ts";
import { aboutHash, contentHash, guessHash } from "./content-hash.ts";
import { defaultPrivacy } from "./default-privacy.ts";
import { isFirstPerson } from "./first-person.ts";
import { alternateHashesOf, freeHash } from "./known-to-writer.ts";
import {
  type Author,
  type Existing,
  type FoundSession,
  type Home,
  type References,
  requireGroup,
  requireLearnedIn,
  requirePerson,
  requireStatedBy,
  type Wanted,
} from "./load-references.ts";
import { complete, judge, parseGiven, sameValues, stricter, type Values, type Words } from "./parse-input.ts";
import type { MemoryDraftInput, MemoryView } from "./schemas.ts";
import { type StoredMemory, subjectsOf, valuesOf } from "./stored.ts";

/** One memory of a call, and where in the call it stands (`""`, or `memories[3].`). */
export type DraftInput = { draft: MemoryDraftInput; path: string };

/** A draft, read and hashed, before anything of it is looked up. */
export type ParsedDraft = Wanted & {
  given: Partial<Values>;
  own: Values;
  /** How often the call says it; 0 for what another draft stands for. */
  times: number;
};

/** A draft with all that is known of it. */
export type Decision = {
  publicId: string;
  home: Home;
  session: FoundSession | null;
  given: Partial<Values>;
  /** What the caller said by itself, without what the memory was before. */
  own: Values;
  next: NextMemory;
  /** The live memory that it repeats or changes. */
  before: Existing | null;
  /** Whether it only repeats: then it is said again, and no version is kept. */
  isAgain: boolean;
  /** Whether it will be approved, and so replaces what it supersedes. */
  inForce: boolean;
  /** A keyless memory that has the words which the keyed one gets now. */
  duplicate: StoredMemory | null;
  superseded: StoredMemory | null;
  /** The memory that has its key, where the writer may not know of it: what is said now takes the key, and nothing of what it said. */
  hiddenHolder: StoredMemory | null;
  /** How often the call says it; 0 for what another of its drafts stands for. */
  times: number;
  shown: Pick<MemoryView, "subjects" | "statedBy" | "learnedIn" | "contradicts">;
  jobId: string;
};

export async function parseMemoryInput(
  { draft, path }: DraftInput,
  { now, user }: { now: number; user: UserRef | null },
): Promise<ParsedDraft> {
  const given = parseGiven(draft, { now, path });
  // Where it was learned, and with that its privacy, is looked up later.
  const own = complete(given, null, {
    now,
    path,
    isShared: draft.shared === true,
    privacyOf: () => ({ sensitivity: null, portable: true }),
  });
  const hash = await contentHash(own);
  const [home, key, workspaceId] = [homeOf(draft), own.key ?? "", own.workspaceId ?? ""];
  const about = await aboutHash(hash, draft.subjects);
  const guess = await guessHash(hash, own.key);
  return {
    input: draft,
    path,
    given,
    own,
    hash,
    aboutHash: about,
    guessHash: guess,
    alternateHashes: home.ownership === "group" ? await alternatesOf([hash, guess], user) : [],
    home,
    key,
    workspaceId,
    duplicateOf: 0,
    times: 1,
  };
}

async function alternatesOf(hashes: readonly (string | null)[], user: UserRef | null): Promise<string[]> {
  return (await Promise.all(hashes.map((hash) => (hash === null ? [] : alternateHashesOf(hash, user))))).flat();
}

/**
 * Drafts of one call with the same words in the same home are one memory: the first stands for all, or, for keyless ones, the
 * first with a key. What one of them says of privacy holds for all, the stricter wins.
 */
export function joinRepeats(drafts: readonly ParsedDraft[]): ParsedDraft[] {
  const wordsOf = ({ home, hash, aboutHash: about }: ParsedDraft) => JSON.stringify([home, hash, about]);
  const places = new Map<string, number[]>();
  for (const [place, draft] of drafts.entries()) places.set(wordsOf(draft), [...(places.get(wordsOf(draft)) ?? []), place]);
  const originals = drafts.map((draft, place) => {
    const { key } = draft;
    const alike = places.get(wordsOf(draft)) ?? [place];
    return key === "" ? (alike.find((other) => drafts[other]?.key !== "") ?? alike[0] ?? place) : place;
  });
  return drafts.map((draft, place) => {
    const said = drafts.filter((_, other) => originals[other] === place);
    return { ...(said.length > 1 ? joined(draft, said) : draft), duplicateOf: originals[place] ?? place, times: said.length };
  });
}

function joined(draft: ParsedDraft, said: readonly ParsedDraft[]): ParsedDraft {
  const all: Pick<Values, "confidence" | "sensitivity" | "portable" | "pinned"> = {
    confidence: Math.max(...said.map(({ own }) => own.confidence)),
    sensitivity: said.map(({ own }) => own.sensitivity).reduce(stricter),
    portable: said.every(({ own }) => own.portable),
    pinned: said.some(({ own }) => own.pinned),
  };
  const isGiven = (name: string, { given }: ParsedDraft) => name in given;
  const opens = new Set([...(all.sensitivity === null ? ["sensitivity"] : []), ...(all.portable ? ["portable"] : [])]);
  // What only some of them open stays as it is by default.
  const named = Object.entries(all).filter(([name]) =>
    opens.has(name) ? said.every((other) => isGiven(name, other)) : said.some((other) => isGiven(name, other)),
  );
  const { confidence: _, sensitivity: __, portable: ___, pinned: ____, ...given } = draft.given;
  return { ...draft, own: { ...draft.own, ...all }, given: { ...given, ...Object.fromEntries(named) } };
}

function homeOf({ sessionId, shared }: MemoryDraftInput): Home {
  if (sessionId !== undefined) return { ownership: "group", sessionExternalId: sessionId };
  return { ownership: shared === true ? "shared" : "personal" };
}

export function requireDistinctKeys(drafts: readonly Wanted[]): void {
  const names = new Set<string>();
  for (const { key, home, workspaceId, path } of drafts) {
    const name = JSON.stringify([home, workspaceId, key]);
    if (key !== "" && names.has(name)) throw breaksRule(`${path}key`, "This key is in the call twice.");
    names.add(name);
  }
}

/** What a draft meets in its home: the memory that it repeats or changes, one with the same words, and one that it replaces. */
type Matched = {
  before: Existing | null;
  duplicate: StoredMemory | null;
  superseded: StoredMemory | null;
  hiddenHolder: StoredMemory | null;
};

/** What is to be done about a draft. 404 and 422 for what it names and may not. */
export async function decide(
  ctx: Ctx<"now" | "newId">,
  all: { draft: ParsedDraft; place: number; references: References; author: Author; user: UserRef | null; piiReview: boolean },
): Promise<Decision> {
  return await avoidHiddenHashes(await decideAmongKnown(ctx, all), all);
}

/** A memory whose words are there already, in one that the writer may not know of, is another memory. */
async function avoidHiddenHashes(
  decision: Decision,
  { references, place, user }: { references: References; place: number; user: UserRef | null },
): Promise<Decision> {
  const taken = references.hiddenHashes.get(place);
  if (decision.next.key !== null || taken === undefined) return decision;
  const hash = await freeHash(decision.next.hash, { taken, user, publicId: decision.publicId });
  return { ...decision, next: { ...decision.next, hash } };
}

async function decideAmongKnown(
  ctx: Ctx<"now" | "newId">,
  all: { draft: ParsedDraft; place: number; references: References; author: Author; piiReview: boolean },
): Promise<Decision> {
  const { draft, references, place } = all;
  const session = draft.home.ownership === "group" ? requireGroup(references, draft.home.sessionExternalId, draft.path) : null;
  const hiddenHolder = references.hiddenHolders.get(place) ?? null;
  const found = references.existing.get(place) ?? null;
  // What waits for a key that has a hidden holder stands for what has the key.
  const before = (hiddenHolder === null ? null : references.guesses.get(place)) ?? found;
  const duplicate = references.duplicates.get(place) ?? (before === found || found?.status !== "approved" ? null : found);
  const superseded = findSuperseded({ ...all, session }, before);
  const decision = await decideWith(ctx, { ...all, session, matched: { before, duplicate, superseded, hiddenHolder } });
  const holder = before?.status === "approved" ? before : hiddenHolder;
  if (holder === null || decision.isAgain || decision.next.status === "approved") return decision;
  // A keyless memory that waits already is the guess, and gets no key from a holder that nobody is to know of.
  const waiting = before?.status === "pending" ? before : null;
  // A guess takes no place of what is known: it waits beside it, as what would replace it.
  const guess = await decideWith(ctx, {
    ...all,
    session,
    matched: { before: references.guesses.get(place) ?? waiting, duplicate: null, superseded: holder, hiddenHolder },
  });
  return { ...guess, next: { ...guess.next, hash: (await guessHash(guess.next.hash, draft.own.key)) ?? guess.next.hash } };
}

async function decideWith(
  ctx: Ctx<"now" | "newId">,
  all: {
    draft: ParsedDraft;
    place: number;
    references: References;
    author: Author;
    piiReview: boolean;
    session: FoundSession | null;
    matched: Matched;
  },
): Promise<Decision> {
  const { draft, references, session, matched } = all;
  const { input, path, home, given } = draft;
  const { before, superseded } = matched;
  // Of a memory that the writer may not hear, nothing comes into what they write.
  const known = before === null || before.isVisible === 0 ? null : before;
  const place = { ownership: home.ownership, amongOthers: references.amongOthers.has(all.place) };
  const completion = {
    now: ctx.now(),
    path,
    isShared: home.ownership === "shared",
    privacyOf: (words: Words) => defaultPrivacy(words, place),
  };
  const merged = complete(given, known === null ? null : valuesOf(known), completion);
  const { sensitivity, portable } = known === null ? merged : complete(given, null, completion);
  const values = asStrict(merged, before, matched.duplicate);
  const knownHolder = matched.hiddenHolder === null ? superseded : null;
  const isGuess = before?.key === "" && knownHolder !== null && knownHolder.key !== "" && knownHolder.key === values.key;
  const isAgain = before !== null && (isGuess || onlyRepeats(before, { given, values, named: namedSubjects(all) }));
  const speaker = speakerOf(ctx, all);
  const subjects = subjectsFor({ ...all, speaker, values, before: known });
  const learned = whereLearned(ctx, { draft, references, session, values, before: known });
  const judged = judgedAgain(known, { given, values, piiReview: all.piiReview });
  const moves = keyThatMoves(superseded, values);
  const inForce = (isAgain ? before?.status : judged.status) === "approved";
  const waitsForKey = matched.hiddenHolder !== null || (before === null && values.key === moves);
  const words = await contentHash(values);
  const next: NextMemory = {
    ...values,
    ...judged,
    validFrom: given.validFrom ?? (known !== null && values.content !== known.content ? ctx.now() : values.validFrom),
    key: inForce ? (values.key ?? moves) : waitsForKey ? null : values.key,
    hash: before === null && references.taken.has(all.place) ? ((await aboutHash(words, input.subjects)) ?? words) : words,
    subjects: subjects.ids,
    statedBy: statedBy(draft, { before: known, values, speaker }),
    ...learned.stored,
    supersedes: superseded?.id ?? null,
    contradicts: findContradicted(draft, references),
    saidAgain: draft.times,
  };
  return {
    publicId: before?.publicId ?? ctx.newId("memory"),
    home,
    session,
    given,
    own: { ...draft.own, sensitivity, portable },
    next,
    before,
    isAgain,
    inForce,
    duplicate: matched.duplicate,
    superseded,
    hiddenHolder: matched.hiddenHolder,
    times: draft.times,
    shown: {
      subjects: subjects.publicIds,
      statedBy: speaker?.publicId ?? null,
      learnedIn: learned.shown,
      contradicts: input.contradicts === undefined ? [] : [input.contradicts],
    },
    jobId: ctx.newId("job"),
  };
}

/** Of what concerns privacy the stricter: a memory that takes another's words, or that its writer may not hear, opens nothing. */
function asStrict(values: Values, before: Existing | null, duplicate: StoredMemory | null): Values {
  const hidden = before !== null && before.isVisible === 0 ? before : null;
  const others = [hidden, duplicate].filter((row) => row !== null);
  return {
    ...values,
    sensitivity: others.map(({ sensitivity }) => sensitivity).reduce(stricter, values.sensitivity),
    portable: values.portable && others.every(({ portable }) => portable === 1),
    pinned: values.pinned || others.some(({ pinned }) => pinned === 1),
  };
}

/** Drafts of one call with the same words about different people are different memories. */
export async function disambiguateHashes(decisions: readonly Decision[], drafts: readonly ParsedDraft[]): Promise<Decision[]> {
  const seen = new Set<string>();
  const distinct: Decision[] = [];
  for (const [place, decision] of decisions.entries()) {
    const words = JSON.stringify([decision.home, decision.next.hash, decision.next.key]);
    const about =
      decision.before === null && decision.times > 0 && seen.has(words)
        ? await aboutHash(decision.next.hash, drafts[place]?.input.subjects)
        : null;
    distinct.push(about === null ? decision : { ...decision, next: { ...decision.next, hash: about } });
    seen.add(words);
  }
  return distinct;
}

/** Words and confidence are judged when they are new; what a person decided about stays as they decided otherwise. */
export function judgedAgain(
  before: StoredMemory | null,
  { given, values, piiReview }: { given: Partial<Values>; values: Values; piiReview: boolean },
): Pick<NextMemory, "status" | "piiRisk"> {
  if (before !== null && values.content === before.content && given.confidence === undefined)
    return { status: before.status, piiRisk: before.piiRisk };
  return judge(values, { piiReview });
}

/** A name stays with what is known now: the key of what is replaced is its replacement's, in the same workspace. */
export function keyThatMoves(old: StoredMemory | null, { workspaceId }: Values): string | null {
  return old === null || old.key === "" || old.workspaceId !== (workspaceId ?? "") ? null : old.key;
}

type Person = { id: number; publicId: string };

/** As the draft names them, if it may; else the author, but of a shared memory nobody. */
function speakerOf(
  ctx: Ctx<"now">,
  {
    draft,
    references,
    author,
    session,
  }: { draft: ParsedDraft; references: References; author: Author; session: FoundSession | null },
): Person | null {
  const { input, path, home } = draft;
  if (input.statedBy !== undefined) {
    const named = requireLearnedIn(references, input, path);
    const sessionId = named?.sessionId ?? session?.id;
    const learned = sessionId === undefined ? null : { sessionId, at: named?.at ?? ctx.now() };
    return requireStatedBy(references, input.statedBy, { author, learned, path: `${path}statedBy` });
  }
  return home.ownership === "shared" ? null : { id: author.personId, publicId: author.personPublicId };
}

/** Who said it: as the draft names them, else who changes the words. */
function statedBy(
  { input }: ParsedDraft,
  of: { before: StoredMemory | null; values: Values; speaker: Person | null },
): number | null {
  const { before, values, speaker } = of;
  if (before !== null && input.statedBy === undefined && values.content === before.content) return before.statedBy;
  return speaker?.id ?? null;
}

/** The persons whom the draft names, each once; null when it names none. */
function namedSubjects({ draft, references }: { draft: ParsedDraft; references: References }): Map<number, string> | null {
  if (draft.input.subjects === undefined) return null;
  return new Map(
    draft.input.subjects.map((id, i) => {
      const person = requirePerson(references, id, `${draft.path}subjects[${i}]`);
      return [person.id, person.publicId] as const;
    }),
  );
}

/** Named subjects; else what they were; else the speaker, when a user speaks of themselves. */
function subjectsFor(of: {
  draft: ParsedDraft;
  references: References;
  author: Author;
  speaker: Person | null;
  values: Values;
  before: StoredMemory | null;
}): { ids: number[]; publicIds: string[] } {
  const { speaker, author, values, before } = of;
  const named = namedSubjects(of);
  if (named !== null) return { ids: [...named.keys()], publicIds: [...named.values()] };
  if (before !== null) return { ids: subjectsOf(before), publicIds: [] };
  const ofSelf = values.type === "preference" || values.type === "identity" || isFirstPerson(values.content);
  if (speaker === null || speaker.id !== author.personId || !ofSelf) return { ids: [], publicIds: [] };
  return { ids: [speaker.id], publicIds: [speaker.publicId] };
}

/**
 * Where it was learned: as the draft says, or in its group. A memory of the same words keeps what it had; new words under its key were not
 * learned where the old ones were.
 */
function whereLearned(
  ctx: Ctx<"now">,
  of: { draft: ParsedDraft; references: References; session: FoundSession | null; values: Values; before: StoredMemory | null },
): { stored: Pick<NextMemory, "learnedIn" | "episodeId" | "learnedAt">; shown: MemoryView["learnedIn"] } {
  const { session, before } = of;
  const named = requireLearnedIn(of.references, of.draft.input, of.draft.path);
  if (named !== null) {
    const { sessionId, episodeId, at } = named;
    return { stored: { learnedIn: sessionId, episodeId, learnedAt: at ?? ctx.now() }, shown: named.view };
  }
  if (before !== null && before.content === of.values.content) {
    const { learnedIn, episodeId, learnedAt } = before;
    return { stored: { learnedIn, episodeId, learnedAt }, shown: null };
  }
  return {
    stored: { learnedIn: session?.id ?? null, episodeId: null, learnedAt: ctx.now() },
    shown: session === null ? null : { sessionId: session.externalId, episodeId: null },
  };
}

function findSuperseded(
  of: { draft: ParsedDraft; references: References; author: Author; session: FoundSession | null },
  before: StoredMemory | null,
): StoredMemory | null {
  const { draft, references, author, session } = of;
  const { input, path, home } = draft;
  if (input.supersedes === undefined) return null;
  const found = references.superseded.get(input.supersedes);
  if (found === undefined)
    throw breaksRule(`${path}supersedes`, "There is no such memory in force, or the author may not change it.");
  const space = home.ownership === "shared" ? references.tenantSpace : (session?.spaceId ?? author.spaceId);
  if (found.spaceId !== space) throw breaksRule(`${path}supersedes`, "A memory replaces one of its own home.");
  return found.id === before?.id ? null : found;
}

function findContradicted({ input, path }: ParsedDraft, references: References): number | null {
  if (input.contradicts === undefined) return null;
  const found = references.contradicted.get(input.contradicts);
  if (found === undefined) throw breaksRule(`${path}contradicts`, "There is no such memory, or the author may not hear it.");
  return found;
}

/** Without a key, the same words are only said again; with one, also everything else must be as it was. */
function onlyRepeats(
  before: Existing,
  now: { given: Partial<Values>; values: Values; named: ReadonlyMap<number, string> | null },
): boolean {
  const { given, values } = now;
  if (given.key === undefined || given.key === null) return true;
  const { confidence: _, ...old } = valuesOf(before);
  const next: Omit<Values, "confidence"> = {
    ...values,
    expiresAt: given.expiresAt === undefined ? old.expiresAt : values.expiresAt,
    validFrom: given.validFrom === undefined ? old.validFrom : values.validFrom,
  };
  const subjects = now.named === null ? subjectsOf(before) : [...now.named.keys()];
  return before.isVisible === 1 && sameSet(subjects, subjectsOf(before)) && sameValues(old, next);
}

/** What a person rejected stays rejected, however often it is said, and by whatever name. */
export function isRejected({ before, next }: Decision): boolean {
  return before?.status === "rejected" && before.hash === next.hash;
}

/** 422 where one memory of the call would replace what another one changes or replaces too: neither is the one to come first. */
export function requireDistinctTargets(decisions: readonly Decision[], drafts: readonly ParsedDraft[]): void {
  const touched = decisions.flatMap(({ before, duplicate, times }) => (times === 0 ? [] : [before?.id, duplicate?.id]));
  for (const [place, { superseded }] of decisions.entries()) {
    if (superseded === null) continue;
    const others = decisions.some((decision, other) => other !== place && decision.superseded?.id === superseded.id);
    if (others || touched.includes(superseded.id))
      throw breaksRule(`${drafts[place]?.path}supersedes`, "Another memory of this call changes or replaces this one too.");
  }
}
