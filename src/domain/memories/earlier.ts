import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { type Query, statement } from "#db/client";
import { flag, integer, type RowOf, row, text } from "#db/row";
import { decideRelation, type MemoryViewerRef, placeColumns, readerCte, readsWith, seesMemory } from "#domain/visibility";
import { decided, placeOf, type SeenMemory, type SeenRow, seenColumns } from "./rows.ts";
import type { VersionView } from "./schemas.ts";
import { type StoredVersion, VERSION_DATA, withoutMarks } from "./values.ts";

/** How many replacements are followed back. */
const MAX_STEPS = 20;
const MAX_VERSIONS = 100;

export type Earlier = { versions: RowOf<typeof VERSION>[]; older: (SeenRow & { replacedBy: string })[] };

/**
 * Queries for the earlier versions of memories, by their public ids, and for the memories that they replaced, one by one.
 * @param viewer of any time: what was replaced is no longer in force.
 */
export function findEarlier(
  viewer: MemoryViewerRef,
  publicIds: readonly string[],
): { versions: Query<Earlier["versions"][number]>; older: Query<Earlier["older"][number]> } {
  const ids = JSON.stringify(publicIds);
  const shape = row({ ...seenColumns(viewer), replacedBy: text(sql`chain.root`) });
  return {
    versions: statement(
      VERSION,
      sql`
      with ${readerCte(viewer)}
      select ${VERSION.columns} from reader r cross join json_each(${ids}) j cross join memories m on m.public_id = j.value
      cross join memory_versions v on v.memory_id = m.id
      where ${seesMemory(viewer, sql`m`)} order by v.version desc limit ${MAX_VERSIONS}`,
    ),
    older: statement(
      shape,
      sql`
      with recursive ${readerCte(viewer)},
      chain (root, id, step) as (
        select m.public_id, m.supersedes, 1 from json_each(${ids}) j cross join memories m on m.public_id = j.value
        where m.tenant_id = ${viewer.tenantId} and m.supersedes is not null
        union all
        select chain.root, c.supersedes, chain.step + 1 from chain cross join memories c on c.id = chain.id
        where c.supersedes is not null and chain.step < ${MAX_STEPS})
      select ${shape.columns} from reader r cross join chain cross join memories m on m.id = chain.id
      where m.superseded_by is not null and ${seesMemory(viewer, sql`m`)} order by chain.step`,
    ),
  };
}

/** Of one memory what `findEarlier` found, each checked against the rule. */
export function earlierOf(
  ctx: Ctx<"log">,
  viewer: MemoryViewerRef,
  { memory, versions, older }: { memory: SeenMemory } & Earlier,
): { versions: VersionView[]; older: SeenMemory[] } {
  const id = memory.publicId;
  return {
    versions: versions.filter(({ of }) => of === id).flatMap((version) => toVersion(viewer, memory, version)),
    older: decided(
      ctx,
      viewer,
      older.filter(({ replacedBy }) => replacedBy === id),
    ),
  };
}

/** A version with the relations that `relationColumns` reads, computed from the version's values. */
const VERSION = row({
  /** The public id of the memory that has it now. */
  of: text(sql`m.public_id`),
  version: integer(sql`v.version`),
  data: { sql: sql`v.data`, decode: VERSION_DATA.decode },
  replacedAt: integer(sql`v.replaced_at`),
  ...placeColumns({
    ownerId: sql`m.owner_id`,
    sessionId: sql`m.session_id`,
    learnedIn: sql`v.data ->> 'learnedIn'`,
    scopeType: sql`v.data ->> 'scopeType'`,
    scopeId: sql`v.data ->> 'scopeId'`,
  }),
  hasSubject: flag(sql`json_array_length(v.data, '$.subjects') > 0`),
  isSubject: flag(sql`exists (select 1 from json_each(v.data, '$.subjects') vs where vs.value = r.person_id)`),
  subjectTakesPart: flag(sql`exists (
    select 1 from json_each(v.data, '$.subjects') vt cross join persons vp on vp.id = vt.value where ${readsWith(sql`vp.user_id`)})`),
  hasStated: flag(sql`exists (
    select 1 from persons ve where ve.id = v.data ->> 'statedBy' and coalesce(ve.merged_into, ve.id) = r.person_id)`),
  wasPresent: flag(sql`exists (
    select 1 from sessions vl where vl.id = v.data ->> 'learnedIn' and case vl.kind
      when 'private' then vl.owner_id = r.user_id
      else exists (
        select 1 from participants lp where lp.session_id = vl.id and lp.user_id = r.user_id
          and lp.joined_at <= v.data ->> 'learnedAt' and (lp.left_at is null or lp.left_at > v.data ->> 'learnedAt'))
    end)`),
});

/**
 * The strictest of its own privacy, the memory's current privacy, and what its words require: old versions were stored without that check.
 */
function strictest(version: StoredVersion, { sensitivity, isShared }: SeenRow): SeenRow["sensitivity"] {
  const byWords = version.sensitivity === "public" && !isShared ? sensitivityOf(version.content) : "public";
  return [version.sensitivity, byWords].reduce(stricter, sensitivity);
}

function toVersion(viewer: MemoryViewerRef, current: SeenRow, { data, of: _, ...version }: RowOf<typeof VERSION>): VersionView[] {
  if (data.status !== "approved" || (data.workspaceId !== null && data.workspaceId !== viewer.workspaceId)) return [];
  const decision = decideRelation(
    placeOf(viewer, current),
    { type: data.type, sensitivity: strictest(data, current), portable: data.portable && current.portable },
    { ...current, ...version, isAskedAbout: version.hasSubject, hasRecordedSession: data.learnedIn !== null },
  );
  if (!decision.visible) return [];
  const { content, type, confidence, sensitivity } = data;
  const { key, metadata } = decision.rule === "cross_context" ? withoutMarks({ ...current, ...data }) : data;
  return [
    { version: version.version, content, type, key, confidence, sensitivity, metadata, replacedAt: toIso(version.replacedAt) },
  ];
}
