import { beforeAll, describe, expect, it } from "vitest";
import { createHarness } from "#test/harness";
import { memoriesOfProjects, PLACES_OF_PROJECTS, viewersOfProjects } from "#test/memory-table";
import { differencesOf, type Stored, writeRows, wrongReasons } from "./memory-comparison.ts";
import { makeTable } from "./memory-rows.ts";

let stored: Stored;
beforeAll(async () => {
  const harness = await createHarness();
  const ids = await makeTable(harness);
  stored = { harness, ids, byId: await writeRows(harness, memoriesOfProjects(), ids) };
});

describe("database, rule and table say the same of projects", () => {
  const places = PLACES_OF_PROJECTS.map((place) => ({
    shown: `${place.user} in ${place.session ?? place.project ?? "no session"}`,
    place,
  }));

  it.each(places)("to $shown", async ({ place }) => {
    expect(await differencesOf(stored, viewersOfProjects(place))).toEqual([]);
  });

  it.each(places.filter(({ place }) => place.stands))(
    "and the columns give the rule's own reason, to $shown",
    async ({ place }) => {
      // What a scope alone leaves out never comes so far.
      const counted = new Map([...stored.byId].filter(([, { scopeType }]) => scopeType === null));
      const viewers = viewersOfProjects(place).filter(({ scopeType }) => scopeType !== "project");
      expect(await wrongReasons(stored, viewers, counted)).toEqual([]);
    },
  );
});
