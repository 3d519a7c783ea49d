import path from "node:path";
import { unstable_readConfig } from "wrangler";
import { productionCommands } from "./production-commands.ts";
import { setUpProduction } from "./set-up-production.ts";
import { ROOT, wrangler } from "./wrangler.ts";

/** `npm run setup:production [-- --dry-run]`: makes what `[env.production]` names, once, before the first deploy. */
const config = unstable_readConfig({ config: path.join(ROOT, "wrangler.toml"), env: "production" });
const consumers: readonly { queue: string }[] = config.queues.consumers ?? [];
const names = {
  bucket: named(config.r2_buckets[0]?.bucket_name, "r2_buckets"),
  database: named(config.d1_databases[0]?.database_name, "d1_databases"),
  queues: consumers.map(({ queue }) => queue),
  vectorIndex: named(config.vectorize[0]?.index_name, "vectorize"),
  dimensions: Number(named(config.vars.EMBEDDING_DIMENSIONS, "vars.EMBEDDING_DIMENSIONS")),
};

if (process.argv.includes("--dry-run")) {
  for (const command of productionCommands(names)) console.log(`wrangler ${command.join(" ")}`);
} else {
  try {
    await setUpProduction({
      names,
      run: (command) => wrangler(command, { env: process.env }),
      print: (line) => console.log(line),
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

console.log("\nOnce, after the first deploy: openssl rand -hex 32 | npx wrangler secret put ENCRYPTION_KEY --env production");

function named(value: unknown, what: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`wrangler.toml: [env.production] has no ${what}.`);
}
