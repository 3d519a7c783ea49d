import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it, vi } from "vitest";
import { encodeCursor } from "#core/page";
import { seesEpisodesOf, viewerCte } from "#domain/visibility";
import { createHarness, type Harness } from "#test/harness";
import { expectReach, history, makeProject, say, WORD } from "./reach.ts";

const log = vi.spyOn(console, "log");

afterAll(() => {
  const lines = log.mock.calls.flat().map(String);
  log.mockRestore();
  expect(lines.filter((line) => line.includes("visibility.disagreement"))).toEqual([]);
});

type Row = Record<string, number>;

async function rowOf(query: string, ...values: unknown[]): Promise<Row> {
  const row = await env.DB.prepare(query)
    .bind(...values)
    .first<Row>();
  if (row === null) throw new Error(`No row: ${query}`);
  return row;
}

const sessionRow = (harness: Harness, name: string) =>
  rowOf("select * from sessions where tenant_id = ? and external_id = ?", harness.tenantId, name);

const lastEpisode = async (harness: Harness, name: string) =>
  rowOf("select max(id) as id from episodes where session_id = ?", (await sessionRow(harness, name)).id);

/** Another tenant's session before and after Ann's, so that their ids are beside hers. */
async function neighbours(): Promise<{ ours: Harness; theirs: Harness }> {
  const [ours, theirs] = [await createHarness(), await createHarness()];
  await say(theirs, "before", "ann", "walrus before");
  await say(ours, "mine", "ann", "tea at five");
  await say(ours, "mine", "ann", "and scones");
  await say(theirs, "after", "ann", "walrus after");
  await say(ours, "bens", "ben", "walrus of Ben");
  return { ours, theirs };
}

describe("cursors", () => {
  const PER_SESSION = 2 ** 22;

  it.each(["asc", "desc"])("of a history never reach beyond the session (%s)", async (order) => {
    const { ours } = await neighbours();
    const path = (cursor: string) => `/v1/sessions/mine/episodes?userId=ann&order=${order}&limit=100&cursor=${cursor}`;
    for (const position of [
      -1,
      -2,
      -PER_SESSION,
      -PER_SESSION - 1,
      -1e15,
      PER_SESSION,
      PER_SESSION + 1,
      3 * PER_SESSION,
      1e15,
      1e300,
      0.5,
    ]) {
      const { status, json, text } = await ours.fetch("GET", path(encodeCursor("episodes", [position])));
      expect(text).not.toContain("walrus");
      expect(json, `${position}`).toMatchObject({ code: "unprocessable", fields: [{ path: "cursor" }] });
      expect(status).toBe(422);
    }
    for (const position of [0, 1, 2, PER_SESSION - 1]) {
      const { status, text } = await ours.fetch("GET", path(encodeCursor("episodes", [position])));
      expect(status).toBe(200);
      expect(text).not.toContain("walrus");
    }
  });

  it("of another's list show one's own", async () => {
    const { ours, theirs } = await neighbours();
    for (const name of ["a", "b", "c"]) {
      await makeProject(ours, `${name}-anns`, "ann");
      await makeProject(ours, `${name}-walrus`, "ben");
      await makeProject(theirs, `${name}-walrus-too`, "ann");
      await say(ours, `${name}-walrus-session`, "ben", "walrus");
    }
    const cursors: string[] = [];
    for (const [harness, user] of [
      [ours, "ben"],
      [theirs, "ann"],
      [ours, "ann"],
    ] as const) {
      for (const path of [
        `/v1/projects?userId=${user}&limit=1`,
        `/v1/sessions?userId=${user}&limit=1`,
        "/v1/jobs?limit=1",
        "/v1/keys?limit=1",
      ]) {
        const { json } = await harness.fetch<{ nextCursor: string | null }>("GET", path);
        if (json.nextCursor !== null) cursors.push(json.nextCursor);
      }
    }
    for (const list of ["projects", "sessions"] as const)
      cursors.push(...["zzz", "", "\uffff", "prj_", "ses_ffffffff"].map((position) => encodeCursor(list, [position])));
    expect(cursors.length).toBeGreaterThan(12);
    for (const cursor of cursors) {
      for (const path of ["/v1/projects", "/v1/sessions"]) {
        const { status, text } = await ours.fetch("GET", `${path}?userId=ann&limit=100&cursor=${cursor}`);
        expect([200, 422]).toContain(status);
        expect(text).not.toContain("walrus");
      }
    }
  });
});

