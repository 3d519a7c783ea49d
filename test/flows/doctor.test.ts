import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { encodeCursor } from "#core/page";
import { makeSource, upload } from "#test/document-requests";
import { createHarness, type Harness } from "#test/harness";
import { at, item, seeded } from "#test/vectors";
import { nth, rows, say } from "./requests.ts";
import { audited, broken, DAY, diagnose, everything, plant, remember, repairInvariants } from "./upkeep-rows.ts";

let skipMs = 0;
let replaced: Partial<Services> = {};
let h: Harness;
beforeEach(async () => {
  [skipMs, replaced] = [0, {}];
  h = await createHarness({
    replace: (): Partial<Services> => ({ now: () => Date.now() + skipMs, log: () => undefined, ...replaced }),
  });
});

const get = async <T>(path: string) => (await h.fetch<T>("GET", path)).json;
const idOf = async (table: string, publicId: string) =>
  nth(await rows<{ id: number }>(`select id from ${table} where public_id = ?`, publicId), 0).id;

/** A little of everything: a project with a member, a document, a private session, a group, memories of each kind and of each other. */
async function world(): Promise<{ memory: string; other: string; episode: string; person: string }> {
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
  await h.fetch("PUT", "/v1/projects/garden/members/bob?userId=ann");
  await h.fetch("PUT", "/v1/sessions/club", { body: { userId: "ann", participants: ["ann", "bob"] } });
  const { json: episode } = await say(h, "chat", ["the heron fishes at dawn", "and sleeps at noon"], {
    userId: "ann",
    projectId: "garden",
  });
  await say(h, "club", "we meet on Mondays", { userId: "ann" });
  const memory = await remember(h, "I watch herons", { learnedIn: { sessionId: "chat", episodeId: episode.id } });
  const other = await remember(h, "I watch owls");
  await remember(h, "the club meets on Mondays", { sessionId: "club" });
  await h.fetch("POST", "/v1/memories", { body: { content: "closed on Sundays", shared: true } });
  const person = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "ann", name: "Max" } });
  await h.fetch("POST", "/v1/entities", { body: { userId: "ann", projectId: "garden", type: "place", name: "Pond" } });
  await makeSource(h, "handbook", { userId: "ann", projectId: "garden" });
  await upload(h, { sourceId: "handbook", path: "pond.md", userId: "ann" }, "The pond is deep.");
  await h.settle();
  return { memory, other, episode: episode.id, person: person.json.id };
}

/** What the app named in that world. */
const NAMES = /^(ann|bob|me|chat|club|garden)$/;

type World = Awaited<ReturnType<typeof world>>;

type Planted = {
  breaks: string;
  how: string;
  plant: (w: World) => Promise<unknown>;
  /** Whether the doctor can repair it. */
  repairs: boolean;
};

const memory = (assign: string) => (w: World) => rows(`update memories set ${assign} where public_id = ?`, w.memory);
const inSpace = async (w: World) =>
  nth(await rows<{ id: number }>("select space_id as id from memories where public_id = ?", w.memory), 0).id;

