import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { contentsOf, group, list, pastOf } from "./memory-requests.ts";
import { append, nth, say } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

const sayAndExtract = async (session: string, text: string, userId = "ann") => {
  await say(h, session, text, { userId });
  await h.settle();
};
const current = async (query = "userId=ann") => contentsOf(await list(h, query)).toSorted();

const BEFORE = "My kayak course is on Tuesdays at 6";
const LATER = "the kayak course moved to Thursdays at 7";

describe("what somebody says replaces what they said before about the same thing", () => {
  it("from another chat, and keeps it as history", async () => {
    await sayAndExtract("march", BEFORE);
    await sayAndExtract("april", LATER);
    const { items } = (await list(h, "userId=ann")).json;
    expect(items.map(({ content }) => content)).toEqual([LATER]);
    const { supersedes } = (await pastOf(h, nth(items, 0).id, "userId=ann")).json;
    expect(supersedes).toMatchObject([{ content: BEFORE, supersededBy: nth(items, 0).id }]);
  });

  it("from the same import", async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const episodes = [BEFORE, LATER].map((content, i) => ({
      messages: [{ role: "user", content, occurredAt: hoursAgo(3 - i) }],
    }));
    await append(h, "old talk", { userId: "ann", episodes });
    await h.settle();
    const { items } = (await list(h, "userId=ann")).json;
    expect(items.map(({ content }) => content)).toEqual([LATER]);
    expect((await pastOf(h, nth(items, 0).id, "userId=ann")).json.supersedes).toHaveLength(1);
  });

  it("not what was said later", async () => {
    await sayAndExtract("april", LATER);
    const occurredAt = new Date(Date.now() - 3_600_000).toISOString();
    const messages = [{ role: "user", content: "we cancelled the kayak course", occurredAt }];
    await append(h, "old talk", { userId: "ann", messages });
    await h.settle();
    expect(await current()).toContain(LATER);
  });

  it("and nothing of anybody else", async () => {
    await group(h, "club", ["ann", "bob"]);
    await sayAndExtract("club", BEFORE, "bob");
    await sayAndExtract("club", LATER, "ann");
    expect(await current("userId=bob&sessionId=club")).toContain(BEFORE);
    expect(await current("userId=ann&sessionId=club")).toContain(LATER);
  });
});

describe("what has one value at a time gets its key in words that no form knows", () => {
  it.each([
    ["I live in Ghent", "I don't live in Ghent any more, I'm in Liège now", "identity:home"],
    ["I work at Lidl", "quit Lidl, starting at the post office on Monday", "identity:work"],
    ["Please answer me in German from now on", "answer me in English from now on", "instruction:language"],
  ])("%s", async (before, later, key) => {
    await sayAndExtract("march", before);
    await sayAndExtract("april", later);
    const { items } = (await list(h, "userId=ann")).json;
    expect(items.map((memory) => [memory.content, memory.key])).toEqual([[later, key]]);
  });

  it("and who leaves a job is what they were no more", async () => {
    await sayAndExtract("march", "I'm a baker");
    await sayAndExtract("april", "I got laid off on Friday");
    expect(await current()).toEqual(["I got laid off on Friday"]);
  });

  it("but not from what used to be", async () => {
    await sayAndExtract("march", "I live in Ghent");
    await sayAndExtract("april", "I used to live in Oslo");
    expect(await current()).toContain("I live in Ghent");
  });
});
