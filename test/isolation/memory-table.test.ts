import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { runBatch, select } from "#db/client";
import { integers, row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import {
  decideMemory,
  decideRelation,
  type MemoryDecision,
  type MemoryRelation,
  type MemoryViewerRef,
  memorySpaces,
  readerCte,
  relationColumns,
  seesMemory,
} from "#domain/visibility";
import { createHarness, type Harness } from "#test/harness";
import {
  BOBS_QUESTIONS,
  expectedVisibilityReason,
  factsOf,
  memoriesInEveryState,
  memoriesOfTheTable,
  PLACES,
  ruleViewerOf,
  SAID_OF_BOB,
  type TableIds,
  type TableMemory,
  type TablePlace,
  type TableViewer,
  viewer,
  viewersAt,
  viewersOfEveryState,
} from "#test/memory-table";
import { insertMemories, makeTable, refOf, setLegacyDisclosure } from "./memory-rows.ts";

/** Rows that one viewer's relations are compared for; the next viewer gets others. */
const RELATION_SHARE = 11;

const ANN_ALONE: TablePlace = { user: "ann", session: null, project: null, stands: true };

type Rows = ReadonlyMap<number, TableMemory>;

let harness: Harness;
let ids: TableIds;
let rows: Rows;
let states: Rows;
let ofBob: Rows;
let byId: Rows;

async function write(memories: readonly TableMemory[]): Promise<Rows> {
  const made = await insertMemories(harness.services(), memories, ids);
  return new Map(memories.flatMap((row, i) => (made[i] === undefined ? [] : [[made[i], row] as const])));
}

beforeAll(async () => {
  const other = await createHarness();
  harness = await createHarness();
  ids = await makeTable(harness);
  const theirs = await makeTable(other);
  // Another tenant's: their own memories, some that name people and sessions of this one, and their settings.
  await setLegacyDisclosure(other.services(), other.tenantId, true);
  const few = memoriesOfTheTable().filter((_, i) => i % 7 === 0);
  await insertMemories(other.services(), few, theirs);
  await insertMemories(other.services(), few, ids, theirs.tenant);
  rows = await write(memoriesOfTheTable());
  states = await write(memoriesInEveryState());
  ofBob = await write(SAID_OF_BOB);
  byId = new Map([...rows, ...states, ...ofBob]);
});

const SEEN = row({ ids: integers(sql`group_concat(m.id)`) });

/** The ids of all memories in the database, whoever's they are, that the predicate lets through to each viewer. */
async function seenBy(refs: readonly MemoryViewerRef[]): Promise<number[][]> {
  const services = harness.services();
  const queries = refs.map(
    (ref) => select(SEEN, readerCte(ref))`from reader r cross join memories m where ${seesMemory(ref, sql`m`)}`,
  );
  const results = await runBatch(services, queries);
  return queries.map((query) => results.rows(query)[0]?.ids ?? []);
}

type Difference = { id: number; sees: boolean; expected: string | null; rule: string; row: TableMemory; who: TableViewer };

/** Where database, rule and table do not all say the same about rows; five at most. */
async function differences(viewers: readonly TableViewer[], among = byId): Promise<Difference[]> {
  const seen = await seenBy(viewers.map((who) => refOf(who, ids)));
  const found: Difference[] = [];
  viewers.forEach((who, i) => {
    const asked = ruleViewerOf(who, ids);
    const sees = new Set(seen[i]);
    expect([...sees].filter((id) => !byId.has(id))).toEqual([]);
    for (const [id, row] of among) {
      const expected = expectedVisibilityReason({ memory: row, viewer: who });
      const decision = decideMemory(asked, factsOf(row, ids));
      const agree = sees.has(id) === (expected !== null) && decision.visible === sees.has(id);
      if (!agree && found.length < 5) found.push({ id, sees: sees.has(id), expected, rule: decision.rule, row, who });
    }
  });
  return found;
}

type RelationRow = { [K in keyof MemoryRelation]: number } & {
  id: number;
  isGroup: number;
  legacyDisclosure: number;
  tenantId: number;
  sensitivity: "personal" | "sensitive" | null;
  portable: number;
};

/** What `decideRelation` says of the columns that the database answers for some of the rows. */
async function relationsOf(who: TableViewer, share: number): Promise<Map<number, MemoryDecision>> {
  const services = harness.services();
  const ref = refOf(who, ids);
  const m = sql`m`;
  const columns = { ...MEMORY.of(m, "id", "tenantId", "sensitivity", "portable"), ...relationColumns(ref, m) };
  const found = await services.db.all<RelationRow>(sql`
    with ${readerCte(ref)} select ${row(columns).columns} from reader r cross join memories m
    where m.tenant_id = ${ids.tenant} and m.id % ${RELATION_SHARE} = ${share % RELATION_SHARE}`);
  return new Map(
    found.map(({ id, isGroup, legacyDisclosure, tenantId, sensitivity, portable, ...relation }) => {
      expect(tenantId).toBe(ids.tenant);
      const place = { reach: who.reach, isGroup: isGroup === 1, legacyDisclosure: legacyDisclosure === 1 };
      return [
        id,
        decideRelation(place, { sensitivity: sensitivity ?? "public", portable: portable === 1 }, asRelation(relation)),
      ];
    }),
  );
}

/** Every column is 0 or 1, which is asserted. */
function asRelation(columns: { [K in keyof MemoryRelation]: number }): MemoryRelation {
  expect(Object.values(columns).filter((value) => value !== 0 && value !== 1)).toEqual([]);
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value === 1])) as MemoryRelation;
}

