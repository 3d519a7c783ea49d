import { publicId } from "#core/ids";
import { newKey, sha256 } from "#core/key";
import { nameKey } from "#core/text/name-key";

export type Bootstrap = { key: string; sql: string };

/**
 * A new tenant with an admin key and its default user, as SQL for `wrangler d1 execute`: the one way in before any key
 * exists. Only the key's hash is in the SQL. The name is our own words from a command line; quotes in it are doubled.
 */
export async function bootstrapTenant(options: { tenantName: string; keyName: string; now: number }): Promise<Bootstrap> {
  const { key, prefix } = newKey();
  const { now } = options;
  const tenant = publicId("tenant", now);
  const space = publicId("space", now);
  const user = publicId("user", now);
  const person = publicId("person", now);
  const keyId = publicId("key", now);
  const hash = await sha256(key);
  const sql = [
    `insert into tenants (public_id, name, created_at) values ('${tenant}', ${quoted(options.tenantName)}, ${now});`,
    `insert into spaces (public_id, tenant_id, kind) select '${space}', id, 'user' from tenants where public_id = '${tenant}';`,
    `insert into users (public_id, tenant_id, external_id, space_id, created_at) select '${user}', tenant_id, 'key:${keyId}', id, ${now} from spaces where public_id = '${space}';`,
    `insert into persons (public_id, tenant_id, user_id, name, aliases, created_by, created_at, updated_at) select '${person}', tenant_id, id, external_id, '[]', id, ${now}, ${now} from users where public_id = '${user}';`,
    `insert into person_names (tenant_id, name_key, person_id) select tenant_id, ${quoted(nameKey(`key:${keyId}`))}, id from persons where public_id = '${person}';`,
    `insert into keys (public_id, tenant_id, hash, prefix, name, permissions, default_user_id, created_at) select '${keyId}', tenant_id, '${hash}', '${prefix}', ${quoted(options.keyName)}, '["read","write","admin"]', id, ${now} from users where public_id = '${user}';`,
  ].join("\n");
  return { key, sql };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
