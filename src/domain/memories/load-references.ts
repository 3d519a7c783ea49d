import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule, notFound } from "#core/errors";
import type { Statement, StatementResult } from "#db/client";
import { rowsOf } from "#db/rows";
import { runBatch } from "#domain/audit";
import { boundUserOf, isUser, userIdOf } from "#domain/tenants";
import { type MemoryViewerRef, mayEnter, tenantSpaceId } from "#domain/visibility";
import { mayChange, type Writer } from "./authority.ts";
import { readerScope } from "./columns.ts";
import { ALTERNATE_HASHES, isKnownTo, type Relation, relationToWriter } from "./known-to-writer.ts";
import { writerView } from "./place.ts";
import type { MemoryDraftInput } from "./schemas.ts";
import { type StoredMemory, storedColumns, subjectsOf } from "./stored.ts";

export type Author = { userId: number; spaceId: number; personId: number; personPublicId: string; externalId: string };

/** Who writes a shared memory: no user, so that none has said it. */
export const THE_TENANT: Author = { userId: 0, spaceId: 0, personId: 0, personPublicId: "", externalId: "" };

/** Where a memory lives: with its owner, in a group session (by the app's id), or with the tenant. */
export type Home = { ownership: "personal" | "shared" } | { ownership: "group"; sessionExternalId: string };

/** A draft as far as it must be looked up: its place in the call, its home, its words and its key. */
export type Wanted = {
  input: MemoryDraftInput;
  path: string;
  home: Home;
  hash: string;
  /** The same with the persons whom the draft names: of two memories with the same words about different people, the later one's. */
  aboutHash: string | null;
  /** The same as a guess at what its key holds; null without a key. */
  guessHash: string | null;
  /** The hashes of the same words, and of the same guess, beside memories that the writer may not know of. */
  alternateHashes: readonly string[];
  key: string;
  workspaceId: string;
  /** The place in the call of the draft that stands for it; its own, if none does. */
  duplicateOf: number;
};

export type FoundSession = {
  id: number;
  externalId: string;
  kind: "private" | "group";
  spaceId: number;
  mayEnter: number | null;
  /** The episode in question, "" for none, and whether somebody else took part in the group when it was stored, or does now. */
  episodeId: string;
  amongOthers: number;
};

/** `userId` is the user whose own person it is; null for who is no user. */
export type Person = { id: number; publicId: string; userId: number | null };

type Stay = { sessionId: number; userId: number; joinedAt: number; leftAt: number | null };

/** A memory that a draft repeats or changes. */
export type Existing = StoredMemory & Relation;

export type References = {
  author: Author | null;
  sessions: ReadonlyMap<string, FoundSession>;
  episodes: ReadonlyMap<string, { id: number; sessionId: number; createdAt: number }>;
  persons: ReadonlyMap<string, Person>;
  /** Whether the caller is bound to one user, who may name nobody else as who said something. */
  isBound: boolean;
  /** When users whose persons are named in `statedBy` took part in the sessions that are named. */
  stays: readonly Stay[];
  tenantSpace: number | null;
  /** Places in the call of what was learned among others: all drafts that one stands for. */
  amongOthers: ReadonlySet<number>;
  /** By the place in the call: the live memory with the same key, else the one with the same words. No memory is two drafts'. */
  existing: ReadonlyMap<number, Existing>;
  /** A keyless memory with the words of a keyed draft that has no memory yet, or beside the one that it changes. */
  duplicates: ReadonlyMap<number, StoredMemory>;
  /** By the place in the call: a guess with the same words that waits for the same key. */
  guesses: ReadonlyMap<number, Existing>;
  /** By the place in the call: the memory with the same key, where the writer may not know of it. */
  hiddenHolders: ReadonlyMap<number, StoredMemory>;
  /** Hashes of keyless memories that the writer may not know of, by the place in the call. */
  hiddenHashes: ReadonlyMap<number, ReadonlySet<string>>;
  /** Places in the call whose words are there already, whomever they are about. */
  taken: ReadonlySet<number>;
  /** Memories that have expired and were not forgotten yet: they give up their words and their keys. */
  expired: readonly StoredMemory[];
  superseded: ReadonlyMap<string, StoredMemory>;
  contradicted: ReadonlyMap<string, number>;
};

