import { beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { ForgettingView, ForgottenView, UndoneView } from "#domain/forgetting";
import { createHarness, type Harness } from "#test/harness";
import { add, contentsOf, forgetOne, group, list, restoreOne } from "./memory-requests.ts";
import { append, find, history, jobsOf, nth, type Page, rows, say, textsOf } from "./requests.ts";

const DAY_MS = 86_400_000;
let skipMs = 0;
let h: Harness;
beforeEach(async () => {
  skipMs = 0;
  h = await createHarness({ replace: ({ now }) => ({ log: () => undefined, now: () => now() + skipMs }) });
});

type Forgotten = z.infer<typeof ForgottenView>;
type Forgetting = z.infer<typeof ForgettingView>;
type Undone = z.infer<typeof UndoneView>;

const forgettings = async (userId: string) =>
  (await h.fetch<Page<Forgetting>>("GET", `/v1/forgettings?userId=${userId}`)).json.items;
const undo = async (id: string, userId: string) =>
  await h.fetch<Undone>("POST", `/v1/forgettings/${id}/undo`, { body: { userId } });
/** Everything that the session's history shows. */
const shown = async (session: string, userId: string) => (await history(h, session, `?userId=${userId}&limit=100`)).text;

/** A memory that was learned from a message. */
async function learned(session: string, userId: string, content: string): Promise<string> {
  await say(h, session, content, { userId });
  await h.settle();
  return nth((await list(h, `userId=${userId}`)).json.items, 0).id;
}

describe("deleting a memory", () => {
  it("takes the words that it was learned from, and says which without repeating them", async () => {
    const { json: said } = await say(h, "diary", "I am allergic to walnuts. The bus was late again.", { userId: "ann" });
    const learnedIn = { sessionId: "diary", episodeId: said.id };
    const { json: memory } = await add(h, { userId: "ann", content: "I am allergic to walnuts", learnedIn });
    const { json, text, status } = await h.fetch<Forgotten>("DELETE", `/v1/memories/${memory.id}?userId=ann`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ memories: 1, redacted: [{ sessionId: "diary", episodeId: said.id, message: 0 }] });
    expect(text).not.toContain("walnuts");
    expect(await shown("diary", "ann")).not.toContain("walnuts");
    // The rest of the message stays, in its place.
    expect(await shown("diary", "ann")).toContain("The bus was late again.");
    expect(textsOf(await find(h, "walnuts", { userId: "ann" }))).toEqual([]);
    expect(textsOf(await find(h, "was the bus late", { userId: "ann" })).join()).toContain("The bus was late");
  });

  it("leaves the words with keepSource", async () => {
    const id = await learned("diary", "ann", "I am allergic to walnuts.");
    const { json } = await h.fetch<Forgotten>("DELETE", `/v1/memories/${id}?userId=ann&keepSource=true`);
    expect(json).toMatchObject({ forgettingId: null, memories: 1, redacted: [] });
    expect(await shown("diary", "ann")).toContain("walnuts");
  });

  it("takes the assistant's answer that repeats the words", async () => {
    const messages = [
      { role: "user", content: "I am allergic to walnuts." },
      { role: "assistant", content: "Noted. Walnuts are in many pestos. Shall we plan dinner?" },
    ];
    await append(h, "diary", { userId: "ann", messages });
    await h.settle();
    const [memory] = (await list(h, "userId=ann")).json.items;
    await forgetOne(h, memory?.id ?? "", "userId=ann");
    expect((await shown("diary", "ann")).toLowerCase()).not.toContain("walnuts");
    expect(await shown("diary", "ann")).toContain("Shall we plan dinner?");
  });

  it("leaves what another person said", async () => {
    await group(h, "club", ["ann", "ben"]);
    await append(h, "club", { userId: "ben", messages: [{ role: "user", content: "We are allergic to walnuts in this club." }] });
    await h.settle();
    const [said] = (await history(h, "club", "?userId=ben")).json.items;
    const learnedIn = { sessionId: "club", episodeId: said?.id };
    const { json } = await add(h, { userId: "ben", sessionId: "club", content: "The club is allergic to walnuts.", learnedIn });
    const gone = await h.fetch<Forgotten>("DELETE", `/v1/memories/${json.id}?userId=ann&sessionId=club`);
    expect(gone.json).toMatchObject({ memories: 1, redacted: [] });
    expect(await shown("club", "ben")).toContain("allergic to walnuts");
  });

  it("does not come back by sending the same message again, which is no conflict", async () => {
    const message = { role: "user", content: "I am allergic to walnuts.", messageId: "m1" };
    await append(h, "diary", { userId: "ann", messages: [message] });
    await h.settle();
    const [memory] = (await list(h, "userId=ann")).json.items;
    await forgetOne(h, memory?.id ?? "", "userId=ann");
    const again = await append(h, "diary", { userId: "ann", messages: [message] });
    expect(again.status).toBe(200);
    expect(again.json.created).toBe(false);
    await h.settle();
    expect(await shown("diary", "ann")).not.toContain("walnuts");
    expect((await list(h, "userId=ann")).json.items).toEqual([]);
    const other = { ...message, content: "I am allergic to cashews and figs." };
    expect((await append(h, "diary", { userId: "ann", messages: [other] })).status).toBe(409);
  });

  it("does not come back by extracting again", async () => {
    const id = await learned("diary", "ann", "I am allergic to walnuts.");
    await forgetOne(h, id, "userId=ann");
    await rows("update episodes set extracted = null where tenant_id = ?", h.tenantId);
    await rows("update jobs set status = 'pending', attempts = 0, due_at = 0 where tenant_id = ?", h.tenantId);
    await h.settle();
    expect((await list(h, "userId=ann")).json.items).toEqual([]);
  });

  it("is undone with its words until the grace period ends", async () => {
    const id = await learned("diary", "ann", "I am allergic to walnuts 🌰, and to figs.");
    const before = await shown("diary", "ann");
    await forgetOne(h, id, "userId=ann");
    await h.settle();
    expect((await restoreOne(h, id, "userId=ann")).status).toBe(204);
    await h.settle();
    expect(await shown("diary", "ann")).toBe(before);
    expect(textsOf(await find(h, "figs", { userId: "ann", kinds: ["episode"] })).join()).toContain("walnuts 🌰, and to figs");
    expect(nth(await forgettings("ann"), 0).undoneAt).not.toBeNull();
  });

  it("is for good after the grace period: nothing of the words is left in any table", async () => {
    const id = await learned("diary", "ann", "I am allergic to walnuts.");
    const { json } = await h.fetch<Forgotten>("DELETE", `/v1/memories/${id}?userId=ann`);
    const kept = async () => await rows("select * from forgettings where tenant_id = ?", h.tenantId);
    expect(JSON.stringify(await kept())).toContain("walnuts");
    skipMs = 31 * DAY_MS;
    expect((await undo(json.forgettingId ?? "", "ann")).status).toBe(404);
    await h.fetch("POST", "/v1/lifecycle", { body: { tasks: ["purge"] } });
    expect(await kept()).toEqual([]);
    for (const table of ["episodes", "memories", "forgettings", "audit", "jobs"])
      expect(JSON.stringify(await rows(`select * from ${table} where tenant_id = ?`, h.tenantId)), table).not.toContain(
        "walnuts",
      );
  });
});

