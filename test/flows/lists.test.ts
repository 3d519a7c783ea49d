import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { contextFor } from "./context-requests.ts";
import { answerTo, appendText, ask, listed } from "./fact-requests.ts";
import { append, rows } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

const HUT = "packing list for the hut: stove, matches, socks";
const LEFT = "whats left to pack for the hut";
const ann = (sessionId?: string) => ({ userId: "ann", ...(sessionId === undefined ? {} : { sessionId }) });
const say = (session: string, text: string, extra: Record<string, unknown> = {}) =>
  appendText(h, session, text, { userId: "ann", ...extra });
const left = (sessionId?: string) => answerTo(h, LEFT, ann(sessionId));

const listMessages = () => rows("select count(*) as n from list_messages where tenant_id = ?", h.tenantId);

describe("a list of any kind", () => {
  it("is answered as later messages left it", async () => {
    await say("trip", HUT);
    await say("trip", "oh and a torch");
    await say("trip", "matches are in the bag already");
    expect((await ask(h, LEFT, ann("trip"))).json).toEqual({
      routed: true,
      found: true,
      text: "stove, socks, torch.",
      topic: "packing_list_hut",
      topicAssumed: false,
      ask: "list",
      rank: null,
      values: [
        { rank: 1, value: "stove" },
        { rank: 2, value: "socks" },
        { rank: 3, value: "torch" },
      ],
      scope: "session",
    });
    expect((await ask(h, "how many things are left", ann("trip"))).json).toMatchObject({
      ask: "count",
      text: "From your packing list hut: 3.",
      topicAssumed: true,
    });
    expect((await ask(h, "are matches still on there?", ann("trip"))).json).toMatchObject({ ask: "member", text: "No." });
    await say("trip", "scrap the packing list");
    expect(await left("trip")).toBe("Nothing: 0 items.");
  });

  it("is not routed while a change is not understood, nor is another question", async () => {
    await say("trip", HUT);
    await say("trip", "the stove was mentioned by Bo");
    expect(await left("trip")).toBeNull();
    expect(await answerTo(h, "whats on the list for tonight", ann("trip"))).toBeNull();
    await say("trip", "packing list for the hut: stove, map");
    expect(await left("trip")).toBe("stove, map.");
    expect(await answerTo(h, "how long do socks last", ann("trip"))).toBeNull();
  });

  it("is read in the order in which it was said, in whichever it arrives", async () => {
    await say("trip", HUT, { occurredAt: "2026-02-01T00:00:00Z" });
    await say("trip", "got the stove", { occurredAt: "2026-02-03T00:00:00Z" });
    await say("trip", "packing list for the hut: stove, rope", { occurredAt: "2026-02-02T00:00:00Z" });
    expect(await left("trip")).toBe("rope.");
  });

  it("is known in every chat of its speaker's pool, and to nobody else", async () => {
    await say("trip", HUT);
    await say("other", "Hello there");
    expect((await ask(h, LEFT, ann("other"))).json).toMatchObject({ text: "stove, matches, socks.", scope: "user" });
    await say("other", "add a torch to my packing list for the hut");
    expect(await left()).toBe("stove, matches, socks, torch.");
    await appendText(h, "bobs", "Hello there", { userId: "bob" });
    expect(await answerTo(h, LEFT, { userId: "bob" })).toBeNull();
    await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
    await h.fetch("PUT", "/v1/sessions/trip", { body: { userId: "ann", projectId: "garden" } });
    expect(await left("other")).toBeNull();
    expect((await ask(h, LEFT, { userId: "ann", projectId: "garden" })).json).toMatchObject({
      text: "stove, matches, socks.",
      scope: "project",
    });
  });

  it("of a private chat is not disclosed in a group", async () => {
    await say("trip", HUT);
    await h.fetch("PUT", "/v1/sessions/club", { body: { userId: "ann", participants: ["ann", "bob"] } });
    expect(await left("club")).toBeNull();
    await say("club", "packing list for the hut: tent, rope");
    expect(await left("club")).toBe("tent, rope.");
    expect(await answerTo(h, LEFT, { userId: "bob", sessionId: "club" })).toBeNull();
  });

  it("loses what is forgotten", async () => {
    await say("trip", HUT);
    const { json } = await append(h, "trip", { userId: "ann", messages: [{ role: "user", content: "add a secret gift" }] });
    expect(await left("trip")).toBe("stove, matches, socks, secret gift.");
    expect(await listMessages()).toEqual([{ n: 2 }]);
    await h.fetch("DELETE", `/v1/sessions/trip/episodes/${json.id}?userId=ann`);
    expect(await left("trip")).toBe("stove, matches, socks.");
    expect(await listMessages()).toEqual([{ n: 1 }]);
  });

  it("of favourites changes too, and is never answered from what was stored before", async () => {
    await say("taste", "My favorite foods are 1) pizza, 2) tacos, 3) ramen");
    await say("taste", "remove tacos from my favorite foods");
    expect(await answerTo(h, "What's my second favorite food?", ann("taste"))).toBe("ramen.");
  });

  it("of favourites is shown as messages left it", async () => {
    const shown = async () => (await listed(h, ann("taste"))).json.items.map(({ value, standing }) => `${value} ${standing}`);
    await say("taste", "My favorite foods are 1) pizza, 2) tacos, 3) ramen");
    expect(await shown()).toEqual(["pizza stated", "tacos stated", "ramen stated"]);
    await say("taste", "remove tacos from my favorite foods");
    expect(await shown()).toEqual(["pizza stated", "ramen changed"]);
    const one = async (rank: string) =>
      (await h.fetch("GET", `/v1/facts/foods/${rank}?${new URLSearchParams(ann("taste"))}`)).json;
    expect(await one("last")).toMatchObject({ rank: 2, value: "ramen", standing: "changed", episodeId: null });
    expect(await one("3")).toMatchObject({ status: 404 });
    await say("taste", "the pizza was mentioned by Bo");
    expect(await shown()).toEqual(["pizza unsure", "tacos unsure", "ramen unsure"]);
  });

  it("that is unsure goes on with what stated and changed it", async () => {
    await say("trip", HUT);
    await say("trip", "matches are in the bag already");
    await say("trip", "the stove was mentioned by Bo");
    for (let day = 1; day <= 30; day += 1) await say("other", `On day ${day} we walked ${day} miles and had soup`);
    for (const session of ["trip", "other"]) {
      const { json } = await contextFor(h, { query: LEFT, ...ann(session) });
      expect(json.answer).toBeNull();
      for (const said of ["stove, matches, socks", "matches are in the bag", "mentioned by Bo"])
        expect(json.block, session).toContain(said);
    }
  });

  it("that nobody gave is not stored, unless somebody speaks of its topic", async () => {
    await say("trip", "Hello there");
    expect(await answerTo(h, "what's on my reading list?", ann("trip"))).toBe("I don't have that stored yet.");
    await say("trip", "I like reading at night");
    expect(await answerTo(h, "what's on my reading list?", ann("trip"))).toBeNull();
  });
});
