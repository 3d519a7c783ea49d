import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { type MemoryViewerRef, memorySpaces, readerCte } from "#domain/visibility";
import { createHarness, type Harness } from "#test/harness";
import {
  BOBS_QUESTIONS,
  memoriesInEveryState,
  memoriesOfTheTable,
  PLACES,
  SAID_OF_BOB,
  type TableIds,
  type TableMemory,
  type TablePlace,
  type TableViewer,
  viewer,
  viewersAt,
  viewersOfEveryState,
} from "#test/memory-table";
import { differencesOf, type Rows, seenByEach, writeRows, wrongReasons } from "./memory-comparison.ts";
import { insertMemories, makeTable, refOf, setLegacyDisclosure } from "./memory-rows.ts";

const ANN_ALONE: TablePlace = { user: "ann", session: null, project: null, stands: true };

let harness: Harness;
let ids: TableIds;
let rows: Rows;
let states: Rows;
let ofBob: Rows;
let byId: Rows;

const write = async (memories: readonly TableMemory[]) => await writeRows(harness, memories, ids);

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

const table = () => ({ harness, ids, byId });
const seenBy = async (refs: readonly MemoryViewerRef[]) => await seenByEach(harness, refs);

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
    expect(await differencesOf(table(), viewers)).toEqual([]);
  });

  it.each(places.filter(({ place }) => place.stands))(
    "and the columns give the rule's own reason, to $shown",
    async ({ place }) => {
      const viewers = viewersAt(place).filter((asks) => asks.legacyDisclosure === legacyDisclosure);
      expect(await wrongReasons(table(), viewers, new Map([...rows, ...ofBob]))).toEqual([]);
    },
  );
});

it("in every status, life, workspace and scope", async () => {
  expect(await differencesOf(table(), viewersOfEveryState(), states)).toEqual([]);
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
