import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { isOneWish, saysOneThing } from "#core/language/one-thing";
import { speakerSlotsIn } from "#core/language/slots";
import { queryTerms } from "#core/text/query";
import { readRows, select } from "#db/client";
import { flag, json, type RowOf, row, text } from "#db/row";
import { isSummary, MEMORY } from "#db/schema/memories";
import { MAX_FROM_OTHERS, type MemoryType, ownSpace, personTokens, spaceOfOthers } from "#domain/memories";
import { type MemoryViewerRef, ownTokens, readerCte, seesMemory } from "#domain/visibility";
import type { Participant, Place } from "./read-episodes.ts";

const MAX_EARLIER = 10;

const REPLACEABLE = row({
  ...MEMORY.of(
    sql`m`,
    ...(["publicId", "type", "content", "key", "validFrom", "episodeId", "scopeType", "scopeId"] as const),
    ...(["confidence", "sensitivity", "portable", "expiresAt"] as const),
  ),
  /** What extracted it. */
  source: text(sql`coalesce(json_extract(m.metadata, '$.source'), '')`),
  isOwn: flag(sql`m.owner_id is r.user_id`),
  inThisGroup: flag(sql`m.session_id = r.session_id`),
  /** Of a keyed memory of the speaker's own, the last contents that its key had before. */
  earlier: json<string[]>(sql`case when m.key = '' or m.owner_id is not r.user_id then '[]' else (
    select json_group_array(v.data ->> 'content') from memory_versions v
    where v.memory_id = m.id and v.version >= m.version - ${sql.raw(String(MAX_EARLIER))}) end`),
  /** Names of the persons that it is about. */
  about: json<string[]>(sql`
    (select json_group_array(sp.name) from memory_subjects ss cross join persons sp on sp.id = ss.person_id where ss.memory_id = m.id)`),
});

/** A memory that new words may replace, or contradict where it is another user's. */
export type Replaceable = RowOf<typeof REPLACEABLE>;

/** Whether a statement may replace the memory: it is in the statement's own home, is no newer, and surely says nothing else. */
export function mayBeReplaced(
  { inThisGroup, isOwn, validFrom, ...memory }: Replaceable,
  { at, isOfGroup }: { at: number; isOfGroup: boolean },
): boolean {
  return (isOfGroup ? inThisGroup : isOwn) && validFrom <= at && saysOneWhole(memory);
}

/** Whether a statement surely says one thing. A wish does in all its words, unless it has several clauses ("answer in German, and never use emojis"). */
export function saysOneWhole({ type, content }: Pick<Replaceable, "type" | "content">): boolean {
  return type === "procedural" ? isOneWish(content) : saysOneThing(content, speakerSlotsIn(content));
}

/** A memory's key without the project that it ends with; null where it is a key of another place. */
export function keyHere({ key }: Replaceable, { speaker, place }: { speaker: Participant; place: Place }): string | null {
  const project = place.project !== null && speaker.isMember ? `@${place.project.externalId}` : "";
  if (key === null || !key.endsWith(project)) return null;
  const named = key.slice(0, key.length - project.length);
  return named.includes("@") ? null : named;
}

/** The newest memories that share a word with what was said, and the newest about the same persons. */
const MAX_WITH_WORDS = 200;
const MAX_ABOUT = 100;
/** Keyed memories of the speaker, by the index of keys. */
const MAX_KEYED = 50;
/** Memories that a model is shown, of the speaker's own and of others' each. */
const MAX_SHOWN = 12;

/**
 * Memories that are visible to the speaker where they speak: in their own spaces and, about the mentioned persons, in those of others.
 * One that is not visible there is not returned, whatever it says. Summaries say what was true once, and nothing replaces them. `withKeys`: the speaker's own memories with a key are among them.
 */
export async function findReplaceable(
  ctx: Ctx<"db" | "now">,
  said: { speaker: Participant; place: Place; text: string; people: readonly number[]; withKeys?: true },
): Promise<Replaceable[]> {
  const { speaker, place, people } = said;
  const terms = queryTerms(said.text).terms.map(({ term }) => term);
  const about = sql`select value as person_id from json_each(${JSON.stringify([speaker.personId, ...people])})`;
  const viewer: MemoryViewerRef = {
    tenantId: ctx.tenantId,
    user: { id: speaker.userId },
    sessionExternalId: place.sessionId === 0 ? null : place.externalId,
    projectExternalId: null,
    includeGroups: false,
    workspaceId: null,
    scopeType: null,
    scopeId: null,
    ownProjectOnly: true,
    reach: "tenant",
    about,
    exceptOwner: null,
    asOf: null,
    now: ctx.now(),
  };
  const words = terms.length === 0 ? null : ` AND text : (${terms.map((term) => `"${term}"`).join(" OR ")})`;
  const newest = (match: SQL, limit: number) =>
    sql`select * from (select f.rowid as id from memory_fts f where f.memory_fts match ${match} order by f.rowid desc limit ${limit})`;
  const keyed = (beginning: string) =>
    sql`select * from (select k.id from memories k where k.space_id = (select u.space_id from users u where u.id = ${speaker.userId})
      and k.key > ${beginning} and k.key < ${`${beginning}~`} and k.key <> '' and k.deleted_at is null and k.superseded_by is null limit ${MAX_KEYED})`;
  const near = sql`${readerCte(viewer)},
    matches (own, about, others) as materialized (
      select ${ownSpace(sql`own`, null)}, ${ownSpace(sql`own`, sql`people`)}, ${spaceOfOthers(sql`own`, sql`people`)}
      from (select ${ownTokens(viewer)} as own, ${personTokens(about)} as people)),
    near (id) as materialized (
      ${words === null ? sql`` : sql`${newest(sql`((select own from matches) || ${words})`, MAX_WITH_WORDS)} union`}
      ${newest(sql`((select about from matches))`, MAX_ABOUT)} union
      ${said.withKeys === true ? sql`select * from (${keyed("identity:")} union all ${keyed("preference:favorite_")}) union` : sql``}
      ${newest(sql`((select others from matches))`, MAX_FROM_OTHERS)})`;
  const query = select(REPLACEABLE, near)`from near cross join reader r cross join memories m on m.id = near.id
    where ${seesMemory(viewer, sql`m`)} and not ${isSummary(sql`m`)} order by m.id desc`;
  return await readRows(ctx, query);
}

/** Memories with the most words in common with what was said, and lasting ones; of other users' memories the newest too. */
export function mostReplaceable(found: readonly Replaceable[], said: string): Replaceable[] {
  const saidTerms = new Set(queryTerms(said).terms.map(({ term }) => term));
  const scored = found.map((memory) => {
    const terms = queryTerms(memory.content).terms.map(({ term }) => term);
    const shared = terms.filter((term) => saidTerms.has(term)).length;
    return { memory, score: shared / Math.sqrt(Math.max(1, terms.length)) + (LASTING.has(memory.type) ? LASTING_BONUS : 0) };
  });
  const isOurs = ({ memory }: (typeof scored)[number]) => memory.isOwn || memory.inThisGroup;
  const best = scored.toSorted((a, b) => b.score - a.score);
  const own = best.filter((entry) => isOurs(entry) && entry.score > 0).slice(0, MAX_SHOWN);
  const others = best.filter((entry) => !isOurs(entry)).slice(0, MAX_SHOWN);
  return [...own, ...others].map(({ memory }) => memory);
}

/** "I moved to Rome" shares no word with "Lives in Paris". */
const LASTING: ReadonlySet<MemoryType> = new Set(["identity", "relationship"]);
const LASTING_BONUS = 0.3;
