import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { type NextMemory, sameSet } from "./change.ts";
import { contentHash } from "./content-hash.ts";
import { complete, judge, readGiven, sameValues, stricter, type Values } from "./draft.ts";
import { isFirstPerson } from "./first-person.ts";
import {
  type Author,
  type FoundSession,
  type Home,
  type Resolved,
  requireGroup,
  requireLearnedIn,
  requirePerson,
  type Wanted,
} from "./resolve.ts";
import type { MemoryDraftInput, MemoryView } from "./schemas.ts";
import { type StoredMemory, subjectsOf, valuesOf } from "./stored.ts";

/** One memory of a call, and where in the call it stands (`""`, or `memories[3].`). */
export type Draft = { draft: MemoryDraftInput; path: string };

/** A draft, read and hashed, before anything of it is looked up. */
export type ReadDraft = Wanted & {
  given: Partial<Values>;
  own: Values;
  /** How often the call says it; 0 for what another draft stands for. */
  times: number;
};

/** A draft with all that is known of it. */
export type Plan = {
  publicId: string;
  home: Home;
  session: FoundSession | null;
  given: Partial<Values>;
  /** What the caller said by itself, without what the memory was before. */
  own: Values;
  next: NextMemory;
  /** The live memory that it repeats or changes. */
  before: StoredMemory | null;
  /** Whether it only repeats: then it is said again, and no version is kept. */
  isAgain: boolean;
  /** Whether it will be approved, and so replaces what it supersedes. */
  inForce: boolean;
  /** A keyless memory that has the words which the keyed one gets now. */
  twin: StoredMemory | null;
  superseded: StoredMemory | null;
  /** How often the call says it; 0 for what another of its drafts stands for. */
  times: number;
  shown: Pick<MemoryView, "subjects" | "statedBy" | "learnedIn" | "contradicts">;
  jobId: string;
};

export async function readDraft({ draft, path }: Draft, now: number): Promise<ReadDraft> {
  const given = readGiven(draft, { now, path });
  const own = complete(given, null, { now, path });
  const hash = await contentHash(own);
  const [home, key, workspaceId] = [homeOf(draft), own.key ?? "", own.workspaceId ?? ""];
  return { input: draft, path, given, own, hash, home, key, workspaceId, standIn: 0, times: 1 };
}

/**
 * Drafts of one call with the same words in the same home are one memory: the first stands for all, or, for keyless ones, the
 * first with a key. What one of them says of privacy holds for all, the stricter wins.
 */
export function joinRepeats(drafts: readonly ReadDraft[]): ReadDraft[] {
  const places = Map.groupBy(drafts.keys(), (place) => JSON.stringify([drafts[place]?.home, drafts[place]?.hash]));
  const standIns = drafts.map(({ home, hash, key }, place) => {
    const alike = places.get(JSON.stringify([home, hash])) ?? [place];
    return key === "" ? (alike.find((other) => drafts[other]?.key !== "") ?? alike[0] ?? place) : place;
  });
  return drafts.map((draft, place) => {
    const said = drafts.filter((_, other) => standIns[other] === place);
    return { ...(said.length > 1 ? joined(draft, said) : draft), standIn: standIns[place] ?? place, times: said.length };
  });
}

