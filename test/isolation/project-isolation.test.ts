import { describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { expectReach, history, makeProject, move, say, WORD } from "./reach.ts";

/** Two projects of Ann's, two sessions in the garden, one in the kitchen, two outside. */
async function annsWorld(): Promise<Harness> {
  const harness = await createHarness();
  // A personal memory keeps its project when its session moves; episodes do not.
  const { status } = await harness.fetch("PATCH", "/v1/settings", { body: { extraction: "off" } });
  expect(status).toBe(200);
  await makeProject(harness, "garden", "ann");
  await makeProject(harness, "kitchen", "ann");
  for (const [session, words, project] of [
    ["g1", "roses and thorns", "garden"],
    ["g2", "watering on Tuesdays", "garden"],
    ["k1", "copper saucepans", "kitchen"],
    ["o1", "a dentist at noon", undefined],
    ["o2", "trains to Lisbon", undefined],
  ] as const) {
    expect((await say(harness, session, "ann", words, project)).status).toBe(201);
  }
  return harness;
}

const in_ = (session: string) => ({ user: "ann", session });

/**
 * What isolation of projects promises, at three moments: before any background job has run (there are no
 * vectors yet), with vectors tagged as they were before the change, and with the tags renewed.
 */
describe.each(["without vectors", "with stale vectors", "with renewed vectors"] as const)("%s", (moment) => {
  const begin = async () => {
    const harness = await annsWorld();
    if (moment !== "without vectors") await harness.settle();
    return harness;
  };
  const then = async (harness: Harness) => {
    if (moment === "with renewed vectors") await harness.settle();
  };

  it("Project sessions cannot read episodes from non-project sessions", async () => {
    const harness = await begin();
    await then(harness);
    await expectReach(harness, in_("g1"), ["g1", "g2"]);
    await expectReach(harness, { user: "ann", project: "garden" }, ["g1", "g2"]);
    expect(await history(harness, "o1", { user: "ann", project: "garden" })).toBe(404);
  });

  it("Non-project sessions cannot read episodes from project sessions", async () => {
    const harness = await begin();
    await then(harness);
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
    await expectReach(harness, { user: "ann" }, ["o1", "o2"]);
    await expectReach(harness, { user: "ann", includeGroups: true }, ["o1", "o2"]);
  });

  it("Non-project sessions can read each other's episodes", async () => {
    const harness = await begin();
    await say(harness, "o3", "ann", "piano lessons");
    await then(harness);
    const all = ["o1", "o2", "o3"];
    for (const session of all) await expectReach(harness, in_(session), all);
    await say(harness, "b1", "ben", "a secret of Ben's");
    for (const session of all) await expectReach(harness, in_(session), all);
  });

  it("Adding a session to a project: its history joins the project pool immediately", async () => {
    const harness = await begin();
    await move(harness, "o1", "ann", "garden");
    await then(harness);
    await expectReach(harness, in_("g1"), ["g1", "g2", "o1"]);
    await expectReach(harness, in_("o1"), ["g1", "g2", "o1"]);
    await expectReach(harness, in_("o2"), ["o2"]);
    await expectReach(harness, in_("k1"), ["k1"]);
    expect(await history(harness, "o1", { user: "ann", project: "garden" })).toEqual([`${WORD} a dentist at noon`]);
  });

  it("Removing a session from a project: exits the project pool immediately", async () => {
    const harness = await begin();
    await move(harness, "g2", "ann", null);
    await then(harness);
    await expectReach(harness, in_("g1"), ["g1"]);
    await expectReach(harness, in_("o1"), ["g2", "o1", "o2"]);
    await expectReach(harness, in_("g2"), ["g2", "o1", "o2"]);
    expect(await history(harness, "g2", { user: "ann", project: "garden" })).toBe(404);
    expect(await history(harness, "g2", { user: "ann" })).toEqual([`${WORD} watering on Tuesdays`]);
  });

  it("Contamination across projects eliminated: one project never shows another's", async () => {
    const harness = await begin();
    await move(harness, "g2", "ann", "kitchen");
    await then(harness);
    await expectReach(harness, in_("g1"), ["g1"]);
    await expectReach(harness, in_("k1"), ["g2", "k1"]);
    await expectReach(harness, in_("g2"), ["g2", "k1"]);
    expect(await history(harness, "g2", { user: "ann", project: "garden" })).toBe(404);
    expect(await history(harness, "k1", { user: "ann", project: "garden" })).toBe(404);
  });

  it("a session that goes to and fro ends where it is", async () => {
    const harness = await begin();
    for (const project of ["kitchen", null, "garden", "kitchen", "garden", null, "kitchen"])
      await move(harness, "g2", "ann", project);
    await then(harness);
    await expectReach(harness, in_("k1"), ["g2", "k1"]);
    await expectReach(harness, in_("g1"), ["g1"]);
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
  });
});

describe("the first message of a session that opens in a project is never outside it", () => {
  it("opened by PUT", async () => {
    const harness = await annsWorld();
    const made = await harness.fetch("PUT", "/v1/sessions/new", { body: { userId: "ann", projectId: "garden" } });
    expect(made.json).toMatchObject({ projectId: "garden" });
    await say(harness, "new", "ann", "the very first words");
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
    await expectReach(harness, in_("g1"), ["g1", "g2", "new"]);
    await harness.settle();
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
    await expectReach(harness, in_("g1"), ["g1", "g2", "new"]);
  });

  it("opened by its first episode", async () => {
    const harness = await annsWorld();
    await say(harness, "new", "ann", "the very first words", "garden");
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
    await expectReach(harness, in_("g1"), ["g1", "g2", "new"]);
    await harness.settle();
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
    await expectReach(harness, in_("g1"), ["g1", "g2", "new"]);
  });

  it("opened by nobody in a project that the user is not of: nothing is stored", async () => {
    const harness = await annsWorld();
    expect((await say(harness, "new", "ben", "words of Ben's", "garden")).status).toBe(404);
    expect((await say(harness, "new", "ann", "words of Ann's", "no-such-project")).status).toBe(404);
    expect((await harness.fetch("PUT", "/v1/sessions/new", { body: { userId: "ben", projectId: "garden" } })).status).toBe(404);
    expect((await harness.fetch("GET", "/v1/sessions/new?userId=ben")).status).toBe(404);
    await expectReach(harness, in_("g1"), ["g1", "g2"]);
  });

  it("opened by many at once, with the project and without", async () => {
    const harness = await annsWorld();
    for (const round of [1, 2, 3, 4, 5, 6]) {
      const session = `race${round}`;
      const tries = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          // Who comes first differs from round to round.
          const project = (i + round) % 2 === 0 ? "garden" : undefined;
          const words = `words ${round} ${i}`;
          return { project, words, status: (await say(harness, session, "ann", words, project)).status };
        }),
      );
      const stored = tries.filter(({ status }) => status === 201);
      const row = await harness.fetch<{ projectId: string | null }>("GET", `/v1/sessions/${session}?userId=ann`);
      const inside = row.json.projectId === "garden";
      expect(tries.map(({ status, project }) => [project, status])).toEqual(
        tries.map(({ project }) => [project, inside || project === undefined ? 201 : 409]),
      );
      const texts = await history(harness, session, { user: "ann" });
      expect(texts).toHaveLength(stored.length);
      expect(new Set(Array.isArray(texts) ? texts : [])).toEqual(new Set(stored.map(({ words }) => `${WORD} ${words}`)));
    }
  });

  it("opened by PUT with the project while others append without: PUT has its way", async () => {
    const harness = await annsWorld();
    for (const round of [1, 2, 3, 4, 5, 6]) {
      const session = `race${round}`;
      const put = async () =>
        await harness.fetch("PUT", `/v1/sessions/${session}`, { body: { userId: "ann", projectId: "garden" } });
      const answers = await Promise.all([
        ...(round % 2 === 0 ? [put()] : []),
        ...[1, 2, 3].map((i) => say(harness, session, "ann", `words ${round} ${i}`)),
        ...(round % 2 === 1 ? [put()] : []),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
      expect((await harness.fetch("GET", `/v1/sessions/${session}?userId=ann`)).json).toMatchObject({ projectId: "garden" });
      expect(await history(harness, session, { user: "ann" })).toHaveLength(3);
    }
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
    await harness.settle();
    await expectReach(harness, in_("o1"), ["o1", "o2"]);
  });

  it("an append that names another project than the session's stores nothing", async () => {
    const harness = await annsWorld();
    expect((await say(harness, "g1", "ann", "lost words", "kitchen")).status).toBe(409);
    expect((await say(harness, "o1", "ann", "lost words", "kitchen")).status).toBe(409);
    expect(await history(harness, "g1", { user: "ann" })).toHaveLength(1);
    expect(await history(harness, "o1", { user: "ann" })).toHaveLength(1);
  });
});

describe("a move while others read and write", () => {
  it("leaves every message in the pool of the project that the session is in", async () => {
    const harness = await annsWorld();
    const moves = ["garden", null, "kitchen", "garden", null, "garden"];
    await Promise.all([
      (async () => {
        for (const project of moves) await move(harness, "o1", "ann", project);
      })(),
      ...Array.from({ length: 10 }, async (_, i) => {
        expect([201, 409]).toContain((await say(harness, "o1", "ann", `while moving ${i}`)).status);
        if (i % 3 === 0) await harness.settle();
      }),
    ]);
    await harness.settle();
    await expectReach(harness, in_("g1"), ["g1", "g2", "o1"]);
    await expectReach(harness, in_("o2"), ["o2"]);
    await expectReach(harness, in_("k1"), ["k1"]);
  });
});