describe.each([
  { legacyDisclosure: true, setting: true },
  { legacyDisclosure: false, setting: null },
])("database, rule and table say the same, with legacyDisclosure $setting", ({ legacyDisclosure, setting }) => {
  beforeAll(async () => {
    await setLegacyDisclosure(harness.services(), ids.tenant, setting);
  });

  const places = PLACES.map((place) => ({ shown: `${place.user} in ${place.session ?? place.project ?? "no session"}`, place }));

  it.each(places)("to $shown", async ({ place }) => {
    const viewers = viewersAt(place).filter((who) => who.legacyDisclosure === legacyDisclosure);
    expect(await differences(viewers)).toEqual([]);
  });

  it.each(places.filter(({ place }) => place.stands))(
    "and the columns give the rule's own reason, to $shown",
    async ({ place }) => {
      for (const [i, who] of viewersAt(place)
        .filter((asks) => asks.legacyDisclosure === legacyDisclosure)
        .entries()) {
        const decisions = await relationsOf(who, i);
        const asked = ruleViewerOf(who, ids);
        const wrong = [...decisions].flatMap(([id, decision]) => {
          const row = rows.get(id) ?? ofBob.get(id);
          if (row === undefined) return [];
          const rule = decideMemory(asked, factsOf(row, ids));
          return rule.rule === decision.rule && rule.visible === decision.visible ? [] : [{ decision, rule, row, who }];
        });
        expect(decisions.size).toBeGreaterThan(1_000);
        expect(wrong.slice(0, 5)).toEqual([]);
      }
    },
  );
});

it("in every status, life, workspace and scope", async () => {
  expect(await differences(viewersOfEveryState(), states)).toEqual([]);
});

describe("what do you know about me?", () => {
  it.each(BOBS_QUESTIONS)("%s", async (_, place, shown) => {
    const [seen = []] = await seenBy([refOf(viewer(place, { about: ["ben"] }), ids)]);
    expect(seen.flatMap((id) => ofBob.get(id)?.sensitivity ?? [])).toEqual([...shown, ...shown]);
  });
});

const annAlone = () => refOf(viewer(ANN_ALONE), ids);

it("an unknown user, and a user without a place, sees nothing", async () => {
  const ann = annAlone();
  const [visible, ...nothing] = await seenBy([
    ann,
    { ...ann, user: { externalId: "zoe" } },
    { ...ann, user: { externalId: "dan" } },
    { ...ann, sessionExternalId: "no-session" },
    { ...ann, projectExternalId: "no-project" },
    { ...ann, tenantId: 0 },
  ]);
  expect(visible?.length).toBeGreaterThan(1_000);
  expect(nothing).toEqual([[], [], [], [], []]);
});

it("a question about nobody, asked as a list without names, brings nothing in", async () => {
  const ann = annAlone();
  const nobody = sql`select pe.id as person_id from persons pe where false`;
  const [withoutAbout, aboutNobody] = await seenBy([
    { ...ann, about: null },
    { ...ann, about: nobody },
  ]);
  expect(aboutNobody).toEqual(withoutAbout);
});

it("old data is closed unless the tenant's settings open it", async () => {
  const services = harness.services();
  const old = (seen: number[] | undefined) =>
    (seen ?? []).some((id) => {
      const row = rows.get(id);
      return row?.learned === null && row.subjects.join() === "cat" && (row.owner ?? row.group) !== null;
    });
  const sees = async () => {
    const [seen] = await seenBy([annAlone()]);
    return old(seen?.filter((id) => rows.get(id)?.statedBy === null));
  };
  await services.db.run(sql`delete from settings where tenant_id = ${ids.tenant}`);
  expect(await sees()).toBe(false);
  for (const [setting, expected] of [
    [null, false],
    [true, true],
    [false, false],
  ] as const) {
    await setLegacyDisclosure(services, ids.tenant, setting);
    expect(await sees()).toBe(expected);
  }
});

it("a viewer's own spaces are their group's, their own and the tenant's", async () => {
  const services = harness.services();
  const spacesOf = async (place: Partial<TablePlace>, reach: TableViewer["reach"] = "tenant") => {
    const ref = refOf(viewer({ ...ANN_ALONE, ...place }, { reach }), ids);
    const parts = memorySpaces(ref).map(
      (space) => sql`select (select sp.public_id from spaces sp where sp.id = ${space}) as space`,
    );
    const found = await services.db.all<{ space: string | null }>(
      sql`with ${readerCte(ref)} ${sql.join(parts, sql` union all `)}`,
    );
    return found.map(({ space }) => space);
  };
  const [own, table, tenant] = [`spa_${ids.tenant}_ann`, `spa_${ids.tenant}_table`, `spa_tenant_${ids.tenant}`];
  expect(await spacesOf({})).toEqual([own, tenant]);
  expect(await spacesOf({}, "user")).toEqual([own]);
  expect(await spacesOf({}, "session")).toEqual([own]);
  expect(await spacesOf({ session: "anns" })).toEqual([null, own, tenant]);
  expect(await spacesOf({ session: "table" })).toEqual([table, own, tenant]);
  expect(await spacesOf({ session: "table" }, "session")).toEqual([table, own]);
  expect(await spacesOf({ session: "past" })).toEqual([null, null, null]);
});