const VIOLATIONS: Planted[] = [
  {
    breaks: "user.names",
    how: "a name that nothing finds",
    plant: () =>
      rows(
        "update person_names set name_key = 'nobody' where person_id = (select id from persons where tenant_id = ? and name = 'bob')",
        h.tenantId,
      ),
    repairs: true,
  },
  {
    breaks: "user.person",
    how: "a user without a person",
    plant: () =>
      rows(
        "delete from persons where tenant_id = ? and user_id = (select id from users where tenant_id = ? and external_id = 'bob')",
        h.tenantId,
        h.tenantId,
      ),
    repairs: true,
  },
  {
    breaks: "session.positions",
    how: "a session that would use a position twice",
    plant: () => rows("update sessions set next_seq = 1 where tenant_id = ? and external_id = 'chat'", h.tenantId),
    repairs: true,
  },
  {
    breaks: "episode.summary",
    how: "an episode that counts as summarized by a memory that is no summary of it",
    plant: async (w) =>
      rows("update episodes set summary_id = ? where public_id = ?", await idOf("memories", w.memory), w.episode),
    repairs: true,
  },
  {
    breaks: "episode.words",
    how: "an episode that lost a passage",
    plant: async (w) => rows("delete from message_fts where rowid = ?", await idOf("episodes", w.episode)),
    repairs: true,
  },
  {
    breaks: "episode.vectors",
    how: "an episode that nobody embeds",
    plant: (w) => rows("update episodes set vector_model = null, created_at = 5 where public_id = ?", w.episode),
    repairs: true,
  },
  {
    breaks: "episode.stored",
    how: "an episode whose vectors are gone",
    plant: async (w) => {
      const id = await idOf("episodes", w.episode);
      await h.services().vectors.remove(h.tenantId, [{ id: `epi:${id + 1}`, space: await inSpace(w) }]);
    },
    repairs: true,
  },
  {
    breaks: "passage.episode",
    how: "a passage of no episode",
    plant: async (w) =>
      rows("insert into message_fts (rowid, space, text) values (?, 's1', 'stray')", (await idOf("episodes", w.episode)) + 77),
    repairs: true,
  },
  {
    breaks: "memory.words",
    how: "a memory that lost its words",
    plant: async (w) => rows("delete from memory_fts where rowid = ?", await idOf("memories", w.memory)),
    repairs: true,
  },
  {
    breaks: "memory.vectors",
    how: "a memory that nobody embeds",
    plant: memory("vector_model = null, updated_at = 5"),
    repairs: true,
  },
  {
    breaks: "memory.stored",
    how: "a memory whose vector is gone",
    plant: async (w) =>
      h.services().vectors.remove(h.tenantId, [{ id: `mem:${await idOf("memories", w.memory)}`, space: await inSpace(w) }]),
    repairs: true,
  },
  {
    breaks: "words.memory",
    how: "words of no memory",
    plant: async (w) => rows("insert into memory_fts (rowid, space, text) values (900001, ?, 'stray')", `s${await inSpace(w)}`),
    repairs: true,
  },
  {
    breaks: "vector.row",
    how: "a vector of no memory",
    plant: async (w) => h.services().vectors.upsert(h.tenantId, [item("mem:900001", at(1, 512), { space: await inSpace(w) })]),
    repairs: true,
  },
  {
    breaks: "job.open",
    how: "a job that never ends",
    plant: () =>
      rows(
        "insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at) values (?, 'job_stuck', 'odd', '{}', 'pending', 0, 5, 5)",
        h.tenantId,
      ),
    repairs: false,
  },
  {
    breaks: "audit.chain",
    how: "an audit row that was taken out",
    plant: () => rows("delete from audit where tenant_id = ? and seq = 3", h.tenantId),
    repairs: false,
  },
  {
    breaks: "audit.chain",
    how: "an audit row that was changed",
    plant: async () => {
      await h.fetch("GET", "/v1/audit/verify");
      await rows("update audit set action = 'nothing.happened' where tenant_id = ? and seq = 3", h.tenantId);
    },
    repairs: false,
  },
];

const repairedOf = (report: Awaited<ReturnType<typeof repairInvariants>>) =>
  Object.values(report).map(({ name, violations, repaired, needsPerson }) => ({ name, violations, repaired, needsPerson }));

