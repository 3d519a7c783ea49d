import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { add, addAll, contentsOf, fieldsOf, group, list, personOf, queue } from "./memory-requests.ts";
import { append, rows } from "./requests.ts";

let skipMs = 0;
const START = Date.parse("2026-03-01T09:00:00Z");

let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ now: () => START + skipMs, log: () => undefined }) });
  await group(h, "club", ["ann", "ben"]);
});

type Listed = Awaited<ReturnType<typeof list>>;

describe("a list", () => {
  beforeAll(async () => {
    const bob = await personOf(h, "bob");
    await append(h, "chat", { userId: "ann", messages: [{ role: "user", content: "hello" }] });
    const memories = [
      { content: "Prefers tea.", type: "preference", key: "drink" },
      { content: "Is a sailor.", type: "identity" },
      { content: "Bob is her brother.", type: "relationship", subjects: [bob] },
      { content: "The harbour has two gates.", type: "knowledge", learnedIn: { sessionId: "chat" } },
      { content: "To dock, slow down first.", type: "procedural" },
      { content: "Is packing.", type: "context" },
      { content: "The regatta is on Sunday.", type: "event", scopeType: "track", scopeId: "t1" },
      { content: "Mend the sail.", type: "task", scopeType: "track", scopeId: "t2" },
      { content: "Looks tired.", type: "observation", scopeType: "global" },
      { content: "Works at the mill.", workspaceId: "w1" },
      { content: "The club meets on Tuesdays.", sessionId: "club" },
    ];
    const open = memories.map((memory) => ({ ...memory, sensitivity: "public", portable: true }));
    expect((await addAll(h, open, { userId: "ann" })).status).toBe(201);
    await add(h, { content: "The office closes at six.", shared: true });
    await add(h, { userId: "ben", content: "Ben prefers coffee.", type: "preference" });
    skipMs = 60_000;
    await add(h, { userId: "ann", content: "Came a minute later.", sensitivity: "public", portable: true });
    skipMs = 0;
  });

  const everything = 11;
  const cases: [string, string[] | number][] = [
    ["", everything],
    ["workspaceId=w1", everything + 1],
    ["sessionId=club", everything + 1],
    ["type=preference", ["Prefers tea."]],
    ["type=preference,identity", ["Is a sailor.", "Prefers tea."]],
    ["class=factual", ["Bob is her brother.", "Is a sailor.", "Prefers tea."]],
    ["class=episodic,procedural", 5],
    ["class=factual&type=identity,event", ["Is a sailor."]],
    ["class=semantic&type=event", []],
    ["key=drink", ["Prefers tea."]],
    ["scopeType=track", ["Mend the sail.", "The regatta is on Sunday."]],
    ["scopeType=track&scopeId=t1", ["The regatta is on Sunday."]],
    ["scopeType=global", everything - 2],
    ["ownership=shared", ["The office closes at six."]],
    ["ownership=shared,group&sessionId=club", ["The office closes at six.", "The club meets on Tuesdays."]],
    ["ownership=group", []],
    ["learnedIn=chat", ["The harbour has two gates."]],
    ["learnedIn=nowhere", []],
    ["reach=user", everything - 1],
    ["reach=session&sessionId=chat", ["The harbour has two gates."]],
    ["reach=session&sessionId=club", ["The club meets on Tuesdays."]],
    ["text=harbour", ["The harbour has two gates."]],
    ["text=gates%20harbour", ["The harbour has two gates."]],
    ["text=harbour%20regatta", []],
    ["text=club&sessionId=club", ["The club meets on Tuesdays."]],
    ["text=closes", ["The office closes at six."]],
    ["text=coffee", []],
    ["text=%3F%21", []],
    ["from=2026-03-01T09:01:00Z", ["Came a minute later."]],
    ["to=2026-03-01T09:01:00Z", everything - 1],
    ["from=2026-03-01T09:00:00Z&to=2026-03-01T09:00:00Z", []],
  ];
  it.each(cases)("with %s holds what it asks for, newest first, and counts it", async (query, expected) => {
    const { status, json } = await list(h, `userId=ann&limit=100&stats=true&${query}`);
    expect(status).toBe(200);
    if (typeof expected === "number") expect(json.items).toHaveLength(expected);
    else expect(json.items.map(({ content }) => content)).toEqual(expected);
    const byType: Record<string, number> = {};
    for (const { type } of json.items) byType[type] = (byType[type] ?? 0) + 1;
    expect(json.stats).toEqual({ total: json.items.length, byType });
  });

  it("counts only what the viewer may see", async () => {
    const ben = await list(h, "userId=ben&limit=1");
    expect(ben.json.stats).toEqual({ total: 2, byType: { preference: 1, knowledge: 1 } });
    const nobody = await list(h, "userId=unheard-of");
    expect([nobody.status, nobody.json]).toEqual([200, { items: [], nextCursor: null, stats: { total: 0, byType: {} } }]);
  });

  it("counts on the first page only, unless asked, and not if asked not to", async () => {
    const first = await list(h, "userId=ann&limit=2");
    const next = await list(h, `userId=ann&limit=2&cursor=${first.json.nextCursor}`);
    const asked = await list(h, `userId=ann&limit=2&stats=true&cursor=${first.json.nextCursor}`);
    expect([first, next, asked].map(({ json }) => json.stats?.total)).toEqual([everything, undefined, everything]);
    expect((await list(h, "userId=ann&stats=false")).json.stats).toBeUndefined();
  });

  it("finds words of any script", async () => {
    const words = ["我喜欢在海边散步", "Она живёт у моря", "海辺に住んでいます", "يحب القهوة", "อาศัยอยู่ริมทะเล"];
    await addAll(
      h,
      words.map((content) => ({ content, subjects: [] })),
      { userId: "lin" },
    );
    for (const [text, content] of [
      ["海边", words[0]],
      ["моря", words[1]],
      ["海辺", words[2]],
      ["القهوة", words[3]],
      ["ทะเล", words[4]],
    ] as const)
      expect(contentsOf(await list(h, `userId=lin&text=${encodeURIComponent(text)}`)), text).toEqual([content]);
  });

  it("of a place in which the user has no part is not there", async () => {
    expect((await list(h, "userId=cat&sessionId=club")).status).toBe(404);
    expect((await list(h, "userId=ann&projectId=none")).status).toBe(404);
    expect((await list(h, "userId=ann&person=per_01a1f92c-720b-7527-9cd5-76463f8b4abc")).status).toBe(404);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1.5", "limit"],
    ["page=0", "page"],
    ["offset=-1", "offset"],
    ["offset=10001", "offset"],
    ["page=10002", "page"],
    ["cursor=", "cursor"],
    ["cursor=not%20one", "cursor"],
    ["type=opinion", "type"],
    ["class=", "class"],
    ["status=odd", "status"],
    ["reach=world", "reach"],
    ["ownership=mine", "ownership"],
    ["from=yesterday", "from"],
    ["stats=1", "stats"],
    ["text=", "text"],
    ["surprise=1", ""],
  ])("refuses %s", async (query, path) => {
    const answer = await list(h, `userId=ann&${query}`);
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_input"]);
    expect(fieldsOf(answer).join()).toContain(path);
  });

  it.each([
    ["page=102&limit=100", "page"],
    ["cursor=nonsense", "cursor"],
  ])("refuses %s, which has the right form", async (query, path) => {
    const answer = await list(h, `userId=ann&${query}`);
    expect([answer.status, answer.json.code, fieldsOf(answer)]).toEqual([422, "unprocessable", [path]]);
  });

  it.each(["limit=100", "limit=1", "offset=10000", "page=100&limit=100"])("takes %s", async (query) => {
    expect((await list(h, `userId=ann&${query}`)).status).toBe(200);
  });
});

