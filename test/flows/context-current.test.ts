import { beforeEach, describe, expect, it } from "vitest";
import type { ProfileView } from "#domain/profile";
import type { SearchView } from "#domain/retrieval";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, linesOf, textsIn } from "./context-requests.ts";
import { list } from "./memory-requests.ts";
import { nth, rows, say } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

const sayAndExtract = async (session: string, text: string) => {
  await say(h, session, text, { userId: "ann" });
  await h.settle();
};
const search = async (query: string, more = {}) =>
  (await h.fetch<SearchView>("POST", "/v1/search", { body: { userId: "ann", query, ...more } })).json.hits;
const found = async (query: string, more = {}) => (await search(query, more)).map(({ content }) => content);
const shown = async (query: string, more = {}) => textsIn(await contextFor(h, { userId: "ann", query, ...more }));

const BEFORE = "My kayak course is on Tuesdays at 6";
const LATER = "the kayak course moved to Thursdays at 7";
const ASKED = "what time is my kayak course on Tuesdays";

describe("a passage that says what was replaced", () => {
  it("gives its place to the current value, in search and context", async () => {
    await sayAndExtract("march", BEFORE);
    expect(await found(ASKED)).toContain(BEFORE);
    await sayAndExtract("april", LATER);
    for (const texts of [await found(ASKED), await shown(ASKED), await found("", { strategy: "recent" })]) {
      expect(texts).not.toContain(BEFORE);
      expect(texts).toContain(LATER);
    }
  });

  it("is named as held back, in search and context", async () => {
    await sayAndExtract("march", BEFORE);
    await sayAndExtract("april", LATER);
    const { explain } = (
      await h.fetch<SearchView>("POST", "/v1/search", { body: { userId: "ann", query: ASKED, explain: true } })
    ).json;
    const [current] = (await list(h, "userId=ann")).json.items;
    expect(explain?.leftOut).toMatchObject([{ why: "replaced", by: current?.id, id: expect.stringMatching(/^epi_/) }]);
    const context = (await contextFor(h, { userId: "ann", query: ASKED, explain: true })).json;
    expect(context.explain?.leftOut).toContainEqual({ id: explain?.leftOut[0]?.id, why: "replaced" });
  });

  it("also where a memory was changed in place, by its key", async () => {
    await sayAndExtract("march", "I live in Ulm.");
    await sayAndExtract("april", "I moved to Passau last week.");
    const keys = (await list(h, "userId=ann")).json.items.map(({ key, version }) => [key, version > 1]);
    expect(keys).toEqual([[expect.any(String), true]]);
    expect((await found("do I live in Ulm?")).join()).not.toContain("Ulm");
    expect((await shown("do I live in Ulm?")).join()).not.toContain("Ulm");
  });

  it("stands behind the current value if it says more", async () => {
    const more = `${BEFORE}. My cousin Ottilie paddles a red canoe that she built from larch in her garage last winter.`;
    await sayAndExtract("march", more);
    await sayAndExtract("april", LATER);
    const texts = await shown("who paddles a red canoe, and when is the kayak course?");
    const [old, current] = [texts.findIndex((text) => text.includes("Ottilie")), texts.indexOf(LATER)];
    expect(current).toBeGreaterThanOrEqual(0);
    expect(old).toBeGreaterThan(current);
  });

  it("leaves nothing when the current value was forgotten", async () => {
    await sayAndExtract("march", BEFORE);
    await sayAndExtract("april", LATER);
    const { id } = nth((await list(h, "userId=ann")).json.items, 0);
    await h.fetch("DELETE", `/v1/memories/${id}?userId=ann`);
    expect((await found(ASKED)).join()).not.toContain("Tuesdays");
    expect((await shown(ASKED)).join()).not.toContain("Tuesdays");
  });

  it("leaves nothing when the current value has expired", async () => {
    await sayAndExtract("march", BEFORE);
    await sayAndExtract("april", LATER);
    const { id } = nth((await list(h, "userId=ann")).json.items, 0);
    await rows("update memories set expires_at = 1 where public_id = ? returning id", id);
    expect((await found(ASKED)).join()).not.toContain("Tuesdays");
    expect((await shown(ASKED)).join()).not.toContain("Tuesdays");
  });

  it("is current again when what replaced it was deleted as wrong", async () => {
    await sayAndExtract("march", BEFORE);
    await sayAndExtract("april", LATER);
    const { id } = nth((await list(h, "userId=ann")).json.items, 0);
    await h.fetch("DELETE", `/v1/memories/${id}?userId=ann&keepSource=true`);
    for (const texts of [await found(ASKED), await shown(ASKED)]) {
      expect(texts).toContain(BEFORE);
    }
  });

  it("is what held at a time in the past", async () => {
    await sayAndExtract("march", BEFORE);
    const asOf = new Date().toISOString();
    await sayAndExtract("april", LATER);
    expect(await found(ASKED, { asOf })).toContain(BEFORE);
  });
});