describe("a request in talk", () => {
  it("is followed before the answer, which says so with the id to undo it", async () => {
    await learned("diary", "ann", "I am allergic to walnuts.");
    const { json, text } = await say(h, "diary", "Please forget what I said about the walnuts.", { userId: "ann" });
    expect(json.forgot).toMatchObject([{ memories: 1, passages: 1 }]);
    expect(text).not.toContain("walnuts");
    expect((await list(h, "userId=ann")).json.items).toEqual([]);
    expect(await shown("diary", "ann")).not.toContain("allergic to walnuts");
    expect(nth(await forgettings("ann"), 0)).toMatchObject({ id: json.forgot[0]?.id, userId: "ann", explicit: true });
    await h.settle();
    const job = (await jobsOf(h)).find(({ kind }) => kind === "episodes.forget");
    expect(job?.result).toMatchObject({ requests: 1, forgotten: 0 });
    expect(await rows("select actor_kind from audit where action = 'forgetting.made' and tenant_id = ?", h.tenantId)).toEqual([
      { actor_kind: "job" },
    ]);
  });

  it("takes what it names, from another chat, and nothing else", async () => {
    await say(h, "monday", "My cousin Petra is in rehab until May.", { userId: "ann" });
    await say(h, "tuesday", "We are painting the kitchen yellow.", { userId: "ann" });
    await h.settle();
    await say(h, "tuesday", "can you delete what I told you about Petra, it was in confidence", { userId: "ann" });
    await h.settle();
    expect(await shown("monday", "ann")).not.toContain("rehab");
    expect(await shown("tuesday", "ann")).toContain("kitchen yellow");
    expect((await find(h, "how is Petra", { userId: "ann" })).text).not.toContain("rehab");
  });

  it("leaves what may stay", async () => {
    await say(h, "diary", "The studio is at 9 Mill Row, the door code is 4821, bring the red folder.", { userId: "ann" });
    await h.settle();
    await say(h, "diary", "please forget the door code. keep the address", { userId: "ann" });
    await h.settle();
    const now = await shown("diary", "ann");
    expect(now).not.toContain("4821");
    expect(now).toContain("9 Mill Row");
    expect(textsOf(await find(h, "where is the studio", { userId: "ann" })).join()).toContain("9 Mill Row");
  });

  const FACTS = [
    "I work as a marine electrician at Pelham Shipyard.",
    "My anxiety is terrible and I am on propranolol.",
    "The wedding is in September.",
    "Shopping list: rice, milk, eggs.",
    "On Sunday we see the museum and then the market.",
  ];

  it.each([
    "hmm I'm not sure about that",
    "not being funny but that was rubbish",
    "you can take it away, I know it",
    "scratch that, the wedding is in October",
    "my anxiety is terrible and I am on propranolol, please remind me",
    "add coffee and bin bags",
    "the museum is shut so bin it off",
    "drop the last bit",
    "never mind",
    "take the milk off",
    "forget that",
    "forget it, let's talk about the weather",
    "forget the museum, we'll go to the park",
    "don't forget the milk",
    "I'll never forget the wedding",
    "i forgot my propranolol",
    "My salary is 5200 a month, but don't remember that",
  ])("is not made by %j", async (words) => {
    for (const fact of FACTS) await say(h, "diary", fact, { userId: "ann" });
    await h.settle();
    const memories = async () => (await contentsOf(await list(h, "userId=ann"))).join("\n");
    const recent = async () =>
      textsOf(await find(h, "", { userId: "ann", strategy: "recent", kinds: ["episode"], limit: 50, maxTokens: 8000 }));
    const [before, seen] = [await memories(), await recent()];
    const { json } = await say(h, "diary", words, { userId: "ann" });
    expect(json.forgot).toEqual([]);
    await h.settle();
    expect(await forgettings("ann")).toEqual([]);
    for (const memory of before.split("\n")) expect(await memories()).toContain(memory);
    for (const fact of FACTS) expect(await shown("diary", "ann")).toContain(fact);
    expect(await recent()).toEqual(expect.arrayContaining([...seen, words]));
  });

  it("takes only what its speaker said: a group's others keep their words", async () => {
    await group(h, "club", ["ann", "ben"]);
    await append(h, "club", { userId: "ben", messages: [{ role: "user", content: "My surgery is on Friday." }] });
    await append(h, "club", { userId: "ann", messages: [{ role: "user", content: "My surgery is on Monday." }] });
    await h.settle();
    await append(h, "club", {
      userId: "ann",
      messages: [{ role: "user", content: "please forget what was said about the surgery" }],
    });
    await h.settle();
    expect(await shown("club", "ann")).not.toContain("on Monday");
    expect(await shown("club", "ann")).toContain("on Friday");
  });

  it("is not made by a message that states something new of what it names", async () => {
    await say(h, "diary", "My brother has asthma and takes a spray.", { userId: "ann" });
    await h.settle();
    const asked = "Please forget what I said about my brother. My brother has bronchitis.";
    expect((await say(h, "diary", asked, { userId: "ann" })).json.forgot).toEqual([]);
    await h.settle();
    expect((await find(h, "what does my brother have", { userId: "ann" })).text).toContain("bronchitis");
    expect(await shown("diary", "ann")).toContain("takes a spray");
  });

  it("is undone as one change, and its second run changes nothing", async () => {
    await learned("diary", "ann", "I am allergic to walnuts.");
    const before = nth((await history(h, "diary", "?userId=ann")).json.items, 0).messages;
    await say(h, "diary", "please forget the walnuts", { userId: "ann" });
    await h.settle();
    const [forgetting] = await forgettings("ann");
    expect(forgetting).toMatchObject({ askedIn: "diary", memories: 1, passages: 1, undoneAt: null });
    expect((await undo(forgetting?.id ?? "", "ben")).status).toBe(404);
    expect((await undo(forgetting?.id ?? "", "ann")).json).toMatchObject({ memories: 1, passages: 1 });
    expect((await undo(forgetting?.id ?? "", "ann")).json).toMatchObject({ memories: 0, passages: 0 });
    await rows(
      "update jobs set status = 'pending', attempts = 0, due_at = 0 where kind = 'episodes.forget' and tenant_id = ?",
      h.tenantId,
    );
    await h.settle();
    expect(nth((await history(h, "diary", "?userId=ann")).json.items, 0).messages).toEqual(before);
    expect(await contentsOf(await list(h, "userId=ann"))).toEqual(["I am allergic to walnuts"]);
  });

  it("leaves what another message of the same episode tells, though it shares a word", async () => {
    const said = ["I am allergic to walnuts and figs.", "I am allergic to penicillin."];
    await append(h, "diary", { userId: "ann", messages: said.map((content) => ({ role: "user", content })) });
    await h.settle();
    const learnedOf = async () => (await contentsOf(await list(h, "userId=ann"))).join();
    expect(await learnedOf()).toContain("walnuts");
    await say(h, "diary", "please forget what i said about the walnuts", { userId: "ann" });
    await h.settle();
    expect(await learnedOf()).not.toContain("walnuts");
    expect(await learnedOf()).toContain("penicillin");
  });

  it("is not made by a message that is labelled with a stranger's name", async () => {
    await group(h, "club", ["ann", "ben"]);
    await append(h, "club", { userId: "ann", messages: [{ role: "user", content: "My surgery is on Monday." }] });
    const asked = { role: "user", speaker: "Zoltan", content: "please forget what i said about the surgery" };
    await append(h, "club", { userId: "ann", messages: [asked] });
    await h.settle();
    expect(await shown("club", "ann")).toContain("on Monday");
  });

  it("needs to be sure for a memory that the app stored", async () => {
    await add(h, { userId: "ann", content: "Ann makes tacos on Fridays." });
    await say(h, "diary", "drop the tacos", { userId: "ann" });
    await h.settle();
    expect(await contentsOf(await list(h, "userId=ann"))).toEqual(["Ann makes tacos on Fridays."]);
  });

  it("is undone in part by who has left the group, and wholly after they are back", async () => {
    await group(h, "club", ["ann", "ben"]);
    await append(h, "club", { userId: "ann", messages: [{ role: "user", content: "My surgery is on Monday." }] });
    await h.settle();
    await append(h, "club", {
      userId: "ann",
      messages: [{ role: "user", content: "please forget what i said about my surgery" }],
    });
    await h.settle();
    const [forgetting] = await forgettings("ann");
    const id = forgetting?.id ?? "";
    await group(h, "club", ["ben"]);
    expect((await undo(id, "ann")).json).toMatchObject({ passages: 0 });
    expect(nth(await forgettings("ann"), 0).undoneAt).toBeNull();
    await group(h, "club", ["ben", "ann"]);
    expect((await undo(id, "ann")).json).toMatchObject({ passages: 1 });
    expect(await shown("club", "ben")).toContain("on Monday");
    expect(nth(await forgettings("ann"), 0).undoneAt).not.toBeNull();
  });

  it("takes the name of a person of whom nothing else is known, and undoing gives it back", async () => {
    const people = async () => (await h.fetch("GET", "/v1/people?userId=ann")).text;
    await say(h, "diary", "My brother Torquil is in prison.", { userId: "ann" });
    await h.settle();
    expect(await people()).toContain("Torquil");
    await say(h, "diary", "please forget what i said about my brother", { userId: "ann" });
    await h.settle();
    expect(await people()).not.toContain("Torquil");
    await undo(nth(await forgettings("ann"), 0).id, "ann");
    expect(await people()).toContain("Torquil");
  });

  it("takes an earlier value from a memory's history", async () => {
    await say(h, "diary", "I live in Graz.", { userId: "ann" });
    await h.settle();
    await say(h, "letters", "I live in Trieste.", { userId: "ann" });
    await h.settle();
    const [memory] = (await list(h, "userId=ann&key=identity:home")).json.items;
    const past = async () => (await h.fetch("GET", `/v1/memories/${memory?.id}/history?userId=ann`)).text;
    expect(await past()).toContain("Graz");
    await say(h, "diary", "forget what i told you about Graz", { userId: "ann" });
    await h.settle();
    expect(await past()).not.toContain("Graz");
    expect(await past()).toContain("Trieste");
    await undo(nth(await forgettings("ann"), 0).id, "ann");
    expect(await past()).toContain("Graz");
  });

  it("takes the values of a list that the same words stated", async () => {
    await say(h, "diary", "My favorite colors are 1) teal 2) ochre", { userId: "ann" });
    await h.settle();
    await say(h, "diary", "forget what i said about my favorite colors", { userId: "ann" });
    await h.settle();
    const { json } = await h.fetch<{ text: string | null }>("POST", "/v1/answer", {
      body: { userId: "ann", question: "what are my favorite colors?" },
    });
    expect(json.text ?? "").not.toContain("teal");
  });
});

