import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { bootstrapTenant } from "../src/domain/tenants/bootstrap.ts";
import { wrangler } from "./wrangler.ts";

/** The key of the dev tenant of a state folder, if there is one. */
export async function readDevKey(keyFile: string): Promise<string | null> {
  try {
    return (await readFile(keyFile, "utf8")).trim();
  } catch {
    return null;
  }
}

/** Creates the dev tenant and its key, unless the database of this state folder knows the key in the file. */
export async function ensureDevKey(keyFile: string, persistTo: string): Promise<string> {
  const known = await readDevKey(keyFile);
  if (known !== null && (await isStored(known, persistTo))) return known;
  const { key, sql } = await bootstrapTenant({ tenantName: "dev", keyName: "dev", now: Date.now() });
  await wrangler(["d1", "execute", "DB", "--local", "--persist-to", persistTo, "--yes", "--command", sql]);
  await mkdir(path.dirname(keyFile), { recursive: true });
  await writeFile(keyFile, `${key}\n`, { mode: 0o600 });
  return key;
}

async function isStored(key: string, persistTo: string): Promise<boolean> {
  const hash = createHash("sha256").update(key).digest("hex");
  const query = `select count(*) as found from keys where hash = '${hash}' and revoked_at is null`;
  const output = await wrangler(["d1", "execute", "DB", "--local", "--persist-to", persistTo, "--json", "--command", query]);
  return /"found":\s*1/.test(output);
}
