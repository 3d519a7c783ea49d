import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { analyse } from "#core/text/analyse";
import type { QueryTerm } from "#core/text/query";
import { type Query, statement } from "#db/client";
import { integer, row } from "#db/row";
import {
  decidedMemories,
  MARK,
  MAX_FROM_OTHERS,
  type MemoryType,
  ownSpace,
  personTokens,
  type SeenMemory,
  type SeenRow,
  seenShape,
  spaceOfOthers,
} from "#domain/memories";
import { type MemoryViewerRef, memorySpaces, ownTokens, readerCte, seesMemory } from "#domain/visibility";
import type { Span } from "./find-episodes.ts";
import { type IdList, idsByTerm, type Posting, postings, union } from "./postings.ts";

/** The most memories that are read for a word of the question; the newest are read. */
const MAX_MATCHES = 5_000;
/**
 * Memories about one named person in the viewer's own spaces that are candidates without another word of the question; the newest are read.
 */
const MAX_ABOUT = 500;
/** The most persons that a question can be about; for a common name, those that were created first. */
const MAX_PEOPLE = 20;

/**
 * Whom a question is about: names in it, persons that the request names (public ids), and the asker. `self`: `spoken` when the asker refers
 * to themselves, so that what others said about them may answer; `asked` when they ask what is known about them.
 */
export type AskedPeople = { keys: readonly string[]; ids: readonly string[]; self: "no" | "spoken" | "asked" };

export type MemoryFilter = { types: readonly MemoryType[] | null; span: Span; onlyAbout: boolean };

export type MemoryQuestion = { viewer: MemoryViewerRef; people: AskedPeople; filter: MemoryFilter };

/** A subquery for `MemoryViewerRef.about`: what `askedCte` found. */
export const ASKED: SQL = sql`select person_id from asked`;

/** `asked (person_id, key, named)`: the persons that the question is about, each merged person as its survivor. */
function askedCte({ viewer, people }: MemoryQuestion): SQL {
  const { tenantId } = viewer;
  return sql`asked (person_id, key, named) as materialized (
    select person_id, key, 1 from (
      select coalesce(ap.merged_into, ap.id) as person_id, an.name_key as key
      from json_each(${JSON.stringify(people.keys)}) ak
      cross join person_names an on an.tenant_id = ${tenantId} and an.name_key = ak.value and an.person_id in (
        select af.person_id from person_names af where af.tenant_id = ${tenantId} and af.name_key = ak.value
        order by af.person_id limit ${MAX_PEOPLE})
      cross join persons ap on ap.id = an.person_id order by ap.id limit ${MAX_PEOPLE})
    union all
    select coalesce(ai.merged_into, ai.id), '', 1 from json_each(${JSON.stringify(people.ids)}) aj
    cross join persons ai on ai.public_id = aj.value and ai.tenant_id = ${tenantId}
    ${people.self === "no" ? sql`` : sql`union all select ar.person_id, '', ${people.self === "asked"} from reader ar`})`;
}

export function withReader(question: MemoryQuestion): SQL {
  return sql`with ${readerCte(question.viewer)}, ${askedCte(question)}`;
}

