import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { sensitivityOf } from "#core/safety/sensitivity";
import { runBatch } from "#domain/audit";
import { decideRelation, type MemoryViewerRef, readerCte, seesMemory } from "#domain/visibility";
import { decided, loadSeen, type SeenRow, seenColumns } from "./columns.ts";
import { stricter } from "./parse-input.ts";
import { memoryViewer } from "./place.ts";
import type { HistoryView, MemoryPlaceInput, MemoryView, VersionView } from "./schemas.ts";
import type { StoredVersion } from "./stored.ts";
import { toMemory } from "./view.ts";

type ReadCtx = Ctx<"db" | "now" | "embedder" | "log">;

/** Steps back that a history goes along what replaced what. */
const MAX_STEPS = 20;
const MAX_VERSIONS = 100;

/** One memory, however it comes to the viewer. 404 if they may not hear it where they are. */
export async function getMemory(ctx: ReadCtx, memoryId: string, place: MemoryPlaceInput): Promise<MemoryView> {
  requirePermission(ctx.actor, "read");
  const viewer = memoryViewer(ctx, place, { about: "anyone" });
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const [found] = await runBatch(ctx, [loadSeen(ctx, viewer, [memoryId])]);
  const [row] = decided(ctx, viewer, (found?.rows ?? []) as SeenRow[]);
  if (row === undefined) throw notFound("memory");
  return toMemory(row, { model: ctx.embedder.model, visibilityReason: row.visibilityReason });
}

/**
 * A memory with what it said before, and what it replaced. The rule is asked about each version with what that version
 * was: who may hear the words of now need not be who might hear those of then.
 */
export async function memoryHistory(ctx: ReadCtx, memoryId: string, place: MemoryPlaceInput): Promise<HistoryView> {
  requirePermission(ctx.actor, "read");
  const viewer: MemoryViewerRef = { ...memoryViewer(ctx, place, { about: "anyone" }), asOf: "ever" };
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const [found, versions, older] = await runBatch(ctx, [
    loadSeen(ctx, viewer, [memoryId]),
    ctx.db.all(sql`
      with ${readerCte(viewer)}
      select v.version as version, v.data as data, v.replaced_at as replacedAt, ${versionRelation}
      from reader r cross join memories m cross join memory_versions v on v.memory_id = m.id
      where m.public_id = ${memoryId} and ${seesMemory(viewer, sql`m`)} order by v.version desc limit ${MAX_VERSIONS}`),
    ctx.db.all(sql`
      with recursive ${readerCte(viewer)},
      chain (id, step) as (
        select supersedes, 1 from memories where public_id = ${memoryId} and tenant_id = ${ctx.tenantId} and supersedes is not null
        union all
        select c.supersedes, chain.step + 1 from chain cross join memories c on c.id = chain.id
        where c.supersedes is not null and chain.step < ${MAX_STEPS})
      select ${seenColumns(viewer)} from reader r cross join chain cross join memories m on m.id = chain.id
      where m.superseded_by is not null and ${seesMemory(viewer, sql`m`)} order by chain.step`),
  ]);
  const [row] = decided(ctx, viewer, (found?.rows ?? []) as SeenRow[]);
  if (row === undefined) throw notFound("memory");
  const view = (seen: (typeof shownOlder)[number]) =>
    toMemory(seen, { model: ctx.embedder.model, visibilityReason: seen.visibilityReason });
  const shownOlder = decided(ctx, viewer, (older?.rows ?? []) as SeenRow[]);
  return {
    memory: view(row),
    versions: ((versions?.rows ?? []) as VersionRow[]).flatMap((version) => toVersion(viewer, row, version)),
    supersedes: shownOlder.map(view),
  };
}

type VersionRow = {
  version: number;
  data: string;
  replacedAt: number;
  learnedHereThen: number;
  hasSubjectThen: number;
  isSubjectThen: number;
  subjectTakesPartThen: number;
  hasStatedThen: number;
  wasPresentThen: number;
};

/** What `relationColumns` says of a memory, of the version `v` as it was. */
const versionRelation = sql`
  coalesce(v.data ->> 'learnedIn' = r.session_id, 0) as learnedHereThen,
  json_array_length(v.data, '$.subjects') > 0 as hasSubjectThen,
  exists (select 1 from json_each(v.data, '$.subjects') vs where vs.value = r.person_id) as isSubjectThen,
  r.is_group and exists (
    select 1 from json_each(v.data, '$.subjects') vt cross join persons vp on vp.id = vt.value
    cross join participants vq on vq.user_id = vp.user_id and vq.session_id = r.session_id and vq.left_at is null) as subjectTakesPartThen,
  exists (
    select 1 from persons ve where ve.id = v.data ->> 'statedBy' and coalesce(ve.merged_into, ve.id) = r.person_id) as hasStatedThen,
  exists (
    select 1 from sessions vl where vl.id = v.data ->> 'learnedIn' and case vl.kind
      when 'private' then vl.owner_id = r.user_id
      else exists (
        select 1 from participants lp where lp.session_id = vl.id and lp.user_id = r.user_id
          and lp.joined_at <= v.data ->> 'learnedAt' and (lp.left_at is null or lp.left_at > v.data ->> 'learnedAt'))
    end) as wasPresentThen`;

/** As close as it was, as what stands there now, and as its words are: old versions were stored without a look at them. */
function strictest(then: StoredVersion, current: Pick<SeenRow, "sensitivity" | "isShared">): SeenRow["sensitivity"] {
  const byWords = then.sensitivity === null && current.isShared !== 1 ? sensitivityOf(then.content) : null;
  return stricter(stricter(then.sensitivity, current.sensitivity), byWords);
}

function toVersion(viewer: MemoryViewerRef, current: SeenRow, row: VersionRow): VersionView[] {
  const then: StoredVersion = JSON.parse(row.data);
  if (then.status !== "approved" || (then.workspaceId !== null && then.workspaceId !== viewer.workspaceId)) return [];
  const decision = decideRelation(
    { reach: viewer.reach, isGroup: current.isGroup === 1, legacyDisclosure: current.legacy === 1 },
    { sensitivity: strictest(then, current), portable: then.portable && current.portable === 1 },
    {
      isOwner: current.isOwner === 1,
      inItsGroup: current.inItsGroup === 1,
      isShared: current.isShared === 1,
      learnedHere: row.learnedHereThen === 1,
      hasSubject: row.hasSubjectThen === 1,
      isSubject: row.isSubjectThen === 1,
      subjectTakesPart: row.subjectTakesPartThen === 1,
      isAskedAbout: row.hasSubjectThen === 1,
      hasStated: row.hasStatedThen === 1,
      wasPresent: row.wasPresentThen === 1,
      hasRecordedSession: then.learnedIn !== null,
    },
  );
  if (!decision.visible) return [];
  const isForeign = decision.rule === "cross_context";
  return [
    {
      version: row.version,
      content: then.content,
      type: then.type,
      key: isForeign ? null : then.key,
      confidence: then.confidence,
      sensitivity: then.sensitivity ?? "public",
      metadata: isForeign ? {} : then.metadata,
      replacedAt: toIso(row.replacedAt),
    },
  ];
}
