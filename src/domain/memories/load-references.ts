import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, read, statement } from "#db/client";
import { flag, integer, nullable, type RowOf, row, text } from "#db/row";
import { rowsOf } from "#db/rows";
import { boundUserOf, isUser, userIdOf } from "#domain/tenants";
import { mayEnter, tenantSpaceId } from "#domain/visibility";
import { isKnownTo, type Writer } from "./access.ts";
import { findContradicted, findExisting, findSuperseded, groupByHome, type Met, matchExisting } from "./match-existing.ts";
import { type ParsedDraft, sessionOf } from "./parse-input.ts";
import type { StoredMemory } from "./rows.ts";
import type { MemoryDraftInput } from "./schemas.ts";

const AUTHOR = row({
  userId: integer(sql`u.id`),
  spaceId: integer(sql`u.space_id`),
  externalId: text(sql`u.external_id`),
  personId: integer(sql`pe.id`),
  personPublicId: text(sql`pe.public_id`),
});

export type Author = RowOf<typeof AUTHOR>;

/** The author of a shared memory: no user, so nobody has stated it. */
export const THE_TENANT: Author = { userId: 0, spaceId: 0, personId: 0, personPublicId: "", externalId: "" };

const PERSON = row({
  /** The id that the call named. */
  asked: text(sql`pe.public_id`),
  id: integer(sql`su.id`),
  publicId: text(sql`su.public_id`),
  /** The user whose own person it is; null for a person who is no user. */
  userId: nullable(integer(sql`su.user_id`)),
});

export type Person = { id: number; publicId: string; userId: number | null };

const EPISODE = row({
  publicId: text(sql`e.public_id`),
  id: integer(sql`e.id`),
  sessionId: integer(sql`e.session_id`),
  createdAt: integer(sql`e.created_at`),
});

const STAY = row({
  sessionId: integer(sql`s.id`),
  userId: integer(sql`su.user_id`),
  joinedAt: integer(sql`pa.joined_at`),
  leftAt: nullable(integer(sql`pa.left_at`)),
});

const SPACE = row({ id: integer(sql`sp.id`) });

/** The row of a session `s`, for the user `gu` and the pair `j` of `findSessions`; `at` is when the episode was stored, or now. */
function sessionColumns(at: SQL) {
  return {
    id: integer(sql`s.id`),
    externalId: text(sql`s.external_id`),
    kind: text<"private" | "group">(sql`s.kind`),
    spaceId: integer(sql`s.space_id`),
    /** "" for none. */
    episodeId: text(sql`j.c1`),
    mayEnter: flag(mayEnter(sql`gu`, sql`s`)),
    /** Whether another user took part in the group at that time. */
    amongOthers: flag(sql`case s.kind when 'group' then exists (
      select 1 from participants op where op.session_id = s.id and op.user_id <> gu.id
        and op.joined_at <= ${at} and (op.left_at is null or op.left_at > ${at})) else 0 end`),
  };
}

export type FoundSession = RowOf<ReturnType<typeof sessionColumns>>;

export type References = {
  /** Null for a user who does not exist yet. */
  author: Author | null;
  sessions: ReadonlyMap<string, FoundSession>;
  episodes: ReadonlyMap<string, RowOf<typeof EPISODE>>;
  persons: ReadonlyMap<string, Person>;
  /** Whether the caller is bound to one user: they may name only that user in `statedBy`. */
  isBound: boolean;
  /** When the users named in `statedBy` took part in the named sessions. */
  stays: readonly RowOf<typeof STAY>[];
  tenantSpace: number | null;
  /** Positions in the call of drafts that were learned among others. A draft with duplicates has an entry for each of them. */
  amongOthers: ReadonlySet<number>;
  /** The existing memories that match each draft in its space. */
  met: readonly Met[];
  /** Expired memories that are not forgotten yet: they release their words and keys. */
  expired: readonly StoredMemory[];
  superseded: ReadonlyMap<string, StoredMemory>;
  contradicted: ReadonlyMap<string, number>;
};

/** Loads what a call names or might repeat, in one round trip. It refuses nothing. */
export async function loadReferences(
  ctx: Ctx<"db" | "now">,
  writer: Writer,
  drafts: readonly ParsedDraft[],
): Promise<References> {
  const inputs = drafts.map(({ input }) => input);
  const personIds = inputs.flatMap(({ subjects = [], statedBy }) =>
    statedBy === undefined ? subjects : [...subjects, statedBy],
  );
  const homes = groupByHome(ctx, writer, drafts);
  const found = await read(ctx, {
    author: findAuthor(ctx, writer),
    sessions: findSessions(ctx, writer, drafts),
    episodes: findEpisodes(
      ctx,
      inputs.flatMap(({ learnedIn }) => learnedIn?.episodeId ?? []),
    ),
    persons: personIds.length === 0 ? null : findPersons(ctx, personIds),
    stays: findStays(ctx, inputs),
    tenantSpace: drafts.some(({ home }) => home.ownership === "shared") ? findTenantSpace(ctx) : null,
    placed: homes.map((home) => findExisting(ctx, writer, home)),
    superseded: homes.flatMap((home) => findSuperseded(ctx, writer, home)),
    contradicted: homes.flatMap((home) => findContradicted(ctx, home)),
  });
  const persons = byAskedId(found.persons);
  const now = ctx.now();
  const isExpired = ({ expiresAt }: StoredMemory) => expiresAt !== null && expiresAt <= now;
  const live = found.placed.filter((memory) => !isExpired(memory)).toSorted((a, b) => b.id - a.id);
  const known = live.filter((memory) => isKnownTo(ctx, writer, memory));
  const hidden = live.filter((memory) => !known.includes(memory));
  return {
    author: writer.user === null ? THE_TENANT : (found.author[0] ?? null),
    sessions: new Map(found.sessions.map((session) => [session.externalId, session])),
    episodes: new Map(found.episodes.map((episode) => [episode.publicId, episode])),
    persons,
    isBound: boundUserOf(ctx) !== null,
    stays: found.stays,
    tenantSpace: found.tenantSpace[0]?.id ?? null,
    amongOthers: learnedAmongOthers(drafts, found.sessions),
    met: matchExisting(drafts, { known, hidden, persons }),
    expired: [...new Map(found.placed.filter(isExpired).map((memory) => [memory.id, memory])).values()],
    superseded: new Map(found.superseded.map((memory) => [memory.publicId, memory])),
    contradicted: new Map(found.contradicted.map(({ publicId, id }) => [publicId, id])),
  };
}