describe("indexes only propose", () => {
  it("a vector that lies in another's space, tag and session shows nothing", async () => {
    const { ours, theirs } = await neighbours();
    await ours.settle();
    const { vectors, embedder } = ours.services();
    const [values] = await embedder.embed([WORD], "query");
    if (values === undefined) throw new Error("There is no vector.");
    const mine = await sessionRow(ours, "mine");
    const foreign = [
      (await lastEpisode(ours, "bens")).id,
      (await lastEpisode(theirs, "after")).id,
      (await lastEpisode(theirs, "before")).id,
    ];
    const beyond = [Number((await lastEpisode(ours, "mine")).id) + 1, 0, 2 ** 52];
    const metadata = {
      space: Number(mine.space_id),
      session: Number(mine.id),
      kind: "episode",
      model: embedder.model,
    };
    const none = {
      project: 0,
      workspace: "",
      scope: "",
      type: "",
      createdDay: Math.floor(Date.now() / 86_400_000),
      expiresDay: 0,
    };
    await vectors.upsert(
      ours.tenantId,
      [...foreign.map((id) => `epi:${id}`), ...beyond.map((id) => `epi:${id}`), "mem:1", "epi:1e3", "epi:-1"].map((id) => ({
        id,
        values,
        metadata: { ...metadata, ...none },
      })),
    );
    await expectReach(ours, { user: "ann" }, ["mine"]);
    await expectReach(ours, { user: "ann", session: "mine" }, ["mine"]);
    const { text } = await ours.fetch("POST", "/v1/search", { body: { userId: "ann", query: WORD, strategy: "semantic" } });
    expect(text).not.toContain("walrus");
  });

  it("a row of the text index that lies in another's space shows nothing", async () => {
    const { ours, theirs } = await neighbours();
    const mine = await sessionRow(ours, "mine");
    for (const { id } of [await lastEpisode(ours, "bens"), await lastEpisode(theirs, "after")]) {
      await env.DB.batch([
        env.DB.prepare("delete from message_fts where rowid = ?").bind(id),
        env.DB.prepare("insert into message_fts (rowid, space, text) values (?, ?, ?)").bind(id, `s${mine.space_id}`, WORD),
      ]);
    }
    await expectReach(ours, { user: "ann" }, ["mine"]);
  });

  it("a deleted episode is found by nothing, while its vectors still lie there", async () => {
    const { ours } = await neighbours();
    const { json } = await say(ours, "gone", "ann", "regretted words");
    await ours.settle();
    await expectReach(ours, { user: "ann" }, ["gone", "mine"]);
    const path = `/v1/sessions/gone/episodes/${json.id}?userId=ann`;
    expect((await ours.fetch("DELETE", path)).status).toBe(204);
    await expectReach(ours, { user: "ann" }, ["mine"]);
    expect((await ours.fetch("GET", path)).status).toBe(404);
    expect(await history(ours, "gone", { user: "ann" })).toEqual([]);
    await say(ours, "gone", "ann", "other words");
    const { text } = await ours.fetch("POST", "/v1/search", { body: { userId: "ann", query: WORD, strategy: "semantic" } });
    expect(text).not.toContain("regretted");
  });
});

describe("a tenant", () => {
  it("is a wall even for rows that name another's user, session or project", async () => {
    const { ours, theirs } = await neighbours();
    await makeProject(ours, "garden", "ann");
    await say(ours, "planted", "ann", "roses", "garden");
    const [mine, planted] = [await sessionRow(ours, "mine"), await sessionRow(ours, "planted")];
    const [before, after] = [await sessionRow(theirs, "before"), await sessionRow(theirs, "after")];
    await env.DB.batch([
      env.DB.prepare("update sessions set owner_id = ?, space_id = ? where id = ?").bind(mine.owner_id, mine.space_id, before.id),
      env.DB.prepare("update sessions set project_id = ?, space_id = ? where id = ?").bind(
        planted.project_id,
        mine.space_id,
        after.id,
      ),
    ]);
    await expectReach(ours, { user: "ann" }, ["mine"]);
    await expectReach(ours, { user: "ann", project: "garden" }, ["planted"]);
    const services = ours.services();
    for (const projectExternalId of [null, "garden"]) {
      const viewer = {
        tenantId: ours.tenantId,
        user: { externalId: "ann" },
        sessionExternalId: null,
        projectExternalId,
        includeGroups: true,
      };
      const rows = await services.db.all<{ tenant: number }>(sql`
        with ${viewerCte(viewer)}
        select s.tenant_id as tenant from viewer v cross join sessions s where ${seesEpisodesOf(ours.tenantId, sql`s`)}`);
      expect(rows).toEqual([{ tenant: ours.tenantId }]);
    }
    const lists = await Promise.all(
      ["/v1/sessions?userId=ann", "/v1/sessions?userId=ann&projectId=garden"].map((path) => ours.fetch("GET", path)),
    );
    for (const { text } of lists) expect(text).not.toMatch(/"before"|"after"/);
  });

  it("is a wall for cost as well: a search reads no more rows however much others say", async () => {
    const { ours, theirs } = await neighbours();
    const rowsRead = async () => {
      const body = { userId: "ann", query: WORD, strategy: "text" };
      const { headers } = await ours.fetch("POST", "/v1/search", { body });
      return /read=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1];
    };
    // The first also reads the tenant's settings.
    await rowsRead();
    const before = await rowsRead();
    expect(before).toBeDefined();
    const episodes = Array.from({ length: 100 }, () => ({ messages: [{ role: "user", content: `${WORD} and walrus` }] }));
    for (const [harness, userId] of [
      [theirs, "ann"],
      [ours, "ben"],
    ] as const) {
      expect((await harness.fetch("POST", "/v1/sessions/much/episodes", { body: { userId, episodes } })).status).toBe(201);
    }
    expect(await rowsRead()).toBe(before);
  });

  it("is a wall between users of the same name, in every way of reading", async () => {
    const { ours, theirs } = await neighbours();
    await expectReach(ours, { user: "ann" }, ["mine"]);
    await expectReach(theirs, { user: "ann" }, ["after", "before"]);
    expect(await history(ours, "before", { user: "ann" })).toBe(404);
    expect(await history(theirs, "mine", { user: "ann" })).toBe(404);
  });
});

