import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { retryLostRace } from "#core/retry-lost-race";
import { runBatch } from "#db/client";
import { isLostRace } from "#db/guard";
import { flag, type RowShape, row } from "#db/row";
import { type CheckResult, checkWords, type IndexRepair } from "./check.ts";
import { checkVectors } from "./check-vectors.ts";
import { embedRows, type IndexCtx } from "./embed.ts";
import { type Indexable, type IndexedRow, isEmbedded, isIndexed, rowsPath } from "./indexable.ts";
import { prepareIndexRepairs } from "./repair.ts";
import { type Places, placeOf, toCursor, walk } from "./walk.ts";

export type RebuildCtx = IndexCtx & Ctx<"wait" | "random">;

/** What a rebuild writes again. */
export type Rebuilt = { words: boolean; vectors: boolean };

/** One step: how many rows it wrote or entries it removed, by name, and where the next step continues, null at the end. */
export type RebuildStep = { counts: Readonly<Record<string, number>>; next: string | null };

/** A part of a rebuild, which goes through rows or entries step by step. */
export type RebuildSection = (ctx: RebuildCtx, cursor: string) => Promise<RebuildStep>;

/** Rows that one step embeds: few enough for a part of a job's time, because a step that is cut off is done again. */
const ROWS_A_STEP = 50;
const PLACES_A_STEP = 300;
const FOUND_A_STEP = 200;

/**
 * The parts of a rebuild of one kind: each row's text is replaced in one transaction and its vectors are written over the old ones, so that
 * no search misses a row meanwhile. Then entries and vectors without a row are removed.
 */
export function rebuildSections(indexable: Indexable, rebuilt: Rebuilt, places: readonly Places[]): RebuildSection[] {
  return [
    (ctx, cursor) => rewriteRows(ctx, indexable, rebuilt, cursor),
    ...(rebuilt.words
      ? [(ctx: RebuildCtx, cursor: string) => repairFound(ctx, () => checkWords(ctx, indexable, { cursor, limit: FOUND_A_STEP }))]
      : []),
    ...(rebuilt.vectors
      ? places.map((these) => (ctx: RebuildCtx, cursor: string) => {
          const asked = { places: these, indexables: [indexable], invariant: "vector.row" };
          return repairFound(ctx, () => checkVectors(ctx, asked, { cursor, limit: FOUND_A_STEP }));
        })
      : []),
  ];
}

async function rewriteRows(
  ctx: RebuildCtx,
  indexable: Indexable,
  { words, vectors }: Rebuilt,
  cursor: string,
): Promise<RebuildStep> {
  const path = rowsPath(indexable);
  const { rows, next } = await walk(ctx, placeOf(cursor), {
    path: { ...path, join: sql`${path.join} ${indexable.joins ?? sql``}` },
    bounds: { places: PLACES_A_STEP, rows: ROWS_A_STEP },
    shape: rewrittenShape(ctx, indexable),
  });
  const own = rows.flatMap(({ indexed }) => indexed ?? []);
  if (words && own.length > 0) {
    const repairs = own.map(({ id, space, passages }) => ({
      ...{ kind: "reindex" as const, of: indexable, id, space, span: passages.length },
    }));
    await carryOut(ctx, async () => repairs);
  }
  const embedded = vectors ? rows.flatMap(({ indexed, isToEmbed }) => (isToEmbed && indexed !== null ? [indexed] : [])) : [];
  // The step is done as a whole: the deadline counts between steps.
  await embedRows(ctx, indexable, embedded, { deadline: Number.POSITIVE_INFINITY });
  return { counts: { words: words ? own.length : 0, vectors: embedded.length }, next: toCursor(next) };
}

/** A row of the index, or null for another tenant's and for what is hidden. */
function rewrittenShape(ctx: RebuildCtx, indexable: Indexable): RowShape<{ indexed: IndexedRow | null; isToEmbed: boolean }> {
  const flags = row({ isHere: flag(isIndexed(ctx, indexable)), isToEmbed: flag(isEmbedded(ctx, indexable)) });
  return {
    columns: sql`${indexable.row.columns}, ${flags.columns}`,
    decode: (values) => {
      const { isHere, isToEmbed } = flags.decode(values);
      return { indexed: isHere ? indexable.row.decode(values) : null, isToEmbed };
    },
  };
}

async function repairFound(ctx: RebuildCtx, check: () => Promise<CheckResult>): Promise<RebuildStep> {
  let found: CheckResult = { checked: {}, findings: [], next: null };
  await carryOut(ctx, async () => {
    found = await check();
    return found.findings.flatMap(({ repair }) => repair ?? []);
  });
  return { counts: { removed: found.findings.length }, next: found.next };
}

/** Repairs whose rows changed meanwhile are prepared again. */
async function carryOut(ctx: RebuildCtx, find: () => Promise<readonly IndexRepair[]>): Promise<void> {
  await retryLostRace(ctx, "Rows of the index are being changed at the same moment. Try again.", async () => {
    const prepared = await prepareIndexRepairs(ctx, await find());
    try {
      for (const { outside } of prepared) await outside?.();
      await runBatch(
        ctx,
        prepared.flatMap(({ statements }) => statements),
      );
      return "done";
    } catch (error) {
      if (isLostRace(error)) return "lost";
      throw error;
    }
  });
}