/** Everything that a call names or might repeat, in one round trip. It refuses nothing. */
export async function loadReferences(ctx: Ctx<"db" | "now">, writer: Writer, wanted: readonly Wanted[]): Promise<References> {
  const inputs = wanted.map(({ input }) => input);
  const personIds = inputs.flatMap(({ subjects, statedBy }) => [
    ...(subjects ?? []),
    ...(statedBy === undefined ? [] : [statedBy]),
  ]);
  const parts = {
    author: findAuthor(ctx, writer),
    sessions: findSessions(ctx, writer, wanted),
    episodes: findEpisodes(
      ctx,
      inputs.flatMap(({ learnedIn }) => learnedIn?.episodeId ?? []),
    ),
    persons: personIds.length === 0 ? null : findPersons(ctx, personIds),
    stays: findStays(ctx, inputs),
    tenantSpace: wanted.some(({ home }) => home.ownership === "shared") ? findTenantSpace(ctx) : null,
  };
  const homeGroups = groupByHome(ctx, writer, wanted);
  const existingIn = homeGroups.map((homeGroup) => findExisting(ctx, writer, homeGroup));
  const supersededIn = homeGroups.flatMap((homeGroup) => findSuperseded(ctx, writer, homeGroup));
  const contradictedIn = homeGroups.flatMap((homeGroup) => findContradicted(ctx, homeGroup));
  const named = Object.entries(parts).filter((part): part is [string, Statement] => part[1] !== null);
  const results = await runBatch(ctx, [
    ...named.map(([, statement]) => statement),
    ...existingIn,
    ...supersededIn,
    ...contradictedIn,
  ]);
  const more = results.slice(named.length);
  const found = more.splice(0, existingIn.length).flatMap((result) => rowsFrom<Placed>(result));
  const superseded = more.splice(0, supersededIn.length).flatMap((result) => rowsFrom<StoredMemory>(result));
  const now = ctx.now();
  const expired = new Map(
    found.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now).map((row) => [row.id, row] as const),
  );
  const answerOf = <Row>(name: keyof typeof parts): Row[] => rowsFrom<Row>(results[named.findIndex(([key]) => key === name)]);
  const persons = personsOf(results[named.findIndex(([key]) => key === "persons")]);
  const live = found.filter(({ id }) => !expired.has(id)).toSorted((a, b) => b.id - a.id);
  const known = live.filter((row) => isKnownTo(ctx, writer, row));
  const hidden = live.filter((row) => !known.includes(row));
  const { existing, duplicates } = matchExisting(wanted, known, persons);
  return {
    author: writer.user === null ? THE_TENANT : (answerOf<Author>("author")[0] ?? null),
    sessions: new Map(answerOf<FoundSession>("sessions").map((row) => [row.externalId, row])),
    episodes: new Map(
      answerOf<{ publicId: string; id: number; sessionId: number; createdAt: number }>("episodes").map((row) => [
        row.publicId,
        row,
      ]),
    ),
    persons,
    isBound: boundUserOf(ctx) !== null,
    stays: answerOf<Stay>("stays"),
    tenantSpace: answerOf<{ id: number }>("tenantSpace")[0]?.id ?? null,
    amongOthers: learnedAmongOthers(wanted, answerOf<FoundSession>("sessions")),
    existing,
    duplicates,
    guesses: new Map(known.flatMap((row) => (isGuess(row, wanted[row.place]) ? [[row.place, row] as const] : []))),
    hiddenHolders: new Map(hidden.flatMap((row) => (row.byKey === 1 ? [[row.place, row] as const] : []))),
    hiddenHashes: new Map(
      [...Map.groupBy(hidden, ({ place }) => place)].map(([place, rows]) => [
        place,
        new Set(rows.flatMap(({ byKey, key, hash }) => (byKey === 0 && key === "" ? [hash] : []))),
      ]),
    ),
    taken: new Set(
      known.flatMap(({ place, byKey, key, hash }) => (byKey === 0 && key === "" && hash === wanted[place]?.hash ? [place] : [])),
    ),
    expired: [...expired.values()],
    superseded: new Map(superseded.map((row) => [row.publicId, row])),
    contradicted: new Map(
      more.flatMap((result) => rowsFrom<{ publicId: string; id: number }>(result).map((row) => [row.publicId, row.id] as const)),
    ),
  };
}

