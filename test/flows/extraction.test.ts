import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { upstreamFailed } from "#core/errors";
import { FENCE_CLOSE, FENCE_OPEN } from "#core/text/memory-fence";
import { work } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { jobOf, memoriesOf, settings } from "./extraction-requests.ts";
import { contentsOf, group, list, personOf } from "./memory-requests.ts";
import { append, find, jobsOf, nth, rows, say } from "./requests.ts";

let trouble: (() => void) | null = null;
let h: Harness;

const replace = ({ embedder }: Services): Partial<Services> => ({
  log: () => undefined,
  embedder: {
    ...embedder,
    embed: async (texts, purpose) => {
      if (purpose === "document") trouble?.();
      return await embedder.embed(texts, purpose);
    },
  },
});

beforeEach(async () => {
  trouble = null;
  h = await createHarness({ replace });
});

describe("what a user says of themselves", () => {
  it("is a memory of theirs that names its episode, and is recalled in another session", async () => {
    const { json } = await say(h, "monday", "I prefer dark mode in every editor", { userId: "ann" });
    await h.settle();
    const [row] = (await list(h, "userId=ann")).json.items;
    expect(row).toMatchObject({
      ownership: "personal",
      type: "preference",
      statedBy: await personOf(h, "ann"),
      subjects: [await personOf(h, "ann")],
      learnedIn: { sessionId: "monday", episodeId: json.id },
      metadata: { source: "judge", category: "preference" },
      validFrom: json.occurredAt,
    });
    expect(row?.content).toBe("I prefer dark mode in every editor");
    await say(h, "friday", "What now?", { userId: "ann" });
    const found = await find(h, "which editor colours do I like, dark mode?", {
      userId: "ann",
      sessionId: "friday",
      kinds: ["memory"],
    });
    expect(found.json.hits.map(({ content }) => content)).toEqual([row?.content]);
    expect(contentsOf(await list(h, "userId=bob"))).toEqual([]);
    expect(nth(await jobsOf(h), -1).result).toEqual({ by: "rules", episodes: 1, stored: 1 });
    expect(await rows("select memories_extracted as n from usage where tenant_id = ?", h.tenantId)).toEqual([{ n: 1 }]);
  });

  it("is not what the assistant says, nor memory that was put before it and came back", async () => {
    await append(h, "loop", {
      userId: "ann",
      messages: [
        { role: "assistant", content: "I prefer tabs over spaces" },
        { role: "system", content: "I prefer short answers" },
        { role: "user", content: `${FENCE_OPEN}\nI prefer green tea\n${FENCE_CLOSE}\nHello` },
        { role: "user", content: `Hello\n${FENCE_OPEN}\nI prefer black tea` },
      ],
    });
    await h.settle();
    expect(await memoriesOf(h)).toEqual([]);
    expect(await rows("select extracted from episodes where tenant_id = ?", h.tenantId)).toEqual([{ extracted: "rules" }]);
  });

  it("counts once though the job comes twice, and again when it is said again", async () => {
    await say(h, "s", "I prefer dark mode", { userId: "ann" });
    await h.settle();
    await rows("update jobs set status = 'pending', due_at = 0 where tenant_id = ?", h.tenantId);
    await h.settle();
    expect((await memoriesOf(h)).map(({ seen_count }) => seen_count)).toEqual([1]);
    // As after a crash between the batch and its mark, which one batch does not allow: the episode itself is known by its memory.
    await rows("update episodes set extracted = null where tenant_id = ?", h.tenantId);
    await rows(
      "update jobs set status = 'pending', due_at = 0, result = null where tenant_id = ? and kind = 'episodes.index'",
      h.tenantId,
    );
    await h.settle();
    expect((await memoriesOf(h)).map(({ seen_count }) => seen_count)).toEqual([1]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, known: 1 });
    await say(h, "s", "I prefer dark mode", { userId: "ann" });
    await h.settle();
    expect((await memoriesOf(h)).map(({ seen_count }) => seen_count)).toEqual([2]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, saidAgain: 1 });
  });

  it("stays when the embedder is down, and the job is tried again for the vectors alone", async () => {
    trouble = () => {
      throw upstreamFailed("The embedder is asleep.");
    };
    await say(h, "s", "I prefer dark mode", { userId: "ann" });
    const job = await jobOf(h);
    await work(h.services(), [{ tenantId: h.tenantId, jobId: job.id }]);
    expect((await memoriesOf(h)).length).toBe(1);
    expect(await jobOf(h)).toMatchObject({
      status: "pending",
      error: "upstream_failed: The embedder is asleep.",
      result: { by: "rules", episodes: 1, stored: 1 },
    });
    trouble = null;
    await rows("update jobs set due_at = 0, error = null where tenant_id = ?", h.tenantId);
    await h.settle();
    expect(await jobOf(h)).toMatchObject({ status: "done", result: { by: "rules", episodes: 1, stored: 1 } });
    expect((await memoriesOf(h)).map(({ seen_count }) => seen_count)).toEqual([1]);
  });
});