describe("an episode's id", () => {
  it("names it in its own session only, and ids of other kinds name nothing", async () => {
    const { ours, theirs } = await neighbours();
    const mine = (await say(ours, "mine", "ann", "one more")).json.id;
    const bens = (await say(ours, "bens", "ben", "walrus again")).json.id;
    const foreign = (await say(theirs, "after", "ann", "walrus again")).json.id;
    const session = await ours.fetch<{ id: string }>("GET", "/v1/sessions/mine?userId=ann");
    await say(ours, "other", "ann", "elsewhere");
    for (const [path, id] of [
      ["mine", bens],
      ["mine", foreign],
      ["bens", bens],
      ["other", mine],
      ["mine", session.json.id],
      ["mine", mine.replace("epi_", "job_")],
      ["mine", mine.toUpperCase()],
      ["mine", `${mine}%20`],
      ["mine", "1"],
    ] as const) {
      for (const method of ["GET", "DELETE"]) {
        const { status, json } = await ours.fetch(method, `/v1/sessions/${path}/episodes/${id}?userId=ann`);
        expect(status, `${method} ${path} ${id}`).toBe(404);
        expect(json).toMatchObject({ code: "not_found" });
      }
    }
    expect((await ours.fetch("GET", `/v1/sessions/mine/episodes/${mine}?userId=ann`)).status).toBe(200);
    expect((await ours.fetch("GET", `/v1/sessions/bens/episodes/${bens}?userId=ben`)).status).toBe(200);
    expect((await theirs.fetch("GET", `/v1/sessions/after/episodes/${foreign}?userId=ann`)).status).toBe(200);
  });
});

describe("a client that asks for less consistency", () => {
  it("does not get it: only a bookmark is taken", async () => {
    const asked: (string | undefined)[] = [];
    const harness = await createHarness({ onOpen: (consistency) => void asked.push(consistency) });
    const send = (bookmark: string) => harness.fetch("GET", "/v1/health", { headers: { "x-edgewise-bookmark": bookmark } });
    for (const word of ["first-unconstrained", "first-primary", "a b", "'", "x".repeat(300)]) await send(word);
    expect(asked.filter((consistency) => consistency !== undefined)).toEqual([]);
    await send("00000000-0000000f-00000000-00000000000000000000000000000000");
    expect(asked).toContain("00000000-0000000f-00000000-00000000000000000000000000000000");
  });
});

describe("a race that is lost", () => {
  it("leaves one session, and no user or audit row of what never was", async () => {
    const harness = await createHarness();
    await makeProject(harness, "garden", "ann");
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        harness.fetch("PUT", "/v1/sessions/one", {
          body: i % 2 === 0 ? { userId: "ann" } : { userId: "ann", projectId: "garden" },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect((await harness.fetch("GET", "/v1/sessions/one?userId=ann")).json).toMatchObject({ projectId: "garden" });
    const { opened } = await rowOf(
      "select count(*) as opened from audit where tenant_id = ? and action = 'session.opened'",
      harness.tenantId,
    );
    expect(opened).toBe(1);
  });

  it("for the name of a project makes nobody of who lost it", async () => {
    const harness = await createHarness();
    await makeProject(harness, "garden", "ann");
    const users = () => rowOf("select count(*) as n from users where tenant_id = ?", harness.tenantId);
    const before = await users();
    expect((await harness.fetch("PUT", "/v1/projects/garden", { body: { userId: "stranger" } })).status).toBe(404);
    expect(await users()).toEqual(before);
  });
});