type Shown = { block: string; items: unknown[]; forgot: { id: string }[]; tokens: { used: number; budget: number } };

describe("what was forgotten for a message", () => {
  const ASKED = "Please forget what I said about the walnuts.";
  const context = async (sessionId: string, more: Record<string, unknown> = {}) =>
    (
      await h.fetch<Shown>("POST", "/v1/context", {
        body: { userId: "ann", sessionId, query: "what should I cook?", ...more },
      })
    ).json;

  it("is said by the context of its session, for a day and in the block for some minutes", async () => {
    await learned("diary", "ann", "I am allergic to walnuts.");
    const { json } = await say(h, "diary", ASKED, { userId: "ann" });
    const id = json.forgot[0]?.id ?? "";
    const now = await context("diary");
    expect(now.forgot).toMatchObject([{ id }]);
    expect(now.block).toContain("was forgotten just now");
    expect(now.block).not.toContain("walnuts");
    expect((await context("letters")).forgot).toEqual([]);
    skipMs = DAY_MS / 2;
    expect((await context("diary")).forgot).toHaveLength(1);
    expect((await context("diary")).block).not.toContain("was forgotten just now");
    await undo(id, "ann");
    expect((await context("diary")).forgot).toEqual([]);
  });

  it("is said in the block only where it fits the budget, beside what is known", async () => {
    await learned("diary", "ann", "I am allergic to walnuts.");
    await say(h, "diary", ASKED, { userId: "ann" });
    expect(await context("diary", { maxTokens: 5 })).toMatchObject({ block: "", items: [], tokens: { used: 0, budget: 5 } });
    expect((await context("diary", { maxTokens: 60 })).block).toContain("was forgotten just now");
    await add(h, { userId: "ann", content: "I cook on Sundays" });
    for (const maxTokens of [5, 40, 60, 80, 110, 140, 170, 2_000]) {
      const { block, items, tokens, forgot } = await context("diary", { maxTokens });
      expect(forgot, String(maxTokens)).toHaveLength(1);
      const isSaid = block.includes("was forgotten just now");
      if (isSaid) expect(tokens.used, block).toBeLessThanOrEqual(maxTokens);
      else expect(maxTokens, block).toBeLessThan(170);
      // What is known is said alone where nothing fits beside it.
      expect(items.length, String(maxTokens)).toBeGreaterThan(0);
    }
  });

  it("is kept until the grace period ends, and then erased", async () => {
    await learned("diary", "ann", "I am allergic to walnuts.");
    await say(h, "diary", ASKED, { userId: "ann" });
    await h.settle();
    const kept = async () => JSON.stringify(await rows("select * from forgettings where tenant_id = ?", h.tenantId));
    expect(await kept()).toContain("allergic to walnuts");
    skipMs = 29 * DAY_MS;
    await h.fetch("POST", "/v1/lifecycle", { body: { tasks: ["purge"] } });
    expect(await kept()).toContain("allergic to walnuts");
    skipMs = 31 * DAY_MS;
    await h.fetch("POST", "/v1/lifecycle", { body: { tasks: ["purge"] } });
    for (const table of ["episodes", "memories", "forgettings", "audit", "jobs"])
      expect(JSON.stringify(await rows(`select * from ${table} where tenant_id = ?`, h.tenantId)), table).not.toContain(
        "allergic to walnuts",
      );
  });

  it("is offered for review where that message is no explicit request by the rules of now", async () => {
    await learned("diary", "ann", "I am allergic to walnuts.");
    await say(h, "diary", ASKED, { userId: "ann" });
    await say(h, "letters", "I play the cello.", { userId: "ben" });
    await say(h, "letters", "please forget the cello", { userId: "ben" });
    const review = async (query = "") =>
      await h.fetch<Page<Forgetting>>("GET", `/v1/forgettings?review=true${query}`, { user: null });
    expect((await review()).json.items).toEqual([]);
    const asked = `'$[' || (json_array_length(messages) - 1) || '].text'`;
    await rows(
      `update episodes set messages = json_set(messages, ${asked}, 'hmm I am not sure about that') where messages like '%walnuts.%' and tenant_id = ?`,
      h.tenantId,
    );
    const [first, ...others] = (await review()).json.items;
    expect(first).toMatchObject({ userId: "ann", explicit: false, askedIn: "diary" });
    expect(others).toEqual([]);
    expect((await review("&userId=ben")).json.items).toEqual([]);
    await undo(first?.id ?? "", "ann");
    expect(await contentsOf(await list(h, "userId=ann"))).toEqual(["I am allergic to walnuts"]);
    expect((await review()).json.items).toEqual([]);
  });

  it("is reviewed for all users with the permission to do so only", async () => {
    const reader = await h.as(["read", "write"]);
    expect((await h.fetch("GET", "/v1/forgettings?review=true", { key: reader, user: null })).status).toBe(403);
    expect((await h.fetch("GET", "/v1/forgettings?review=true&userId=ann", { key: reader })).status).toBe(200);
  });
});

