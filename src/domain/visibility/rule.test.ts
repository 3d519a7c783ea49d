import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProjectFacts, SessionFacts, Viewer } from "./rule.ts";
import { belongsTo, decideEpisodes, poolOf, takesPart } from "./rule.ts";

const [ann, ben, cat] = [1, 2, 3];
const garden: ProjectFacts = { id: 10, tenantId: 1, ownerId: ann, memberIds: [ben] };
const kitchen: ProjectFacts = { id: 11, tenantId: 1, ownerId: ann, memberIds: [] };

function chat(id: number, ownerId: number, projectId: number | null = null): SessionFacts {
  return { id, tenantId: 1, kind: "private", ownerId, projectId, participantIds: [] };
}

function group(id: number, participantIds: number[], projectId: number | null = null): SessionFacts {
  return { id, tenantId: 1, kind: "group", ownerId: ann, projectId, participantIds };
}

function viewer(userId: number, place: Partial<Omit<Viewer, "userId">> = {}): Viewer {
  return { tenantId: 1, userId, session: null, project: null, includeGroups: false, ...place };
}

describe("what a place opens", () => {
  it.each([
    ["nowhere in particular", viewer(ann), "user", "no_project"],
    ["one's own session outside projects", viewer(ann, { session: chat(1, ann) }), "user", "no_project"],
    ["another's session", viewer(ben, { session: chat(1, ann) }), "none", "not_in_session"],
    ["a project of one's own", viewer(ann, { project: garden }), "project", "project_member"],
    ["a project that one is a member of", viewer(ben, { project: garden }), "project", "project_member"],
    ["another's project", viewer(cat, { project: garden }), "none", "not_in_project"],
    ["one's own session in a project", viewer(ben, { session: chat(1, ben, 10), project: garden }), "project", "project_member"],
    [
      "one's own session in a project that one was put out of",
      viewer(cat, { session: chat(1, cat, 10), project: garden }),
      "none",
      "not_in_project",
    ],
    ["a session, naming another project", viewer(ann, { session: chat(1, ann, 10), project: kitchen }), "none", "not_in_project"],
    [
      "a session without a project, naming one",
      viewer(ann, { session: chat(1, ann), project: garden }),
      "none",
      "not_in_project",
    ],
    ["a session in a project, its project unnamed", viewer(ann, { session: chat(1, ann, 10) }), "none", "not_in_project"],
    ["a group outside projects", viewer(ann, { session: group(1, [ann, cat]) }), "session", "group_without_project"],
    ["a group that one has left", viewer(ben, { session: group(1, [ann, cat]) }), "none", "not_in_session"],
    ["a group that one made and has left", viewer(ann, { session: group(1, [ben]) }), "none", "not_in_session"],
    ["a group of members", viewer(ben, { session: group(1, [ann, ben], 10), project: garden }), "project", "group_of_members"],
    [
      "a group with an outsider",
      viewer(ann, { session: group(1, [ann, ben, cat], 10), project: garden }),
      "session",
      "group_with_outsiders",
    ],
    [
      "a group as its outsider",
      viewer(cat, { session: group(1, [ann, cat], 10), project: garden }),
      "session",
      "group_with_outsiders",
    ],
    ["another tenant's session", viewer(ann, { session: { ...chat(1, ann), tenantId: 2 } }), "none", "other_tenant"],
    ["another tenant's project", viewer(ann, { project: { ...garden, tenantId: 2 } }), "none", "other_tenant"],
  ] as const)("%s", (_, who, pool, rule) => {
    expect(poolOf(who)).toEqual({ pool, rule });
  });
});

describe("what is visible there", () => {
  const everything = [chat(1, ann), chat(2, ben), chat(3, ann, 10), chat(4, ben, 10), chat(5, ann, 11)];
  const groups = [group(6, [ann, ben]), group(7, [ben, cat]), group(8, [ann, ben], 10), group(9, [ann, cat], 10)];
  const visible = (who: Viewer) =>
    [...everything, ...groups].filter((session) => decideEpisodes(who, session).visible).map(({ id }) => id);

  it.each([
    ["in private", viewer(ann), [1]],
    ["in private with groups", viewer(ann, { includeGroups: true }), [1, 6]],
    ["in the garden", viewer(ben, { project: garden }), [3, 4, 8, 9]],
    ["in the garden with groups", viewer(ann, { project: garden, includeGroups: true }), [3, 4, 8, 9]],
    ["in the kitchen", viewer(ann, { project: kitchen }), [5]],
    ["in a group of members", viewer(ben, { session: group(8, [ann, ben], 10), project: garden }), [3, 4, 8, 9]],
    [
      "in a group with an outsider",
      viewer(ann, { session: group(9, [ann, cat], 10), project: garden, includeGroups: true }),
      [9],
    ],
    ["in a group outside projects", viewer(ben, { session: group(7, [ben, cat]), includeGroups: true }), [7]],
    ["in another's project", viewer(cat, { project: garden }), []],
  ] as const)("%s", (_, who, ids) => {
    expect(visible(who)).toEqual(ids);
  });

  it("is returned with the rule that decided", () => {
    const rule = (who: Viewer, session: SessionFacts) => decideEpisodes(who, session).rule;
    expect(rule(viewer(ann), chat(1, ann))).toBe("own_private_session");
    expect(rule(viewer(ann, { includeGroups: true }), group(6, [ann]))).toBe("own_group_session");
    expect(rule(viewer(ann, { project: garden }), chat(3, ann, 10))).toBe("same_project");
    expect(rule(viewer(ben, { session: group(7, [ben]) }), group(7, [ben]))).toBe("same_session");
    expect(rule(viewer(ann), chat(2, ben))).toBe("outside_pool");
    expect(rule(viewer(ann), chat(3, ann, 10))).toBe("outside_pool");
    expect(rule(viewer(cat, { project: garden }), chat(3, ann, 10))).toBe("not_in_project");
    expect(rule(viewer(ann), { ...chat(1, ann), tenantId: 2 })).toBe("other_tenant");
    expect(rule(viewer(cat, { project: garden }), { ...chat(1, cat), tenantId: 2 })).toBe("other_tenant");
  });
});

