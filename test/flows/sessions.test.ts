import { beforeAll, describe, expect, it } from "vitest";
import type { ProjectView, SessionView } from "#domain/sessions";
import { createHarness, type Harness } from "#test/harness";
import { find, type Page, type Problem, rows, say, textsOf } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

type Body = Record<string, unknown>;
const putSession = (id: string, body: Body = {}) => h.fetch<SessionView & Problem>("PUT", `/v1/sessions/${id}`, { body });
const putProject = (id: string, body: Body = {}) => h.fetch<ProjectView & Problem>("PUT", `/v1/projects/${id}`, { body });
const namesOf = (page: { json: Page<{ id: string }> }) => page.json.items.map(({ id }) => id);

describe("a session", () => {
  it("is made once, and the same call again leaves it as it is", async () => {
    const body = { userId: "ann", title: "Plans" };
    const first = await putSession("once", body);
    const second = await putSession("once", body);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json).toEqual(first.json);
    expect(first.json).toMatchObject({
      id: "once",
      kind: "private",
      projectId: null,
      title: "Plans",
      participants: ["ann"],
    });
  });

  it("is made once when many ask at the same moment, and each one's wish is carried out", async () => {
    const answers = await Promise.all(["A", "B", "C"].map((title) => putSession("raced", { userId: "ann", title })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    const actions = await rows<{ action: string }>(
      "select action from audit where object_id = (select public_id from sessions where external_id = ?) order by id",
      answers[0]?.json.id ?? "",
    );
    expect(actions.map(({ action }) => action)).toEqual(["session.opened", "session.titled", "session.titled"]);
  });

  it("never changes its kind, not even in a race to make it", async () => {
    await putSession("kind", { userId: "ann" });
    expect((await putSession("kind", { userId: "ann", kind: "group" })).status).toBe(409);
    expect((await putSession("kind", { userId: "ann", kind: "private" })).status).toBe(200);
    const raced = await Promise.all([
      putSession("kind-raced", { userId: "ann", kind: "private" }),
      putSession("kind-raced", { userId: "ann", kind: "group", participants: ["ann"] }),
    ]);
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("has a title that is set, kept and cleared", async () => {
    await putSession("titled", { userId: "ann", title: "Old" });
    expect((await putSession("titled", { userId: "ann" })).json.title).toBe("Old");
    expect((await putSession("titled", { userId: "ann", title: "New" })).json.title).toBe("New");
    expect((await putSession("titled", { userId: "ann", title: null })).json.title).toBeNull();
  });

  it("moves into a project, stays there when none is named, and out with null", async () => {
    await putProject("garden", { userId: "ann" });
    await say(h, "mover", "the quince tree needs water", { userId: "ann" });
    const found = async (projectId?: string) =>
      textsOf(await find(h, "quince", { userId: "ann", strategy: "text", ...(projectId === undefined ? {} : { projectId }) }));
    expect([await found(), await found("garden")]).toEqual([["the quince tree needs water"], []]);
    expect((await putSession("mover", { userId: "ann", projectId: "garden" })).json.projectId).toBe("garden");
    expect([await found(), await found("garden")]).toEqual([[], ["the quince tree needs water"]]);
    expect((await putSession("mover", { userId: "ann", title: "Trees" })).json.projectId).toBe("garden");
    expect((await putSession("mover", { userId: "ann", projectId: null })).json.projectId).toBeNull();
    expect([await found(), await found("garden")]).toEqual([["the quince tree needs water"], []]);
  });

  it("opens in the project that its first message names, and takes no other by the way", async () => {
    await putProject("first", { userId: "ann" });
    await putProject("second", { userId: "ann" });
    expect((await say(h, "opened-in", "in there from the start", { userId: "ann", projectId: "first" })).status).toBe(201);
    expect((await h.fetch<SessionView>("GET", "/v1/sessions/opened-in?userId=ann")).json.projectId).toBe("first");
    expect((await say(h, "opened-in", "again", { userId: "ann", projectId: "first" })).status).toBe(201);
    expect((await say(h, "opened-in", "elsewhere", { userId: "ann", projectId: "second" })).status).toBe(409);
  });

  it("is answered 404 with a project that is not there, or not the user's, and is not made", async () => {
    await putProject("bobs", { userId: "bob" });
    for (const projectId of ["no-such", "bobs"]) {
      expect((await putSession("nowhere", { userId: "ann", projectId })).status).toBe(404);
      expect((await say(h, "nowhere", "x", { userId: "ann", projectId })).status).toBe(404);
    }
    expect((await h.fetch("GET", "/v1/sessions/nowhere?userId=ann")).status).toBe(404);
  });

  it("is listed newest first, in pages, for who takes part", async () => {
    for (const id of ["l1", "l2", "l3"]) await putSession(id, { userId: "lister" });
    const first = await h.fetch<Page<SessionView>>("GET", "/v1/sessions?userId=lister&limit=2");
    const second = await h.fetch<Page<SessionView>>("GET", `/v1/sessions?userId=lister&limit=2&cursor=${first.json.nextCursor}`);
    expect([...namesOf(first), ...namesOf(second)]).toEqual(["l3", "l2", "l1"]);
    expect(second.json.nextCursor).toBeNull();
  });
});

describe("a group", () => {
  type Span = { user: string; open: number };
  const spans = (session: string) =>
    rows<Span>(
      `select u.external_id as user, p.left_at is null as open from participants p join users u on u.id = p.user_id
       join sessions s on s.id = p.session_id where s.external_id = ? order by u.id, p.joined_at`,
      session,
    );

  it("keeps from when to when each took part", async () => {
    await putSession("club", { participants: ["ann", "bob"] });
    expect((await putSession("club", { userId: "ann", participants: ["ann", "cleo"] })).json.participants.sort()).toEqual([
      "ann",
      "cleo",
    ]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await putSession("club", { userId: "ann", participants: ["ann", "cleo", "bob"] })).json.participants.sort()).toEqual([
      "ann",
      "bob",
      "cleo",
    ]);
    expect((await spans("club")).toSorted((a, b) => `${a.user}${a.open}`.localeCompare(`${b.user}${b.open}`))).toEqual([
      { user: "ann", open: 1 },
      { user: "bob", open: 0 },
      { user: "bob", open: 1 },
      { user: "cleo", open: 1 },
    ]);
    expect(await rows("select 1 from participants where left_at < joined_at")).toEqual([]);
  });

  it("is closed to who has left, and open to who has joined, history included", async () => {
    await putSession("room", { participants: ["ann", "bob"] });
    await say(h, "room", "spoken in the room", { userId: "ann" });
    await putSession("room", { userId: "ann", participants: ["ann", "cleo"] });
    expect((await h.fetch("GET", "/v1/sessions/room/episodes?userId=bob")).status).toBe(404);
    expect((await h.fetch("GET", "/v1/sessions/room/episodes?userId=cleo")).status).toBe(200);
    expect((await say(h, "room", "from outside", { userId: "bob" })).status).toBe(404);
  });

  it("lets the last words of who leaves be the last", async () => {
    await putSession("leaving", { participants: ["ann", "bob"] });
    const { status, json } = await putSession("leaving", { userId: "ann", participants: ["bob"] });
    expect([status, json.participants]).toEqual([200, ["bob"]]);
    expect((await putSession("leaving", { userId: "ann", title: "mine still" })).status).toBe(404);
  });

  it("has participants, its opener among them, and a private session has none", async () => {
    expect((await putSession("empty", { userId: "ann", kind: "group" })).status).toBe(422);
    expect((await putSession("empty", { userId: "ann", participants: ["bob"] })).status).toBe(422);
    expect((await putSession("empty", { userId: "ann", kind: "private", participants: ["ann"] })).status).toBe(422);
    await putSession("one", { userId: "ann" });
    expect((await putSession("one", { userId: "ann", participants: ["ann"] })).status).toBe(422);
  });
});

describe("a project", () => {
  const member = (method: string, project: string, who: string, as = "ann") =>
    h.fetch<ProjectView & Problem>(method, `/v1/projects/${project}/members/${who}?userId=${as}`);

  it("is made once and renamed by its owner", async () => {
    const made = await putProject("atlas", { userId: "ann", name: "Atlas" });
    expect([made.status, made.json.ownerId, made.json.memberIds]).toEqual([201, "ann", []]);
    expect((await putProject("atlas", { userId: "ann" })).json).toEqual(made.json);
    expect((await putProject("atlas", { userId: "ann", name: "Maps" })).json).toEqual({ ...made.json, name: "Maps" });
  });

  it("lets members in, with all of its history, and out", async () => {
    await putProject("crew", { userId: "ann" });
    await say(h, "crew-talk", "the anchor is rusty", { userId: "ann", projectId: "crew" });
    const reads = async () => (await find(h, "anchor", { userId: "bob", projectId: "crew" })).status;
    expect(await reads()).toBe(404);
    expect((await member("PUT", "crew", "bob")).json.memberIds).toEqual(["bob"]);
    expect((await member("PUT", "crew", "bob")).json.memberIds).toEqual(["bob"]);
    expect(textsOf(await find(h, "anchor", { userId: "bob", projectId: "crew" }))).toEqual(["the anchor is rusty"]);
    expect(namesOf(await h.fetch<Page<ProjectView>>("GET", "/v1/projects?userId=bob"))).toContain("crew");
    expect((await member("PUT", "crew", "cleo", "bob")).status).toBe(403);
    expect((await putProject("crew", { userId: "bob", name: "Mine" })).status).toBe(403);
    expect((await member("DELETE", "crew", "bob")).json.memberIds).toEqual([]);
    expect(await reads()).toBe(404);
  });

  it("keeps its owner, and is not there for strangers", async () => {
    await putProject("vault", { userId: "ann" });
    expect((await member("DELETE", "vault", "ann")).status).toBe(409);
    expect((await member("PUT", "vault", "bob", "bob")).status).toBe(404);
    expect((await putProject("vault", { userId: "stranger" })).status).toBe(404);
    expect((await h.fetch("GET", "/v1/projects/vault?userId=bob")).status).toBe(404);
    expect((await h.fetch("GET", "/v1/sessions?projectId=no-such&userId=ann")).status).toBe(404);
  });

  it("lists its sessions to all who belong to it", async () => {
    await putProject("listed", { userId: "ann" });
    await member("PUT", "listed", "bob");
    await say(h, "by-ann", "one", { userId: "ann", projectId: "listed" });
    await say(h, "by-bob", "two", { userId: "bob", projectId: "listed" });
    expect(namesOf(await h.fetch<Page<SessionView>>("GET", "/v1/sessions?projectId=listed&userId=bob"))).toEqual([
      "by-bob",
      "by-ann",
    ]);
  });
});

it("a group of a hundred is opened and changed by few statements, each user made once", async () => {
  const names = Array.from({ length: 100 }, (_, i) => `crowd-${i}`);
  const put = async (participants: string[]) => {
    const { status, headers } = await h.fetch("PUT", "/v1/sessions/crowd", { body: { participants } });
    expect(status).toBeLessThan(300);
    return Number(/statements=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1]);
  };
  expect(await put(names)).toBeLessThanOrEqual(12);
  expect(await put([...names.slice(0, 50), ...names.slice(0, 49).map((name) => `new-${name}`)])).toBeLessThanOrEqual(12);
  const made = await rows(
    "select count(*) as users, count(distinct space_id) as spaces from users where external_id like '%crowd-%'",
  );
  expect(made).toEqual([{ users: 149, spaces: 149 }]);
});
