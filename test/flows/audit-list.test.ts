import { beforeEach, describe, expect, it } from "vitest";
import type { AuditView } from "#domain/audit";
import { createHarness, type Harness } from "#test/harness";
import { tamper, write, writeMany } from "./audit-rows.ts";
import type { Page } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

type AuditPage = Page<AuditView>;

describe("the list", () => {
  const list = async (query: string) => (await h.fetch<AuditPage>("GET", `/v1/audit?${query}`)).json;
  const seqs = (page: AuditPage) => page.items.map(({ seq }) => seq);

  it("is newest first, a page at a time", async () => {
    await write(h, 7);
    const first = await list("limit=3");
    const second = await list(`limit=3&cursor=${first.nextCursor}`);
    const third = await list(`limit=3&cursor=${second.nextCursor}`);
    expect([first, second, third].map(seqs)).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    expect(third.nextCursor).toBeNull();
  });

  it("shows who did what for whom", async () => {
    const { headers, json: user } = await h.fetch<{ id: string }>("PUT", "/v1/users/ann", { body: { name: "Ann" } });
    const keys = await h.fetch<{ items: { id: string }[] }>("GET", "/v1/keys");
    expect((await list("")).items).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        seq: 1,
        at: expect.stringMatching(/Z$/),
        actor: { kind: "key", id: keys.json.items[0]?.id },
        userId: "ann",
        workspaceId: null,
        action: "user.saved",
        objectId: user.id,
        detail: { names: ["name"] },
        requestId: headers.get("x-request-id"),
        erased: false,
      },
    ]);
  });

  it("is filtered by each of its columns", async () => {
    const other = await h.as(["write"]);
    const { json: ann, headers } = await h.fetch<{ id: string }>("PUT", "/v1/users/ann", { key: other });
    await h.fetch("PUT", "/v1/projects/p", { body: { userId: "ann" } });
    await h.fetch("PUT", "/v1/projects/q", { body: { userId: "bob" } });
    await tamper(h, "workspace_id = 'lab', at = 1000", 4);
    await tamper(h, "actor_kind = 'job'", 3);
    const keyId = (await list("action=key.issued")).items[0]?.objectId;
    expect(seqs(await list("action=project.created"))).toEqual([4, 3]);
    expect(seqs(await list("userId=ann"))).toEqual([3, 2]);
    expect(seqs(await list("userId=ann&action=user.saved"))).toEqual([2]);
    expect(seqs(await list(`objectId=${ann.id}`))).toEqual([2]);
    expect(seqs(await list(`actorId=${keyId}`))).toEqual([2]);
    expect(seqs(await list("actorKind=job"))).toEqual([3]);
    expect(seqs(await list("workspaceId=lab"))).toEqual([4]);
    expect(seqs(await list(`requestId=${headers.get("x-request-id")}`))).toEqual([2]);
    expect(seqs(await list("to=1970-01-01T00:00:02Z"))).toEqual([4]);
    expect(seqs(await list("to=1970-01-01T00:00:01Z"))).toEqual([]);
    expect(seqs(await list("from=1970-01-01T00:00:02Z"))).toEqual([3, 2, 1]);
    expect(seqs(await list("from=1970-01-01T00:00:01Z"))).toEqual([4, 3, 2, 1]);
    expect(seqs(await list("userId=nobody"))).toEqual([]);
  });

  it("takes an id for that of any object, or of the kind that is named", async () => {
    await h.fetch("PUT", "/v1/users/1", { body: { name: "Ann" } });
    await h.fetch("PUT", "/v1/projects/1", { body: { userId: "bob" } });
    await h.fetch("PUT", "/v1/sessions/1", { body: { userId: "bob" } });
    const actions = async (query: string) => (await list(query)).items.map(({ action }) => action);
    expect(await actions("objectId=1")).toEqual(["session.opened", "project.created", "user.saved"]);
    expect(await actions("objectId=1&objectKind=session")).toEqual(["session.opened"]);
    expect(await actions("objectId=1&objectKind=project")).toEqual(["project.created"]);
    expect(await actions("objectId=1&objectKind=user")).toEqual(["user.saved"]);
    expect((await h.fetch("GET", "/v1/audit?objectKind=user")).status).toBe(422);
  });

  it("looks at 2,000 rows a page and says that there are more", async () => {
    await write(h, 1);
    await writeMany(h, 4_500);
    const cost = async (query: string) => {
      const { json, headers } = await h.fetch<AuditPage>("GET", `/v1/audit?${query}`);
      return { json, read: Number(/\bread=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1]) };
    };
    const pages = [await cost("action=user.saved")];
    while (pages.at(-1)?.json.nextCursor) pages.push(await cost(`action=user.saved&cursor=${pages.at(-1)?.json.nextCursor}`));
    expect(pages.map(({ json }) => seqs(json))).toEqual([[], [], [1]]);
    expect(Math.max(...pages.map(({ read }) => read))).toBeLessThan(2_020);
    const page = await cost("limit=10");
    expect([seqs(page.json).at(-1), page.read < 40]).toEqual([4_492, true]);
  });
});
