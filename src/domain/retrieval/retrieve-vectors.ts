import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement, StatementResult } from "#db/client";
import { memoryOf } from "#domain/memories";
import { chunkOf } from "#domain/sessions";
import { type Pool, seesEpisodesOf, type ViewerRef, viewerCte, visibleSpaces } from "#domain/visibility";
import type { VectorFilter, VectorMatch } from "#ports/vector-index";
import type { Span } from "./retrieve-text.ts";

const DAY_MS = 86_400_000;
/** Sessions that moved and whose vectors are not tagged anew; beyond this many, the rest waits for its tags. */
const MAX_MOVED = 100;

/** Where the viewer's vectors are: the pool, its spaces, and sessions whose tags are still those of before a move. */
export type VectorScope = {
  pool: Pool;
  rule: string;
  sessionId: number | null;
  projectId: number | null;
  spaces: number[];
  moved: number[];
};

/** The statements that find the scope; they run in the batch of the text search. */
export function findScope(ctx: Ctx<"db">, viewer: ViewerRef): Statement[] {
  return [
    ctx.db.all(sql`
      with ${viewerCte(viewer)}
      select pool, pool_rule as rule, session_id as sessionId, project_id as projectId,
        (select json_group_array(space_id) from ${visibleSpaces(viewer)}) as spaces from viewer`),
    ctx.db.all(sql`
      with ${viewerCte(viewer)}
      select s.id as id from viewer v cross join ${visibleSpaces(viewer)} sp
      cross join sessions s on s.space_id = sp.space_id and s.tagged_project_id <> coalesce(s.project_id, 0)
      where ${seesEpisodesOf(ctx.tenantId, sql`s`)} limit ${MAX_MOVED}`),
  ];
}

export function toScope(found: StatementResult | undefined, moved: StatementResult | undefined): VectorScope | null {
  const row = found?.rows[0] as
    | { pool: Pool; rule: string; sessionId: number | null; projectId: number | null; spaces: string }
    | undefined;
  if (row === undefined) return null;
  return { ...row, spaces: JSON.parse(row.spaces), moved: ((moved?.rows ?? []) as { id: number }[]).map(({ id }) => id) };
}

/** Where memories are looked for by vectors; null when none are asked for. */
export type MemoryScope = { spaces: readonly number[]; workspaceId: string | null; types: readonly string[] | null };

type NearestSearch = {
  vector: Float32Array;
  scope: VectorScope;
  /** Whether episodes are asked for. */
  episodes: boolean;
  memories: MemoryScope | null;
  span: Span;
  topK: number;
};

/**
 * What is nearest to the question in the viewer's spaces, best first: chunks by their ids, memories by theirs negated. Only
 * proposals: D1 decides what may be seen.
 */
export async function retrieveVectors(
  ctx: Ctx<"embedder" | "vectors" | "caches" | "now">,
  search: NearestSearch,
): Promise<{ id: number; score: number }[]> {
  const { vector, topK } = search;
  const common: VectorFilter = { model: ctx.embedder.model, ...spanFilter(search.span) };
  const lists = await Promise.all(
    queriesOf(search)
      .filter(({ spaces }) => spaces.length > 0)
      .map(({ spaces, filter }) => ctx.vectors.query(ctx.tenantId, { vector, spaces, filter: { ...common, ...filter }, topK })),
  );
  return merge(lists, topK);
}

/** One query for both kinds where one filter fits them, which is in private and outside projects. */
function queriesOf({ scope, episodes, memories }: NearestSearch): { spaces: readonly number[]; filter: VectorFilter }[] {
  if (scope.pool === "none") return [];
  const places = episodes ? placeFilters(scope) : [];
  const ofMemories = memories === null ? null : memoryFilter(memories);
  if (memories === null || ofMemories === null)
    return places.map((place) => ({ spaces: scope.spaces, filter: { kind: "episode", ...place } }));
  const [only] = places;
  if (scope.pool === "user" && places.length === 1 && memories.types === null)
    return [
      {
        spaces: [...new Set([...scope.spaces, ...memories.spaces])],
        filter: { ...only, ...ofMemories, kind: { $in: ["episode", "memory"] } },
      },
    ];
  return [
    ...places.map((place) => ({ spaces: scope.spaces, filter: { kind: "episode", ...place } })),
    { spaces: memories.spaces, filter: { kind: "memory", ...ofMemories } },
  ];
}

function memoryFilter({ workspaceId, types }: MemoryScope): VectorFilter {
  return {
    workspace: workspaceId === null ? "" : { $in: ["", workspaceId] },
    ...(types === null ? {} : { type: { $in: types } }),
  };
}

/** By the tag, and beside it by the session where the tag is behind a move. */
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

function merge(lists: readonly VectorMatch[][], topK: number): { id: number; score: number }[] {
  const best = new Map<number, number>();
  for (const { id, score } of lists.flat()) {
    const memory = memoryOf(id);
    const found = memory === null ? chunkOf(id) : -memory;
    if (found !== null && score > (best.get(found) ?? -2)) best.set(found, score);
  }
  return [...best]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, topK);
}