/** The statement names its columns as the type does. */
function rowsFrom<Row>(result: StatementResult | undefined): Row[] {
  return (result?.rows ?? []) as Row[];
}

type Placed = Existing & { place: number; byKey: number };

/** Whether a memory waits as a guess at what the draft's key holds. */
function isGuess(row: StoredMemory, draft: Wanted | undefined): boolean {
  return (
    draft?.guessHash != null && (row.hash === draft.guessHash || draft.alternateHashes.slice(ALTERNATE_HASHES).includes(row.hash))
  );
}

/** Drafts that live in one place, as it is heard there. */
type HomeGroup = { viewer: MemoryViewerRef | null; wanted: { place: number; draft: Wanted }[] };

function groupByHome(ctx: Ctx<"now">, writer: Writer, wanted: readonly Wanted[]): HomeGroup[] {
  const placed = wanted.map((draft, place) => ({ place, draft }));
  const groups = Map.groupBy(placed, ({ draft }) => JSON.stringify([sessionOf(draft), draft.workspaceId]));
  return [...groups.values()].map((group) => {
    const [first] = group;
    const place = {
      sessionId: first === undefined ? undefined : sessionOf(first.draft),
      workspaceId: first?.draft.workspaceId || undefined,
    };
    return { viewer: writerView(ctx, writer, place), wanted: group };
  });
}

function sessionOf({ home }: Wanted): string | undefined {
  return home.ownership === "group" ? home.sessionExternalId : undefined;
}

/** Whether a memory of the same words is about the persons whom the draft names; a draft that names none is content with any. */
function isAboutTheSame(row: StoredMemory, { input, aboutHash }: Wanted, persons: References["persons"]): boolean {
  if (aboutHash === null || row.hash === aboutHash) return true;
  const named = new Set((input.subjects ?? []).map((id) => persons.get(id)?.id));
  const subjects = subjectsOf(row);
  return subjects.length === named.size && subjects.every((id) => named.has(id));
}

/**
 * A key finds its memory before words do, unless the draft replaces that one by another. Words find a keyless memory, or, for a
 * keyless draft, any; and for every draft what was rejected, so that no name brings it back.
 */
function matchExisting(
  wanted: readonly Wanted[],
  found: readonly Placed[],
  persons: References["persons"],
): Pick<References, "existing" | "duplicates"> {
  const byWords = found.filter((row) => {
    const draft = wanted[row.place];
    if (row.byKey === 1 || draft === undefined || isGuess(row, draft)) return false;
    return isAboutTheSame(row, draft, persons);
  });
  const existing = new Map<number, Existing>();
  const duplicates = new Map<number, StoredMemory>();
  const keyed = new Map<number, Existing>();
  for (const row of found.filter(({ byKey }) => byKey === 1)) {
    const isSaidAgain = byWords.some(({ place, id }) => place === row.place && id === row.id);
    if (isSaidAgain || wanted[row.place]?.input.supersedes !== row.publicId) keyed.set(row.place, row);
  }
  const taken = new Set([...keyed.values()].map(({ id }) => id));
  for (const [place, { key, duplicateOf }] of wanted.entries()) {
    if (duplicateOf !== place) continue;
    const own = keyed.get(place);
    const same = byWords.filter((row) => row.place === place);
    const free = same.filter(({ id }) => !taken.has(id));
    const alive = free.filter(({ status }) => status !== "rejected");
    const adopted = alive.find((row) => row.key === "") ?? (key === "" ? alive[0] : undefined);
    const isSaidAgain = same.some(({ id }) => id === own?.id);
    const rejected = adopted !== undefined || isSaidAgain ? undefined : free.find(({ status }) => status === "rejected");
    const chosen = rejected ?? own ?? adopted;
    if (chosen !== undefined) existing.set(place, chosen);
    if (own !== undefined && adopted !== undefined) duplicates.set(place, adopted);
    if (adopted !== undefined) taken.add(adopted.id);
  }
  for (const [place, { duplicateOf }] of wanted.entries()) {
    const chosen = existing.get(duplicateOf);
    if (chosen !== undefined) existing.set(place, chosen);
  }
  return { existing, duplicates };
}

