import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import {
  decideRelation,
  type MemoryViewerRef,
  type MemoryVisibilityReason,
  mayEnter,
  readerCte,
  relationColumns,
  seesMemory,
} from "#domain/visibility";
import type { MemoryRow } from "./view.ts";

/** The columns of `MemoryRow`, from `memories m`, for the user of the row `r` (a reader, or anything with `user_id`). */
export function memoryColumns({ contradicts, supersededBy }: { contradicts: SQL; supersededBy: SQL }): SQL {
  return sql`
    m.id as id, m.public_id as publicId, m.ownership as ownership,
    (select ow.external_id from users ow where ow.id = m.owner_id) as ownerExternalId,
    (select gs.external_id from sessions gs where gs.id = m.session_id) as sessionExternalId,
    m.type as type, m.content as content, m.key as key, m.workspace_id as workspaceId, m.scope_type as scopeType, m.scope_id as scopeId,
    m.confidence as confidence, m.sensitivity as sensitivity, m.portable as portable, m.pinned as pinned, m.status as status,
    m.pii_risk as piiRisk, m.metadata as metadata,
    (select json_group_array(json_array(sp.public_id, sp.name, sp.user_id is r.user_id) order by sp.id)
     from memory_subjects ss cross join persons sp on sp.id = ss.person_id where ss.memory_id = m.id) as subjects,
    ${contradicts} as contradicts,
    (select json_array(st.public_id, st.name, st.user_id is r.user_id)
     from persons sf cross join persons st on st.id = coalesce(sf.merged_into, sf.id) where sf.id = m.stated_by) as statedBy,
    case when m.owner_id is not r.user_id then (
      select json_array(op.public_id, op.name, 0) from persons op where op.user_id = m.owner_id) end as notedBy,
    (select ls.external_id from sessions ls cross join users lu on lu.id = r.user_id
     where ls.id = m.learned_in and ${mayEnter(sql`lu`, sql`ls`)}) as learnedIn,
    (select le.public_id from episodes le where le.id = m.episode_id) as episodeId,
    m.valid_from as validFrom, m.valid_to as validTo,
    ${supersededBy} as supersededBy,
    m.seen_count as seenCount, m.last_seen_at as lastSeenAt, m.expires_at as expiresAt, m.version as version,
    m.vector_model as vectorModel, m.created_at as createdAt, m.updated_at as updatedAt`;
}

/** What waits for review replaces and contradicts nothing yet. */
export const OF_QUEUE = { contradicts: sql`'[]'`, supersededBy: sql`null` };

/** The columns of `MemoryRow` for a reader, and what the rule is asked with again. */
export function seenColumns(viewer: MemoryViewerRef): SQL {
  const others = sql`(
    select json_group_array(public_id) from (
      select o.public_id as public_id from memories o where o.id = m.contradicts and ${seesMemory(viewer, sql`o`)}
      union all
      select o.public_id from memories o where o.contradicts = m.id and ${seesMemory(viewer, sql`o`)}))`;
  const successor = sql`(select sb.public_id from memories sb where sb.id = m.superseded_by and ${seesMemory({ ...viewer, asOf: "ever" }, sql`sb`)})`;
  return sql`${memoryColumns({ contradicts: others, supersededBy: successor })}, ${relationColumns(viewer, sql`m`)}`;
}

/** Which memories a reader sees: `reader` is the text of a `with` whose row the condition `sees` reads as `r`. */
export type ReaderScope = { reader: SQL; sees: (m: SQL) => SQL };

/** What a viewer may see, or, without one, what the tenant itself sees: the shared memories that are in force. */
export function readerScope(ctx: Ctx<"now">, viewer: MemoryViewerRef | null): ReaderScope {
  if (viewer !== null) return { reader: readerCte(viewer), sees: (m) => seesMemory(viewer, m) };
  return {
    // No user has this id.
    reader: sql`reader (user_id) as (select 0)`,
    sees: (m) => sql`(${m}.ownership = 'shared' and +${m}.tenant_id = ${ctx.tenantId} and ${m}.status = 'approved'
      and ${m}.deleted_at is null and ${m}.superseded_by is null and (${m}.expires_at is null or ${m}.expires_at > ${ctx.now()}))`,
  };
}

/** The memories of these public ids that the viewer may see; without a viewer, that the tenant itself sees. */
export function loadSeen(ctx: Ctx<"db" | "now">, viewer: MemoryViewerRef | null, publicIds: readonly string[]): Statement {
  const { reader, sees } = readerScope(ctx, viewer);
  return ctx.db.all(sql`
    with ${reader}
    select ${viewer === null ? memoryColumns(OF_QUEUE) : seenColumns(viewer)}
    from reader r cross join json_each(${JSON.stringify(publicIds)}) j
    cross join memories m on m.public_id = j.value where ${sees(sql`m`)}`);
}

/** A row of `seenColumns`. */
export type SeenRow = MemoryRow & {
  isGroup: number;
  legacy: number;
  tenant: number;
  isOwner: number;
  inItsGroup: number;
  isShared: number;
  learnedHere: number;
  hasSubject: number;
  isSubject: number;
  subjectTakesPart: number;
  isAskedAbout: number;
  hasStated: number;
  wasPresent: number;
  hasRecordedSession: number;
};

/** A memory that the viewer may hear, and how it comes to them. */
export type SeenMemory = SeenRow & { visibilityReason: MemoryVisibilityReason };

/** SQL has decided; the pure rule is asked again. Should they ever differ, nothing is shown and the log says so. */
export function decided(ctx: Ctx<"log">, viewer: MemoryViewerRef | null, rows: readonly SeenRow[]): SeenMemory[] {
  if (viewer === null) return rows.map((row) => ({ ...row, visibilityReason: "shared" }));
  return rows.flatMap((row) => {
    const place = { reach: viewer.reach, isGroup: row.isGroup === 1, legacyDisclosure: row.legacy === 1 };
    const decision = decideRelation(
      place,
      { sensitivity: row.sensitivity, portable: row.portable === 1 },
      {
        isOwner: row.isOwner === 1,
        inItsGroup: row.inItsGroup === 1,
        isShared: row.isShared === 1,
        learnedHere: row.learnedHere === 1,
        hasSubject: row.hasSubject === 1,
        isSubject: row.isSubject === 1,
        subjectTakesPart: row.subjectTakesPart === 1,
        isAskedAbout: row.isAskedAbout === 1,
        hasStated: row.hasStated === 1,
        wasPresent: row.wasPresent === 1,
        hasRecordedSession: row.hasRecordedSession === 1,
      },
    );
    if (row.tenant === viewer.tenantId && decision.visible) return [{ ...row, visibilityReason: decision.rule }];
    ctx.log("visibility.disagreement", { kind: "memory", rule: decision.rule });
    return [];
  });
}
