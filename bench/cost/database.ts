import { DatabaseSync } from "node:sqlite";

/** The next run recreates it if the machine stops, so nothing is flushed to the disk. */
export function open(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("pragma synchronous = off; pragma cache_size = -1000000; pragma temp_store = memory");
  return db;
}

export function close(db: DatabaseSync): void {
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
}

/** The single number that the query returns. */
export function count(db: DatabaseSync, query: string): number {
  const row = db.prepare(query).get();
  const value = row === undefined ? undefined : Object.values(row)[0];
  if (typeof value !== "number") throw new Error("The query answered no number.");
  return value;
}

export function inTransactions(db: DatabaseSync, of: { times: number; each: number }, write: (i: number) => void): void {
  db.exec("begin");
  for (let i = 0; i < of.times; i++) {
    if (i % of.each === of.each - 1) db.exec("commit; begin");
    write(i);
  }
  db.exec("commit");
}