function findAuthor(ctx: Ctx<"db">, { user }: Writer): Statement {
  return ctx.db.all(sql`
    select u.id as userId, u.space_id as spaceId, u.external_id as externalId, pe.id as personId, pe.public_id as personPublicId
    from users u cross join persons pe on pe.user_id = u.id
    where ${isUser(ctx.tenantId, user, sql`u`)}`);
}

/** The sessions in which drafts live and were learned; the latter for each episode, because people come and go. */
function findSessions(ctx: Ctx<"db" | "now">, { user }: Writer, wanted: readonly Wanted[]): Statement | null {
  const named = wanted.flatMap((draft) => {
    const home = sessionOf(draft);
    return [...(home === undefined ? [] : [[home, ""]]), ...(isLearned(draft) ? [whereLearned(draft)] : [])];
  });
  if (named.length === 0) return null;
  const at = sql`case j.c1 when '' then ${ctx.now()} else coalesce(
    (select e.created_at from episodes e where e.public_id = j.c1 and e.tenant_id = ${ctx.tenantId}), ${ctx.now()}) end`;
  const distinct = [...new Map(named.map((pair) => [JSON.stringify(pair), pair])).values()];
  return ctx.db.all(sql`
    select s.id as id, s.external_id as externalId, s.kind as kind, s.space_id as spaceId, j.c1 as episodeId,
      ${mayEnter(sql`gu`, sql`s`)} as mayEnter,
      case s.kind when 'group' then exists (
        select 1 from participants op where op.session_id = s.id and op.user_id <> gu.id
          and op.joined_at <= ${at} and (op.left_at is null or op.left_at > ${at})) else 0 end as amongOthers
    from (select ${userIdOf(ctx.tenantId, user)} as id) gu cross join ${rowsOf(distinct)} j
    cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.c0`);
}

function isLearned({ input, home }: Wanted): boolean {
  return input.learnedIn !== undefined || home.ownership === "group";
}

/** The session and the episode, "" for none. */
function whereLearned(draft: Wanted): [session: string, episode: string] {
  const { learnedIn } = draft.input;
  return learnedIn === undefined ? [sessionOf(draft) ?? "", ""] : [learnedIn.sessionId, learnedIn.episodeId ?? ""];
}

function learnedAmongOthers(wanted: readonly Wanted[], found: readonly FoundSession[]): ReadonlySet<number> {
  const places = new Set(
    found.flatMap((row) => (row.amongOthers === 1 ? [JSON.stringify([row.externalId, row.episodeId])] : [])),
  );
  const isAmongOthers = (draft: Wanted) => isLearned(draft) && places.has(JSON.stringify(whereLearned(draft)));
  return new Set(
    [...wanted.keys()].filter((place) => wanted.every((draft) => draft.duplicateOf !== place || isAmongOthers(draft))),
  );
}

function findEpisodes(ctx: Ctx<"db">, ids: readonly string[]): Statement | null {
  if (ids.length === 0) return null;
  return ctx.db.all(sql`
    select e.public_id as publicId, e.id as id, e.session_id as sessionId, e.created_at as createdAt
    from json_each(${JSON.stringify([...new Set(ids)])}) j cross join episodes e on e.public_id = j.value and e.tenant_id = ${ctx.tenantId}`);
}

/** A person that was merged stands for the one that it was merged into. */
export function findPersons(ctx: Ctx<"db">, ids: readonly string[]): Statement {
  return ctx.db.all(sql`
    select pe.public_id as asked, su.id as id, su.public_id as publicId, su.user_id as userId from json_each(${JSON.stringify([...new Set(ids)])}) j
    cross join persons pe on pe.public_id = j.value and pe.tenant_id = ${ctx.tenantId}
    cross join persons su on su.id = coalesce(pe.merged_into, pe.id)`);
}

