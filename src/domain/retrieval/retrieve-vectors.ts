import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { bestFirst, type Scored } from "#core/rank/ranking";
import { type Query, statement } from "#db/client";
import { integer, json, nullable, row, text } from "#db/row";
import { memoryOf, scopeTag } from "#domain/memories";
import { chunkOf } from "#domain/sessions";
import { documentChunkOf } from "#domain/sources";
import {
  documentSpace,
  type MemoryViewerRef,
  type Pool,
  seesEpisodesOf,
  type ViewerRef,
  viewerCte,
  visibleSpaces,
} from "#domain/visibility";
import type { VectorFilter, VectorMatch } from "#ports/vector-index";
import type { Span } from "./find-episodes.ts";
import type { MemoryQuestion } from "./find-memories.ts";
import type { HitRef } from "./hit.ts";
import type { Asked } from "./read-question.ts";

const DAY_MS = 86_400_000;
/** Moved sessions whose vectors still have the old tags; if there are more, the rest is found once it is tagged. */
const MAX_MOVED = 100;

/** Where the viewer's vectors are: the pool, its spaces, and moved sessions whose tags are not updated yet. */
export type VectorScope = {
  pool: Pool;
  rule: string;
  sessionId: number | null;
  projectId: number | null;
  /** Where the viewer is, by IANA's name. */
  timeZone: string | null;
  spaces: number[];
  moved: number[];
  /** The space of the documents that the viewer may see; null if it has no source. */
  documents: number | null;
};

/** The scope of the viewer, or no row if the user is unknown. It runs in the batch of the search by words. */
export function findScope(ctx: Ctx, viewer: ViewerRef): Query<VectorScope> {
  const moved = sql`
    select s.id as id from viewer v cross join ${visibleSpaces(viewer)} sp
    cross join sessions s on s.space_id = sp.space_id and s.tagged_project_id <> coalesce(s.project_id, 0)
    where ${seesEpisodesOf(ctx.tenantId, sql`s`)} limit ${MAX_MOVED}`;
  const shape = row({
    pool: text<Pool>(sql`pool`),
    rule: text(sql`pool_rule`),
    sessionId: nullable(integer(sql`session_id`)),
    projectId: nullable(integer(sql`project_id`)),
    timeZone: nullable(text(sql`(select zu.time_zone from users zu where zu.id = user_id)`)),
    spaces: json<number[]>(sql`(select json_group_array(space_id) from ${visibleSpaces(viewer)})`),
    moved: json<number[]>(sql`(select json_group_array(id) from (${moved}))`),
    documents: nullable(
      integer(sql`(select so.space_id from sources so where so.space_id = ${documentSpace(ctx.tenantId)} limit 1)`),
    ),
  });
  return statement(shape, sql`with ${viewerCte(viewer)} select ${shape.columns} from viewer`);
}

type NearestSearch = {
  vector: Float32Array;
  scope: VectorScope;
  asked: Pick<Asked, "episodes" | "memories" | "chunks" | "span">;
  /** Where the vectors of memories are. */
  spaces: readonly number[];
  topK: number;
};

/** The vectors nearest to the question in the viewer's spaces, best first. These are candidates: D1 decides visibility. */
export async function retrieveVectors(
  ctx: Ctx<"embedder" | "vectors" | "caches" | "now">,
  search: NearestSearch,
): Promise<Scored<HitRef>[]> {
  const { vector, topK } = search;
  const common: VectorFilter = { model: ctx.embedder.model, ...spanFilter(search.asked.span) };
  const queryAll = async (queries: readonly VectorSearch[]) =>
    merge(
      await Promise.all(
        queries
          .filter(({ spaces }) => spaces.length > 0)
          .map(({ spaces, filter }) =>
            ctx.vectors.query(ctx.tenantId, { vector, spaces, filter: { ...common, ...filter }, topK }),
          ),
      ),
      topK,
    );
  // Documents are counted apart: a library holds so much that nothing which was said would be among the nearest. So is, in a project, what
  // was learned outside, of which little is visible there.
  const [said, outside, documents] = await Promise.all([
    queryAll(queriesOf(search)),
    queryAll(outsideQueries(search)),
    queryAll(documentQueries(search)),
  ]);
  const apart = [...outside, ...documents];
  return apart.length === 0 ? said : [...said, ...apart].sort(bestFirst);
}

type VectorSearch = { spaces: readonly number[]; filter: VectorFilter };

/** None where there are no documents. */
function documentQueries({ scope, asked }: NearestSearch): VectorSearch[] {
  return asked.chunks === null || scope.documents === null ? [] : [{ spaces: [scope.documents], filter: { kind: "chunk" } }];
}

