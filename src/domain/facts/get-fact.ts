import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { runBatch } from "#domain/audit";
import { candidates, standing } from "./candidates.ts";
import { atRank, type Candidate, chooseList } from "./choose-list.ts";
import { noSuchPlace, topicNamed, viewerAt } from "./place.ts";
import type { FactParams, FactPlaceInput, FactView } from "./schemas.ts";
import { topicIndexOf } from "./topics-of.ts";
import { type FactRow, factColumns, toFact } from "./view.ts";

/** The fact that answers for this rank where the user stands; 404 if none does. */
export async function getFact(ctx: Ctx<"db" | "now" | "caches">, named: FactParams, place: FactPlaceInput): Promise<FactView> {
  requirePermission(ctx.actor, "read");
  const topic = topicNamed(await topicIndexOf(ctx), named.topic, "topic");
  const viewer = viewerAt(ctx, place);
  const [stands, found] = await runBatch(ctx, [
    standing(ctx, viewer, topic),
    candidates(ctx, viewer, { topic, columns: factColumns }),
  ]);
  const refusal = stands?.rows.length === 0 ? noSuchPlace(place) : null;
  if (refusal !== null) throw refusal;
  const list = chooseList((found?.rows ?? []) as (Candidate & FactRow)[]);
  const fact = atRank(list?.facts ?? [], named.rank);
  if (fact === undefined) throw notFound("fact");
  return toFact(fact);
}
