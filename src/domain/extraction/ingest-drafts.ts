import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { type IngestOutcome, ingestMemories, type MemoryDraftInput } from "#domain/memories";
import { type EpisodeToRead, type Participant, type Place, readPlace } from "./read-episodes.ts";

export type IngestCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

/** What happened to one draft; `left`: its writer may not be in the session any more. */
export type DraftOutcome = IngestOutcome | "refused" | "left";

/** A draft and the episode that it was extracted from; `draftIn` makes it again for a session that has moved to another project. */
export type Entry = {
  speaker: Participant;
  draft: MemoryDraftInput;
  draftIn: (place: Place) => MemoryDraftInput;
  episode: EpisodeToRead;
};

/** `alongside` goes into the batch that stores the drafts. */
type How = { alongside: readonly Statement[]; keepsOwn: boolean };
type Ingested = { outcomes: DraftOutcome[]; isStored: boolean };

/** Drafts of one call: each that changes a memory is a dozen statements, and an invocation may run a thousand. */
const MAX_DRAFTS = 40;

/** Divides drafts into calls, the oldest first: each call has one speaker, one session, and each key at most once, so that later words win. */
export function batchDrafts(entries: readonly Entry[]): Entry[][] {
  const inOrder = entries.toSorted((a, b) => Date.parse(a.draft.validFrom ?? "") - Date.parse(b.draft.validFrom ?? ""));
  const places = Map.groupBy(inOrder, ({ speaker, draft }) => JSON.stringify([speaker.userId, draft.learnedIn?.sessionId]));
  return [...places.values()].flatMap(splitAtKeys);
}

function splitAtKeys(entries: readonly Entry[]): Entry[][] {
  const calls: Entry[][] = [];
  let keys = new Set<string>();
  for (const entry of entries) {
    const { key, sessionId } = entry.draft;
    const name = key === undefined ? null : JSON.stringify([sessionId, key]);
    const call = calls.at(-1);
    if (call === undefined || call.length >= MAX_DRAFTS || (name !== null && keys.has(name))) {
      calls.push([entry]);
      keys = new Set();
    } else call.push(entry);
    if (name !== null) keys.add(name);
  }
  return calls;
}

/** Without values of a key that are followed by a later one: they would be stored only to be replaced at once. */
export function lastOfKeys<T>(items: readonly T[], of: { nameOf: (item: T) => string | null; atOf: (item: T) => number }): T[] {
  const last = new Map<string, T>();
  for (const item of items) {
    const name = of.nameOf(item);
    const before = name === null ? undefined : last.get(name);
    if (name !== null && (before === undefined || of.atOf(item) >= of.atOf(before))) last.set(name, item);
  }
  return items.filter((item) => {
    const name = of.nameOf(item);
    return name === null || last.get(name) === item;
  });
}

/** How often a session may change its project while one call is stored; after that the call is left to a later try. */
const MAX_MOVES = 3;

/**
 * Remembers the drafts of one call. The batch fails if the session has moved to another project, and the drafts are made again for where
 * it is now.
 *
 * @throws `conflict` if the session moves more than MAX_MOVES times.
 */
export async function ingestBatch(ctx: IngestCtx, call: readonly Entry[], how: How): Promise<Ingested> {
  const [first] = call;
  if (first === undefined) return { outcomes: [], isStored: false };
  let { place } = first.episode;
  for (let moves = 0; ; moves += 1) {
    const drafts = call.map(({ draft, draftIn }) => (moves === 0 ? draft : draftIn(place)));
    const alongside = [...how.alongside, isStillIn(ctx, place), areUnredacted(ctx, call)];
    try {
      return await ingestDrafts(ctx, { userId: first.speaker.externalId, drafts, alongside, keepsOwn: how.keepsOwn });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict" || moves === MAX_MOVES) throw error;
      const now = await readPlace(ctx, place.externalId);
      if (now === undefined || now.project?.id === place.project?.id) throw error;
      place = now;
    }
  }
}

function isStillIn(ctx: Ctx<"db">, { sessionId, project }: Place): Statement {
  return failUnless(
    ctx.db,
    sql`(select s.project_id from sessions s where s.id = ${sessionId} and s.tenant_id = ${ctx.tenantId}) is ${project?.id ?? null}`,
  );
}

/** Words that were redacted since they were read must not come back as a memory: the job reads what is left of them. */
function areUnredacted(ctx: Ctx<"db">, call: readonly Entry[]): Statement {
  const read = JSON.stringify([...new Map(call.map(({ episode: { id, redactions } }) => [id, redactions]))]);
  return failUnless(
    ctx.db,
    sql`not exists (
      select 1 from json_each(${read}) j cross join episodes e on e.id = j.value ->> 0
      where e.tenant_id = ${ctx.tenantId} and e.redactions <> j.value ->> 1)`,
  );
}

type Call = How & { userId: string; drafts: readonly MemoryDraftInput[] };

/** Links to other memories, without which a memory is still worth storing. */
const LINKS = ["supersedes", "contradicts"] as const;

/**
 * Remembers drafts of one speaker in one session. A draft that breaks a rule is left out, and a link that is not allowed is removed.
 * `isStored` says whether anything, and `alongside` with it, was written.
 */
async function ingestDrafts(ctx: IngestCtx, call: Call): Promise<Ingested> {
  const outcomes: DraftOutcome[] = call.drafts.map(() => "refused");
  let waiting = call.drafts.map((draft, place) => ({ draft, place }));
  while (waiting.length > 0) {
    try {
      const memories = waiting.map(({ draft }) => draft);
      const ingested = await ingestMemories(ctx, { userId: call.userId, memories }, call);
      for (const [i, { place }] of waiting.entries()) outcomes[place] = ingested[i]?.outcome ?? "refused";
      return { outcomes, isStored: true };
    } catch (error) {
      const refused = refusalIn(error);
      if (refused === "left") {
        for (const { place } of waiting) outcomes[place] = "left";
        return { outcomes, isStored: false };
      }
      if (refused === null || waiting[refused.index] === undefined) throw error;
      waiting = waiting.flatMap((entry, i) => (i === refused.index ? withoutLink(entry, refused.field) : [entry]));
    }
  }
  return { outcomes, isStored: false };
}

type Waiting = { draft: MemoryDraftInput; place: number };

function withoutLink({ draft, place }: Waiting, field: string): Waiting[] {
  const link = LINKS.find((name) => name === field && draft[name] !== undefined);
  if (link === undefined) return [];
  const { [link]: _, ...rest } = draft;
  return [{ draft: rest, place }];
}

/** Which draft breaks a rule, and in which field; `left` if the writer may not be in the session any more; null for any other failure. */
function refusalIn(error: unknown): { index: number; field: string } | "left" | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === "not_found") return "left";
  const match = /^memories\[(\d+)\]\.(\w+)/u.exec(error.fields[0]?.path ?? "");
  if (error.code !== "unprocessable" || match?.[1] === undefined || match[2] === undefined) return null;
  return { index: Number(match[1]), field: match[2] };
}
