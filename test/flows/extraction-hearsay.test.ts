import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { chatChannel, jobOf, MODEL_ALONE, memoriesOf, memory, modelAt, said, settings } from "./extraction-requests.ts";
import { add, contentsOf, get, group, list, pastOf, personOf } from "./memory-requests.ts";
import { append, nth, rows, say } from "./requests.ts";

let channel = chatChannel();
let h: Harness;

beforeEach(async () => {
  channel = chatChannel();
  h = await createHarness({ replace: () => ({ log: () => undefined, chatModel: modelAt(channel) }) });
  await settings(h, MODEL_ALONE);
});

/** Everything that left for the model's server. */
const sent = async () => JSON.stringify((await channel.requests()).map(({ body }) => body.messages.slice(1)));
const knownId = async (content: string) => {
  const asked = (await channel.requests()).at(-1)?.body.messages.at(-1)?.content;
  return new RegExp(`\\[(K\\d+)\\] \\{"content":"${content}"`).exec(String(asked))?.[1];
};
const sayAndExtract = async (
  userId: string,
  session: string,
  text: string,
  memories: unknown[],
  rest: Record<string, unknown> = {},
) => {
  await channel.answer(said(memories, rest));
  const answer = await say(h, session, text, { userId });
  await h.settle();
  return answer.json;
};
const said2 = async (content: string) =>
  nth(
    (await memoriesOf(h)).filter((row) => row.content === content),
    0,
  );

describe("what is said anew", () => {
  it("replaces what the speaker said before, which stays as history", async () => {
    const old = await add(h, { userId: "ann", content: "Lives in a flat in Paris", type: "identity" });
    await sayAndExtract("ann", "s", "Paris is history, our flat is gone: Rome it is now", [
      memory("Lives in Rome", { type: "identity", quote: "Rome it is now", replaces: ["K1"] }),
    ]);
    expect(await knownId("Lives in a flat in Paris")).toBe("K1");
    expect(contentsOf(await list(h, "userId=ann"))).toEqual(["Lives in Rome"]);
    const past = await get(h, old.json.id, "userId=ann&asOf=2020-01-01T00:00:00Z");
    expect(past.status).toBe(404);
    const now = nth((await list(h, "userId=ann")).json.items, 0);
    expect((await pastOf(h, now.id, "userId=ann")).json.supersedes.map(({ id }) => id)).toEqual([old.json.id]);
  });

  it("replaces nothing when it is old talk that comes in late", async () => {
    await add(h, { userId: "ann", content: "Lives in a flat in Paris", type: "identity", validFrom: "2025-01-01T00:00:00Z" });
    await channel.answer(said([memory("Lives in Rome", { type: "identity", quote: "Rome it is", replaces: ["K1"] })]));
    await append(h, "old", {
      userId: "ann",
      messages: [{ role: "user", content: "Rome it is, no flat in Paris for us", occurredAt: "2019-05-01T00:00:00Z" }],
    });
    await h.settle();
    expect(contentsOf(await list(h, "userId=ann")).toSorted()).toEqual(["Lives in Rome", "Lives in a flat in Paris"]);
  });

  it("by somebody else contradicts what a person said of themselves, and both stay and say so", async () => {
    await group(h, "team", ["ann", "bob"]);
    const bob = await personOf(h, "bob");
    const own = await add(h, {
      userId: "bob",
      content: "Bob lives in Paris",
      type: "identity",
      subjects: [bob],
      learnedIn: { sessionId: "team" },
    });
    await sayAndExtract("ann", "team", "Did you hear, Bob moved to Rome!", [
      memory("Bob lives in Rome", {
        type: "identity",
        subjects: ["Bob"],
        key: "identity:home",
        quote: "Bob moved to Rome",
        replaces: ["K1"],
      }),
    ]);
    expect(await knownId("Bob lives in Paris")).toBe("K1");
    const hearsay = await said2("Bob lives in Rome");
    // Two names: it may say more than one thing, and has no key.
    expect([hearsay.superseded_by, hearsay.key]).toEqual([null, ""]);
    const shown = (await list(h, `userId=bob&person=${bob}`)).json.items;
    expect(shown.map(({ content }) => content).toSorted()).toEqual(["Bob lives in Paris", "Bob lives in Rome"]);
    expect(shown.find(({ content }) => content === "Bob lives in Rome")?.contradicts).toEqual([own.json.id]);
    expect(shown.find(({ content }) => content === "Bob lives in Paris")?.contradicts).toEqual([hearsay.public_id]);
  });

  it("in a clause of several statements that the judge took whole is a memory of its own, which replaces the old one", async () => {
    await settings(h, { extractionThreshold: 0.7 });
    const old = await add(h, { userId: "ann", content: "Lives in a flat in Paris", type: "identity" });
    const clause = "Paris is history, our flat is gone: Rome it is now";
    await sayAndExtract("ann", "s", clause, [
      memory("Lives in Rome", { type: "identity", quote: "Rome it is now", replaces: ["K1"] }),
    ]);
    const { items } = (await list(h, "userId=ann")).json;
    expect(items.map(({ content, metadata }) => [metadata.source, content]).toSorted()).toEqual([
      ["judge", clause],
      ["model", "Lives in Rome"],
    ]);
    const now = items.find(({ metadata }) => metadata.source === "model");
    expect((await pastOf(h, now?.id ?? "", "userId=ann")).json.supersedes.map(({ id }) => id)).toEqual([old.json.id]);
  });

  it("by a person of themselves contradicts what others said of them, where they may hear it", async () => {
    await settings(h, { extractionThreshold: 0.7 });
    await group(h, "team", ["ann", "bob"]);
    const bob = await personOf(h, "bob");
    await add(h, { userId: "ann", content: "Bob lives in Paris", subjects: [bob], learnedIn: { sessionId: "team" } });
    await add(h, { userId: "ann", content: "Bob lives with a cat that is not portable", subjects: [bob], portable: false });
    await sayAndExtract("bob", "alone", "I moved to Rome in spring", [
      memory("Lives in Rome", { type: "identity", quote: "I moved to Rome", replaces: ["K1", "K2"] }),
    ]);
    expect(await sent()).not.toContain("portable");
    // The rules took it in the words in which it was said: the model adds what it contradicts, and does not say it twice.
    const own = await said2("I moved to Rome in spring");
    expect([own.seen_count, own.key]).toEqual([1, "identity:home"]);
    const hearsay = await said2("Bob lives in Paris");
    const contradicted = await rows("select contradicts from memories where public_id = ?", own.public_id);
    expect([contradicted, hearsay.superseded_by]).toEqual([[{ contradicts: await idOf(hearsay.public_id) }], null]);
  });

  it("is never held against what the speaker may not hear where they speak: it is not even sent", async () => {
    await group(h, "team", ["ann", "bob"]);
    const bob = await personOf(h, "bob");
    await add(h, {
      userId: "carol",
      content: "Bob lives with a secret lover in Paris",
      subjects: [bob],
      learnedIn: undefined,
      sensitivity: "sensitive",
    });
    await add(h, {
      userId: "carol",
      content: "Bob lives on the personal side of Paris",
      subjects: [bob],
      sensitivity: "personal",
    });
    await add(h, {
      userId: "ann",
      content: "Ann lives with a sensitive illness in Paris",
      type: "identity",
      sensitivity: "sensitive",
    });
    const other = await createHarness();
    await add(other, { userId: "bob", content: "Bob lives in the Paris of another tenant", type: "identity" });
    await sayAndExtract("ann", "team", "Bob moved to Rome and so did I, goodbye Paris where Bob lives", [
      memory("Bob lives in Rome", {
        type: "identity",
        subjects: ["Bob"],
        quote: "Bob moved to Rome",
        replaces: ["K1", "K2", "K3"],
      }),
    ]);
    expect(await sent()).not.toMatch(/secret|personal side|illness|another tenant/);
    const hearsay = await said2("Bob lives in Rome");
    expect(await rows("select supersedes, contradicts from memories where public_id = ?", hearsay.public_id)).toEqual([
      { supersedes: null, contradicts: null },
    ]);
  });

  const idOf = async (publicId: string) =>
    nth(await rows<{ id: number }>("select id from memories where public_id = ?", publicId), 0).id;
});

