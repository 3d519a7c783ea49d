import { describe, expect, it } from "vitest";
import { episode, makeProject, move, namesIn, recordEntities, save, seek } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";

/** A project of Ann's with Ben in it, another of hers, a group of both and one with Cat, who is of neither. */
async function world(): Promise<Harness> {
  const h = await createHarness();
  await makeProject(h, "garden", "ann", ["ben"]);
  await makeProject(h, "kitchen", "ann");
  await h.fetch("PUT", "/v1/sessions/pair", { body: { userId: "ann", participants: ["ann", "ben"], projectId: "garden" } });
  await h.fetch("PUT", "/v1/sessions/crowd", {
    body: { userId: "ann", participants: ["ann", "ben", "cat"], projectId: "garden" },
  });
  for (const [session, project] of [
    ["g1", "garden"],
    ["k1", "kitchen"],
    ["o1", undefined],
  ] as const)
    await episode(h, session, "ann", project === undefined ? {} : { projectId: project });
  await save(h, { userId: "ann", projectId: "garden", type: "tool", name: "Quince press", notes: "for quinces" });
  await save(h, { userId: "ann", projectId: "kitchen", type: "tool", name: "Quince pot", notes: "for quinces" });
  return h;
}

/** What lists and searches return, which is the same; or the status of a refusal. */
async function namesShown(h: Harness, place: Record<string, string>): Promise<string[] | number> {
  const names = await namesIn(h, String(new URLSearchParams(place)));
  for (const query of ["quince", "quinze", ""]) {
    const { status, json } = await seek(h, query, { ...place, limit: 100 });
    if (status !== 200) expect(status).toBe(names);
    else if (query === "quinze") expect(json.hits.every(({ name }) => Array.isArray(names) && names.includes(name))).toBe(true);
    else expect(json.hits.map(({ name }) => name).toSorted()).toEqual(names);
  }
  return names;
}

describe.each(["without vectors", "with vectors"])("%s", (moment) => {
  const begin = async () => {
    const h = await world();
    if (moment === "with vectors") await h.settle();
    return h;
  };

  it("entities are visible in their project only, to its members", async () => {
    const h = await begin();
    expect(await namesShown(h, { userId: "ann", sessionId: "g1" })).toEqual(["Quince press"]);
    expect(await namesShown(h, { userId: "ben", projectId: "garden" })).toEqual(["Quince press"]);
    expect(await namesShown(h, { userId: "ann", projectId: "kitchen" })).toEqual(["Quince pot"]);
    expect(await namesShown(h, { userId: "ann", sessionId: "o1" })).toEqual([]);
    const refused: Record<string, string>[] = [
      { userId: "ben", projectId: "kitchen" },
      { userId: "cat", projectId: "garden" },
      { userId: "nobody", projectId: "garden" },
      { userId: "ben", sessionId: "g1" },
      { userId: "ann", sessionId: "g1", projectId: "kitchen" },
      { userId: "ann", projectId: "none" },
    ];
    for (const place of refused) expect(await namesShown(h, place), JSON.stringify(place)).toBe(404);
  });

  it("a group sees them while everybody in it belongs to the project", async () => {
    const h = await begin();
    expect(await namesShown(h, { userId: "ben", sessionId: "pair" })).toEqual(["Quince press"]);
    expect(await namesShown(h, { userId: "ann", sessionId: "crowd" })).toEqual([]);
    await h.fetch("PUT", "/v1/sessions/crowd", { body: { userId: "ann", participants: ["ann", "ben"] } });
    expect(await namesShown(h, { userId: "ann", sessionId: "crowd" })).toEqual(["Quince press"]);
    await h.fetch("DELETE", "/v1/projects/garden/members/ben?userId=ann");
    expect(await namesShown(h, { userId: "ann", sessionId: "pair" })).toEqual([]);
    expect(await namesShown(h, { userId: "ben", projectId: "garden" })).toBe(404);
  });

  it("a session that moves sees those of its current project, at once", async () => {
    const h = await begin();
    await move(h, "g1", "ann", "kitchen");
    expect(await namesShown(h, { userId: "ann", sessionId: "g1" })).toEqual(["Quince pot"]);
    await move(h, "g1", "ann", null);
    expect(await namesShown(h, { userId: "ann", sessionId: "g1" })).toEqual([]);
  });

  it("another tenant's of the same names are its own", async () => {
    const [h, other] = [await begin(), await begin()];
    const { internal } = await episode(other, "g2", "ann", { projectId: "garden" });
    await recordEntities(other, internal, [{ type: "tool", name: "Quince saw" }]);
    expect(await namesShown(h, { userId: "ann", projectId: "garden" })).toEqual(["Quince press"]);
    expect(await namesShown(other, { userId: "ann", projectId: "garden" })).toEqual(["Quince press", "Quince saw"]);
  });
});
