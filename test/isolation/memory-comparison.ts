import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { runBatch, select } from "#db/client";
import { integers, row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import {
  decideMemory,
  decideRelation,
  type MemoryDecision,
  type MemoryPlace,
  type MemoryRelation,
  type MemoryViewerRef,
  readerCte,
  relationColumns,
  seesMemory,
} from "#domain/visibility";
import type { Harness } from "#test/harness";
import {
  expectedVisibilityReason,
  factsOf,
  ruleViewerOf,
  type TableIds,
  type TableMemory,
  type TableViewer,
} from "#test/memory-table";
import { insertMemories, refOf } from "./memory-rows.ts";

/** Rows that one viewer's relations are compared for; the next viewer gets others. */
const RELATION_SHARE = 11;

export type Rows = ReadonlyMap<number, TableMemory>;

/** A database with the people of the table, and all memories in it by their ids. */
export type Stored = { harness: Harness; ids: TableIds; byId: Rows };

export async function writeRows(harness: Harness, memories: readonly TableMemory[], ids: TableIds): Promise<Rows> {
  const made = await insertMemories(harness.services(), memories, ids);
  return new Map(memories.flatMap((memory, i) => (made[i] === undefined ? [] : [[made[i], memory] as const])));
}

const SEEN = row({ ids: integers(sql`group_concat(m.id)`) });

/** The ids of all memories in the database, whoever's they are, that the predicate lets through to each viewer. */
export async function seenByEach(harness: Harness, refs: readonly MemoryViewerRef[]): Promise<number[][]> {
  const services = harness.services();
  const queries = refs.map(
    (ref) => select(SEEN, readerCte(ref))`from reader r cross join memories m where ${seesMemory(ref, sql`m`)}`,
  );
  const results = await runBatch(services, queries);
  return queries.map((query) => results.rows(query)[0]?.ids ?? []);
}

type Difference = { id: number; sees: boolean; expected: string | null; rule: string; row: TableMemory; who: TableViewer };

/** Where database, rule and table do not all say the same about rows; five at most. */
export async function differencesOf(
  { harness, ids, byId }: Stored,
  viewers: readonly TableViewer[],
  among = byId,
): Promise<Difference[]> {
  const seen = await seenByEach(
    harness,
    viewers.map((who) => refOf(who, ids)),
  );
  const found: Difference[] = [];
  viewers.forEach((who, i) => {
    const asked = ruleViewerOf(who, ids);
    const sees = new Set(seen[i]);
    expect([...sees].filter((id) => !byId.has(id))).toEqual([]);
    for (const [id, memory] of among) {
      const expected = expectedVisibilityReason({ memory, viewer: who });
      const decision = decideMemory(asked, factsOf(memory, ids));
      const agree = sees.has(id) === (expected !== null) && decision.visible === sees.has(id);
      if (!agree && found.length < 5) found.push({ id, sees: sees.has(id), expected, rule: decision.rule, row: memory, who });
    }
  });
  return found;
}

const PLACE = ["othersRead", "isInProject", "takesOwnMemories", "legacyDisclosure"] as const;
type PlaceName = (typeof PLACE)[number];

type RelationRow = { [K in keyof MemoryRelation | PlaceName]: number } & {
  id: number;
  isGroup: number;
  tenantId: number;
  type: TableMemory["type"];
  sensitivity: "personal" | "sensitive" | null;
  portable: number;
};

/** What `decideRelation` says of the columns that the database answers for some of the rows. */
async function relationsOf({ harness, ids }: Stored, who: TableViewer, share: number): Promise<Map<number, MemoryDecision>> {
  const ref = refOf(who, ids);
  const m = sql`m`;
  const columns = { ...MEMORY.of(m, "id", "tenantId", "type", "sensitivity", "portable"), ...relationColumns(ref, m) };
  const found = await harness.services().db.all<RelationRow>(sql`
    with ${readerCte(ref)} select ${row(columns).columns} from reader r cross join memories m
    where m.tenant_id = ${ids.tenant} and m.id % ${RELATION_SHARE} = ${share % RELATION_SHARE}`);
  return new Map(
    found.map(({ id, isGroup: _, tenantId, type, sensitivity, portable, ...flags }) => {
      expect(tenantId).toBe(ids.tenant);
      const related = asFlags(flags);
      const place: MemoryPlace = { ...related, reach: who.reach, ownProjectOnly: who.ownProjectOnly };
      return [id, decideRelation(place, { type, sensitivity: sensitivity ?? "public", portable: portable === 1 }, related)];
    }),
  );
}

type Flags = MemoryRelation & Record<PlaceName, boolean>;

/** Every column is 0 or 1, which is asserted. */
function asFlags(columns: { [K in keyof Flags]: number }): Flags {
  expect(Object.values(columns).filter((value) => value !== 0 && value !== 1)).toEqual([]);
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value === 1])) as Flags;
}

/** Where the columns of memories in force give another reason than the rule itself; five at most. */
export async function wrongReasons(stored: Stored, viewers: readonly TableViewer[], among: Rows): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const [i, who] of viewers.entries()) {
    const decisions = await relationsOf(stored, who, i);
    const asked = ruleViewerOf(who, stored.ids);
    expect(decisions.size).toBeGreaterThan(1_000);
    for (const [id, decision] of decisions) {
      const memory = among.get(id);
      const rule = memory === undefined ? decision : decideMemory(asked, factsOf(memory, stored.ids));
      if (rule.rule !== decision.rule || rule.visible !== decision.visible) wrong.push({ decision, rule, memory, who });
    }
  }
  return wrong.slice(0, 5);
}