describe("the doctor", () => {
  it("finds nothing wrong with what the API made, and says at what it looked", async () => {
    await world();
    const report = await diagnose(h);
    expect(broken(report)).toEqual([]);
    for (const { name, checked } of Object.values(report))
      expect([name, Number(checked) > 0]).toEqual([
        name,
        !["job.open", "job.waiting", "job.failed", "memory.expired", "upload.file"].includes(name),
      ]);
    expect((await get<{ healthy: boolean; complete: boolean }>("/v1/doctor")).healthy).toBe(true);
  });

  it.each(VIOLATIONS)("finds $how ($breaks)", async ({ breaks, plant: violate, repairs }) => {
    const w = await world();
    await violate(w);
    const report = await diagnose(h);
    expect(broken(report)).toContain(breaks);
    const { examples = [], violations } = report[breaks] ?? {};
    expect(violations).toBeGreaterThan(0);
    const isNamedByApp = /^(user|session|project|fact)\./.test(breaks);
    for (const example of examples) expect(example).toMatch(isNamedByApp ? NAMES : /^(epi|mem|job)_/);
    const before = await everything();
    const dry = await repairInvariants(h, true);
    expect(await everything()).toBe(before);
    const done = await repairInvariants(h);
    expect(repairedOf(done)).toEqual(repairedOf(dry));
    expect([Number(done[breaks]?.repaired) > 0, Number(done[breaks]?.needsPerson) > 0]).toEqual([repairs, !repairs]);
    expect(await audited(h, "doctor.mended")).toHaveLength(repairs ? 1 : 0);
    if (!repairs) return;
    await h.settle();
    expect(broken(await diagnose(h))).toEqual([]);
  });

  it("calls a forgotten episode, a purged successor and what has expired no error", async () => {
    const w = await world();
    await h.fetch("DELETE", `/v1/sessions/chat/episodes/${w.episode}?userId=ann`);
    const heir = await remember(h, "I watch storks", { supersedes: w.memory });
    await h.fetch("DELETE", `/v1/memories/${heir}?userId=ann`);
    await h.settle();
    await rows("update memories set deleted_at = ? where public_id = ?", Date.now() - 40 * DAY, heir);
    await h.fetch("POST", "/v1/lifecycle", { body: { tasks: ["purge"] } });
    await h.settle();
    await rows("update memories set expires_at = 7 where public_id = ?", w.other);
    const report = await diagnose(h);
    expect(broken(report)).toEqual([]);
    expect(report["memory.expired"]).toMatchObject({ violations: 1, examples: [w.other], level: "info" });
  });

  it("does a bounded amount of work a call and goes on with a cursor", async () => {
    await plant(h, "ann", 7_000);
    await rows("delete from memory_fts where rowid in (select id from memories where tenant_id = ? and id % 10 = 0)", h.tenantId);
    const first = await get<{ complete: boolean; nextCursor: string; invariants: { name: string; checked: number }[] }>(
      "/v1/doctor",
    );
    expect(first.complete).toBe(false);
    expect(Math.max(...first.invariants.map(({ checked }) => checked))).toBeLessThan(4_000);
    const report = await diagnose(h);
    expect(report["memory.words"]).toMatchObject({ violations: 700, checked: 7_000 });
    const examples = first.invariants.flatMap((invariant) => ("examples" in invariant ? [invariant.examples] : []));
    for (const list of examples) expect(list).toHaveProperty("length", Math.min(10, (list as string[]).length));
  });

  it("says that nobody looked for stray vectors where the index cannot list them", async () => {
    await world();
    const { list: _, ...blind } = h.services().vectors;
    replaced = { vectors: blind };
    expect((await diagnose(h))["vector.row"]).toMatchObject({ checked: false, violations: 0 });
  });

  it("refuses a cursor that it did not make, and who is no admin", async () => {
    for (const cursor of ["x", encodeCursor("doctor", ["x"]), encodeCursor("doctor", [JSON.stringify({ section: 5, at: "x" })])])
      expect((await h.fetch("GET", `/v1/doctor?cursor=${cursor}`)).status).toBe(422);
    const key = await h.as(["read", "write"]);
    expect([(await h.fetch("GET", "/v1/doctor", { key })).status, (await h.fetch("POST", "/v1/doctor", { key })).status]).toEqual(
      [403, 403],
    );
  });

  it("neither sees nor mends another tenant's", async () => {
    await world();
    const other = await createHarness();
    await plant(other, "ann", 3, "superseded_by = 0");
    await rows("delete from memory_fts where rowid in (select id from memories where tenant_id = ?)", other.tenantId);
    expect(broken(await diagnose(h))).toEqual([]);
    await repairInvariants(h);
    expect(broken(await diagnose(other))).toContain("memory.words");
  });

  it("finds nothing after a busy time", async () => {
    const random = seeded(5);
    const pick = <T>(values: readonly T[]): T => nth(values, Math.floor(random() * values.length));
    const users = ["ann", "bob", "cid"];
    const made: { id: string; userId: string }[] = [];
    const episodes: { id: string; session: string; userId: string }[] = [];
    await h.fetch("PATCH", "/v1/settings", { body: { maxEntries: 8, expireEpisodes: true } });
    await h.fetch("PUT", "/v1/sessions/club", { body: { userId: "ann", participants: users } });
    const acts: (() => Promise<unknown>)[] = [
      async () => {
        const userId = pick(users);
        const extra = pick([
          {},
          { key: pick(["a", "b"]) },
          { type: pick(["task", "event"]) },
          { sessionId: "club" },
          { pinned: true },
          { confidence: 0.3 },
        ]);
        const heir = random() < 0.3 && !("sessionId" in extra) ? made.find((one) => one.userId === userId) : undefined;
        const body = {
          userId,
          content: `I like ${pick(["tea", "rain", "owls", "chess", "Rome"])} ${Math.floor(random() * 6)}`,
          ...extra,
          ...(heir === undefined ? {} : { supersedes: heir.id }),
        };
        const { status, json } = await h.fetch<{ id: string }>("POST", "/v1/memories", { body });
        if (status < 300) made.push({ id: json.id, userId });
      },
      async () => {
        const one = pick([...made, { id: "mem_none", userId: "ann" }]);
        const path = `/v1/memories/${one.id}`;
        await pick([
          () => h.fetch("DELETE", `${path}?userId=${one.userId}&sessionId=club`),
          () => h.fetch("POST", `${path}/restore?userId=${one.userId}`),
          () =>
            h.fetch("PATCH", `${path}?userId=${one.userId}`, {
              body: { content: `I like ${pick(["snow", "fog"])} ${Math.floor(random() * 9)}` },
            }),
          () => h.fetch("POST", `${path}/approve`, { body: { userId: one.userId } }),
        ])();
      },
      async () => {
        const userId = pick(users);
        const session = pick([`${userId}-1`, `${userId}-2`, "club"]);
        const { status, json } = await say(h, session, ["something was said", "and answered"], { userId });
        if (status < 300) episodes.push({ id: json.id, session, userId });
      },
      async () => {
        const one = episodes.shift();
        if (one !== undefined) await h.fetch("DELETE", `/v1/sessions/${one.session}/episodes/${one.id}?userId=${one.userId}`);
      },
      async () => {
        const userId = pick(users);
        const people = await Promise.all(
          ["Max", "Mia"].map((name) => h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId, name } })),
        );
        const [into, from] = people.map(({ json }) => json.id);
        await remember(h, `somebody sang ${random()}`, { userId, subjects: [from] });
        const merged = await h.fetch<{ id: string }>("POST", `/v1/people/${into}/merge`, { body: { userId, from } });
        if (random() < 0.5) await h.fetch("POST", `/v1/people/merges/${merged.json.id}/undo`, { body: { userId } });
      },
      () =>
        h.fetch("PUT", "/v1/sessions/club", {
          body: { userId: "ann", participants: ["ann", ...users.filter(() => random() < 0.6)] },
        }),
      () => h.fetch("POST", "/v1/lifecycle", { body: { limit: 5 } }),
      async () => {
        skipMs += Math.floor(random() * 4 * DAY);
      },
      () => h.settle(),
    ];
    for (let i = 0; i < 160; i += 1) await pick(acts)();
    await h.settle();
    const report = await diagnose(h);
    expect(broken(report)).toEqual([]);
    expect(Number(report["memory.words"]?.checked)).toBeGreaterThan(5);
  });
});
