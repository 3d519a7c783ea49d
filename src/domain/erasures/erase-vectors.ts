import type { Ctx } from "#context";
import type { VectorRef } from "#ports/vector-index";
import { count, type Progress } from "./progress.ts";
import type { Scope } from "./scope.ts";

const REFS_A_CALL = 500;
const IDS_A_PAGE = 1_000;
/** Pages of a space that one check reads; a space with more is checked up to there. */
const MAX_PAGES = 100;

/** Removes vectors and counts those that were stored. It comes before the rows, so that a run that is cut off finds them again. */
export async function eraseVectors(ctx: Ctx<"vectors">, progress: Progress, refs: readonly VectorRef[]): Promise<void> {
  for (let from = 0; from < refs.length; from += REFS_A_CALL) {
    const part = refs.slice(from, from + REFS_A_CALL);
    const stored = await ctx.vectors.stored(ctx.tenantId, part);
    await ctx.vectors.remove(ctx.tenantId, part);
    count(progress, "vectors", stored.length);
  }
  if (ctx.vectors.list === undefined) for (const ref of refs) note(progress, ref);
}

/** Adjacent ids of one space become one entry. */
function note(progress: Progress, { id, space }: VectorRef): void {
  const [prefix = "", number] = id.split(":");
  const last = progress.vectors.at(-1);
  if (last !== undefined && last[0] === prefix && last[3] === space && last[1] + last[2] === Number(number)) last[2] += 1;
  else progress.vectors.push([prefix, Number(number), 1, space]);
}

/** How many vectors of the subject the index still has. */
export async function countVectors(ctx: Ctx<"vectors">, progress: Progress, isGone: IsGone): Promise<number> {
  if (ctx.vectors.list === undefined) return await countNoted(ctx, progress);
  let left = 0;
  for (const space of progress.scope.spaces) left += (await listSpace(ctx, space)).length;
  for (const space of progress.scope.near) {
    if (progress.scope.spaces.includes(space)) continue;
    left += (await isGone(await listSpace(ctx, space), progress.scope)).length;
  }
  return left;
}

/** Those of the vectors, of a space that stays, that belong to what goes. */
export type IsGone = (ids: readonly string[], scope: Scope) => Promise<readonly string[]>;

async function countNoted(ctx: Ctx<"vectors">, { vectors }: Progress): Promise<number> {
  let left = 0;
  for (const [prefix, from, length, space] of vectors) {
    for (let at = 0; at < length; at += REFS_A_CALL) {
      const refs = Array.from({ length: Math.min(REFS_A_CALL, length - at) }, (_, i) => ({
        id: `${prefix}:${from + at + i}`,
        space,
      }));
      left += (await ctx.vectors.stored(ctx.tenantId, refs)).length;
    }
  }
  return left;
}

async function listSpace(ctx: Ctx<"vectors">, space: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: { ids: string[]; next: string | null } | undefined = await ctx.vectors.list?.(ctx.tenantId, space, {
      after,
      limit: IDS_A_PAGE,
    });
    ids.push(...(page?.ids ?? []));
    after = page?.next ?? null;
    if (after === null) break;
  }
  return ids;
}
