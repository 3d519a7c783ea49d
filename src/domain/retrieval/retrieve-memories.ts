import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { analyse } from "#core/text/analyse";
import type { QueryTerm } from "#core/text/query";
import type { Statement, StatementResult } from "#db/client";
import { MAX_FROM_OTHERS, type MemoryType, ownSpace, ownTokens, personTokens, spaceOfOthers } from "#domain/memories";
import { type MemoryViewerRef, memorySpaces, readerCte, seesMemory } from "#domain/visibility";
import { ascending, type IdList, union } from "./rank/id-list.ts";
import type { Span } from "./retrieve-text.ts";

/** Memories that hold a word of the question, at most; the newest are looked at. */
const MAX_MATCHES = 5_000;
/** Of what the viewer's own spaces have about one named person, the newest are proposed without sharing another word with the question. */
const MAX_ABOUT = 500;
/** Persons that a question can be about; of a common name, the first that were made. */
const MAX_PEOPLE = 20;

/**
 * Whom a question is about: names in it, persons that the request names (public ids), and the asker. `self`: `spoken` when the asker
 * speaks of themselves, so that what others said about them may answer; `asked` when they ask what is known about them.
 */
export type AskedPeople = { keys: readonly string[]; ids: readonly string[]; self: "no" | "spoken" | "asked" };

export type MemoryFilter = { types: readonly MemoryType[] | null; span: Span; onlyAbout: boolean };

export type MemoryQuestion = { viewer: MemoryViewerRef; people: AskedPeople; filter: MemoryFilter };

/** The body of a subquery for `MemoryViewerRef.about`: what `askedCte` found. */
export const ASKED: SQL = sql`select person_id from asked`;

