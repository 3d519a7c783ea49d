import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { type Query, select } from "#db/client";
import { type RowOf, row } from "#db/row";
import { ERASURE } from "#db/schema/transfer";
import { asProgress } from "./progress.ts";
import type { ErasureSummary, ErasureView, ReceiptView } from "./schemas.ts";
import { STEPS } from "./steps.ts";

const ERASURE_ROW = row(ERASURE.of(sql`x`));

export type ErasureRow = RowOf<typeof ERASURE_ROW>;

export function findErasure(ctx: Ctx, publicId: string): Query<ErasureRow> {
  return select(ERASURE_ROW)`from erasures x where x.public_id = ${publicId} and x.tenant_id = ${ctx.tenantId}`;
}

export function findErasureById(ctx: Ctx, id: number): Query<ErasureRow> {
  return select(ERASURE_ROW)`from erasures x where x.id = ${id} and x.tenant_id = ${ctx.tenantId}`;
}

/** The erasure of this subject that has not ended. What was made anew under its id meanwhile is another, with another internal id. */
export function findRunning(ctx: Ctx, { hash, id }: { hash: string; id: number }): Query<ErasureRow> {
  return select(
    ERASURE_ROW,
  )`from erasures x where x.tenant_id = ${ctx.tenantId} and x.subject_hash = ${hash} and x.subject_id = ${id}
    and x.status in ('initialized', 'running') order by x.id limit 1`;
}

/** The tenant's erasures before one of them, newest first. */
export function listRows(ctx: Ctx, before: number, limit: number): Query<ErasureRow> {
  return select(
    ERASURE_ROW,
  )`from erasures x where x.tenant_id = ${ctx.tenantId} and x.id < ${before} order by x.id desc limit ${limit}`;
}

export function toErasure(row: ErasureRow): ErasureView {
  const progress = asProgress(row.progress);
  const receipt = row.receipt === null ? null : asReceipt(row.receipt);
  return {
    ...toSummary(row),
    progress: {
      step: row.finishedAt === null ? progress.step : STEPS.length,
      steps: STEPS.length,
      round: progress.round,
      deleted: Object.values(progress.deleted).reduce((sum, rows) => sum + rows, 0),
    },
    stores: receipt?.stores ?? [],
    receipt,
    signature: row.signature,
  };
}

export function toSummary(row: ErasureRow): ErasureSummary {
  const { kind, status, dryRun, basis, requestRef } = row;
  return {
    ...{ id: row.publicId, kind, status, dryRun, basis, requestRef },
    aboutOthers: kind === "user" ? row.aboutOthers : null,
    createdAt: toIso(row.createdAt),
    startedAt: row.startedAt === null ? null : toIso(row.startedAt),
    finishedAt: row.finishedAt === null ? null : toIso(row.finishedAt),
  };
}

/** As `makeReceipt` made it. */
export function asReceipt(stored: string): ReceiptView {
  return JSON.parse(stored) as ReceiptView;
}
