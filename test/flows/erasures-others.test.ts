import { beforeEach, describe, expect, it } from "vitest";
import type { ErasureView } from "#domain/erasures";
import { createHarness, type Harness } from "#test/harness";
import { download, importLines } from "./export-rows.ts";

let h: Harness;

beforeEach(async () => {
  h = await createHarness();
  await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "ben", participants: ["ann", "ben"] } });
});

async function eraseAnn(): Promise<void> {
  const started = await h.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null });
  expect(started.status, started.text).toBe(202);
  await h.settle();
  const { json } = await h.fetch<ErasureView>("GET", `/v1/erasures/${started.json.id}`);
  expect(json.status).toBe("finished");
}

async function sayInGroup(userId: string, content: string): Promise<void> {
  const messages = [
    { role: "user", content, userId },
    { role: "assistant", content: "Noted." },
  ];
  const { status, text } = await h.fetch("POST", "/v1/sessions/crew/episodes", { body: { userId, messages } });
  expect(status, text).toBe(201);
}

const remember = async (body: object) => (await h.fetch<{ id: string }>("POST", "/v1/memories", { body })).json.id;

describe("erasing a user", () => {
  it("leaves a memory of somebody else whose metadata the app fills as summaries do", async () => {
    await sayInGroup("ann", "Hello there.");
    const me = await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=ann");
    const about = { content: "She plays the cello", subjects: [me.json.id], metadata: { source: "summary" } };
    const own = await remember({ userId: "ben", ...about });
    const shared = await remember({ userId: "ben", sessionId: "crew", ...about, content: "She plays the harp" });
    await eraseAnn();
    expect((await h.fetch("GET", `/v1/memories/${own}?userId=ben`)).json).toMatchObject({ subjects: [] });
    expect((await h.fetch("GET", `/v1/memories/${shared}?userId=ben&sessionId=crew`)).status).toBe(200);
  });

  it("lets what others said be summarized anew when the group's summary goes", async () => {
    await sayInGroup("ben", "I repair sailing boats at the harbour of Lisbon every week.");
    await sayInGroup("ann", "I moved to Graz and I breed zebrafish there.");
    await h.settle();
    const summarize = async () =>
      (
        await h.fetch<{ summaries: { episodes: string[] }[] }>("POST", "/v1/summarize", {
          body: { userId: "ben", sessionId: "crew", keepTokens: 0 },
        })
      ).json.summaries;
    expect((await summarize()).map(({ episodes }) => episodes.length)).toEqual([2]);
    await eraseAnn();
    expect((await summarize()).map(({ episodes }) => episodes.length)).toEqual([1]);
  });
});

describe("a personal key of an erased user", () => {
  it("makes no user anew, although it was used a moment before", async () => {
    const { key } = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "ann's", userId: "ann" } })).json;
    const write = async () =>
      (await h.fetch("POST", "/v1/memories", { key, user: null, body: { content: "I keep lemurs" } })).status;
    expect(await write()).toBe(201);
    await eraseAnn();
    expect(await write()).toBe(401);
    expect((await h.fetch("GET", "/v1/users/ann", { user: null })).status).toBe(404);
  });
});

describe("an import of a backup from before an erasure", () => {
  async function backUpAndErase() {
    await sayInGroup("ann", "My hobby is zebrafishing.");
    await sayInGroup("ben", "I like walrusing.");
    await remember({ userId: "ann", sessionId: "crew", content: "The team meets at the tapir house" });
    await remember({ userId: "ann", content: "Ann keeps lemurs" });
    await h.settle();
    const { lines } = await download(h);
    await eraseAnn();
    return lines;
  }

  const ERASED = /zebrafishing|tapir house|lemurs/;

  it("brings back no words in a group that stays, and nothing that was stated there", async () => {
    const lines = await backUpAndErase();
    const report = await importLines(h, lines);
    expect(report.problems).toContainEqual({ title: "episodes", reason: "It was erased here, and stays erased." });
    const { text } = await download(h);
    expect(text).not.toMatch(ERASED);
    expect(text).toContain("walrusing");
  });

  it("brings nothing back for a user whom the app has made anew, and keeps what is new", async () => {
    const lines = await backUpAndErase();
    await remember({ userId: "ann", content: "Ann is new here" });
    await importLines(h, lines);
    const { text } = await download(h);
    expect(text).not.toMatch(ERASED);
    expect(text).toContain("Ann is new here");
    const later = await importLines(h, (await download(h)).lines, { importId: 2 });
    expect(later.problems).toEqual([]);
  });
});