describe("about a person", () => {
  it("holds what anybody said of them that the viewer may see, by the list and by the person", async () => {
    const [eve, cat] = [await personOf(h, "eve"), await personOf(h, "cat")];
    await add(h, { userId: "ann", content: "Eve paints.", subjects: [eve], sensitivity: "public", portable: true });
    await add(h, { userId: "ben", content: "Eve sings.", subjects: [eve, cat], sensitivity: "public", portable: true });
    await add(h, { userId: "ben", content: "Eve is ill.", subjects: [eve], sensitivity: "sensitive", portable: true });
    await add(h, { userId: "ben", content: "Eve owes Ben.", subjects: [eve], portable: false });
    await add(h, { userId: "ben", content: "Cat sings.", subjects: [cat] });
    const asked = async (userId: string) => {
      const listed = await list(h, `userId=${userId}&person=${eve}`);
      const { json } = await h.fetch("GET", `/v1/people/${eve}/memories?userId=${userId}`);
      expect(json).toEqual(listed.json);
      return listed;
    };
    expect(contentsOf(await asked("eve"))).toEqual(["Eve is ill.", "Eve sings.", "Eve paints."]);
    const foreign = await asked("eve");
    expect(foreign.json.items.map(({ ownerId }) => ownerId)).toEqual([null, null, null]);
    expect(contentsOf(await list(h, `userId=eve&person=${eve}&text=sings`))).toEqual(["Eve sings."]);
    expect(contentsOf(await list(h, `userId=eve&person=${eve}&reach=user`))).toEqual([]);
    expect(contentsOf(await list(h, "userId=eve&ownership=personal"))).toEqual([]);
    expect((await h.fetch("GET", "/v1/people/nonsense/memories?userId=eve")).status).toBe(404);
  });
});