function findAuthor(ctx: Ctx, { user }: Writer): Query<Author> {
  return statement(
    AUTHOR,
    sql`
    select ${AUTHOR.columns} from users u cross join persons pe on pe.user_id = u.id where ${isUser(ctx.tenantId, user, sql`u`)}`,
  );
}

/** The sessions in which drafts are stored and were learned. The latter once for each episode, because participants change. */
function findSessions(ctx: Ctx<"now">, { user }: Writer, drafts: readonly ParsedDraft[]): Query<FoundSession> | null {
  const named = drafts.flatMap((draft) => {
    const home = sessionOf(draft);
    return [...(home === undefined ? [] : [[home, ""]]), ...(isLearned(draft) ? [whereLearned(draft)] : [])];
  });
  if (named.length === 0) return null;
  const at = sql`case j.c1 when '' then ${ctx.now()} else coalesce(
    (select e.created_at from episodes e where e.public_id = j.c1 and e.tenant_id = ${ctx.tenantId}), ${ctx.now()}) end`;
  const shape = row(sessionColumns(at));
  const distinct = [...new Map(named.map((pair) => [JSON.stringify(pair), pair])).values()];
  return statement(
    shape,
    sql`
    select ${shape.columns} from (select ${userIdOf(ctx.tenantId, user)} as id) gu cross join ${rowsOf(distinct)} j
    cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.c0`,
  );
}

function isLearned({ input, home }: ParsedDraft): boolean {
  return input.learnedIn !== undefined || home.ownership === "group";
}

/** The session and the episode, "" for none. */
function whereLearned(draft: ParsedDraft): [session: string, episode: string] {
  const { learnedIn } = draft.input;
  return learnedIn === undefined ? [sessionOf(draft) ?? "", ""] : [learnedIn.sessionId, learnedIn.episodeId ?? ""];
}

function learnedAmongOthers(drafts: readonly ParsedDraft[], found: readonly FoundSession[]): ReadonlySet<number> {
  const places = new Set(
    found.flatMap(({ amongOthers, externalId, episodeId }) => (amongOthers ? [JSON.stringify([externalId, episodeId])] : [])),
  );
  const isAmongOthers = (draft: ParsedDraft) => isLearned(draft) && places.has(JSON.stringify(whereLearned(draft)));
  return new Set(
    [...drafts.keys()].filter((place) => drafts.every((draft) => draft.duplicateOf !== place || isAmongOthers(draft))),
  );
}

function findEpisodes(ctx: Ctx, ids: readonly string[]): Query<RowOf<typeof EPISODE>> | null {
  if (ids.length === 0) return null;
  return statement(
    EPISODE,
    sql`
    select ${EPISODE.columns}
    from json_each(${JSON.stringify([...new Set(ids)])}) j cross join episodes e on e.public_id = j.value and e.tenant_id = ${ctx.tenantId}`,
  );
}

/** A merged person, as its survivor. */
export function findPersons(ctx: Ctx, ids: readonly string[]): Query<RowOf<typeof PERSON>> {
  return statement(
    PERSON,
    sql`
    select ${PERSON.columns} from json_each(${JSON.stringify([...new Set(ids)])}) j
    cross join persons pe on pe.public_id = j.value and pe.tenant_id = ${ctx.tenantId}
    cross join persons su on su.id = coalesce(pe.merged_into, pe.id)`,
  );
}

/** Persons by the ids that the call named. */
export function byAskedId(found: readonly RowOf<typeof PERSON>[]): ReadonlyMap<string, Person> {
  return new Map(found.map((person) => [person.asked, person]));
}

/** When the users named in `statedBy` took part in the groups where the memory was learned. */
function findStays(ctx: Ctx, inputs: readonly MemoryDraftInput[]): Query<RowOf<typeof STAY>> | null {
  const named = inputs.flatMap(({ statedBy, learnedIn, sessionId }) => {
    const session = learnedIn?.sessionId ?? sessionId;
    return statedBy === undefined || session === undefined ? [] : [[statedBy, session]];
  });
  if (named.length === 0) return null;
  return statement(
    STAY,
    sql`
    select ${STAY.columns} from ${rowsOf(named)} j
    cross join persons pe on pe.public_id = j.c0 and pe.tenant_id = ${ctx.tenantId}
    cross join persons su on su.id = coalesce(pe.merged_into, pe.id)
    cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.c1 and s.kind = 'group'
    cross join participants pa on pa.session_id = s.id and pa.user_id = su.user_id`,
  );
}

function findTenantSpace(ctx: Ctx): Query<{ id: number }> {
  return statement(
    SPACE,
    sql`select ${SPACE.columns} from spaces sp where sp.public_id = ${tenantSpaceId(ctx.tenantId)} and sp.tenant_id = ${ctx.tenantId}`,
  );
}
