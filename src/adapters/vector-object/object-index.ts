import { batches, inParallel, Passing, type Pause, retryPassing } from "#adapters/calls";
import { bestOf, lastOfEach, toConditions } from "#adapters/vectors";
import { Unavailable, upstreamFailed } from "#core/errors";
import type { VectorIndex, VectorRef } from "#ports/vector-index";
import type { VectorObject } from "./vector-object.ts";

/** The limit of a Worker's simultaneous connections. */
const PARALLEL_CALLS = 6;
/** A call may hold 32 MiB; this many vectors of 1,536 dimensions are 3 MB. */
const MAX_UPSERT = 500;
const MAX_IDS = 5_000;

export type ObjectIndexOptions = { namespace: DurableObjectNamespace<VectorObject>; pause?: Pause };

/** Exact search in one Durable Object for each space of each tenant; a query asks the objects of its spaces in parallel. */
export function createObjectIndex({ namespace, pause }: ObjectIndexOptions): VectorIndex {
  /** A stub that has failed stays broken, so each attempt gets a new one. */
  const call = <T>(tenantId: number, space: number, work: (object: DurableObjectStub<VectorObject>) => Promise<T>) =>
    retryPassing(() => translated(() => work(namespace.getByName(`${tenantId}/${space}`))), pause);

  /** Calls the object of each space with the ids of its refs. */
  const eachSpace = <T>(
    tenantId: number,
    refs: readonly VectorRef[],
    work: (object: DurableObjectStub<VectorObject>, ids: string[]) => Promise<T>,
  ) =>
    inParallel(
      bySpace(refs, ({ space }) => space, MAX_IDS),
      PARALLEL_CALLS,
      ({ space, part }) =>
        call(tenantId, space, (object) =>
          work(
            object,
            part.map(({ id }) => id),
          ),
        ),
    );

  return {
    settlesAfterMs: 0,

    async upsert(tenantId, items) {
      const parts = bySpace(lastOfEach(items), ({ metadata }) => metadata.space, MAX_UPSERT);
      await inParallel(parts, PARALLEL_CALLS, ({ space, part }) =>
        call(tenantId, space, async (object) => await object.upsert(part)),
      );
    },

    async query(tenantId, { vector, spaces, filter, topK }) {
      const conditions = toConditions(filter);
      if (topK <= 0) return [];
      const lists = await inParallel([...new Set(spaces)], PARALLEL_CALLS, (space) =>
        call(tenantId, space, async (object) => await object.query({ vector, conditions, topK })),
      );
      return bestOf(lists, topK);
    },

    async remove(tenantId, refs) {
      await eachSpace(tenantId, refs, async (object, ids) => await object.remove(ids));
    },

    async retag(tenantId, refs, change) {
      await eachSpace(tenantId, refs, async (object, ids) => await object.retag(ids, change));
    },

    async stored(tenantId, refs) {
      return (await eachSpace(tenantId, refs, async (object, ids) => await object.stored(ids))).flat();
    },

    async list(tenantId, space, page) {
      const limit = Math.min(page.limit, MAX_IDS);
      const ids = await call(tenantId, space, async (object) => await object.list({ after: page.after, limit }));
      return { ids, next: ids.length < limit ? null : (ids.at(-1) ?? null) };
    },
  };
}

function bySpace<T>(items: readonly T[], spaceOf: (item: T) => number, size: number): { space: number; part: T[] }[] {
  return [...Map.groupBy(items, spaceOf)].flatMap(([space, group]) => batches(group, size).map((part) => ({ space, part })));
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const sentence = "The vectors of a space could not be reached.";
    if (isSet(error, "overloaded")) throw new Unavailable(sentence, { cause: error, kind: "busy" });
    throw isSet(error, "retryable") ? new Passing(new Unavailable(sentence, { cause: error })) : upstreamFailed(sentence, error);
  }
}

/** Flags that the runtime sets on what it throws: developers.cloudflare.com/durable-objects/best-practices/error-handling */
function isSet(error: unknown, flag: "retryable" | "overloaded"): boolean {
  if (!(error instanceof Error)) return false;
  const value: unknown = Reflect.get(error, flag);
  return value === true;
}
