import { sql } from "drizzle-orm";
import type { Ctx, IdempotentRequest } from "#context";
import { AppError, conflict } from "#core/errors";
import { runBatch, select } from "#db/client";
import { row } from "#db/row";
import { IDEMPOTENCY } from "#db/schema/tenants";

/** How long a request may take; until then, a second request with its key is refused. */
const LOCK_MS = 60_000;

const FIRST = row(IDEMPOTENCY.of(sql`i`, "fingerprint", "committedAt", "responseStatus", "responseBody"));

/** `body` holds ids, versions and outcomes, never content. */
export type Answered = { status: number; body: Record<string, unknown> };

/**
 * Claims an idempotency key for this request, or returns the stored answer to the first request with it.
 * @throws conflict for the same key with another request, while the first request is running, and when the first was carried out but its
 * answer was not stored.
 */
export async function claimIdempotency(
  ctx: Ctx<"db" | "now">,
  request: IdempotentRequest & { fingerprint: string },
): Promise<Answered | "claimed"> {
  const now = ctx.now();
  const mine = sql`tenant_id = ${ctx.tenantId} and key_id = ${request.keyId} and key = ${request.key}`;
  const claim = ctx.db.run(sql`
      insert into idempotency (tenant_id, key_id, key, fingerprint, locked_until, created_at)
      values (${ctx.tenantId}, ${request.keyId}, ${request.key}, ${request.fingerprint}, ${now + LOCK_MS}, ${now})
      on conflict (tenant_id, key_id, key) do update set locked_until = excluded.locked_until
      where committed_at is null and response_status is null and locked_until <= ${now} and fingerprint = excluded.fingerprint`);
  const first = select(FIRST)`from idempotency i where ${mine}`;
  const results = await runBatch(ctx, [claim, first]);
  if (results.changes(claim) === 1) return "claimed";
  const [kept] = results.rows(first);
  if (kept !== undefined && kept.fingerprint !== request.fingerprint)
    throw conflict("This Idempotency-Key was used for another request.");
  if (kept?.responseStatus != null && kept.responseBody !== null) return { status: kept.responseStatus, body: kept.responseBody };
  if (kept?.committedAt != null || kept?.responseStatus != null) throw answerNotKept();
  throw new AppError("conflict", "A request with this Idempotency-Key is under way.", { retryAfterSeconds: 2 });
}

export function answerNotKept(): AppError {
  return conflict("A request with this Idempotency-Key was carried out; its answer was not kept.");
}

/** Stores the answer for repeated requests. */
export async function keepAnswer(ctx: Ctx<"db">, request: IdempotentRequest, answer: Answered): Promise<void> {
  await ctx.db.run(sql`
    update idempotency set ${IDEMPOTENCY.set({ responseStatus: answer.status, responseBody: answer.body })}
    where tenant_id = ${ctx.tenantId} and key_id = ${request.keyId} and key = ${request.key}`);
}

/** Releases the key after a request that changed nothing, so that a corrected request may use it. */
export async function releaseIdempotency(ctx: Ctx<"db">, request: IdempotentRequest): Promise<void> {
  await ctx.db.run(sql`
    delete from idempotency
    where tenant_id = ${ctx.tenantId} and key_id = ${request.keyId} and key = ${request.key} and committed_at is null`);
}