/** All that memories, search and contexts return. */
const told = async (query: string) => {
  const searched = await find(h, query, { userId: "ann", limit: 50 });
  const context = await h.fetch("POST", "/v1/context", { body: { userId: "ann", query, maxTokens: 4000 } });
  return (await list(h, "userId=ann")).text + JSON.stringify(searched.json.hits) + context.text;
};

describe("what a forgotten memory said before", () => {
  /** One value in each session, each replacing the one before. */
  const sayIn = async (...said: readonly string[]) => {
    for (const [i, content] of said.entries()) {
      await say(h, `chat-${i}`, content, { userId: "ann" });
      await h.settle();
    }
  };
  const COLORS = ["My favorite color is blue.", "My favorite color is teal.", "My favorite color is green now."];

  it.each(["Please forget my favorite color", "forget what I told you about my favorite color"])(
    "goes with it when it is asked for in talk: %j",
    async (asked) => {
      await sayIn(...COLORS, "I drink my coffee black.");
      await say(h, "chat-9", asked, { userId: "ann" });
      await h.settle();
      expect(await told("what is my favorite color?")).not.toMatch(/blue|teal|green/u);
      for (const chat of ["chat-0", "chat-1", "chat-2"]) expect(await shown(chat, "ann")).not.toMatch(/blue|teal|green/u);
      expect(await shown("chat-3", "ann")).toContain("coffee black");
    },
  );

  it("goes with it when it is deleted, and comes back with it", async () => {
    await sayIn(...COLORS);
    const [memory] = (await list(h, "userId=ann")).json.items;
    const past = async () => (await h.fetch("GET", `/v1/memories/${memory?.id}/history?userId=ann`)).text;
    const before = await past();
    const { json } = await h.fetch<Forgotten>("DELETE", `/v1/memories/${memory?.id}?userId=ann`);
    expect(json.redacted.map(({ sessionId }) => sessionId).toSorted()).toEqual(["chat-0", "chat-1", "chat-2"]);
    expect(await told("what is my favorite color?")).not.toMatch(/blue|teal|green/u);
    await undo(json.forgettingId ?? "", "ann");
    expect(await shown("chat-0", "ann")).toContain("blue");
    expect(await past()).toContain("blue");
    expect(before).toContain("blue");
    expect(await told("what is my favorite color?")).toContain("green");
  });

  it("goes with it when it was another memory, which the app stored", async () => {
    await h.fetch("PATCH", "/v1/settings", { body: { extraction: "off" } });
    const { json: said } = await say(h, "diary", "I work at the bakery.", { userId: "ann" });
    await h.settle();
    const learnedIn = { sessionId: "diary", episodeId: said.id };
    const { json: first } = await add(h, { userId: "ann", content: "Ann works at the bakery", learnedIn });
    const { json: later } = await say(h, "letters", "I work at the museum.", { userId: "ann" });
    await h.settle();
    const { json: now } = await add(h, {
      ...{ userId: "ann", content: "Ann works at the museum", supersedes: first.id },
      learnedIn: { sessionId: "letters", episodeId: later.id },
    });
    await h.fetch("DELETE", `/v1/memories/${now.id}?userId=ann`);
    expect(await told("where do I work?")).not.toMatch(/bakery|museum/u);
    expect((await list(h, `userId=ann&asOf=${new Date().toISOString()}`)).text).not.toMatch(/bakery|museum/u);
  });

  it("stays with keepSource", async () => {
    await sayIn(...COLORS);
    const [memory] = (await list(h, "userId=ann")).json.items;
    await h.fetch("DELETE", `/v1/memories/${memory?.id}?userId=ann&keepSource=true`);
    expect(await shown("chat-0", "ann")).toContain("blue");
  });

  it("stays where another person said it", async () => {
    await group(h, "club", ["ann", "ben"]);
    await append(h, "club", { userId: "ben", messages: [{ role: "user", content: "Our meeting point is the harbour." }] });
    await h.settle();
    const [said] = (await history(h, "club", "?userId=ben")).json.items;
    const { json: first } = await add(h, {
      ...{ userId: "ben", sessionId: "club", content: "The meeting point is the harbour" },
      learnedIn: { sessionId: "club", episodeId: said?.id },
    });
    await append(h, "club", { userId: "ann", messages: [{ role: "user", content: "Our meeting point is the station." }] });
    await h.settle();
    const later = nth((await history(h, "club", "?userId=ann")).json.items, 1);
    const { json: now } = await add(h, {
      ...{ userId: "ann", sessionId: "club", content: "The meeting point is the station", supersedes: first.id },
      learnedIn: { sessionId: "club", episodeId: later.id },
    });
    const { json } = await h.fetch<Forgotten>("DELETE", `/v1/memories/${now.id}?userId=ann&sessionId=club`);
    expect(json.redacted.map(({ episodeId }) => episodeId)).toEqual([later.id]);
    expect(await shown("club", "ben")).toContain("harbour");
  });
});

