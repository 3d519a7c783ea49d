import type { Db } from "#db/client";

/** The same database; `happens` comes to pass before each of its batches and after what was read by itself. */
export function beforeEachBatch(db: Db, happens: () => Promise<void>): Db {
  const client = new Proxy(db.$client, {
    get: (target, name) =>
      name === "batch"
        ? async (statements: D1PreparedStatement[]) => {
            await happens();
            return await target.batch(statements);
          }
        : Reflect.get(target, name),
  });
  return new Proxy(db, { get: (target, name) => (name === "$client" ? client : Reflect.get(target, name)) });
}
