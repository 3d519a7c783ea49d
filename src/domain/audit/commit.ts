import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { redactName, redactNames } from "#core/safety/name-secrets";
import { type Results, runBatch, type Statement } from "#db/client";
import { isLostRace } from "#db/guard";

export type AuditEntry = {
  /** Noun and past event, such as `session.moved`. */
  action: string;
  /** The public id of what changed, or an expression that finds it. */
  objectId: string | SQL;
  /** The user on whose behalf it was done: an internal id, or an expression that finds one. */
  userId: number | SQL | null;
  workspaceId?: string | null;
  /**
   * Ids (the app's own, where it named them), counts and names of settings; never what people said. Users are named only under `memberId`,
   * `participants`, `joined` and `left`, where an erasure looks for them.
   */
  detail: Record<string, unknown>;
  /** The row is written only if this holds, so that a lost race leaves no audit row. */
  when?: SQL;
};

/**
 * Runs a mutation as one batch, which is one transaction and one round trip: the statements in order, the audit rows, then the mark that an
 * idempotent request was carried out (left out if a lost race left out the last audit row).
 * @returns what each statement returned.
 */
export async function commit(
  ctx: Ctx<"db" | "now" | "newId">,
  mutation: { statements: readonly Statement[]; audit: readonly AuditEntry[] },
): Promise<Results> {
  return await runBatch(ctx, [
    ...mutation.statements,
    ...mutation.audit.map((entry) => recordAudit(ctx, entry)),
    ...markCommitted(ctx),
  ]);
}

/** The same for statements that begin with `failUnless`. `lost`: the condition no longer holds, and nothing was written. */
export async function commitUnlessLost(...[ctx, mutation]: Parameters<typeof commit>): Promise<Results | "lost"> {
  try {
    return await commit(ctx, mutation);
  } catch (error) {
    if (isLostRace(error)) return "lost";
    throw error;
  }
}

/**
 * The statement that writes one audit row, as part of the verb's batch, for one that needs it in a certain place: `commit` puts it last. An
 * id in which an older release stored a secret is not copied.
 */
export function recordAudit(ctx: Ctx<"db" | "now" | "newId">, entry: AuditEntry): Statement {
  return ctx.db.run(sql`
    insert into audit (tenant_id, seq, id, at, actor_kind, actor_id, user_id, workspace_id, action, object_id, detail, request_id, salt)
    select ${ctx.tenantId}, coalesce((select seq + 1 from audit where tenant_id = ${ctx.tenantId} order by seq desc limit 1), 1),
      ${ctx.newId("audit")}, ${ctx.now()}, ${ctx.via ?? ctx.actor.kind}, ${ctx.actor.id}, ${entry.userId}, ${entry.workspaceId == null ? null : redactName(entry.workspaceId)},
      ${entry.action}, ${typeof entry.objectId === "string" ? redactName(entry.objectId) : entry.objectId},
      ${JSON.stringify(redactNames(entry.detail))}, ${ctx.requestId}, lower(hex(randomblob(16)))
    where ${entry.when ?? sql`true`}`);
}

function markCommitted(ctx: Ctx<"db" | "now">): Statement[] {
  if (ctx.idempotent === null) return [];
  const { keyId, key } = ctx.idempotent;
  return [
    ctx.db.run(sql`
      update idempotency set committed_at = ${ctx.now()}
      where tenant_id = ${ctx.tenantId} and key_id = ${keyId} and key = ${key} and changes() > 0`),
  ];
}