describe("in a group", () => {
  const speak = (text: string, speaker?: string) => ({
    role: "user",
    content: text,
    ...(speaker === undefined ? {} : { speaker }),
  });
  const owners = async () =>
    (
      await rows<{ who: string }>(
        "select u.external_id || ': ' || m.content as who from memories m join users u on u.id = m.owner_id where m.tenant_id = ? order by m.id",
        h.tenantId,
      )
    ).map(({ who }) => who);

  it("each is taken at their own word: by userId, or as who sends it; nobody else at all", async () => {
    await group(h, "team", ["ann", "bob", "carol"]);
    await h.fetch("PUT", "/v1/users/bob", { body: { name: "Bob Miller" } });
    await append(h, "team", {
      userId: "ann",
      messages: [
        speak("I prefer tea"),
        { ...speak("I prefer coffee", "Robert"), userId: "bob" },
        speak("I prefer soup", "Bobby"),
        speak("I prefer jam", "Stranger"),
        { role: "assistant", content: "I prefer salt", speaker: "carol" },
      ],
    });
    await h.settle();
    expect(await owners()).toEqual(["ann: I prefer tea", "bob: I prefer coffee"]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, stored: 2, speakerUnknown: 2 });
    const [row] = (await list(h, "userId=bob&sessionId=team")).json.items;
    expect(row).toMatchObject({ ownership: "personal", statedBy: await personOf(h, "bob"), learnedIn: { sessionId: "team" } });
  });

  it("a name that two go by is the sender's, if it is one of theirs", async () => {
    await group(h, "team", ["ann", "bob", "carol"]);
    for (const userId of ["bob", "carol"]) await h.fetch("PUT", `/v1/users/${userId}`, { body: { name: "Sam" } });
    await append(h, "team", { userId: "ann", messages: [speak("I prefer tea", "Sam")] });
    await append(h, "team", { userId: "bob", messages: [speak("I prefer jam", "Sam")] });
    await h.settle();
    expect(await owners()).toEqual(["bob: I prefer jam"]);
  });

  it("who has left since is not taken at their word any more, and the job says so", async () => {
    await group(h, "team", ["ann", "bob", "carol"]);
    const messages = [speak("I prefer tea"), { ...speak("I prefer jam"), userId: "carol" }];
    await append(h, "team", { userId: "bob", messages });
    await h.fetch("PUT", "/v1/sessions/team", { body: { participants: ["ann", "carol"], userId: "ann" } });
    await h.settle();
    expect(await owners()).toEqual(["carol: I prefer jam"]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, stored: 1, speakerLeft: 1 });
  });

  it.each([2, 3])("who leaves after batch %i of the job has nothing taken either, and the job goes on", async (which) => {
    await group(h, "team", ["ann", "bob"]);
    await append(h, "team", { userId: "bob", messages: [speak("I prefer tea")] });
    const { db, ...services } = h.services();
    const interruption = createInterruption();
    interruption.afterBatch(which, () => group(h, "team", ["ann"]));
    const { id } = await jobOf(h);
    await work({ ...services, db: interruption.in(db) }, [{ tenantId: h.tenantId, jobId: id }]);
    expect(await owners()).toEqual([]);
    expect(await jobOf(h)).toMatchObject({ status: "done", result: { episodes: 1, speakerLeft: 1 } });
  });
});

describe("settings", () => {
  it.each([{ extraction: "off" }, { enabled: false }])("take nothing when it is off: %o", async (change) => {
    await settings(h, change);
    await say(h, "s", "I prefer dark mode", { userId: "ann" });
    await h.settle();
    expect(await memoriesOf(h)).toEqual([]);
    expect((await jobOf(h)).result).toEqual({ skipped: "extraction" in change ? "extraction is off" : "memory is off" });
    expect(
      await rows("select extracted, vector_model is not null as embedded from episodes where tenant_id = ?", h.tenantId),
    ).toEqual([{ extracted: null, embedded: 1 }]);
  });

  it("say how sure is sure enough", async () => {
    await settings(h, { extractionThreshold: 1 });
    await say(h, "s", "I prefer dark mode", { userId: "ann" });
    await h.settle();
    expect(await memoriesOf(h)).toEqual([]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, belowThreshold: 1 });
  });

  it("that ask for a model where none is configured leave it at the rules", async () => {
    await settings(h, { extraction: "model" });
    await say(h, "s", "I prefer dark mode", { userId: "ann" });
    await h.settle();
    expect((await memoriesOf(h)).length).toBe(1);
    expect((await jobsOf(h)).map(({ kind }) => kind).toSorted()).toEqual(["episodes.index", "memories.index"]);
  });
});

describe("many episodes", () => {
  it("are taken run by run, each once, whatever comes between", async () => {
    const episodes = Array.from({ length: 100 }, (_, i) => ({
      messages: [{ role: "user", content: `I prefer tea number ${i}` }],
    }));
    await append(h, "long", { userId: "ann", episodes });
    const { id } = await jobOf(h);
    const run = async () => (await work(h.services(), [{ tenantId: h.tenantId, jobId: id }])).map(({ status }) => status);
    expect(await run()).toEqual(["unfinished"]);
    const first = (await memoriesOf(h)).length;
    expect(first).toBeGreaterThanOrEqual(40);
    expect(first).toBeLessThan(100);
    trouble = () => {
      throw upstreamFailed("asleep");
    };
    expect(await run()).toEqual(["done"]);
    const all = await memoriesOf(h);
    expect([all.length, new Set(all.map(({ episode_id }) => episode_id)).size]).toEqual([100, 100]);
    expect(all.every(({ seen_count }) => seen_count === 1)).toBe(true);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 100, stored: 100 });
  });
});
