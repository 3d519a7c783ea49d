import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, textsIn } from "./context-requests.ts";
import { contentsOf, forgetOne, group, list, pastOf, personOf, restoreOne } from "./memory-requests.ts";
import { find, nth, say } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

let sessions = 0;
const sayAndExtract = async (text: string, { session = `s${++sessions}`, userId = "ann" } = {}) => {
  await say(h, session, text, { userId });
  await h.settle();
};
const current = async (query = "userId=ann") => contentsOf(await list(h, `${query}&limit=100`)).join("\n");

describe("what is still true stays", () => {
  it.each([
    [
      "though another person's changes",
      "I take ramipril for my blood pressure.",
      "My mum stopped taking ramipril.",
      "I take ramipril",
    ],
    ["", "I drive a VW Golf.", "My brother sold his VW Golf.", "I drive a VW Golf"],
    ["", "We have a cottage in Devon.", "My mum sold her cottage in Devon.", "We have a cottage"],
    ["", "Our dog is called Rufus.", "My neighbours' dog Rufus died.", "called Rufus"],
    ["", "Ich fahre einen VW Golf.", "Mein Bruder hat seinen VW Golf verkauft.", "Ich fahre einen"],
    ["though it almost changed", "I drive a Dacia Duster.", "I almost sold the Duster, but I kept it.", "Dacia"],
    ["", "Our dog is called Rufus.", "I dreamt that Rufus died.", "called Rufus"],
    [
      "though once it is otherwise",
      "Spanish class is on Wednesdays at 7.",
      "Spanish class is cancelled this week.",
      "Wednesdays at 7",
    ],
    ["", "My piano lesson is on Mondays at 5.", "My piano lesson is cancelled tomorrow.", "Mondays at 5"],
    ["", "Team meeting is every Friday at 11.", "This week's team meeting moved to Thursday.", "every Friday"],
    [
      "of which only a part changed",
      "My flight to Denver leaves on January 8 at 7:40 from gate B.",
      "The flight to Denver is now at 9:15.",
      "gate B",
    ],
    ["", "I have two jobs: barista at Kaldi and cleaner at the school.", "Quit the job at Kaldi.", "cleaner"],
    ["", "I play in two bands, Foxglove and The Larks.", "I left The Larks.", "Foxglove"],
    ["", "My account manager is Lena Roth.", "Lena Roth moved to Zurich.", "account manager"],
    ["of a thing that is not the other", "We have a cottage in Cornwall.", "We sold the cottage in Devon.", "Cornwall"],
  ])("%s: %s", async (_, before, later, kept) => {
    await sayAndExtract(before);
    expect(await current()).toContain(kept);
    await sayAndExtract(later);
    expect(await current()).toContain(kept);
  });
});

describe("a change that is said in private", () => {
  const BASEL = "I live in Basel.";
  beforeEach(async () => {
    await group(h, "club", ["ann", "bob"]);
    await sayAndExtract(BASEL, { session: "club" });
    await sayAndExtract("I moved to Bern.", { session: "alone" });
  });

  it("changes nothing for those who may not see it", async () => {
    const about = await h.fetch("GET", `/v1/people/${await personOf(h, "ann")}/memories?userId=bob&sessionId=club`);
    expect(about.text).toContain("Basel");
    expect(about.text).not.toContain("Bern");
    expect(about.json).toMatchObject({ items: [{ validTo: null, supersededBy: null }] });
    expect((await find(h, "Where does Ann live? Basel?", { userId: "bob", sessionId: "club" })).text).toContain("Basel");
    expect(
      textsIn(await contextFor(h, { query: "Where does Ann live?", userId: "bob", sessionId: "club" })).join("\n"),
    ).toContain("Basel");
  });

  it("replaces it for the speaker", async () => {
    expect(await current()).toContain("Bern");
    expect(await current()).not.toContain("Basel");
    expect(await current("userId=ann&sessionId=club")).not.toContain("Basel");
    const context = textsIn(await contextFor(h, { query: "Where do I live?", userId: "ann" }));
    expect(context[0]).toContain("Bern");
  });

  it("and for all once it is said to all", async () => {
    await sayAndExtract("I live in Chur now.", { session: "club" });
    const { text } = await h.fetch("GET", `/v1/people/${await personOf(h, "ann")}/memories?userId=bob&sessionId=club`);
    expect(text).toContain("Chur");
    expect(text).not.toContain("Basel");
  });
});

describe("deleting as wrong what replaced another", () => {
  it("makes that current again, and restoring it replaces it again", async () => {
    await sayAndExtract("My kayak course is on Tuesdays at 6");
    await sayAndExtract("the kayak course moved to Thursdays at 7");
    const { id } = nth((await list(h, "userId=ann")).json.items, 0);
    expect((await pastOf(h, id, "userId=ann")).json.supersedes).toHaveLength(1);
    await forgetOne(h, id, "userId=ann&keepSource=true");
    await h.settle();
    const [old, ...more] = (await list(h, "userId=ann")).json.items;
    expect([old?.content, old?.validTo, old?.indexed.vector, more]).toEqual([
      "My kayak course is on Tuesdays at 6",
      null,
      true,
      [],
    ]);
    await restoreOne(h, id, "userId=ann");
    await h.settle();
    expect(await current()).toBe("the kayak course moved to Thursdays at 7");
  });
});