describe("the whole of a list", () => {
  const total = 47;
  const walk = async (query: string, between: () => Promise<unknown> = async () => undefined): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor = ""; seen.length < 500; ) {
      const { json }: Listed = await list(h, `${query}${cursor}`);
      seen.push(...json.items.map(({ id }) => id));
      if (json.nextCursor === null) return seen;
      cursor = `&cursor=${json.nextCursor}`;
      await between();
    }
    throw new Error("The list never came to an end.");
  };
  const pages = async (query: string, step: (i: number) => string): Promise<string[]> => {
    const seen: string[] = [];
    for (let i = 0; i < 100; i += 1) {
      const { json }: Listed = await list(h, `${query}&${step(i)}`);
      expect(json.page).toBe(i + 1);
      seen.push(...json.items.map(({ id }) => id));
      if (json.nextCursor === null) return seen;
    }
    throw new Error("The pages never came to an end.");
  };

  beforeAll(async () => {
    const wood = await personOf(h, "wood");
    for (let i = 0; i < total; i += 1) {
      const home = [{}, { sessionId: "club" }, { sensitivity: "sensitive", subjects: [wood] }][i % 3];
      await add(h, {
        userId: "ann",
        content: `Plank number ${i}.`,
        metadata: { i },
        subjects: i % 2 === 0 ? [wood] : [],
        sensitivity: "public",
        portable: true,
        ...home,
      });
    }
    await add(h, { content: "Planks are kept dry.", shared: true, subjects: [wood] });
  });

  it.each([
    ["userId=ann&sessionId=club"],
    ["userId=ann&text=plank"],
    ["userId=ann&sessionId=club&text=plank"],
    ["userId=ann&sessionId=club&type=knowledge"],
    ["userId=wood&person="],
  ])("is the same by cursor, by page, by offset and at once: %s", async (query) => {
    const asked = query.endsWith("=") ? `${query}${await personOf(h, "wood")}` : query;
    const { json } = await list(h, `${asked}&limit=100`);
    const all = json.items.map(({ id }) => id);
    expect([all.length, new Set(all).size, json.nextCursor]).toEqual([json.stats?.total, all.length, null]);
    expect(all.length).toBeGreaterThan(10);
    for (const limit of [1, 7, all.length]) expect(await walk(`${asked}&limit=${limit}`)).toEqual(all);
    expect(await pages(`${asked}&limit=7`, (i) => `page=${i + 1}`)).toEqual(all);
    expect(await pages(`${asked}&limit=7`, (i) => `offset=${i * 7}`)).toEqual(all);
    expect((await list(h, `${asked}&limit=7&page=900`)).json).toMatchObject({ items: [], nextCursor: null });
    expect((await list(h, `${asked}&limit=5&offset=3&page=9`)).json.items.map(({ id }) => id)).toEqual(all.slice(3, 8));
  });

  it("loses and doubles nothing while new ones are added", async () => {
    const before = await walk("userId=ann&limit=5");
    let added = 0;
    const seen = await walk("userId=ann&limit=5", async () => {
      added += 1;
      await add(h, { userId: "ann", content: `Added meanwhile ${added}.` });
    });
    expect(added).toBeGreaterThan(3);
    expect(seen).toEqual(before);
    expect((await walk("userId=ann&limit=5")).length).toBe(before.length + added);
  });

  it("cannot be walked by a cursor of another list, nor by a cursor and a page at once", async () => {
    const { json } = await list(h, "userId=ann&limit=1");
    for (const also of ["page=1", "offset=0"]) {
      const both = await list(h, `userId=ann&cursor=${json.nextCursor}&${also}`);
      expect([both.status, fieldsOf(both)]).toEqual([422, ["cursor"]]);
    }
    expect((await list(h, `userId=ann&cursor=${json.nextCursor?.slice(1)}`)).status).toBe(422);
    expect((await queue(h, "userId=ann&cursor=WzFd")).status).toBe(422);
    const other = await createHarness();
    expect((await list(other, `userId=ann&cursor=${json.nextCursor}`)).json.items).toEqual([]);
  });
});

