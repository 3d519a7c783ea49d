import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { findDangers } from "./dangerous-sql.ts";
import { ROOT } from "./wrangler.ts";

/** Part of `npm run check`. */
const folder = path.join(ROOT, "migrations");
for (const file of (await readdir(folder)).filter((name) => name.endsWith(".sql"))) {
  for (const { line, what } of findDangers(await readFile(path.join(folder, file), "utf8"))) {
    console.error(
      `migrations/${file}:${line} has ${what}, which can delete rows on D1. If it cannot here, say why on the line before: -- safe: …`,
    );
    process.exitCode = 1;
  }
}