function joined(draft: ReadDraft, said: readonly ReadDraft[]): ReadDraft {
  const all: Pick<Values, "confidence" | "sensitivity" | "portable" | "pinned"> = {
    confidence: Math.max(...said.map(({ own }) => own.confidence)),
    sensitivity: said.map(({ own }) => own.sensitivity).reduce(stricter),
    portable: said.every(({ own }) => own.portable),
    pinned: said.some(({ own }) => own.pinned),
  };
  const named = Object.entries(all).filter(([name]) => said.some(({ given }) => name in given));
  return { ...draft, own: { ...draft.own, ...all }, given: { ...draft.given, ...Object.fromEntries(named) } };
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

/** What is to be done about a draft. 404 and 422 for what it names and may not. */
export async function planOf(
  ctx: Ctx<"now" | "newId">,
  all: { draft: ReadDraft; place: number; resolved: Resolved; author: Author; piiReview: boolean },
): Promise<Plan> {
  const { draft, resolved } = all;
  const { input, path, home, given } = draft;
  const session = home.ownership === "group" ? requireGroup(resolved, home.sessionExternalId, path) : null;
  const before = resolved.existing.get(all.place) ?? null;
  const values = complete(given, before === null ? null : valuesOf(before), { now: ctx.now(), path });
  const speaker = speakerOf(all, session !== null || home.ownership === "personal");
  const subjects = subjectsFor({ ...all, speaker, values, before });
  const learned = whereLearned(ctx, { draft, resolved, session, before });
  const superseded = findSuperseded(draft, resolved, before);
  const judged = judgedAgain(before, { given, values, piiReview: all.piiReview });
  const moves = keyThatMoves(superseded, values);
  const isAgain = before !== null && onlyRepeats(before, { given, values, subjects: subjects.ids });
  const inForce = (isAgain ? before?.status : judged.status) === "approved";
  const next: NextMemory = {
    ...values,
    ...judged,
    key: inForce ? (values.key ?? moves) : before === null && values.key === moves ? null : values.key,
    hash: await contentHash(values),
    subjects: subjects.ids,
    statedBy: statedBy(draft, { before, values, speaker }),
    ...learned.stored,
    supersedes: superseded?.id ?? null,
    contradicts: findContradicted(draft, resolved),
    saidAgain: draft.times,
  };
  return {
    publicId: before?.publicId ?? ctx.newId("memory"),
    home,
    session,
    given,
    own: draft.own,
    next,
    before,
    isAgain,
    inForce,
    twin: resolved.twins.get(all.place) ?? null,
    superseded,
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

function speakerOf(
  { draft, resolved, author }: { draft: ReadDraft; resolved: Resolved; author: Author },
  isSomebodys: boolean,
): Person | null {
  const { statedBy } = draft.input;
  if (statedBy !== undefined) return requirePerson(resolved, statedBy, `${draft.path}statedBy`);
  return isSomebodys ? { id: author.personId, publicId: author.personPublicId } : null;
}

/** Who said it: as the draft names them, else who changes the words. */
function statedBy(
  { input }: ReadDraft,
  of: { before: StoredMemory | null; values: Values; speaker: Person | null },
): number | null {
  const { before, values, speaker } = of;
  if (before !== null && input.statedBy === undefined && values.content === before.content) return before.statedBy;
  return speaker?.id ?? null;
}

/** Named subjects; else what they were; else the speaker, when a user speaks of themselves. */
function subjectsFor(of: {
  draft: ReadDraft;
  resolved: Resolved;
  author: Author;
  speaker: Person | null;
  values: Values;
  before: StoredMemory | null;
}): { ids: number[]; publicIds: string[] } {
  const { draft, speaker, author, values, before } = of;
  if (draft.input.subjects !== undefined) {
    const persons = new Map(
      draft.input.subjects.map((id, i) => {
        const person = requirePerson(of.resolved, id, `${draft.path}subjects[${i}]`);
        return [person.id, person.publicId] as const;
      }),
    );
    return { ids: [...persons.keys()], publicIds: [...persons.values()] };
  }
  if (before !== null) return { ids: subjectsOf(before), publicIds: [] };
  const ofSelf = values.type === "preference" || values.type === "identity" || isFirstPerson(values.content);
  if (speaker === null || speaker.id !== author.personId || !ofSelf) return { ids: [], publicIds: [] };
  return { ids: [speaker.id], publicIds: [speaker.publicId] };
}

/** Where it was learned: as the draft says, or in its group; a memory that is changed keeps what it had. */
function whereLearned(
  ctx: Ctx<"now">,
  of: { draft: ReadDraft; resolved: Resolved; session: FoundSession | null; before: StoredMemory | null },
): { stored: Pick<NextMemory, "learnedIn" | "episodeId" | "learnedAt">; shown: MemoryView["learnedIn"] } {
  const { session, before } = of;
  const named = requireLearnedIn(of.resolved, of.draft.input, of.draft.path);
  if (named !== null) {
    const { sessionId, episodeId, at } = named;
    return { stored: { learnedIn: sessionId, episodeId, learnedAt: at ?? ctx.now() }, shown: named.view };
  }
  if (before !== null) {
    const { learnedIn, episodeId, learnedAt } = before;
    return { stored: { learnedIn, episodeId, learnedAt }, shown: null };
  }
  return {
    stored: { learnedIn: session?.id ?? null, episodeId: null, learnedAt: ctx.now() },
    shown: session === null ? null : { sessionId: session.externalId, episodeId: null },
  };
}

function findSuperseded({ input, path, home }: ReadDraft, resolved: Resolved, before: StoredMemory | null): StoredMemory | null {
  if (input.supersedes === undefined) return null;
  const found = resolved.superseded.get(input.supersedes);
  if (found === undefined)
    throw breaksRule(`${path}supersedes`, "There is no such memory in force, or the author may not change it.");
  if (found.ownership !== home.ownership)
    throw breaksRule(`${path}supersedes`, "A memory replaces one of its own kind: personal, group or shared.");
  return found.id === before?.id ? null : found;
}

function findContradicted({ input, path }: ReadDraft, resolved: Resolved): number | null {
  if (input.contradicts === undefined) return null;
  const found = resolved.contradicted.get(input.contradicts);
  if (found === undefined) throw breaksRule(`${path}contradicts`, "There is no such memory, or the author may not hear it.");
  return found;
}

/** Without a key, the same words are only said again; with one, also everything else must be as it was. */
function onlyRepeats(
  before: StoredMemory,
  now: { given: Partial<Values>; values: Values; subjects: readonly number[] },
): boolean {
  const { given, values } = now;
  if (given.key === undefined || given.key === null) return true;
  const { confidence: _, ...old } = valuesOf(before);
  const next: Omit<Values, "confidence"> = {
    ...values,
    expiresAt: given.expiresAt === undefined ? old.expiresAt : values.expiresAt,
    validFrom: given.validFrom === undefined ? old.validFrom : values.validFrom,
  };
  return sameSet(now.subjects, subjectsOf(before)) && sameValues(old, next);
}

/** What a person rejected stays rejected, however often it is said, and by whatever name. */
export function isRejected({ before, next }: Plan): boolean {
  return before?.status === "rejected" && before.hash === next.hash;
}

/** 422 where one memory of the call would replace what another one changes or replaces too: neither is the one to come first. */
export function requireApart(plans: readonly Plan[], drafts: readonly ReadDraft[]): void {
  const touched = plans.flatMap(({ before, twin, times }) => (times === 0 ? [] : [before?.id, twin?.id]));
  for (const [place, { superseded }] of plans.entries()) {
    if (superseded === null) continue;
    const others = plans.some((plan, other) => other !== place && plan.superseded?.id === superseded.id);
    if (others || touched.includes(superseded.id))
      throw breaksRule(`${drafts[place]?.path}supersedes`, "Another memory of this call changes or replaces this one too.");
  }
}
