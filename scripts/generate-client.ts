import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { app } from "#surfaces/rest/app";
import { openApiDocument } from "#surfaces/rest/openapi";
import { type ApiDocument, apiSource, clientDocument, operationsSource } from "./client-source.ts";
import { ROOT } from "./wrangler.ts";

const CLIENT = path.join(ROOT, "packages", "client");
const TARGET = path.join(CLIENT, "src", "generated");
const GENERATOR = path.join(CLIENT, "node_modules", "openapi-typescript", "bin", "cli.js");

/**
 * Writes packages/client/src/generated from the document of this very code. With `--check` it writes nothing, and ends with 1 if a file
 * there is not what it would write.
 */
async function main(): Promise<void> {
  const document = clientDocument(openApiDocument(app, "http://127.0.0.1:8787"));
  const files = {
    "schema.ts": await schemaSource(document),
    "api.ts": apiSource(document),
    "operations.ts": operationsSource(document),
  };
  if (process.argv.includes("--check")) return await check(files);
  await mkdir(TARGET, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(TARGET, name), text);
}

async function check(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const present = await readFile(path.join(TARGET, name), "utf8").catch(() => "");
    if (present === text) continue;
    console.error(`packages/client/src/generated/${name} does not match the API. Run \`npm run generate:client\`.`);
    process.exitCode = 1;
  }
}

async function schemaSource(document: ApiDocument): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-client-"));
  try {
    const [from, to] = [path.join(folder, "openapi.json"), path.join(folder, "schema.ts")];
    await writeFile(from, JSON.stringify(document));
    await promisify(execFile)(process.execPath, [GENERATOR, from, "-o", to], { cwd: folder });
    return await readFile(to, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
