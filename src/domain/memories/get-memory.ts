import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { read, statement } from "#db/client";
import { flag, integer, type RowOf, row } from "#db/row";
import { decideRelation, type MemoryViewerRef, readerCte, seesMemory } from "#domain/visibility";
import { memoryViewer } from "./access.ts";
import { decided, findSeen, type SeenMemory, type SeenRow, seenShape } from "./rows.ts";
import type { HistoryView, MemoryPlaceInput, MemoryView, VersionView } from "./schemas.ts";
import { type StoredVersion, VERSION_DATA, withoutMarks } from "./values.ts";
import { toMemory } from "./view.ts";

type ReadCtx = Ctx<"db" | "now" | "embedder" | "log">;

/** How many replacements a history follows back. */
const MAX_STEPS = 20;
const MAX_VERSIONS = 100;

/**
 * One memory, whichever part of the rule makes it visible to the viewer.
 * @throws not_found if it is not visible to the viewer there.
 */
export async function getMemory(ctx: ReadCtx, memoryId: string, place: MemoryPlaceInput): Promise<MemoryView> {
  requirePermission(ctx.actor, "read");
  const viewer = memoryViewer(ctx, place, { about: "anyone" });
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const { seen } = await read(ctx, { seen: findSeen(ctx, viewer, [memoryId]) });
  const [memory] = decided(ctx, viewer, seen);
  if (memory === undefined) throw notFound("memory");
  return viewOf(ctx, memory);
}

function viewOf(ctx: ReadCtx, memory: SeenMemory): MemoryView {
  return toMemory(memory, { model: ctx.embedder.model, visibilityReason: memory.visibilityReason });
}

/**
 * A memory with its earlier versions and the memories it replaced. Each version is checked against the rule with its own values: whoever
 * may see the current words may not have been allowed to see the old ones.
 * @throws not_found if the memory is not visible to the viewer there.
 */
export async function memoryHistory(ctx: ReadCtx, memoryId: string, place: MemoryPlaceInput): Promise<HistoryView> {
  requirePermission(ctx.actor, "read");
  const viewer: MemoryViewerRef = { ...memoryViewer(ctx, place, { about: "anyone" }), asOf: "ever" };
  if (!isPublicId("memory", memoryId)) throw notFound("memory");
  const shape = seenShape(viewer);
  const found = await read(ctx, {
    seen: findSeen(ctx, viewer, [memoryId]),
    versions: statement(
      VERSION,
      sql`
      with ${readerCte(viewer)}
      select ${VERSION.columns} from reader r cross join memories m cross join memory_versions v on v.memory_id = m.id
      where m.public_id = ${memoryId} and ${seesMemory(viewer, sql`m`)} order by v.version desc limit ${MAX_VERSIONS}`,
    ),
    older: statement(
      shape,
      sql`
      with recursive ${readerCte(viewer)},
      chain (id, step) as (
        select supersedes, 1 from memories where public_id = ${memoryId} and tenant_id = ${ctx.tenantId} and supersedes is not null
        union all
        select c.supersedes, chain.step + 1 from chain cross join memories c on c.id = chain.id
        where c.supersedes is not null and chain.step < ${MAX_STEPS})
      select ${shape.columns} from reader r cross join chain cross join memories m on m.id = chain.id
      where m.superseded_by is not null and ${seesMemory(viewer, sql`m`)} order by chain.step`,
    ),
  });
  const [memory] = decided(ctx, viewer, found.seen);
  if (memory === undefined) throw notFound("memory");
  return {
    memory: viewOf(ctx, memory),
    versions: found.versions.flatMap((version) => toVersion(viewer, memory, version)),
    supersedes: decided(ctx, viewer, found.older).map((older) => viewOf(ctx, older)),
  };
}

/** A version with the relations that `relationColumns` reads, computed from the version's values. */
const VERSION = row({
  version: integer(sql`v.version`),
  data: { sql: sql`v.data`, decode: VERSION_DATA.decode },
  replacedAt: integer(sql`v.replaced_at`),
  learnedHere: flag(sql`coalesce(v.data ->> 'learnedIn' = r.session_id, 0)`),
  hasSubject: flag(sql`json_array_length(v.data, '$.subjects') > 0`),
  isSubject: flag(sql`exists (select 1 from json_each(v.data, '$.subjects') vs where vs.value = r.person_id)`),
  subjectTakesPart: flag(sql`r.is_group and exists (
    select 1 from json_each(v.data, '$.subjects') vt cross join persons vp on vp.id = vt.value
    cross join participants vq on vq.user_id = vp.user_id and vq.session_id = r.session_id and vq.left_at is null)`),
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

function toVersion(viewer: MemoryViewerRef, current: SeenRow, { data, ...version }: RowOf<typeof VERSION>): VersionView[] {
  if (data.status !== "approved" || (data.workspaceId !== null && data.workspaceId !== viewer.workspaceId)) return [];
  const { isGroup, legacyDisclosure } = current;
  const decision = decideRelation(
    { reach: viewer.reach, isGroup, legacyDisclosure },
    { sensitivity: strictest(data, current), portable: data.portable && current.portable },
    { ...current, ...version, isAskedAbout: version.hasSubject, hasRecordedSession: data.learnedIn !== null },
  );
  if (!decision.visible) return [];
  const { content, type, confidence, sensitivity } = data;
  const { key, metadata } = decision.rule === "cross_context" ? withoutMarks({ ...current, ...data }) : data;
  return [
    { version: version.version, content, type, key, confidence, sensitivity, metadata, replacedAt: toIso(version.replacedAt) },
  ];
}
