import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { runBatch, statement } from "#db/client";
import { flag, type RowOf, row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import {
  decideRelation,
  type MemoryRefusal,
  type MemoryViewerRef,
  type MemoryVisibilityReason,
  readerCte,
  relationColumns,
  seesMemory,
} from "#domain/visibility";
import { compareEndpoints } from "./memory-endpoints.ts";
import { grow, open } from "./memory-growth.ts";
import type { MemoryWorld, Standing } from "./memory-model.ts";
import { add, check, describe, newTally, type Row, record } from "./memory-tally.ts";
import { decisionOf, described, newWorld, someStanding, viewerRef } from "./memory-world.ts";
import { randomOf } from "./random.ts";

/** The full run: `npm run test:isolation`; a longer one: `npm run test:isolation -- --checks 1000000 --seed 7`. */
const CHECKS = Number(import.meta.env.VITE_ISOLATION_CHECKS ?? 20_000);
const SEED = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_420);
/** Checks that even a slow machine makes in a second. */
const CHECKS_A_SECOND = 150;

/** A world is looked at each time when so many things have happened in it, each time by so many viewers. */
const LOOKS = 3;
const STEPS_A_LOOK = 22;
const VIEWERS = 30;
/** Of the viewers as many ask every endpoint over HTTP; all ask the database. */
const ASKING = 4;

const tally = newTally();
const lines = vi.spyOn(console, "log");

afterEach(() => {
  expect(lines.mock.calls.flat().filter((line) => String(line).includes("visibility.disagreement"))).toEqual([]);
});

afterAll(() => {
  lines.mockRestore();
  const { checks, worlds, byMeans, leaks, denials, examples, reasons, shown } = tally;
  const driven = Object.entries(byMeans).map(([name, n]) => `${name} ${n}`);
  for (const kind of ["leaks", "denials"] as const) for (const example of examples[kind]) print(`${kind}: ${example}`);
  print(`memories: shown ${JSON.stringify(shown)}`);
  print(`memories: reasons ${JSON.stringify(reasons)}`);
  print(
    `memories: ${checks} checks, ${worlds} worlds, seed ${SEED}, endpoints driven: ${driven.join(", ")}; leaks ${leaks}, wrongful denials ${denials}`,
  );
});

function print(line: string): void {
  // biome-ignore lint/suspicious/noConsole: how much was compared is what a reader of a long run wants to know.
  console.log(line);
}

it(
  "rule, SQL and endpoints agree about every memory, for every viewer, in random worlds",
  async () => {
    while (tally.checks < CHECKS) {
      tally.seed = SEED + tally.worlds;
      const world = await newWorld(randomOf(tally.seed), (kind, what, of) => record(tally, kind, `${what}: ${describe(of)}`));
      tally.worlds += 1;
      for (const tenant of world.tenants) await open({ world, tenant });
      for (let look = 0; look < LOOKS; look += 1) {
        for (let step = 0; step < STEPS_A_LOOK; step += 1) {
          await grow({ world, tenant: world.tenants[step % 5 === 0 ? 1 : 0] });
        }
        for (const tenant of world.tenants) await tenant.harness.settle();
        await lookAt(world);
      }
    }
    expect(tally.examples).toEqual({ leaks: [], denials: [] });
  },
  60_000 + (CHECKS / CHECKS_A_SECOND) * 1_000,
);

it("in which every means of reading showed something", () => {
  expect(Object.keys(tally.byMeans).filter((means) => (tally.shown[means] ?? 0) === 0)).toEqual([]);
});

it("in which every reason of the rule occurred", () => {
  const every: Record<MemoryRefusal | MemoryVisibilityReason | "no_such_place", true> = {
    other_tenant: true,
    deleted: true,
    not_approved: true,
    expired: true,
    superseded: true,
    not_valid_then: true,
    other_workspace: true,
    other_scope: true,
    other_project: true,
    nowhere: true,
    out_of_reach: true,
    stays_where_said: true,
    no_subject_takes_part: true,
    asker_is_neither_subject_nor_owner: true,
    not_portable: true,
    sensitive_elsewhere: true,
    personal_to_others: true,
    sensitive_to_others: true,
    said_in_confidence: true,
    own: true,
    own_lasting: true,
    same_group: true,
    shared: true,
    cross_context: true,
    no_such_place: true,
  };
  expect(Object.keys(tally.reasons).toSorted()).toEqual(Object.keys(every).toSorted());
});

/** Memories of both tenants, looked at by viewers of both. */
async function lookAt(world: MemoryWorld): Promise<void> {
  const rows = world.tenants.flatMap((tenant) => tenant.memories.map((memory) => ({ tenant, memory })));
  const standings = Array.from({ length: VIEWERS }, () => someStanding(world));
  await comparePredicate(world, standings, rows);
  for (const standing of standings.slice(0, ASKING)) await compareEndpoints({ world, tally, standing, rows });
}

/** What `decided` reads of a memory: whether the predicate lets it through, and what the rule is asked with again. */
function relationOf(ref: MemoryViewerRef) {
  const m = sql`m`;
  return row({
    ...MEMORY.of(m, "publicId", "type", "sensitivity", "portable"),
    ...relationColumns(ref, m),
    sees: flag(seesMemory(ref, m)),
  });
}

/** The predicate and the columns from which the rule is asked again, about every memory by its id, whoever's it is. */
async function comparePredicate(world: MemoryWorld, standings: readonly Standing[], rows: readonly Row[]): Promise<void> {
  const services = world.tenants[0].harness.services();
  const ids = JSON.stringify(rows.map(({ memory }) => memory.publicId));
  const queries = standings.map((standing) => {
    const ref = viewerRef(world, standing);
    const shape = relationOf(ref);
    return statement(
      shape,
      sql`
        with ${readerCte(ref)}
        select ${shape.columns} from reader r cross join json_each(${ids}) j cross join memories m on m.public_id = j.value`,
    );
  });
  const results = await runBatch(services, queries);
  standings.forEach((standing, i) => {
    const query = queries[i];
    const found = new Map((query === undefined ? [] : results.rows(query)).map((seen) => [seen.publicId, seen]));
    for (const row of rows) {
      const { rule, visible } = decisionOf(world, standing, row);
      add(tally.reasons, rule);
      const seen = found.get(row.memory.publicId);
      check(tally, "predicate", { standing, row, rule, expected: visible, shown: seen?.sees === true });
      if (seen === undefined || !(visible || RELATED.includes(rule))) continue;
      const again = againDecided(standing, seen);
      check(tally, "rule again", { standing, row, rule, expected: visible, shown: again.visible });
      if (again.rule !== rule) record(tally, "denials", `rule again says ${again.rule}, not ${rule}, to ${described(standing)}`);
    }
  });
}

/** What the rule says once a memory counts: what it says again from the columns. */
const RELATED: readonly string[] = [
  "out_of_reach",
  "stays_where_said",
  "no_subject_takes_part",
  "asker_is_neither_subject_nor_owner",
  "not_portable",
  "sensitive_elsewhere",
  "personal_to_others",
  "sensitive_to_others",
  "said_in_confidence",
] satisfies MemoryRefusal[];

function againDecided({ reach, ownProjectOnly }: Standing, seen: RowOf<ReturnType<typeof relationOf>>) {
  return decideRelation({ ...seen, reach, ownProjectOnly }, seen, seen);
}