/**
 * One query for messages and memories if one filter fits both, which is the case in private and outside projects. The filters let through at least
 * what the rules allow.
 */
function queriesOf({ scope: place, asked, spaces }: NearestSearch): VectorSearch[] {
  if (place.pool === "none") return [];
  const places = asked.episodes ? placeFilters(place) : [];
  const episodes = places.map((filter) => ({ spaces: place.spaces, filter: { kind: "episode", ...filter } }));
  if (asked.memories === null) return episodes;
  const { viewer, filter } = asked.memories;
  const [only] = places;
  const scope = scopeFilter(viewer);
  const ofMemories = memoryFilter(asked.memories);
  const fitsBoth = viewer.ownProjectOnly && place.projectId === null && filter.types === null && isAny(scope);
  if (place.pool === "user" && places.length === 1 && fitsBoth)
    return [
      {
        spaces: [...new Set([...place.spaces, ...spaces])],
        filter: { ...only, ...ofMemories, kind: { $in: ["episode", "memory"] } },
      },
    ];
  return [...episodes, { spaces, filter: { kind: "memory", ...ofMemories, ...ownProject(place, viewer) } }];
}

/** In a project, memories that are tagged with no project: of the user from outside, of a group, of the tenant. */
function outsideQueries({ scope: { pool, projectId }, asked: { memories }, spaces }: NearestSearch): VectorSearch[] {
  if (pool === "none" || projectId === null || memories === null || !memories.viewer.ownProjectOnly) return [];
  return [{ spaces, filter: { kind: "memory", ...memoryFilter(memories), project: 0 } }];
}

function memoryFilter({ viewer, filter }: MemoryQuestion): VectorFilter {
  return {
    ...scopeFilter(viewer),
    workspace: viewer.workspaceId === null ? "" : { $in: ["", viewer.workspaceId] },
    ...(filter.types === null ? {} : { type: { $in: filter.types } }),
  };
}

/** A scope that is named without its id is not one text: then D1 alone decides. */
function scopeFilter({ scopeType, scopeId }: MemoryViewerRef): VectorFilter {
  if (scopeType === null || (scopeType !== "global" && scopeId === null)) return {};
  return { scope: scopeTag({ scopeType, scopeId }) };
}

function isAny(filter: VectorFilter): boolean {
  return Object.keys(filter).length === 0;
}

/** Memories of a project have its number, if it existed when they were embedded; all others have 0. */
function ownProject({ projectId }: VectorScope, { ownProjectOnly }: MemoryViewerRef): VectorFilter {
  if (!ownProjectOnly) return {};
  return { project: projectId ?? 0 };
}

/** By the project's tag, and for sessions that moved since they were tagged by their ids. */
function placeFilters(scope: VectorScope): VectorFilter[] {
  if (scope.pool === "session") return [{ session: scope.sessionId ?? -1 }];
  const tagged: VectorFilter = { project: scope.pool === "project" ? (scope.projectId ?? -1) : 0 };
  return scope.moved.length === 0 ? [tagged] : [tagged, { session: { $in: scope.moved } }];
}

function spanFilter({ from, to }: Span): VectorFilter {
  if (from === null && to === null) return {};
  return {
    createdDay: {
      ...(from === null ? {} : { $gte: Math.floor(from / DAY_MS) }),
      ...(to === null ? {} : { $lte: Math.floor(to / DAY_MS) }),
    },
  };
}

/** Scores of one pair of texts differ a little from call to call: a model computes in batches, and an index approximates. */
const COSINE_STEPS = 1_000;

/** Vector ids as refs; the best score of each. */
function merge(lists: readonly VectorMatch[][], topK: number): Scored<HitRef>[] {
  const best = new Map<string, Scored<HitRef>>();
  for (const { id, score } of lists.flat()) {
    const ref = refOf(id);
    const rounded = Math.round(score * COSINE_STEPS) / COSINE_STEPS;
    if (ref !== null && rounded > (best.get(id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(id, { ...ref, score: rounded });
  }
  return [...best.values()].sort(bestFirst).slice(0, topK);
}

/** The row of a vector id; null for a kind that search does not rank. */
function refOf(vectorId: string): HitRef | null {
  const [chunk, memory] = [chunkOf(vectorId), memoryOf(vectorId)];
  if (chunk !== null) return { kind: "episode", id: chunk };
  const document = documentChunkOf(vectorId);
  if (document !== null) return { kind: "chunk", id: document };
  return memory === null ? null : { kind: "memory", id: memory };
}
