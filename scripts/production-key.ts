import { parseArgs } from "node:util";
import { bootstrapTenant } from "../src/domain/tenants/bootstrap.ts";
import { wrangler } from "./wrangler.ts";

/** `npm run key:production -- --tenant NAME`: a new tenant with its first key, straight into the production database. */
const { values } = parseArgs({ options: { tenant: { type: "string" } } });
if (values.tenant === undefined) {
  console.error('Name the application: npm run key:production -- --tenant "My app"');
  process.exit(1);
}
const { key, sql } = await bootstrapTenant({ tenantName: values.tenant, keyName: "first key", now: Date.now() });
await wrangler(["d1", "execute", "DB", "--remote", "--env", "production", "--yes", "--command", sql], { env: process.env });
console.log(`Tenant: ${values.tenant}\nKey (permissions read, write, admin; shown this once): ${key}`);
