import { sql } from "drizzle-orm";
import { z } from "zod";
import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { flag, row, text } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { commit } from "#domain/audit";
import { FIRST_PLACE, Place, rowsPath, walk } from "#domain/indexing";
import { dispatch, enqueue, type LeasedJob } from "#domain/jobs";
import { MEMORIES } from "#domain/memories";
import type { UpkeepCtx } from "./step.ts";

const Payload = z.object({ from: Place.default(FIRST_PLACE) });

/** Spaces and memories that one step looks at. */
const A_STEP = { places: 300, rows: 500 };

/**
 * One step through a tenant's memories that were stored before callers' memories were searched for sensitive words: the privacy that the
 * words require is stricter than the stored one. It enqueues the next step until none is left. A migration writes its first job.
 */
export async function classifyMemories(ctx: UpkeepCtx, jobs: readonly LeasedJob[]): Promise<undefined> {
  const shape = row({
    ...MEMORY.of(sql`m`, "id", "content", "key", "sensitivity"),
    metadata: text(sql`m.metadata`),
    isOpen: flag(sql`m.tenant_id = ${ctx.tenantId} and m.ownership <> 'shared' and m.sensitivity is not 'sensitive'`),
  });
  const walks = await Promise.all(
    jobs.map((job) => walk(ctx, Payload.parse(job.payload).from, { path: rowsPath(MEMORIES), bounds: A_STEP, shape })),
  );
  const changes = walks.flatMap(({ rows }) =>
    rows.flatMap(({ id, content, key, metadata, sensitivity, isOpen }) => {
      const found = sensitivityOf([content, key ?? "", metadata].join("\n"));
      const next = stricter(sensitivity, found);
      return isOpen && next !== sensitivity ? [{ id, content, next }] : [];
    }),
  );
  const next = walks.flatMap(({ next: from }) => (from === null ? [] : [{ id: ctx.newId("job"), from }]));
  const statements = [
    ...(changes.length === 0 ? [] : [tightenPrivacy(ctx, changes)]),
    ...next.map(({ id, from }) => enqueue(ctx, { id, kind: "memories.classify", payload: JSON.stringify({ from }) })),
  ];
  if (statements.length === 0) return undefined;
  const audit = { action: "upkeep.classified", objectId: "upkeep", userId: null, detail: { memories: changes.length } };
  await commit(ctx, { statements, audit: changes.length === 0 ? [] : [audit] });
  dispatch(
    ctx,
    next.map(({ id }) => id),
  );
  return undefined;
}

/** Only if the row is unchanged since it was read, and never to a more open privacy. */
function tightenPrivacy(ctx: UpkeepCtx, changes: readonly { id: number; content: string; next: string }[]) {
  return ctx.db.run(sql`
    update memories set sensitivity = j.value ->> 'next', version = version + 1, updated_at = ${ctx.now()}
    from json_each(${JSON.stringify(changes)}) j
    where memories.id = j.value ->> 'id' and memories.tenant_id = ${ctx.tenantId} and memories.content = j.value ->> 'content'
      and memories.sensitivity is not 'sensitive'`);
}