/** `asked (person_id, key, named)`: the persons that the question is about. Whoever was merged stands for the survivor. */
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
    ${people.self === "no" ? sql`` : sql`union all select ar.person_id, '', ${people.self === "asked" ? 1 : 0} from reader ar`})`;
}

export function withReader(question: MemoryQuestion): SQL {
  return sql`with ${readerCte(question.viewer)}, ${askedCte(question)}`;
}

/** Whether the memory row `m` is what the query asks for, beside being visible. */
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
 * `matches (own, told)`: the first parts of a MATCH in the viewer's own spaces, where it may look at everything, and for what is about
 * the persons who are asked about elsewhere, where it looks at the newest.
 */
export function matchesCte({ viewer }: MemoryQuestion): SQL {
  return sql`matches (own, others) as materialized (
    select ${ownSpace(sql`own`, null)}, ${spaceOfOthers(sql`own`, sql`people`)}
    from (select ${ownTokens(viewer)} as own, ${personTokens(ASKED)} as people))`;
}

/** Ids of the newest memories about whom the question asks that live elsewhere, from `matches`; `words` is the rest of the MATCH. */
export function newestFromOthers(words: SQL): SQL {
  return sql`
    select f.rowid as id from memory_fts f where f.memory_fts match ((select others from matches) || ${words})
    order by f.rowid desc limit ${MAX_FROM_OTHERS}`;
}

/**
 * Statements for the first round trip: for each term the ids of the visible memories that hold it; for each named person what is
 * about them; and the spaces that vectors may be asked for. Every MATCH names its places, and the rule is asked once a memory.
 */
export function findMemories(ctx: Ctx<"db">, question: MemoryQuestion, terms: readonly QueryTerm[]): Statement[] {
  const { viewer } = question;
  return [
    ...(terms.length === 0 ? [] : [findByWords(ctx, question, terms)]),
    findByPeople(ctx, question),
    ctx.db.all(sql`
      with ${readerCte(viewer)}
      select sid as id from (${sql.join(
        memorySpaces(viewer).map((space) => sql`select ${space} as sid`),
        sql` union all `,
      )}) where sid is not null`),
  ];
}

function findByWords(ctx: Ctx<"db">, question: MemoryQuestion, terms: readonly QueryTerm[]): Statement {
  const { viewer, filter } = question;
  const sees = sql`${seesMemory(viewer, sql`m`)} and ${passesFilter(filter)}`;
  const names = terms.map(({ term }) => term);
  const anyTerm = ` AND text : (${names.map((term) => `"${term}"`).join(" OR ")})`;
  const thisTerm = sql`' AND text : "' || t.value || '"'`;
  return ctx.db.all(sql`
    ${withReader(question)}, ${matchesCte(question)},
    seen (id) as materialized (
      select id from (
        select m.id as id from memory_fts f cross join reader r cross join memories m on m.id = f.rowid
        where f.memory_fts match ((select own from matches) || ${anyTerm}) and ${sees}
        order by f.rowid desc limit ${MAX_MATCHES})
      union
      select m.id from (${newestFromOthers(sql`${anyTerm}`)}) others cross join reader r cross join memories m on m.id = others.id where ${sees})
    select t.value as term, (
      select group_concat(id) from (
        select f.rowid as id from memory_fts f
        where f.memory_fts match ((select own from matches) || ${thisTerm}) and +f.rowid in (select id from seen)
        union all
        select id from (${newestFromOthers(thisTerm)}) where id in (select id from seen))) as ids
    from json_each(${JSON.stringify(names)}) t where exists (select 1 from seen)`);
}

/** What the viewer's own spaces have about each named person, and the newest of what is told of them elsewhere. */
function findByPeople(ctx: Ctx<"db">, question: MemoryQuestion): Statement {
  const { viewer, filter } = question;
  const sees = sql`${seesMemory(viewer, sql`m`)} and ${passesFilter(filter)}`;
  const latest = (match: SQL, limit: number) => sql`
    select m.id as id from (
      select f.rowid as id from memory_fts f where f.memory_fts match (${match}) order by f.rowid desc limit ${limit}) near
    cross join reader r cross join memories m on m.id = near.id where ${sees}`;
  return ctx.db.all(sql`
    ${withReader(question)},
    named (key, person, own) as materialized (
      select a.key, ${personTokens(sql`select a.person_id as person_id`)}, ${ownTokens(viewer)} from asked a where a.named = 1)
    select n.key as key, (
      select group_concat(id) from (
        ${latest(ownSpace(sql`n.own`, sql`n.person`), MAX_ABOUT)} union all ${latest(spaceOfOthers(sql`n.own`, sql`n.person`), MAX_FROM_OTHERS)})) as ids
    from named n`);
}

/** What the first round trip found of memories. Ids are those of memories. */
export type FoundMemories = {
  /** In the order of the question's terms. A memory about a named person holds the words of the name. */
  postings: IdList[];
  /** About a person that the request or the question names. */
  about: IdList;
  spaces: number[];
  total: number;
};

export const NO_MEMORIES: FoundMemories = { postings: [], about: new Float64Array(0), spaces: [], total: 0 };

export function readMemories(results: readonly (StatementResult | undefined)[], terms: readonly QueryTerm[]): FoundMemories {
  const [words, people, spaces] = terms.length === 0 ? [undefined, ...results] : results;
  const byTerm = new Map(
    ((words?.rows ?? []) as { term: string; ids: string | null }[]).map(({ term, ids }) => [term, idsOf(ids)]),
  );
  const persons = ((people?.rows ?? []) as { key: string; ids: string | null }[]).map(({ key, ids }) => ({
    words: new Set(analyse(key)),
    ids: idsOf(ids),
  }));
  const postings = terms.map(({ term }) =>
    union([byTerm.get(term) ?? new Float64Array(0), ...persons.filter((person) => person.words.has(term)).map(({ ids }) => ids)]),
  );
  const about = union(persons.map(({ ids }) => ids));
  return {
    postings,
    about,
    spaces: ((spaces?.rows ?? []) as { id: number }[]).map(({ id }) => id),
    total: union([...postings, about]).length,
  };
}

function idsOf(list: string | null): IdList {
  return ascending(list === null ? [] : list.split(",").map(Number));
}