describe("a list of what waits or was rejected", () => {
  it("is the review queue, with the filters that fit it", async () => {
    const bob = await personOf(h, "bob");
    const waits = { userId: "gus", confidence: 0.2 };
    await add(h, { ...waits, content: "Perhaps rows.", type: "task", scopeType: "track", scopeId: "t1", key: "k" });
    await add(h, { ...waits, content: "Perhaps sails.", workspaceId: "w1", subjects: [bob] });
    await add(h, { userId: "gus", content: "Surely swims." });
    const asked = async (query: string) => contentsOf(await list(h, `userId=gus&status=pending&${query}`));
    expect(await asked("")).toEqual(["Perhaps sails.", "Perhaps rows."]);
    expect(await asked("type=task")).toEqual(["Perhaps rows."]);
    expect(await asked("class=semantic")).toEqual(["Perhaps sails."]);
    expect(await asked("scopeType=track&scopeId=t1")).toEqual(["Perhaps rows."]);
    expect(await asked("scopeType=global")).toEqual(["Perhaps sails."]);
    expect(await asked("workspaceId=w1")).toEqual(["Perhaps sails."]);
    expect(await asked(`person=${bob}`)).toEqual(["Perhaps sails."]);
    expect(await asked("key=k")).toEqual(["Perhaps rows."]);
    const byPerson = await h.fetch<Listed["json"]>("GET", `/v1/people/${bob}/memories?userId=gus&status=pending`);
    expect(contentsOf(byPerson)).toEqual(["Perhaps sails."]);
    expect((await list(h, "userId=gus&status=rejected")).json.items).toEqual([]);
    const refused = await list(h, "userId=gus&status=pending&text=rows");
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ["text"]]);
    expect(await rows("select 1 from memories where status = 'rejected' and tenant_id = ?", h.tenantId)).toEqual([]);
  });
});
