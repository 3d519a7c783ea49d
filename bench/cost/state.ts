import { cp, readdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { wrangler } from "../../scripts/wrangler.ts";

/** Where the local D1 keeps its databases inside a state folder; each is one SQLite file. */
const D1_FOLDER = path.join("v3", "d1", "miniflare-D1DatabaseObject");

/** Creates a state folder whose database has empty tables. Returns the database's file. */
export async function makeState(folder: string): Promise<string> {
  await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", folder]);
  return await databaseOf(folder);
}

export async function copyState(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true });
  return await databaseOf(to);
}

async function databaseOf(folder: string): Promise<string> {
  const files = (await readdir(path.join(folder, D1_FOLDER))).filter((name) => name.endsWith(".sqlite"));
  const found = files.map((name) => path.join(folder, D1_FOLDER, name)).filter(hasEpisodes);
  const [file] = found;
  if (file === undefined || found.length > 1)
    throw new Error(`Expected one database with episodes in ${folder}, found ${found.length}.`);
  return file;
}

function hasEpisodes(file: string): boolean {
  const db = new DatabaseSync(file);
  const row = db.prepare("select 1 from sqlite_master where name = 'episodes'").get();
  db.close();
  return row !== undefined;
}
