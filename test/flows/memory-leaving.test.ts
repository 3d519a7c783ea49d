import { beforeAll, describe, expect, it } from "vitest";
import type { RememberedView } from "#domain/memories";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { rows } from "./requests.ts";

let h: Harness;
const interruption = createInterruption();
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({
      log: () => undefined,
      db: interruption.in(db),
    }),
  });
});

type Body = Record<string, unknown>;
const post = (body: Body) => h.fetch<RememberedView>("POST", "/v1/memories", { body });
const meet = (session: string, participants: string[]) =>
  h.fetch("PUT", `/v1/sessions/${session}`, { body: { userId: "eve", participants } });
const stored = (id: string) =>
  rows("select content, deleted_at as deletedAt, superseded_by as successor from memories where public_id = ?", id);

describe("whoever leaves the group between the look and the batch", () => {
  const leaves = (session: string, nthBatch = 2) => {
    interruption.beforeBatch(nthBatch, () => meet(session, ["eve"]));
  };

  it.each([
    ["changes nothing", "PATCH", "", { content: "changed" }],
    ["forgets nothing", "DELETE", "", undefined],
    ["replaces nothing", "POST", "supersedes", undefined],
  ] as const)("%s", async (_, method, field, body) => {
    const session = `g-${crypto.randomUUID()}`;
    await meet(session, ["eve", "dave"]);
    const { json } = await post({ userId: "eve", sessionId: session, content: "We meet at noon" });
    const before = await stored(json.id);
    leaves(session);
    const path = `/v1/memories/${json.id}?userId=dave&sessionId=${session}`;
    const answer =
      field === "supersedes"
        ? await post({ userId: "dave", sessionId: session, content: "We meet at one", supersedes: json.id })
        : await h.fetch(method, path, { body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await stored(json.id)).toEqual(before);
  });

  it("brings nothing back", async () => {
    await meet("g-restore", ["eve", "dave"]);
    const { json } = await post({ userId: "eve", sessionId: "g-restore", content: "We sing" });
    await h.fetch("DELETE", `/v1/memories/${json.id}?userId=eve`);
    // A read of one query is no batch.
    leaves("g-restore", 1);
    const { status } = await h.fetch("POST", `/v1/memories/${json.id}/restore?userId=dave`);
    expect(status).toBe(404);
    expect(await stored(json.id)).toEqual([expect.objectContaining({ deletedAt: expect.any(Number) })]);
  });

  it("has learned nothing there", async () => {
    await meet("g-learned", ["eve", "dave"]);
    leaves("g-learned");
    const answer = await post({ userId: "dave", content: "Dave owns a canoe", learnedIn: { sessionId: "g-learned" } });
    expect(answer.status).toBe(404);
    expect(await rows("select 1 from memories where content = 'Dave owns a canoe'")).toEqual([]);
  });
});

it("a person who is merged meanwhile is not who the memory is about: the survivor is", async () => {
  const person = async (name: string) =>
    (await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "eve", name } })).json.id;
  const [from, into] = [await person("Kay"), await person("Kayla")];
  interruption.beforeBatch(2, () => h.fetch("POST", `/v1/people/${into}/merge`, { body: { userId: "eve", from } }));
  const { json } = await post({ userId: "eve", content: "Kay climbs", subjects: [from] });
  const about = await rows(
    "select p.public_id as id from memories m join memory_subjects s on s.memory_id = m.id join persons p on p.id = s.person_id where m.public_id = ?",
    json.id,
  );
  expect(about).toEqual([{ id: into }]);
});

it("a repeat while it is being changed is lost to neither", async () => {
  const said = { userId: "ida", content: "The ferry runs", type: "event", confidence: 0.7 };
  const { json } = await post(said);
  interruption.beforeBatch(2, () => post({ ...said, confidence: 1 }));
  const { status } = await h.fetch("PATCH", `/v1/memories/${json.id}?userId=ida`, { body: { pinned: true } });
  expect(status).toBe(200);
  const [row] = await rows("select confidence, seen_count as seen, pinned from memories where public_id = ?", json.id);
  expect(row).toEqual({ confidence: 1, seen: 2, pinned: 1 });
});