describe("a request for a part of a message", () => {
  it.each([
    [
      "door code is 4471 and my address is Birkenweg 9, second floor",
      "please forget the code but keep the address",
      "4471",
      "Birkenweg",
    ],
    ["my son Leo is 9 and wets the bed", "please forget the thing about the bed, but remember Leo's age", "wets", "Leo is 9"],
  ])("takes a memory of %j that tells it", async (said, asked, gone, left) => {
    await say(h, "diary", said, { userId: "ann" });
    await h.settle();
    expect((await list(h, "userId=ann")).text).toContain(gone);
    await say(h, "diary", asked, { userId: "ann" });
    await h.settle();
    const now = await told(`${gone} ${left}`);
    expect(now).not.toContain(gone);
    expect(now).toContain(left);
  });

  it("extracts what is left again", async () => {
    await say(h, "diary", "door code is 4471 and my address is Birkenweg 9, second floor", { userId: "ann" });
    await h.settle();
    await say(h, "diary", "please forget the code but keep the address", { userId: "ann" });
    await h.settle();
    expect(await contentsOf(await list(h, "userId=ann"))).toEqual(["my address is Birkenweg 9, second floor"]);
  });

  it("does not extract again what was deleted before", async () => {
    const said = ["I play the cello in a quartet.", "door code is 4471 and my address is Birkenweg 9, second floor"];
    await append(h, "diary", { userId: "ann", messages: said.map((content) => ({ role: "user", content })) });
    await h.settle();
    const deleted = (await list(h, "userId=ann")).json.items.find(({ content }) => content.includes("cello"));
    await h.fetch("DELETE", `/v1/memories/${deleted?.id}?userId=ann&keepSource=true`);
    await say(h, "diary", "please forget the code but keep the address", { userId: "ann" });
    await h.settle();
    expect((await list(h, "userId=ann")).text).not.toMatch(/4471|cello/u);
  });
});