describe("what says more than what was replaced", () => {
  const all = async (query: string) => [
    ...(await found(query)),
    ...(await shown(query)),
    ...(await shown(query, { profile: true })),
  ];

  it("stays as memories of its own", async () => {
    await sayAndExtract("march", "I'm vegetarian and allergic to nuts.");
    await sayAndExtract("april", "I'm not vegetarian any more");
    const { items } = (await list(h, "userId=ann")).json;
    expect(items.map(({ content, key }) => [content, key]).toSorted()).toEqual([
      ["I'm allergic to nuts", null],
      ["I'm not vegetarian any more", "identity:diet"],
    ]);
    expect((await all("am I allergic to nuts?")).join()).toContain("allergic to nuts");
    const profile = await h.fetch<ProfileView>("GET", "/v1/users/ann/profile");
    expect(profile.json.entries.map(({ content }) => content)).toContain("I'm allergic to nuts");
  });

  it("stays whole where it cannot be divided, behind the newer value and marked as older", async () => {
    const [first, later] = ["I live in Ghent with my asthmatic son.", "I moved to Lyon last month"];
    await sayAndExtract("march", first);
    await sayAndExtract("april", later);
    const hits = await search("where does my asthmatic son live?");
    const old = hits.filter(({ content }) => content.includes("Ghent"));
    expect(old.length).toBeGreaterThan(0);
    const current = hits.find(({ content }) => content === later);
    expect(old.map(({ older }) => older)).toEqual(old.map(() => ({ by: current?.id })));
    expect(hits.findIndex(({ content }) => content === later)).toBeLessThan(
      hits.findIndex(({ content }) => content.includes("Ghent")),
    );
    const lines = linesOf(await contextFor(h, { userId: "ann", query: "where does my asthmatic son live?", profile: true }));
    const at = lines.findIndex((line) => line.endsWith(later));
    const marked = lines.filter((line) => line.includes("Ghent"));
    expect(marked.length).toBeGreaterThan(0);
    for (const line of marked) expect(line).toContain(`older, partly replaced by [M${at + 1}]`);
    const { entries } = (await h.fetch<ProfileView>("GET", "/v1/users/ann/profile")).json;
    expect(entries.find(({ content }) => content.includes("Ghent"))?.older).toEqual({ by: current?.id });
  });

  it("replaces what holds the key although it has none itself", async () => {
    await sayAndExtract("march", "I'm vegetarian");
    const later = "I'm no longer vegetarian because my doctor says I need iron";
    await sayAndExtract("april", later);
    const { items } = (await list(h, "userId=ann")).json;
    expect(items.map(({ content, key }) => [content, key])).toEqual([[later, null]]);
  });

  it("stays where an app stored it under a key", async () => {
    const content = "vegetarian, and a nut allergy";
    await h.fetch("POST", "/v1/memories", { body: { userId: "ann", content, key: "identity:diet", type: "identity" } });
    await sayAndExtract("april", "I'm not vegetarian any more");
    expect((await list(h, "userId=ann")).json.items.map((memory) => memory.content)).toContain(content);
    expect((await all("what about nuts?")).join()).toContain(content);
  });
});

describe("while little was said", () => {
  it("the latest statements come, the newest first, whatever is asked", async () => {
    await say(h, "march", "I drive a Berlingo", { userId: "ann" });
    await say(h, "april", "ok thanks", { userId: "ann" });
    await say(h, "may", "the van with the sliding door went to a baker in Ulm", { userId: "ann" });
    expect(await shown("which car have I got")).toEqual([
      "the van with the sliding door went to a baker in Ulm",
      "I drive a Berlingo",
    ]);
  });

  it("and their lines say when", async () => {
    await say(h, "march", "I drive a Berlingo", { userId: "ann" });
    const [line] = linesOf(await contextFor(h, { userId: "ann", query: "which colour" }));
    expect(line).toMatch(/^\[M1\] \(\d{4}-\d\d-\d\d, .*said by the user.*\) I drive a Berlingo$/);
  });
});