/** When users who are said to have stated something took part in the groups where it is said to have been learned. */
function findStays(ctx: Ctx<"db">, inputs: readonly MemoryDraftInput[]): Statement | null {
  const wanted = inputs.flatMap(({ statedBy, learnedIn, sessionId }) => {
    const session = learnedIn?.sessionId ?? sessionId;
    return statedBy === undefined || session === undefined ? [] : [[statedBy, session]];
  });
  if (wanted.length === 0) return null;
  return ctx.db.all(sql`
    select s.id as sessionId, su.user_id as userId, pa.joined_at as joinedAt, pa.left_at as leftAt
    from ${rowsOf(wanted)} j
    cross join persons pe on pe.public_id = j.c0 and pe.tenant_id = ${ctx.tenantId}
    cross join persons su on su.id = coalesce(pe.merged_into, pe.id)
    cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.c1 and s.kind = 'group'
    cross join participants pa on pa.session_id = s.id and pa.user_id = su.user_id`);
}

function findTenantSpace(ctx: Ctx<"db">): Statement {
  return ctx.db.all(sql`select id from spaces where public_id = ${tenantSpaceId(ctx.tenantId)} and tenant_id = ${ctx.tenantId}`);
}

/** `wanted` has a column for each hash of `Wanted.apart`: an array of them would count as so many rows read. */
const alternateColumns = sql.raw(
  Array.from({ length: 2 * ALTERNATE_HASHES }, (_, i) => `j.c${8 + i} as alternate_${i}`).join(", "),
);
const alternateNames = sql.raw(Array.from({ length: 2 * ALTERNATE_HASHES }, (_, i) => `w.alternate_${i}`).join(", "));

/** `wanted as (…)`: the drafts with the ids of the spaces in which they would live. */
function wantedCte(ctx: Ctx, { user }: Writer, wanted: HomeGroup["wanted"]) {
  const rows = wanted.map(({ place, draft }) => [
    place,
    draft.home.ownership,
    sessionOf(draft) ?? "",
    draft.hash,
    draft.key,
    draft.workspaceId,
    draft.aboutHash ?? "",
    draft.guessHash ?? "",
    ...Array.from({ length: 2 * ALTERNATE_HASHES }, (_, i) => draft.alternateHashes[i] ?? ""),
  ]);
  return sql`wanted as materialized (
    select j.c0 as place, j.c3 as hash, j.c6 as about_hash, j.c7 as guess_hash, ${alternateColumns}, j.c4 as key, j.c5 as workspace_id,
      case j.c1
        when 'personal' then (select u.space_id from users u where ${isUser(ctx.tenantId, user, sql`u`)})
        when 'group' then (select s.space_id from sessions s where s.tenant_id = ${ctx.tenantId} and s.external_id = j.c2 and s.kind = 'group')
        else (select sp.id from spaces sp where sp.public_id = ${tenantSpaceId(ctx.tenantId)})
      end as space_id
    from ${rowsOf(rows)} j)`;
}

/** Live memories with the words of a draft, or with its key, in the space where it would live. */
function findExisting(ctx: Ctx<"db" | "now">, writer: Writer, { viewer, wanted }: HomeGroup): Statement {
  const { reader, sees } = readerScope(ctx, viewer);
  const hasKey = wanted.some(({ draft }) => draft.key !== "");
  const relation = relationToWriter(ctx, sees, writer);
  return ctx.db.all(sql`
    with ${reader}, ${wantedCte(ctx, writer, wanted)}
    select w.place as place, 0 as byKey, ${relation}, ${storedColumns} from wanted w
    cross join memories m on m.space_id = w.space_id
      and m.hash in (w.hash, w.about_hash, w.guess_hash, ${alternateNames}) and m.deleted_at is null and m.superseded_by is null
    where +m.tenant_id = ${ctx.tenantId}
    ${
      hasKey
        ? sql`union all
          select w.place, 1, ${relation}, ${storedColumns} from wanted w
          cross join memories m on m.space_id = w.space_id and m.key = w.key and m.workspace_id = w.workspace_id
            and m.key <> '' and m.deleted_at is null and m.superseded_by is null
          where +m.tenant_id = ${ctx.tenantId}`
        : sql``
    }`);
}

/** Memories in force that the writer may hear where the draft lives, and may change; any other is not there. */
function findSuperseded(ctx: Ctx<"db" | "now">, writer: Writer, { viewer, wanted }: HomeGroup): Statement[] {
  const { reader, sees } = readerScope(ctx, viewer);
  const ids = [...new Set(wanted.flatMap(({ draft }) => draft.input.supersedes ?? []))];
  if (ids.length === 0) return [];
  return [
    ctx.db.all(sql`
      with ${reader}
      select ${storedColumns} from reader r cross join json_each(${JSON.stringify(ids)}) j cross join memories m on m.public_id = j.value
      where ${sees(sql`m`)} and ${mayChange(ctx, writer, sql`m`)}`),
  ];
}

