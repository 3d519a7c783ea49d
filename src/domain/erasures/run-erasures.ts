import { sql } from "drizzle-orm";
import { z } from "zod";
import { misconfigured } from "#core/errors";
import { sha256 } from "#core/ids";
import { readRows, runBatch, select } from "#db/client";
import { row, text } from "#db/row";
import { ERASURE } from "#db/schema/transfer";
import { commit } from "#domain/audit";
import { dispatch, enqueue, type JobRun, type LeasedJob } from "#domain/jobs";
import { buryNamed } from "./bury-rows.ts";
import { checkStores, countTables } from "./check-stores.ts";
import { asProgress, type Progress, saveProgress } from "./progress.ts";
import { canonicalJson, makeReceipt, signedAs } from "./receipt.ts";
import type { StoreView } from "./schemas.ts";
import type { StepCtx } from "./step.ts";
import { STEPS } from "./steps.ts";
import { surveyScope, wasReadByModel } from "./survey.ts";
import { type ErasureRow, findErasureById } from "./view.ts";

/** After so many rounds, what is still being written counts as left over. */
const MAX_ROUNDS = 5;

/** The longest that a queue delays a message; the sweep finds what is due later. */
const MAX_DELAY_MS = 12 * 3_600_000;

const Payload = z.object({ erasureId: z.number().int() });

/** Carries out one erasure, step by step, and writes down after each how far it came: whoever runs the job next continues there. */
export async function runErasures(ctx: StepCtx, jobs: readonly LeasedJob[], run: JobRun): Promise<"unfinished" | undefined> {
  for (const job of jobs) {
    const { erasureId } = Payload.parse(job.payload);
    const [erasure] = await readRows(ctx, findErasureById(ctx, erasureId));
    if (erasure === undefined || erasure.finishedAt !== null) continue;
    const progress = asProgress(erasure.progress);
    if ((await continueErasure(ctx, { erasure, progress, deadline: run.deadline })) === "unfinished") return "unfinished";
  }
  return undefined;
}

type Running = { erasure: ErasureRow; progress: Progress; deadline: number };

async function continueErasure(ctx: StepCtx, { erasure, progress, deadline }: Running): Promise<"unfinished" | undefined> {
  if (erasure.startedAt === null) await begin(ctx, erasure, progress);
  else if (erasure.status === "failed") await resume(ctx, erasure);
  for (let isFirst = true; ; isFirst = false) {
    if (progress.waitsUntil > ctx.now()) {
      await continueAt(ctx, erasure.id, progress.waitsUntil);
      return undefined;
    }
    if (!isFirst && ctx.now() >= deadline) return "unfinished";
    const step = STEPS[progress.step];
    if (step !== undefined) {
      if (await step(ctx, progress)) {
        progress.step += 1;
        progress.cursor = 0;
      }
      await saveProgress(ctx, erasure.id, progress);
      continue;
    }
    const after = await nextRound(ctx, erasure, progress);
    if (after === "again") continue;
    await finish(ctx, erasure, { progress, stores: after });
    return undefined;
  }
}

async function begin(ctx: StepCtx, erasure: ErasureRow, progress: Progress): Promise<void> {
  await survey(ctx, progress);
  progress.before = await countTables(ctx, progress.scope);
  progress.aboutOthersCount = progress.scope.others.length;
  progress.readByModel = await wasReadByModel(ctx, progress.scope);
  await runBatch(ctx, [
    ctx.db.run(sql`
      update erasures set ${ERASURE.set({ status: "running", startedAt: ctx.now(), progress })}
      where id = ${erasure.id} and tenant_id = ${ctx.tenantId}`),
  ]);
}

/** A failed erasure continues where it ended when its job is run again. */
async function resume(ctx: StepCtx, { id }: ErasureRow): Promise<void> {
  await runBatch(ctx, [
    ctx.db.run(sql`
      update erasures set ${ERASURE.set({ status: "running" })} where id = ${id} and tenant_id = ${ctx.tenantId} and finished_at is null`),
  ]);
}

const SPACE = row({ space: text(sql`u.space_id`) });

/** What the subject consists of now; its sessions and sources get their tombstones before they go. */
async function survey(ctx: StepCtx, progress: Progress): Promise<void> {
  const { kind, id, tenantId, publicId } = progress.scope;
  const known = progress.scope.near.length > 0 || progress.scope.spaces.length > 0 ? progress.scope : null;
  const table = sql.identifier(`${kind}s`);
  const [found] = await readRows(ctx, select(SPACE)`from ${table} u where u.id = ${id} and u.tenant_id = ${tenantId}`);
  const space = found === undefined ? null : Number(found.space);
  progress.scope = await surveyScope(ctx, { kind, tenantId, id, publicId, space }, { known, aboutOthers: progress.aboutOthers });
  await buryNamed(ctx, progress.scope);
}

/** What comes after the last step: another round if something was written meanwhile, in any store; else the end, with what is left. */
async function nextRound(ctx: StepCtx, erasure: ErasureRow, progress: Progress): Promise<"again" | StoreView[]> {
  await survey(ctx, progress);
  const stores = await checkStores(ctx, progress);
  const isLeft = stores.some(
    ({ store, verdict }) => verdict === "residual" && !(progress.aboutOthers === "review" && store === "memory_subjects"),
  );
  if (!isLeft || progress.round + 1 >= MAX_ROUNDS) return stores;
  Object.assign(progress, { round: progress.round + 1, step: 0, cursor: 0, segments: {} });
  await saveProgress(ctx, erasure.id, progress);
  return "again";
}

async function continueAt(ctx: StepCtx, erasureId: number, dueAt: number): Promise<void> {
  const id = ctx.newId("job");
  const payload = JSON.stringify({ erasureId });
  await runBatch(ctx, [enqueue(ctx, { id, kind: "erasures.run", payload, dueAt })]);
  dispatch(ctx, [id], Math.min(dueAt - ctx.now(), MAX_DELAY_MS));
}

type Ended = { progress: Progress; stores: StoreView[] };

/** Signs the receipt and writes its hash to the audit log, in one batch with the erasure's end. */
async function finish(ctx: StepCtx, erasure: ErasureRow, { progress, stores }: Ended): Promise<void> {
  ctx.caches.profiles.clear();
  ctx.caches.queryEmbeddings.clear();
  if (ctx.secretBox === null) throw misconfigured("Receipts of erasures need ENCRYPTION_KEY.");
  const finishedAt = ctx.now();
  const receipt = await makeReceipt(ctx, erasure, { progress, stores, finishedAt });
  const signed = canonicalJson(receipt);
  const end = {
    ...{ status: receipt.status, progress, receipt: signed, subjectId: null, finishedAt },
    signature: await ctx.secretBox.sign(signed, signedAs(ctx.tenantId)),
  };
  await commit(ctx, {
    statements: [
      ctx.db.run(sql`
        update erasures set ${ERASURE.set(end)} where id = ${erasure.id} and tenant_id = ${ctx.tenantId} and finished_at is null`),
    ],
    audit: [
      {
        action: "erasure.finished",
        objectId: erasure.publicId,
        userId: null,
        detail: { kind: erasure.kind, status: receipt.status, receipt: await sha256(signed) },
        when: sql`changes() > 0`,
      },
    ],
  });
}