/** Whether the memory row `m` passes the filters of the request; visibility is decided separately. */
export function passesFilter({ types, span, onlyAbout }: MemoryFilter): SQL {
  const conditions = [
    ...(types === null ? [] : [sql`m.type in (${sql.raw(types.map((type) => `'${type}'`).join(", ") || "null")})`]),
    ...(span.from === null ? [] : [sql`m.valid_from >= ${span.from}`]),
    ...(span.to === null ? [] : [sql`m.valid_from < ${span.to}`]),
    ...(onlyAbout
      ? [sql`exists (select 1 from memory_subjects so where so.memory_id = m.id and so.person_id in (${ASKED}))`]
      : []),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/**
 * `matches (own, others)`: the first parts of a MATCH: for the viewer's own spaces, which are searched completely, and for memories of
 * other spaces about the persons asked about, of which the newest are read.
 */
function matchesCte({ viewer }: MemoryQuestion): SQL {
  return sql`matches (own, others) as materialized (
    select ${ownSpace(sql`own`, null)}, ${spaceOfOthers(sql`own`, sql`people`)}
    from (select ${ownTokens(viewer)} as own, ${personTokens(ASKED)} as people))`;
}

/** Ids of the newest memories of other spaces about the persons asked about, from `matches`; `words` is the rest of the MATCH. */
function newestFromOthers(words: SQL): SQL {
  return sql`
    select f.rowid as id from memory_fts f where f.memory_fts match ((select others from matches) || ${words})
    order by f.rowid desc limit ${MAX_FROM_OTHERS}`;
}

type MemoryQueries = { words: Query<Posting> | null; people: Query<Posting> | null; spaces: Query<{ id: number }> | null };

const SPACE = row({ id: integer(sql`sid`) });

/**
 * The queries of the first round trip; none without a question. `words`: for each term the ids of the visible memories that contain it.
 * `people`: for each named person the ids of memories about them. `spaces`: where vectors are searched. Every MATCH names the spaces it may
 * search, and the rule is evaluated once for each memory.
 */
export function findMemories(question: MemoryQuestion | null, terms: readonly QueryTerm[]): MemoryQueries {
  if (question === null) return { words: null, people: null, spaces: null };
  const spaces = sql.join(
    memorySpaces(question.viewer).map((space) => sql`select ${space} as sid`),
    sql` union all `,
  );
  return {
    words: terms.length === 0 ? null : findByWords(question, terms),
    people: findByPeople(question),
    spaces: statement(
      SPACE,
      sql`with ${readerCte(question.viewer)} select ${SPACE.columns} from (${spaces}) where sid is not null`,
    ),
  };
}

function findByWords(question: MemoryQuestion, terms: readonly QueryTerm[]): Query<Posting> {
  const { viewer, filter } = question;
  const sees = sql`${seesMemory(viewer, sql`m`)} and ${passesFilter(filter)}`;
  const names = terms.map(({ term }) => term);
  const said = names.map((term) => `"${term}"`);
  const anySaid = ` AND text : (${said.join(" OR ")})`;
  const anyTerm = ` AND text : (${[...said, ...names.map((term) => `"${MARK}${term}"`)].join(" OR ")})`;
  const thisSaid = sql`' AND text : "' || t.value || '"'`;
  const thisTerm = sql`' AND text : ("' || t.value || ${`" OR "${MARK}`} || t.value || '")'`;
  const shape = postings(
    sql`t.value`,
    sql`
    select f.rowid as id from memory_fts f
    where f.memory_fts match ((select own from matches) || ${thisTerm}) and +f.rowid in (select id from seen)
    union all
    select id from (${newestFromOthers(thisSaid)}) where id in (select id from seen)`,
  );
  return statement(
    shape,
    sql`
    ${withReader(question)}, ${matchesCte(question)},
    seen (id) as materialized (
      select id from (
        select m.id as id from memory_fts f cross join reader r cross join memories m on m.id = f.rowid
        where f.memory_fts match ((select own from matches) || ${anyTerm}) and ${sees}
        order by f.rowid desc limit ${MAX_MATCHES})
      union
      select m.id from (${newestFromOthers(sql`${anySaid}`)}) others cross join reader r cross join memories m on m.id = others.id where ${sees})
    select ${shape.columns} from json_each(${JSON.stringify(names)}) t where exists (select 1 from seen)`,
  );
}

/** For each named person the memories about them in the viewer's own spaces, and the newest of those in other spaces. */
function findByPeople(question: MemoryQuestion): Query<Posting> {
  const { viewer, filter } = question;
  const sees = sql`${seesMemory(viewer, sql`m`)} and ${passesFilter(filter)}`;
  const latest = (match: SQL, limit: number) => sql`
    select m.id as id from (
      select f.rowid as id from memory_fts f where f.memory_fts match (${match}) order by f.rowid desc limit ${limit}) near
    cross join reader r cross join memories m on m.id = near.id where ${sees}`;
  const own = latest(ownSpace(sql`n.own`, sql`n.person`), MAX_ABOUT);
  const others = latest(spaceOfOthers(sql`n.own`, sql`n.person`), MAX_FROM_OTHERS);
  const shape = postings(sql`n.key`, sql`${own} union all ${others}`);
  return statement(
    shape,
    sql`
    ${withReader(question)},
    named (key, person, own) as materialized (
      select a.key, ${personTokens(sql`select a.person_id as person_id`)}, ${ownTokens(viewer)} from asked a where a.named = 1)
    select ${shape.columns} from named n`,
  );
}

/** The ids of the memories that the first round trip found. */
export type FoundMemories = {
  /** In the order of the question's terms. A memory about a named person counts as containing the words of the name. */
  postings: IdList[];
  /** About a person that the request or the question names. */
  about: IdList;
  spaces: number[];
  total: number;
};

export function readMemories(
  { words, people, spaces }: { words: readonly Posting[]; people: readonly Posting[]; spaces: readonly { id: number }[] },
  terms: readonly QueryTerm[],
): FoundMemories {
  const persons = people.map(({ key, ids }) => ({ tokens: new Set(analyse(key)), ids }));
  const byTerm = idsByTerm(words, terms);
  const lists = terms.map(({ term }, i) =>
    union([...byTerm.slice(i, i + 1), ...persons.filter(({ tokens }) => tokens.has(term)).map(({ ids }) => ids)]),
  );
  const about = union(persons.map(({ ids }) => ids));
  return { postings: lists, about, spaces: spaces.map(({ id }) => id), total: union([...lists, about]).length };
}

/** A memory that the viewer may see. */
export type VisibleMemory = { kind: "memory"; id: number; text: string; memory: SeenMemory };

function selectSeen({ viewer }: MemoryQuestion, select: (columns: SQL) => SQL): Query<SeenRow> {
  const shape = seenShape(viewer);
  return statement(shape, select(shape.columns));
}

/** Loads those of the memories that exist and that the viewer may see. The statement that loads them decides visibility. */
export function loadMemories(question: MemoryQuestion, ids: readonly number[]): Query<SeenRow> {
  return selectSeen(
    question,
    (columns) => sql`
    ${withReader(question)}
    select ${columns} from reader r cross join json_each(${JSON.stringify(ids)}) j
    cross join memories m on m.id = j.value
    where ${seesMemory(question.viewer, sql`m`)} and ${passesFilter(question.filter)}`,
  );
}

/**
 * The memories that were stored last, of those that the viewer may see: their own, their group's, shared ones, and those about the persons
 * they ask about.
 */
export function loadRecentMemories(question: MemoryQuestion, limit: number): Query<SeenRow> {
  const { viewer, filter } = question;
  const sees = sql`${seesMemory(viewer, sql`m`)} and ${passesFilter(filter)}`;
  const latest = [
    ...memorySpaces(viewer).map(
      (space) => sql`
        select id from (
          select m.id as id from memories m cross join reader r where m.space_id = ${space} and m.deleted_at is null and ${sees}
          order by m.id desc limit ${limit})`,
    ),
    sql`
      select id from (
        select m.id as id from (${newestFromOthers(sql`''`)}) others cross join reader r cross join memories m on m.id = others.id
        where ${sees} order by m.id desc limit ${limit})`,
  ];
  return selectSeen(
    question,
    (columns) => sql`
    ${withReader(question)}, ${matchesCte(question)}, latest (id) as materialized (
      select id from (${sql.join(latest, sql` union `)}) order by id desc limit ${limit})
    select ${columns} from reader r cross join latest cross join memories m on m.id = latest.id
    where ${sees} order by m.id desc limit ${limit}`,
  );
}

/** SQL has decided already; the pure rule checks again. */
export function visibleMemories(ctx: Ctx<"log">, question: MemoryQuestion, rows: readonly SeenRow[]): VisibleMemory[] {
  return decidedMemories(ctx, question.viewer, rows).map((memory) => ({
    kind: "memory",
    id: memory.id,
    text: memory.content,
    memory,
  }));
}
