import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import type { SecretBox } from "#core/secret-box";
import { newTokenSecret } from "#core/user-token";
import type { Statement } from "#db/client";
import { TOKEN_SECRET } from "#db/schema/tenants";
import { commit } from "#domain/audit";

/** How long a secret is accepted after it was replaced: as long as the longest token lives. */
export const OVERLAP_MS = 3_600_000;

/** @throws unprocessable without an ENCRYPTION_KEY: a secret is stored encrypted or not at all. */
export function requireSecretBox({ secretBox }: Ctx<"secretBox">): SecretBox {
  if (secretBox !== null) return secretBox;
  throw new AppError(
    "unprocessable",
    "User tokens cannot be made, because this service has no ENCRYPTION_KEY. Its operator sets one, as the README says under Configuration.",
  );
}

/** A sealed secret is bound to its tenant: it cannot be used from another tenant's row. */
export function boundTo(tenantId: number): string {
  return `tenant ${tenantId} tokens`;
}

export async function sealNewSecret(ctx: Ctx<"secretBox">): Promise<string> {
  return await requireSecretBox(ctx).seal(newTokenSecret(), boundTo(ctx.tenantId));
}

/** The statement that adds a sealed secret, numbered after those that the tenant has. */
export function addSecret(ctx: Ctx<"db" | "now">, sealed: string, { onlyFirst }: { onlyFirst: boolean }): Statement {
  const number = sql`(select coalesce(max(ts.number), 0) + 1 from token_secrets ts where ts.tenant_id = ${ctx.tenantId})`;
  const values = TOKEN_SECRET.insert({ tenantId: ctx.tenantId, number, sealed, validUntil: null, createdAt: ctx.now() });
  return ctx.db.run(
    onlyFirst
      ? sql`insert into token_secrets ${values} where not exists (select 1 from token_secrets ts where ts.tenant_id = ${ctx.tenantId})`
      : sql`insert into token_secrets ${values}`,
  );
}

/** Makes the tenant's first secret. Of two requests that do so at once, one does. */
export async function makeFirstSecret(ctx: Ctx<"db" | "now" | "newId" | "secretBox">): Promise<void> {
  const entry = { action: "token_secret.made", objectId: "token_secret", userId: null, detail: {}, when: sql`changes() > 0` };
  await commit(ctx, { statements: [addSecret(ctx, await sealNewSecret(ctx), { onlyFirst: true })], audit: [entry] });
}
