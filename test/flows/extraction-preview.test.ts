import { beforeEach, describe, expect, it } from "vitest";
import type { ExtractView } from "#domain/extraction";
import { createHarness, type Harness } from "#test/harness";
import { chatChannel, memory, modelAt, said, settings } from "./extraction-requests.ts";
import { type Answered, add, group } from "./memory-requests.ts";
import { nth, rows, say } from "./requests.ts";

let channel = chatChannel();
let h: Harness;

beforeEach(async () => {
  channel = chatChannel();
  h = await createHarness({ replace: () => ({ log: () => undefined, chatModel: modelAt(channel) }) });
});

const extract = async (messages: unknown[], rest: Record<string, unknown> = {}): Promise<Answered<ExtractView>> =>
  await h.fetch("POST", "/v1/extract", { body: { userId: "ann", messages, ...rest } });
const user = (text: string, rest: Record<string, unknown> = {}) => ({ role: "user", content: text, ...rest });

/** How many rows every table of the database has, but for the usage of today. */
async function everything(): Promise<Record<string, number>> {
  const tables = await rows<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\' and name not like '%_fts_%' and name <> 'usage'",
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => [name, nth(await rows<{ n: number }>(`select count(*) as n from "${name}"`), 0).n] as const),
  );
  return Object.fromEntries(counts);
}

describe("POST /v1/extract", () => {
  it("tells facts, memories and people, with the reason of what would not be stored, and stores nothing", async () => {
    await add(h, { userId: "ann", content: "something" });
    await channel.answer(
      said(
        [
          memory("Lea sails", { subjects: ["Lea"], quote: "Lea sails" }),
          memory("Favorite colors are Blue and Green", {
            confidence: 0.4,
            quote: "My favorite colors are 1) Blue, 2) Green",
          }),
          memory("Reach Ann at ann@example.com or +49 30 901820", { quote: "ann@example.com or +49 30 901820" }),
        ],
        { people: [{ name: "Lea", aliases: ["Leni"], relationship: "sister" }] },
      ),
    );
    const before = await everything();
    const { status, json } = await extract(
      [
        user("My favorite colors are 1) Blue, 2) Green"),
        user("I prefer dark mode"),
        { role: "assistant", content: "I prefer tabs" },
        user("My sister Lea, or Leni, sails: Lea sails! And I move to Rome. Reach me at ann@example.com or +49 30 901820."),
      ],
      { useModel: true },
    );
    expect(status).toBe(200);
    expect(await everything()).toEqual(before);
    expect(json.facts).toEqual([
      { userId: "ann", topic: "favorite_colors", rank: 1, value: "Blue" },
      { userId: "ann", topic: "favorite_colors", rank: 2, value: "Green" },
    ]);
    const byContent = new Map(json.memories.map((found) => [found.content, found]));
    expect(json.memories.find(({ source, content }) => source === "judge" && content === "I prefer dark mode")).toMatchObject({
      type: "preference",
      userId: "ann",
      message: 1,
      wouldStore: true,
      reason: null,
    });
    expect(json.memories.find(({ source, message }) => source === "judge" && message === 3)).toMatchObject({
      people: ["Lea"],
      wouldStore: true,
      message: 3,
    });
    expect(byContent.get("Lea sails")).toMatchObject({ people: ["Lea"], wouldStore: true, reason: null, message: 3 });
    expect(byContent.get("Favorite colors are Blue and Green")).toMatchObject({ wouldStore: false, reason: "belowThreshold" });
    expect(byContent.get("Reach Ann at ann@example.com or +49 30 901820")).toMatchObject({ wouldStore: true, reason: "pending" });
    expect(json.people).toContainEqual({ name: "Lea", aliases: ["Leni"], relationship: "sister", personId: null });
    expect(json.model).toMatchObject({ outcome: "taken", reason: null, calls: 1 });
    expect(
      await rows("select extraction_calls as calls, memories_extracted as stored from usage where tenant_id = ?", h.tenantId),
    ).toEqual([{ calls: 1, stored: 0 }]);
  });

  it("asks no model unless it is wanted, and tells how one failed", async () => {
    expect((await extract([user("I prefer dark mode")])).json.model).toBeNull();
    expect(await channel.requests()).toEqual([]);
    await channel.misbehave("broken json", "broken json");
    const broken = (await extract([user("I prefer dark mode")], { useModel: true })).json;
    expect([broken.memories.length, broken.model]).toMatchObject([1, { outcome: "unusable", reason: "no_json", calls: 2 }]);
    await channel.misbehave({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 });
    const failed = (await extract([user("I prefer dark mode")], { useModel: true })).json;
    expect([failed.memories.length, failed.model?.outcome]).toEqual([1, "failed"]);
    const without = await createHarness();
    const refused = await without.fetch("POST", "/v1/extract", {
      body: { userId: "ann", messages: [user("x")], useModel: true },
    });
    expect(refused.status).toBe(422);
  });

  it("shows what would be where: group and project, and only to who is there", async () => {
    await group(h, "team", ["ann", "bob"]);
    expect((await extract([user("I prefer dark mode")], { sessionId: "team", userId: "carol" })).status).toBe(404);
    expect((await extract([user("I prefer dark mode")], { sessionId: "nowhere" })).status).toBe(404);
    const { json } = await extract([user("I prefer tea", { userId: "bob" }), user("I prefer jam", { speaker: "Bobby" })], {
      sessionId: "team",
    });
    expect(json.memories.map(({ userId }) => userId)).toEqual(["bob"]);
    await h.fetch("PUT", "/v1/projects/shop", { body: { userId: "ann" } });
    await say(h, "inside", "Hello", { userId: "ann", projectId: "shop" });
    await channel.answer(
      said([memory("The shop runs on Postgres", { subjects: [], quote: "runs on Postgres" })], {
        entities: [{ type: "tool", name: "Postgres", notes: null }],
      }),
    );
    const inside = (await extract([user("The shop runs on Postgres")], { sessionId: "inside", useModel: true })).json;
    expect(inside.memories).toMatchObject([
      { source: "judge", scopeType: "project", scopeId: "shop", wouldStore: true },
      { source: "model", scopeType: "project", scopeId: "shop", wouldStore: false, reason: "known" },
    ]);
    expect(inside.entities).toEqual([{ type: "tool", name: "Postgres", notes: null }]);
  });

  it("what the model adds is known only by what would be stored", async () => {
    const text = "The shop runs on Postgres";
    await channel.answer(said([memory(text, { confidence: 1 })]));
    await settings(h, { extractionThreshold: 1 });
    const { json } = await extract([user(text)], { useModel: true });
    expect(json.memories).toMatchObject([
      { source: "judge", wouldStore: false, reason: "belowThreshold" },
      { source: "model", wouldStore: true, reason: null },
    ]);
  });

  it("says that nothing would be stored where extraction is off", async () => {
    await settings(h, { extraction: "off" });
    expect((await extract([user("I prefer dark mode")])).json.memories).toMatchObject([{ wouldStore: false, reason: "off" }]);
  });
});
