import { sql } from "drizzle-orm";
import type { Ctx, IdentityProviderSettings, Services } from "#context";
import { breaksRule, conflict } from "#core/errors";
import { readRows, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { integer, row } from "#db/row";
import { SETTINGS } from "#db/schema/tenants";
import { type IdentityProviderInput, StoredSettings } from "./schemas.ts";

const OWNED = row({ tenantId: integer(sql`p.tenant_id`) });

/**
 * The stored form of the provider.
 * @throws unprocessable for an address from which keys may not be loaded.
 * @throws conflict if another tenant has registered the issuer with this audience: their tokens name no tenant, so each pair is for one.
 */
export async function checkIdentityProvider(
  ctx: Ctx<"db" | "identity">,
  given: IdentityProviderInput,
): Promise<IdentityProviderSettings> {
  const { issuer, audience, jwksUrl, algorithms, userClaim } = given;
  const refusal = ctx.identity.refusal(jwksUrl);
  if (refusal !== null) throw breaksRule("identityProvider.jwksUrl", refusal);
  const find = select(OWNED)`from identity_providers p
    where p.issuer = ${issuer} and p.audience = ${audience} and p.tenant_id <> ${ctx.tenantId}`;
  if ((await readRows(ctx, find)).length > 0)
    throw conflict(
      "Another tenant of this service has registered this issuer with this audience. Use an audience of your own, or ask the service's operator.",
    );
  // In the order in which a row is read, because settings are compared as JSON.
  return { issuer, audience, jwksUrl, algorithms: [...new Set(algorithms)], userClaim };
}

/** Statements that make this the tenant's only provider; the batch fails if another tenant has the pair. */
export function storeIdentityProvider(ctx: Ctx<"db">, provider: IdentityProviderSettings | null): Statement[] {
  const remove = ctx.db.run(sql`delete from identity_providers where tenant_id = ${ctx.tenantId}`);
  if (provider === null) return [remove];
  const { issuer, audience } = provider;
  const taken = sql`exists (select 1 from identity_providers p where p.issuer = ${issuer} and p.audience = ${audience} and p.tenant_id <> ${ctx.tenantId})`;
  return [
    failUnless(ctx.db, sql`not ${taken}`),
    remove,
    ctx.db.run(
      sql`insert into identity_providers (issuer, audience, tenant_id) values (${issuer}, ${audience}, ${ctx.tenantId})`,
    ),
  ];
}

const REGISTERED = row({ tenantId: integer(sql`p.tenant_id`), ...SETTINGS.of(sql`s`, "data") });

/**
 * The one tenant that has registered the issuer with one of these audiences, and its provider; null for none, and for several. It is what
 * an unverified token says, so the tenant is only found by it: the keys of its provider decide.
 */
export async function findIdentityProvider(
  services: Pick<Services, "db">,
  named: { issuer: string; audiences: readonly string[] },
): Promise<{ tenantId: number; provider: IdentityProviderSettings } | null> {
  const rows = await readRows(
    services,
    select(REGISTERED)`from json_each(${JSON.stringify([...new Set(named.audiences)])}) j
      cross join identity_providers p on p.issuer = ${named.issuer} and p.audience = j.value
      cross join settings s on s.tenant_id = p.tenant_id limit 2`,
  );
  const [found] = rows;
  if (found === undefined || rows.length > 1) return null;
  const provider = StoredSettings.parse(found.data).identityProvider ?? null;
  return provider === null || provider.issuer !== named.issuer ? null : { tenantId: found.tenantId, provider };
}
