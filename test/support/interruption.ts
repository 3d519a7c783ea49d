import type { Db } from "#db/client";

type Statements = D1PreparedStatement[];
type Results = D1Result<Record<string, unknown>>[];

/** The same database, which calls `around` for each batch of statements; `run` sends the batch. */
export function aroundBatches(db: Db, around: (run: () => Promise<Results>, statements: Statements) => Promise<Results>): Db {
  const batch = (statements: Statements) => around(() => db.$client.batch(statements), statements);
  const client = new Proxy(db.$client, { get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name)) });
  return new Proxy(db, { get: (target, name) => (name === "$client" ? client : Reflect.get(target, name)) });
}

export type Interruption = {
  /** The same database, whose batches are counted and interrupted. */
  in: (db: Db) => Db;
  /** Runs `event` once, before the `nth` batch from now (the first is 1). */
  beforeBatch: (nth: number, event: () => Promise<unknown>) => void;
  /** Runs `event` once, between the `nth` batch from now, whether it fails or not, and the code that uses its results. */
  afterBatch: (nth: number, event: () => Promise<unknown>) => void;
  /** Whether the event has not happened yet. */
  isPending: () => boolean;
  /** Removes an event that has not happened. */
  cancel: () => void;
};

/**
 * Runs something once in the middle of a request, such as another user's write between the read that decides and the batch that writes. The
 * event may use the same database: its own batches are not interrupted.
 *
 * @example
 * const interruption = createInterruption();
 * const h = await createHarness({ replace: ({ db }) => ({ db: interruption.in(db) }) });
 * interruption.beforeBatch(2, () => leaveGroup(h, "ben"));
 * const answer = await h.fetch("PATCH", path, { body });
 */
export function createInterruption(): Interruption {
  type Planned = { left: number; when: "before" | "after"; event: () => Promise<unknown> };
  let planned: Planned | null = null;
  const interrupt = async ({ event }: Planned) => {
    planned = null;
    await event();
  };
  return {
    in: (db) =>
      aroundBatches(db, async (run) => {
        const due = planned;
        if (due === null) return await run();
        due.left -= 1;
        if (due.left > 0) return await run();
        if (due.when === "before") await interrupt(due);
        try {
          return await run();
        } finally {
          if (due.when === "after") await interrupt(due);
        }
      }),
    beforeBatch: (nth, event) => {
      planned = { left: nth, when: "before", event };
    },
    afterBatch: (nth, event) => {
      planned = { left: nth, when: "after", event };
    },
    isPending: () => planned !== null,
    cancel: () => {
      planned = null;
    },
  };
}
