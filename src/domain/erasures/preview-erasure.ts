import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { checkStores } from "./check-stores.ts";
import { countElsewhere } from "./count-elsewhere.ts";
import { addNear, newProgress } from "./progress.ts";
import type { ErasureInput, ErasureView, StoreView } from "./schemas.ts";
import { STEPS } from "./steps.ts";
import { type SubjectRow, surveyScope } from "./survey.ts";

/** What an erasure would erase, by store; nothing is stored. */
export async function previewErasure(
  ctx: Ctx<"db" | "now" | "vectors" | "files">,
  subject: SubjectRow,
  { kind, aboutOthers, basis, requestRef }: ErasureInput,
): Promise<ErasureView> {
  const choice = aboutOthers ?? "unlink";
  const scope = await surveyScope(ctx, { kind, tenantId: ctx.tenantId, ...subject }, { known: null, aboutOthers: choice });
  const elsewhere = await countElsewhere(ctx, scope);
  scope.memories = [...new Set([...scope.memories, ...elsewhere.memories.map(({ id }) => id)])];
  const progress = newProgress(scope, choice);
  addNear(progress, elsewhere.memories);
  const found = (await checkStores(ctx, progress)).map((store) => withMore(store, elsewhere.counts[store.store] ?? 0));
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

function withMore(store: StoreView, more: number): StoreView {
  if (store.before === null || store.remaining === null) return store;
  return { ...store, before: store.before + more, remaining: store.remaining + more };
}