describe("properties", () => {
  const id = fc.integer({ min: 1, max: 4 });
  const ids = fc.uniqueArray(id, { maxLength: 4 });
  const tenantId = fc.integer({ min: 1, max: 2 });
  const session: fc.Arbitrary<SessionFacts> = fc.oneof(
    fc.record({
      id,
      tenantId,
      kind: fc.constant("private" as const),
      ownerId: id,
      projectId: fc.option(id),
      participantIds: fc.constant([]),
    }),
    fc.record({ id, tenantId, kind: fc.constant("group" as const), ownerId: id, projectId: fc.option(id), participantIds: ids }),
  );
  const project = fc.record({ id, tenantId, ownerId: id, memberIds: ids });
  const anybody: fc.Arbitrary<Viewer> = fc
    .record({ tenantId, userId: id, session: fc.option(session), project: fc.option(project), includeGroups: fc.boolean() })
    // Mostly the project that the session is in, as a request has it.
    .chain((who) =>
      fc.boolean().map((same) => ({
        ...who,
        project:
          same && who.session !== null && who.project !== null
            ? { ...who.project, id: who.session.projectId ?? who.project.id }
            : who.project,
      })),
    );
  /** A viewer and a session; of one id there is one session. */
  const pair = fc.tuple(anybody, session).map(([who, row]) => [who, row.id === who.session?.id ? who.session : row] as const);
  const runs = { numRuns: 5_000 };

  it("nothing crosses a tenant", () => {
    fc.assert(
      fc.property(pair, ([who, row]) => {
        if (row.tenantId !== who.tenantId) expect(decideEpisodes(who, row)).toEqual({ visible: false, rule: "other_tenant" });
      }),
      runs,
    );
  });

  it("a user who may enter a session sees it, and any other user sees nothing there", () => {
    fc.assert(
      fc.property(pair, ([who, row]) => {
        const here = {
          ...who,
          session: row,
          tenantId: row.tenantId,
          project: who.project === null ? null : { ...who.project, tenantId: row.tenantId },
        };
        expect(decideEpisodes(here, row).visible).toBe(poolOf(here).pool !== "none");
        if (!takesPart(who.userId, row)) expect(poolOf(here).pool).toBe("none");
      }),
      runs,
    );
  });

  it("a session in a project is visible in that project or in itself, and nowhere else", () => {
    fc.assert(
      fc.property(pair, ([who, row]) => {
        if (row.projectId === null || !decideEpisodes(who, row).visible) return;
        expect(row.projectId === who.project?.id || row.id === who.session?.id).toBe(true);
      }),
      runs,
    );
  });

  it("a private session outside projects is visible to its owner only", () => {
    fc.assert(
      fc.property(pair, ([who, row]) => {
        if (row.kind === "private" && row.projectId === null && decideEpisodes(who, row).visible)
          expect(who.userId).toBe(row.ownerId);
      }),
      runs,
    );
  });

  it("in a group nobody sees what one of its participants could not see in the project", () => {
    fc.assert(
      fc.property(pair, ([who, row]) => {
        if (who.session?.kind !== "group" || who.project === null || row.id === who.session.id) return;
        if (!decideEpisodes(who, row).visible) return;
        for (const userId of who.session.participantIds) expect(belongsTo(userId, who.project)).toBe(true);
      }),
      runs,
    );
  });

  it("another participant never opens anything", () => {
    fc.assert(
      fc.property(pair, id, ([who, row], guest) => {
        if (who.session?.kind !== "group" || !takesPart(who.userId, who.session)) return;
        const together = { ...who, session: { ...who.session, participantIds: [...who.session.participantIds, guest] } };
        if (decideEpisodes(together, row).visible && row.id !== who.session.id)
          expect(decideEpisodes(who, row).visible).toBe(true);
      }),
      runs,
    );
  });
});
