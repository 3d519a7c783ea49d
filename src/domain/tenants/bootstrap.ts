import { newKey, publicId, sha256 } from "#core/ids";

export type Bootstrap = { key: string; sql: string };

/**
 * A new tenant with a server key of every permission, as SQL for `wrangler d1 execute`: the one way in before any key
 * exists. Only the key's hash is in the SQL. The name is our own words from a command line; quotes in it are doubled.
 */
export async function bootstrapTenant(options: { tenantName: string; keyName: string; now: number }): Promise<Bootstrap> {
  const { key, prefix } = newKey();
  const { now } = options;
  const tenant = publicId("tenant", now);
  const keyId = publicId("key", now);
  const hash = await sha256(key);
  const sql = [
    `insert into tenants (public_id, name, created_at) values ('${tenant}', ${quoted(options.tenantName)}, ${now});`,
    `insert into keys (public_id, tenant_id, hash, prefix, name, permissions, default_user_id, created_at) select '${keyId}', id, '${hash}', '${prefix}', ${quoted(options.keyName)}, '["read","write","admin"]', 0, ${now} from tenants where public_id = '${tenant}';`,
  ].join("\n");
  return { key, sql };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
