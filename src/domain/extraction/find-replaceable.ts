import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Sensitivity } from "#core/safety/sensitivity";
import { queryTerms } from "#core/text/query";
import { MAX_FROM_OTHERS, type MemoryType, ownSpace, ownTokens, personTokens, spaceOfOthers } from "#domain/memories";
import { type MemoryViewerRef, readerCte, seesMemory } from "#domain/visibility";
import type { Participant, Place } from "./read-episodes.ts";

/** A memory that what is said now may replace, or contradict where it is another's. */
export type Replaceable = {
  publicId: string;
  type: MemoryType;
  content: string;
  validFrom: number;
  episodeId: number | null;
  scopeType: string | null;
  scopeId: string | null;
  confidence: number;
  sensitivity: Sensitivity;
  portable: number;
  expiresAt: number | null;
  isOwn: number;
  inThisGroup: number;
  /** A JSON array of the names of whom it is about. */
  about: string;
};

/** Of memories with a word of what was said, the newest; and of those about the same people. */
const MAX_WITH_WORDS = 200;
const MAX_ABOUT = 100;
/** Memories that a model is shown, of the speaker's own and of others' each. */
const MAX_SHOWN = 12;

/**
 * Memories that the speaker may hear where they speak, in their own spaces and, about the persons spoken of, in others': what they may
 * not hear there is not looked at, whatever it says.
 */
export async function findReplaceable(
  ctx: Ctx<"db" | "now">,
  said: { speaker: Participant; place: Place; text: string; people: readonly number[] },
): Promise<Replaceable[]> {
  const { speaker, place, text, people } = said;
  const terms = queryTerms(text).terms.map(({ term }) => term);
  const asked = sql`select value as person_id from json_each(${JSON.stringify([speaker.personId, ...people])})`;
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
    about: asked,
    exceptOwner: null,
    asOf: null,
    now: ctx.now(),
  };
  const words = terms.length === 0 ? null : ` AND text : (${terms.map((term) => `"${term}"`).join(" OR ")})`;
  const newest = (match: ReturnType<typeof sql>, limit: number) =>
    sql`select * from (select f.rowid as id from memory_fts f where f.memory_fts match ${match} order by f.rowid desc limit ${limit})`;
  const rows = await ctx.db.all<Replaceable>(sql`
    with ${readerCte(viewer)},
    matches (own, about, others) as materialized (
      select ${ownSpace(sql`own`, null)}, ${ownSpace(sql`own`, sql`people`)}, ${spaceOfOthers(sql`own`, sql`people`)}
      from (select ${ownTokens(viewer)} as own, ${personTokens(asked)} as people)),
    near (id) as materialized (
      ${words === null ? sql`` : sql`${newest(sql`((select own from matches) || ${words})`, MAX_WITH_WORDS)} union`}
      ${newest(sql`((select about from matches))`, MAX_ABOUT)} union
      ${newest(sql`((select others from matches))`, MAX_FROM_OTHERS)})
    select m.public_id as publicId, m.type as type, m.content as content, m.valid_from as validFrom, m.episode_id as episodeId,
      m.scope_type as scopeType, m.scope_id as scopeId, m.confidence as confidence, coalesce(m.sensitivity, 'public') as sensitivity, m.portable as portable,
      m.expires_at as expiresAt,
      m.owner_id is r.user_id as isOwn, coalesce(m.session_id = r.session_id, 0) as inThisGroup,
      (select json_group_array(sp.name) from memory_subjects ss cross join persons sp on sp.id = ss.person_id
       where ss.memory_id = m.id) as about
    from near cross join reader r cross join memories m on m.id = near.id
    where ${seesMemory(viewer, sql`m`)} order by m.id desc`);
  return rows;
}

/** What has the most words in common with what was said, and what lasts; of what others told of the same people the newest too. */
export function mostReplaceable(found: readonly Replaceable[], text: string): Replaceable[] {
  const said = new Set(queryTerms(text).terms.map(({ term }) => term));
  const scored = found.map((row) => {
    const words = queryTerms(row.content).terms.map(({ term }) => term);
    const shared = words.filter((word) => said.has(word)).length;
    return { row, score: shared / Math.sqrt(Math.max(1, words.length)) + (LASTING.has(row.type) ? LASTING_BONUS : 0) };
  });
  const isOurs = ({ row }: (typeof scored)[number]) => row.isOwn === 1 || row.inThisGroup === 1;
  const best = scored.toSorted((a, b) => b.score - a.score);
  const own = best.filter((entry) => isOurs(entry) && entry.score > 0).slice(0, MAX_SHOWN);
  const others = best.filter((entry) => !isOurs(entry)).slice(0, MAX_SHOWN);
  return [...own, ...others].map(({ row }) => row);
}

/** "I moved to Rome" shares no word with "Lives in Paris". */
const LASTING: ReadonlySet<MemoryType> = new Set(["identity", "relationship"]);
const LASTING_BONUS = 0.3;
