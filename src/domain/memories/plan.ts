import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { tenantSpaceId } from "#domain/visibility";
import type { NextMemory } from "./change.ts";
import { contentHash } from "./content-hash.ts";
import { complete, judge, readGiven, type Values } from "./draft.ts";
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
export type ReadDraft = Wanted & { given: Partial<Values>; own: Values };

/** A draft with all that is known of it. */
export type Plan = {
  publicId: string;
  home: Home;
  spaceId: SQL;
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
  contradicts: number | null;
  shown: Pick<MemoryView, "subjects" | "statedBy" | "learnedIn" | "contradicts">;
  jobId: string;
};

export async function readDraft({ draft, path }: Draft, now: number): Promise<ReadDraft> {
  const given = readGiven(draft, { now, path });
  const own = complete(given, null, { now, path });
  const hash = await contentHash(own);
  return { input: draft, path, given, own, hash, home: homeOf(draft), key: own.key ?? "", workspaceId: own.workspaceId ?? "" };
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
  const { draft, resolved, author } = all;
  const { input, path, home, given } = draft;
  const session = home.ownership === "group" ? requireGroup(resolved, home.sessionExternalId, path) : null;
  const before = resolved.existing.get(all.place) ?? null;
  const values = complete(given, before === null ? null : valuesOf(before), { now: ctx.now(), path });
  const speaker = speakerOf(all, session !== null || home.ownership === "personal");
  const subjects = subjectsFor({ ...all, speaker, values, before });
  const learned = whereLearned(ctx, { draft, resolved, session, before });
  const superseded = findSuperseded(draft, resolved);
  const next: NextMemory = {
    ...values,
    ...judge(values, { piiReview: all.piiReview }),
    hash: await contentHash(values),
    subjects: subjects.ids,
    statedBy: speaker?.id ?? null,
    ...learned.stored,
    supersedes: superseded?.id ?? null,
    saidAgain: 1,
  };
  const isAgain = before !== null && onlyRepeats(before, { given, values, subjects: subjects.ids });
  return {
    publicId: before?.publicId ?? ctx.newId("memory"),
    home,
    spaceId: spaceOf(ctx, { home, session, author }),
    session,
    given,
    own: draft.own,
    next,
    before,
    isAgain,
    inForce: (isAgain ? before?.status : next.status) === "approved",
    twin: resolved.twins.get(all.place) ?? null,
    superseded: superseded?.id === before?.id ? null : superseded,
    contradicts: findContradicted(draft, resolved),
    shown: {
      subjects: subjects.publicIds,
      statedBy: speaker?.publicId ?? null,
      learnedIn: learned.shown,
      contradicts: input.contradicts === undefined ? [] : [input.contradicts],
    },
    jobId: ctx.newId("job"),
  };
}

function spaceOf(ctx: Ctx, at: { home: Home; session: FoundSession | null; author: Author }): SQL {
  if (at.home.ownership === "shared")
    return sql`(select sp.id from spaces sp where sp.public_id = ${tenantSpaceId(ctx.tenantId)})`;
  return sql.raw(String(at.session?.spaceId ?? at.author.spaceId));
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

function findSuperseded({ input, path, home }: ReadDraft, resolved: Resolved): StoredMemory | null {
  if (input.supersedes === undefined) return null;
  const found = resolved.superseded.get(input.supersedes);
  if (found === undefined)
    throw breaksRule(`${path}supersedes`, "There is no such memory in force, or the author may not change it.");
  if (found.ownership !== home.ownership)
    throw breaksRule(`${path}supersedes`, "A memory replaces one of its own kind: personal, group or shared.");
  return found;
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
  if (now.given.key === undefined || now.given.key === null) return true;
  const { confidence: _, expiresAt: __, validFrom: ___, ...old } = valuesOf(before);
  const { confidence: _1, expiresAt: _2, validFrom: _3, ...next } = now.values;
  const sameSubjects = JSON.stringify(subjectsOf(before).toSorted()) === JSON.stringify([...now.subjects].sort());
  return sameSubjects && JSON.stringify(sorted(old)) === JSON.stringify(sorted(next));
}

function sorted(values: Record<string, unknown>): [string, unknown][] {
  return Object.entries(values).sort(([a], [b]) => a.localeCompare(b));
}

/** Drafts of one call with the same words in the same home are one memory: the first of them stands for all. */
export function firstOfEach(plans: readonly Plan[]): Map<Plan, Plan> {
  const firsts = new Map<string, Plan>();
  return new Map(
    plans.map((plan) => {
      const name = plan.before === null ? JSON.stringify([plan.home, plan.next.hash, plan.next.key]) : String(plan.before.id);
      const first = firsts.get(name) ?? plan;
      firsts.set(name, first);
      return [plan, first];
    }),
  );
}

/** What a person rejected stays rejected, however often it is said. */
export function isRejected({ before, isAgain }: Plan): boolean {
  return before?.status === "rejected" && isAgain;
}
