import { describe, expect, it } from "vitest";
import { decideChunk, decideChunkInPool } from "./chunk-rule.ts";
import type { Viewer } from "./rule.ts";

const library = { tenantId: 1, projectId: null, revision: 2, readRevision: 2 };
const ofGarden = { ...library, projectId: 10 };
const at = (pool: "user" | "project" | "session" | "none", projectId: number | null) => ({ tenantId: 1, pool, projectId });

describe("a passage of a document", () => {
  it.each([
    ["in private", at("user", null), "library", "outside_pool"],
    ["in a project", at("project", 10), "outside_pool", "same_project"],
    ["in another project", at("project", 11), "outside_pool", "outside_pool"],
    ["in a group outside projects", at("session", null), "library", "outside_pool"],
    ["in a group of the project with an outsider", at("session", 10), "outside_pool", "outside_pool"],
    ["without access", at("none", null), "outside_pool", "outside_pool"],
  ])("is seen %s by its rule", (_, standing, ofLibrary, ofProject) => {
    expect(decideChunkInPool(standing, library)).toEqual({ visible: ofLibrary === "library", rule: ofLibrary });
    expect(decideChunkInPool(standing, ofGarden)).toEqual({ visible: ofProject === "same_project", rule: ofProject });
    expect(decideChunkInPool(standing, { ...library, tenantId: 2 })).toEqual({ visible: false, rule: "other_tenant" });
  });

  it("is seen of the revision that was read alone", () => {
    expect(decideChunkInPool(at("user", null), { ...library, readRevision: 1 })).toEqual({ visible: false, rule: "not_current" });
  });

  it("says why a place opens nothing", () => {
    const viewer: Viewer = {
      ...{ tenantId: 1, userId: 3, session: null, includeGroups: false },
      project: { id: 10, tenantId: 1, ownerId: 1, memberIds: [] },
    };
    expect(decideChunk(viewer, ofGarden)).toEqual({ visible: false, rule: "not_in_project" });
    expect(decideChunk(viewer, { ...ofGarden, tenantId: 2 })).toEqual({ visible: false, rule: "other_tenant" });
    expect(decideChunk({ ...viewer, userId: 1 }, ofGarden)).toEqual({ visible: true, rule: "same_project" });
  });
});