/** Memories that the writer may hear where the draft lives. */
function findContradicted(ctx: Ctx<"db" | "now">, { viewer, wanted }: HomeGroup): Statement[] {
  const { reader, sees } = readerScope(ctx, viewer);
  const ids = [...new Set(wanted.flatMap(({ draft }) => draft.input.contradicts ?? []))];
  if (ids.length === 0) return [];
  return [
    ctx.db.all(sql`
      with ${reader}
      select m.public_id as publicId, m.id as id from reader r cross join json_each(${JSON.stringify(ids)}) j
      cross join memories m on m.public_id = j.value where ${sees(sql`m`)}`),
  ];
}

/** The session in which a draft says that it lives, if its writer takes part in it. 404 if not, 422 for a private one. */
export function requireGroup(references: References, sessionExternalId: string, path: string): FoundSession {
  const session = references.sessions.get(sessionExternalId);
  if (session?.mayEnter !== 1) throw notFound("session");
  if (session.kind !== "group")
    throw breaksRule(`${path}sessionId`, "A memory of a group needs a group session. Say where it was learned with learnedIn.");
  return session;
}

/** Where a draft says that it was learned. */
export function requireLearnedIn(
  references: References,
  { learnedIn }: MemoryDraftInput,
  path: string,
): {
  sessionId: number;
  episodeId: number | null;
  at: number | null;
  view: { sessionId: string; episodeId: string | null };
} | null {
  if (learnedIn === undefined) return null;
  const session = references.sessions.get(learnedIn.sessionId);
  if (session?.mayEnter !== 1) throw notFound("session");
  const episode = learnedIn.episodeId === undefined ? null : references.episodes.get(learnedIn.episodeId);
  if (episode === undefined || (episode !== null && episode.sessionId !== session.id))
    throw breaksRule(`${path}learnedIn.episodeId`, "There is no such episode in that session.");
  return {
    sessionId: session.id,
    episodeId: episode?.id ?? null,
    at: episode?.createdAt ?? null,
    view: { sessionId: learnedIn.sessionId, episodeId: learnedIn.episodeId ?? null },
  };
}

/** Persons by the ids that they were asked for with. */
export function personsOf(result: StatementResult | undefined): References["persons"] {
  return new Map(rowsFrom<Person & { asked: string }>(result).map((row) => [row.asked, row]));
}

/**
 * The person who is said to have stated a memory: the author, or somebody who took part where it was learned, when it was. 422 for anybody
 * else, so that nobody's words are made up where they were not. A caller that is bound to one user states what that user said, as it could
 * open a group with anybody and store words as theirs there: 403.
 */
export function requireStatedBy(
  references: References,
  id: string,
  of: { author: Author; learned: { sessionId: number; at: number } | null; path: string },
): Person {
  const { author, learned, path } = of;
  if (references.isBound && references.persons.get(id)?.id !== author.personId)
    throw new AppError(
      "forbidden",
      "This key is bound to one user and states only what that user said. Leave statedBy out, or use a server key, which may name who took part.",
      { fields: [{ path, message: "Only the user's own person may be named." }] },
    );
  const person = requirePerson(references, id, path);
  const tookPart = references.stays.some(
    ({ sessionId, userId, joinedAt, leftAt }) =>
      learned !== null &&
      sessionId === learned.sessionId &&
      userId === person.userId &&
      joinedAt <= learned.at &&
      (leftAt === null || leftAt > learned.at),
  );
  if (person.id === author.personId || tookPart) return person;
  throw breaksRule(
    path,
    "A memory is stated by the user for whom the request acts, or by somebody who took part in the session of learnedIn when it was learned. Leave statedBy out, or say in learnedIn where it was said.",
  );
}

export function requirePerson(references: Pick<References, "persons">, id: string, path: string): Person {
  const person = references.persons.get(id);
  if (person === undefined) throw breaksRule(path, "There is no such person.");
  return person;
}