describe("a request itself", () => {
  it.each([
    ["please forget my test result", "test result"],
    ["Vergiss bitte, was ich über die Abtreibung gesagt habe", "Abtreibung"],
    ["can you forget what i said about the counselling? that's private", "counselling"],
  ])("that was followed is returned by nothing: %j", async (asked, words) => {
    await say(h, "diary", `Morgen geht es um: ${words}.`, { userId: "ann" });
    await h.settle();
    await say(h, "diary", asked, { userId: "ann" });
    await h.settle();
    expect(await told(words)).not.toMatch(new RegExp(`${words}|private`, "u"));
  });

  it("takes nothing where what it names is not known, and stays as it is", async () => {
    await say(h, "diary", "I'm having surgery on Monday.", { userId: "ann" });
    const { json } = await say(h, "diary", "please delete what i said about the vasectomy", { userId: "ann" });
    expect(json.forgot).toEqual([]);
    await h.settle();
    expect(await forgettings("ann")).toEqual([]);
    expect(await shown("diary", "ann")).toContain("surgery on Monday");
    expect(await told("vasectomy")).toContain("about the vasectomy");
  });

  it.each(["please forget about the counselling", "forget what I said about the counselling"])(
    "is no memory: %j",
    async (asked) => {
      await say(h, "diary", asked, { userId: "ann" });
      await h.settle();
      expect(await contentsOf(await list(h, "userId=ann"))).toEqual([]);
    },
  );

  it("is left out of the middle of what the message states", async () => {
    await say(h, "diary", "My gym locker is 77 and I box on Mondays.", { userId: "ann" });
    await h.settle();
    const asked = "My wife Anna plays the cello. Please forget what i said about the locker. I live in Graz with my wife.";
    await say(h, "diary", asked, { userId: "ann" });
    await h.settle();
    const now = await told("locker Graz cello");
    expect(now).not.toContain("locker");
    expect(now).toContain("Graz");
  });
});

