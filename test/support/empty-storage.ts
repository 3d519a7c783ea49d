import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { compose } from "#compose";
import { asEnv } from "./harness.ts";

/**
 * Test files share one runtime: each starts with empty storage and empty caches. Ids of tenants continue after those of the file before,
 * because the rest of an isolate's state (circuits, matrices of vectors) is stored by tenant.
 */
const before = env.DB.prepare("select seq from sqlite_sequence where name = 'tenants'").first<number>("seq");
// In the first file there is no table yet.
const lastTenant = (await before.catch(() => null)) ?? 0;
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
await env.DB.prepare("insert into sqlite_sequence (name, seq) values ('tenants', ?)").bind(lastTenant).run();
const { services } = compose(asEnv(env), { waitUntil: () => undefined });
for (const cache of Object.values(services.caches)) cache.clear();