describe("people whom a model finds", () => {
  it("are whoever takes part, and else persons of the speaker's own, each made once, with aliases", async () => {
    await group(h, "team", ["ann", "bob"]);
    await personOf(h, "lea");
    const person = { name: "Lea", aliases: ["Leni"], relationship: "sister" };
    const about = (content: string, quote: string) => memory(content, { subjects: ["Lea"], quote });
    await sayAndExtract(
      "ann",
      "team",
      "Lea, or Leni as we call her, sings",
      [about("Lea sings", "Lea, or Leni as we call her, sings")],
      { people: [person] },
    );
    await sayAndExtract(
      "ann",
      "team",
      "Lea dances as well, and Bob watches her",
      [
        about("Lea dances", "Lea dances"),
        memory("Bob watches Lea dance", { subjects: ["Bob", "Lea"], quote: "Bob watches her" }),
      ],
      { people: [person] },
    );
    await sayAndExtract("ann", "alone", "Leni paints", [memory("Leni paints", { subjects: ["Leni"], quote: "Leni paints" })]);
    const made = await rows<{ id: number; public_id: string; aliases: string; relationship: string; user_id: number | null }>(
      "select * from persons where tenant_id = ? and user_id is null",
      h.tenantId,
    );
    expect(made).toMatchObject([{ aliases: '["Leni"]', relationship: "sister", user_id: null }]);
    const subjects = await rows(
      "select m.content, group_concat(p.public_id) as who from memories m join memory_subjects s on s.memory_id = m.id join persons p on p.id = s.person_id where m.tenant_id = ? group by m.id order by m.id",
      h.tenantId,
    );
    const lea = made[0]?.public_id;
    expect(subjects).toEqual([
      { content: "Lea sings", who: lea },
      { content: "Lea dances", who: lea },
      { content: "Bob watches Lea dance", who: expect.stringContaining(await personOf(h, "bob")) },
      { content: "Leni paints", who: lea },
    ]);
  });
});

describe("in a project", () => {
  it("entities are noted with the episode, and nowhere else", async () => {
    const entity = { type: "tool", name: "Postgres", notes: "The shop's database" };
    await h.fetch("PUT", "/v1/projects/shop", { body: { userId: "ann" } });
    await channel.answer(
      said([memory("The shop runs on Postgres", { subjects: [], quote: "runs on Postgres" })], { entities: [entity] }),
    );
    const { json } = await say(h, "inside", "The shop runs on Postgres", { userId: "ann", projectId: "shop" });
    await h.settle();
    await channel.answer(said([], { entities: [{ ...entity, name: "Redis" }] }));
    await say(h, "outside", "Redis would do as well", { userId: "ann" });
    await h.settle();
    expect(
      await rows(
        "select en.name, ep.public_id as episode from entities en join entity_mentions em on em.entity_id = en.id join episodes ep on ep.id = em.episode_id where en.tenant_id = ?",
        h.tenantId,
      ),
    ).toEqual([{ name: "Postgres", episode: json.id }]);
    expect(await said2("The shop runs on Postgres")).toMatchObject({ scope_type: "project", scope_id: "shop" });
    expect((await jobOf(h, "episodes.extract")).status).toBe("done");
  });
});
