import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { checkStores } from "./check-stores.ts";
import { newProgress } from "./progress.ts";
import type { ErasureInput, ErasureView } from "./schemas.ts";
import { STEPS } from "./steps.ts";
import { type SubjectRow, surveyScope } from "./survey.ts";

/** What an erasure would erase, by store; nothing is stored. */
export async function previewErasure(
  ctx: Ctx<"db" | "now" | "vectors" | "files">,
  subject: SubjectRow,
  { kind, aboutOthers, basis, requestRef }: ErasureInput,
): Promise<ErasureView> {
  const scope = await surveyScope(ctx, { kind, tenantId: ctx.tenantId, ...subject }, null);
  const progress = newProgress(scope, aboutOthers ?? "unlink");
  const found = await checkStores(ctx, progress);
  const now = toIso(ctx.now());
  return {
    ...{ id: null, kind, status: "finished", dryRun: true, basis: basis ?? null, requestRef: requestRef ?? null },
    aboutOthers: kind === "user" ? progress.aboutOthers : null,
    progress: { step: 0, steps: STEPS.length, round: 0, deleted: 0 },
    // Nothing is deleted, so what is there is what remains: no verdict yet.
    stores: found.map((store) =>
      store.remaining === null ? store : { ...store, deleted: null, verdict: store.remaining > 0 ? "pending" : "not_applicable" },
    ),
    ...{ receipt: null, signature: null, createdAt: now, startedAt: null, finishedAt: now },
  };
}
