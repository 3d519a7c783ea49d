import type { Db } from "#db/client";

/** The same database; `happens` comes to pass after each of its batches and before what follows. */
export function afterEachBatch(db: Db, happens: () => Promise<void>): Db {
  const client = new Proxy(db.$client, {
    get: (target, name) =>
      name === "batch"
        ? async (statements: D1PreparedStatement[]) => {
            const results = await target.batch(statements);
            await happens();
            return results;
          }
        : Reflect.get(target, name),
  });
  return new Proxy(db, { get: (target, name) => (name === "$client" ? client : Reflect.get(target, name)) });
}