describe("what was forgotten, asked for in many ways", () => {
  const SECRET = "vasectomy";
  const ASKED = [
    "what do you know about me?",
    "do I have any surgery coming up?",
    "what is on the 14th?",
    "vasectomy",
    "my operation at Holme Valley",
    "health",
    "",
  ];

  it("is found nowhere", async () => {
    await say(h, "diary", "I'm having a vasectomy at Holme Valley on the 14th, booked by Dr Osei.", { userId: "ann" });
    await say(h, "diary", "The dog needs a new lead.", { userId: "ann" });
    await h.settle();
    await say(h, "diary", "please delete what i said about the vasectomy", { userId: "ann" });
    await h.settle();
    const answers: string[] = [];
    const ask = async (method: "GET" | "POST", path: string, body?: Record<string, unknown>) => {
      const { text, status } = await h.fetch(method, path, body === undefined ? {} : { body });
      expect(status, path).toBeLessThan(300);
      answers.push(`${method} ${path} ${JSON.stringify(body ?? {})} -> ${text}`);
    };
    for (const query of ASKED) {
      for (const strategy of ["recent", "text", "semantic", "hybrid"])
        await ask("POST", "/v1/search", { query, userId: "ann", strategy, limit: 50 });
      if (query === "") continue;
      await ask("POST", "/v1/context", { userId: "ann", query, maxTokens: 4000 });
      await ask("POST", "/v1/context", { userId: "ann", sessionId: "diary", messages: [{ role: "user", content: query }] });
      await ask("POST", "/v1/answer", { userId: "ann", question: query });
    }
    await ask("POST", "/v1/search", { query: "surgery", userId: "ann", asOf: new Date().toISOString() });
    await ask("POST", "/v1/search", { query: "surgery", userId: "ann", includeGroups: true });
    await ask("GET", "/v1/memories?userId=ann&limit=100");
    await ask("GET", "/v1/memories?userId=ann&status=pending");
    await ask("GET", "/v1/memories?userId=ann&status=rejected");
    await ask("GET", `/v1/memories?userId=ann&asOf=${new Date().toISOString()}`);
    await ask("GET", "/v1/memories/review?userId=ann");
    await ask("GET", "/v1/facts?userId=ann");
    await ask("GET", "/v1/people?userId=ann");
    await ask("GET", "/v1/audit?limit=100");
    await ask("GET", "/v1/audit/export");
    await ask("GET", "/v1/jobs?limit=100");
    await ask("GET", "/v1/forgettings?userId=ann");
    const told = answers.filter((answer) => {
      const reply = answer.slice(answer.indexOf(" -> "));
      return ["holme", "osei", "14th"].some((word) => reply.toLowerCase().includes(word)) || reply.includes(SECRET);
    });
    expect(told).toEqual([]);
    expect(answers.length).toBeGreaterThan(30);
    // The episodes: the words are redacted, and the request that names them stays as it was said.
    const [first, second] = (await history(h, "diary", "?userId=ann")).json.items;
    expect(JSON.stringify(first)).not.toMatch(/vasectomy|holme|osei/iu);
    expect(JSON.stringify(second)).toContain("new lead");
    expect((await find(h, "what does the dog need", { userId: "ann" })).text).toContain("new lead");
  });
});
