import { beforeAll, describe, expect, it } from "vitest";
import type { ContextView } from "#domain/injection";
import type { MemoryView } from "#domain/memories";
import type { SearchView } from "#domain/retrieval";
import { createHarness, type Harness } from "#test/harness";
import { nth, rows } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

type Body = Record<string, unknown>;

async function remember(userId: string | undefined, content: string, extra: Body = {}): Promise<MemoryView> {
  const { status, json, text } = await h.fetch<MemoryView>("POST", "/v1/memories", { body: { userId, content, ...extra } });
  expect(status, text).toBeLessThan(300);
  return json;
}

async function ask(userId: string, query: string, extra: Body = {}): Promise<SearchView> {
  const { status, json, text } = await h.fetch<SearchView>("POST", "/v1/search", { body: { userId, query, ...extra } });
  expect(status, text).toBe(200);
  return json;
}

const textsOf = (answer: SearchView) => answer.hits.map(({ content }) => content);

async function person(body: Body): Promise<string> {
  return (await h.fetch<{ id: string }>("POST", "/v1/people", { body })).json.id;
}

async function ownPerson(userId: string): Promise<string> {
  await h.fetch("PUT", `/v1/users/${userId}`, { body: {} });
  return (await h.fetch<{ id: string }>("GET", `/v1/people/me?userId=${userId}`)).json.id;
}

async function say(userId: string, session: string, text: string): Promise<void> {
  const body = { userId, messages: [{ role: "user", content: text }] };
  expect((await h.fetch("POST", `/v1/sessions/${session}/episodes`, { body })).status).toBe(201);
}

describe("one ranking over what was said and what is known", () => {
  it("finds a memory in the request after it was stored, beside the episodes", async () => {
    await say("ida", "ida-1", "We talked about the lighthouse keeper and his lamp.");
    await remember("ida", "Is afraid of the lighthouse");
    const answer = await ask("ida", "lighthouse");
    expect(answer.hits.map(({ kind }) => kind).toSorted()).toEqual(["episode", "memory"]);
    expect(answer.hits.map(({ citation }) => citation)).toEqual(["[M1]", "[M2]"]);
    const hit = nth(
      answer.hits.filter(({ kind }) => kind === "memory"),
      0,
    );
    expect(hit).toMatchObject({
      message: null,
      memory: { content: "Is afraid of the lighthouse", ownership: "personal", class: "semantic" },
    });
    expect(hit.content.slice(hit.passage.start, hit.passage.end)).toBe(hit.memory?.content);
  });

  it("looks among the kinds that are asked for", async () => {
    await say("jon", "jon-1", "the glacier moves");
    await remember("jon", "Studies the glacier");
    expect(textsOf(await ask("jon", "glacier", { kinds: ["memory"] }))).toEqual(["Studies the glacier"]);
    expect(textsOf(await ask("jon", "glacier", { kinds: ["episode"] }))).toEqual(["the glacier moves"]);
    for (const strategy of ["text", "recent", "hybrid"]) {
      const hits = textsOf(await ask("jon", "glacier", { strategy }));
      expect(hits.toSorted(), strategy).toEqual(["Studies the glacier", "the glacier moves"]);
    }
  });

  it("filters memories by type and by class, and then brings no episodes", async () => {
    await say("kim", "kim-1", "the violin is out of tune");
    await remember("kim", "Likes the violin", { type: "preference" });
    await remember("kim", "Practised the violin", { type: "event" });
    await remember("kim", "Tune the violin with a fork", { type: "procedural" });
    expect(textsOf(await ask("kim", "violin", { types: ["event"] }))).toEqual(["Practised the violin"]);
    expect(textsOf(await ask("kim", "violin", { classes: ["factual", "procedural"] })).toSorted()).toEqual([
      "Likes the violin",
      "Tune the violin with a fork",
    ]);
    expect(textsOf(await ask("kim", "violin", { types: ["event"], classes: ["factual"] }))).toEqual([]);
    expect(textsOf(await ask("kim", "", { types: ["event"] }))).toEqual(["Practised the violin"]);
  });

  it("lets a memory and an episode that say the same stand for each other", async () => {
    await say("lea", "lea-1", "My locker is number forty two");
    await remember("lea", "My locker is number forty two");
    const { hits } = await ask("lea", "locker number", { explain: true });
    expect(hits).toHaveLength(1);
    expect(hits[0]?.explain?.similar).toBe(1);
  });

  it("weighs reinforcement, confidence and fading, and not without adjust", async () => {
    const often = await remember("mia", "The ferry leaves at noon");
    for (let i = 0; i < 3; i += 1) await remember("mia", "The ferry leaves at noon");
    await remember("mia", "The ferry is blue", { type: "observation" });
    const { hits } = await ask("mia", "ferry", { explain: true });
    expect(hits.map(({ id }) => id)[0]).toBe(often.id);
    const factors = Object.fromEntries(hits[0]?.explain?.factors.map(({ name, value }) => [name, value]) ?? []);
    expect(factors.reinforced).toBeCloseTo(1.1, 5);
    const plain = await ask("mia", "ferry", { explain: true, adjust: false });
    expect(plain.hits.flatMap(({ explain }) => explain?.factors ?? [])).toEqual([]);
  });

  it("counts a term by what the viewer may see, of both kinds", async () => {
    await say("nia", "nia-1", "a walrus");
    await remember("nia", "Saw a walrus");
    await remember("other", "Also saw a walrus");
    const { explain } = await ask("nia", "walrus", { explain: true });
    expect(explain?.terms).toEqual([{ term: "walru", found: 2 }]);
  });

  it("weighs words by how rare they are among memories alone, too", async () => {
    await remember("ned", "Saw a heron by the river");
    for (const place of ["mill", "weir", "ford"]) await remember("ned", `The river passes the ${place}`);
    const { hits, explain } = await ask("ned", "heron river", { kinds: ["memory"], explain: true });
    expect(explain?.terms.map(({ found }) => found)).toEqual([1, 4]);
    expect(nth(hits, 0).score / nth(hits, 1).score).toBeGreaterThan(3);
  });

  it("finds by vectors what shares no word", async () => {
    await remember("oda", "Prefers strawberries");
    await h.settle();
    expect(textsOf(await ask("oda", "strawberry", { strategy: "semantic" }))).toEqual(["Prefers strawberries"]);
    const { json } = await h.fetch<{ items: MemoryView[] }>("GET", "/v1/memories?userId=oda");
    expect(json.items[0]?.indexed).toEqual({ text: true, vector: true });
  });

  it("finds by vectors alone a shared memory whose hashed vector is far from the question's by chance", async () => {
    // Chosen because features of theirs share dimensions with the word's and cancel it out: their hashed cosines are 0.24 and 0.07.
    const unlucky = ["marmalade bq0x135 cq0x135 dq0x135", "marmalade bq0x1221 cq0x1221 dq0x1221"];
    const { embedder } = h.services();
    const [query, ...vectors] = await embedder.embed(["marmalade", ...unlucky], "document");
    const hashed = vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * (query?.[i] ?? 0), 0));
    expect(hashed.every((cosine) => cosine < 0.25)).toBe(true);
    for (const content of unlucky) await remember(undefined, content, { shared: true });
    await ownPerson("pia");
    await h.settle();
    const answer = await ask("pia", "marmalade", { strategy: "semantic", explain: true });
    expect(textsOf(answer).toSorted()).toEqual(unlucky.toSorted());
    for (const { explain } of answer.hits) expect(explain?.channels.semantic?.score).toBe(1);
  });

  it("stops showing by vectors what was forgotten, changed or moved out of sight", async () => {
    const memory = await remember("pam", "Collects stamps");
    await h.settle();
    await h.fetch("DELETE", `/v1/memories/${memory.id}?userId=pam`);
    expect(textsOf(await ask("pam", "stamps", { strategy: "semantic", cut: true }))).toEqual([]);
    await h.settle();
    expect(textsOf(await ask("pam", "stamps", { strategy: "hybrid" }))).toEqual([]);
  });

  it("shows what is recent where a search by meaning finds nothing, and says so", async () => {
    await remember("rex", "Collects stamps");
    await h.settle();
    const answer = await ask("rex", "volcano", { strategy: "semantic" });
    expect([answer.strategy, nth(textsOf(answer), 0)]).toEqual(["recent", "Collects stamps"]);
    expect(await ask("rex", "volcano", { strategy: "semantic", cut: true })).toMatchObject({ strategy: "semantic", hits: [] });
    expect(await ask("rex", "stamps", { strategy: "semantic" })).toMatchObject({ strategy: "semantic" });
  });

  it("finds a paragraph by its own words with the lexical embedder", async () => {
    const chapters = ["gravel", "harbour", "lantern", "orchard", "thimble", "walnut", "velvet", "quarry", "saddle", "meadow"];
    const paragraph = chapters.map(
      (word, i) => `In part ${i} the ${word} is described at length, with its smell, colour and weight.`,
    );
    await say("sal", "sal-1", `${paragraph.join(" ")} At last the ferryman hides the copper kettle under the jetty.`);
    await say("sal", "sal-1", "The kettle boils.");
    await h.settle();
    const [first] = (await ask("sal", "ferryman hides the copper kettle", { strategy: "semantic", kinds: ["episode"] })).hits;
    expect(first?.content).toContain("ferryman hides the copper kettle");
  });

  it("cuts memories that add nothing of the question, if asked to", async () => {
    await remember("tam", "The lease of the studio ends in April");
    await remember("tam", "The studio is painted yellow");
    await remember("tam", "Piotr repairs the boiler");
    const query = "When does the lease of the studio end, and who repairs the boiler?";
    expect(textsOf(await ask("tam", query))).toHaveLength(3);
    expect(textsOf(await ask("tam", query, { cut: true }))).toEqual([
      "The lease of the studio ends in April",
      "Piotr repairs the boiler",
    ]);
    const { json } = await h.fetch<ContextView>("POST", "/v1/context", { body: { userId: "tam", query } });
    const recalled = json.items.filter(({ part }) => part === "recalled").map(({ content }) => content);
    expect(recalled).not.toContain("The studio is painted yellow");
  });

  it("notes which memories were of use, once a day", async () => {
    const memory = await remember("quin", "Has a compass");
    await ask("quin", "compass");
    await h.settle();
    const recalled = "select recalled_at as at from memories where public_id = ?";
    const [first] = await rows<{ at: number | null }>(recalled, memory.id);
    expect(first?.at).toBeGreaterThan(0);
    await ask("quin", "compass");
    await h.settle();
    expect(await rows(recalled, memory.id)).toEqual([first]);
  });
});

describe("whom a question is about", () => {
  it("a name pulls in what is about that person, though it shares no other word", async () => {
    const bob = await person({ userId: "rosa", name: "Bob Keller", aliases: ["Bobby"] });
    await remember("rosa", "Plays the trumpet", { subjects: [bob] });
    await remember("rosa", "Bought a boat");
    for (const query of ["Tell me about Bob Keller", "what does bobby do?"])
      expect(textsOf(await ask("rosa", query)), query).toEqual(["Plays the trumpet"]);
  });

  it("names of any script", async () => {
    const li = await person({ userId: "sven", name: "李小龙" });
    const maria = await person({ userId: "sven", name: "Мария" });
    await remember("sven", "Trains every day", { subjects: [li] });
    await remember("sven", "Sings in a choir", { subjects: [maria] });
    expect(textsOf(await ask("sven", "李小龙喜欢什么？"))).toContain("Trains every day");
    expect(textsOf(await ask("sven", "что любит мария"))).toContain("Sings in a choir");
  });

  it("`about` brings what is about a person, and nothing else", async () => {
    const dora = await person({ userId: "tom", name: "Dora" });
    await remember("tom", "Grows orchids", { subjects: [dora] });
    await remember("tom", "Orchids need little water");
    expect(textsOf(await ask("tom", "orchids", { about: [dora] }))).toEqual(["Grows orchids"]);
    expect(textsOf(await ask("tom", "anything else", { about: [dora] }))).toEqual(["Grows orchids"]);
    expect(textsOf(await ask("tom", "", { about: [dora] }))).toEqual(["Grows orchids"]);
    expect(textsOf(await ask("tom", "orchids", { about: ["per_01a1f9d0-3659-78d9-b3c6-8fbd9da7e776"] }))).toEqual([]);
  });

  it("returns what others said about the asker in a group, when they refer to themselves", async () => {
    await h.fetch("PUT", "/v1/sessions/uma-group", { body: { participants: ["uma", "vic"] } });
    const vic = await ownPerson("vic");
    await remember("uma", "Loves pizza with pineapple", { sessionId: "uma-group", subjects: [vic] });
    await remember("uma", "Snores", { sessionId: "uma-group", subjects: [vic], portable: false });
    for (const query of ["what pizza do I love?", "What do you know about me?", "who am I"])
      expect(textsOf(await ask("vic", query)), query).toEqual(["Loves pizza with pineapple"]);
    expect(textsOf(await ask("vic", "pizza", { reach: "user" }))).toEqual([]);
    const hit = nth((await ask("vic", "what pizza do I love?", { explain: true })).hits, 0);
    expect(hit.explain?.visibleBy).toBe("cross_context");
    expect(hit.memory).toMatchObject({ metadata: {}, ownerId: null });
  });

  it("follows a person who was merged into another", async () => {
    const one = await person({ userId: "wes", name: "Zelda" });
    const two = await person({ userId: "wes", name: "Zee" });
    await remember("wes", "Paints fences", { subjects: [two] });
    expect((await h.fetch("POST", `/v1/people/${one}/merge`, { body: { userId: "wes", from: two } })).status).toBeLessThan(300);
    expect(textsOf(await ask("wes", "what does Zelda do?"))).toEqual(["Paints fences"]);
    expect(textsOf(await ask("wes", "fences", { about: [one] }))).toEqual(["Paints fences"]);
  });
});

it("what was written anew while two persons were one is found again when they are two", async () => {
  const one = await person({ userId: "ute", name: "Ulla" });
  const two = await person({ userId: "ute", name: "Ulrike" });
  const memory = await remember("ute", "Keeps bees", { subjects: [two] });
  const merged = await h.fetch<{ id: string }>("POST", `/v1/people/${one}/merge`, { body: { userId: "ute", from: two } });
  await h.fetch("DELETE", `/v1/memories/${memory.id}?userId=ute`);
  await h.fetch("POST", `/v1/memories/${memory.id}/restore?userId=ute`);
  await h.fetch("POST", `/v1/people/merges/${merged.json.id}/undo`, { body: { userId: "ute" } });
  const { json } = await h.fetch<{ items: MemoryView[] }>("GET", `/v1/memories?userId=ute&person=${two}`);
  expect(json.items.map(({ content }) => content)).toEqual(["Keeps bees"]);
  expect(textsOf(await ask("ute", "what does Ulrike do?"))).toEqual(["Keeps bees"]);
});

it("a memory that held before it was stored is found by its vector as of then", async () => {
  await remember("vera", "Played the oboe", { validFrom: "2020-05-01T00:00:00Z" });
  await h.settle();
  const asked = { strategy: "semantic", asOf: "2021-01-01T00:00:00Z" };
  expect(textsOf(await ask("vera", "oboe", asked))).toEqual(["Played the oboe"]);
});

describe("where the question is asked", () => {
  it("workspace, scope and reach narrow what memories answer", async () => {
    await remember("xia", "The budget is tight", { workspaceId: "sales" });
    await remember("xia", "The budget is generous", { scopeType: "track", scopeId: "t1" });
    await remember("xia", "The budget is yearly");
    await remember(undefined, "The budget office is on floor 2", { shared: true });
    const asked = async (extra: Body) => textsOf(await ask("xia", "budget", extra)).toSorted();
    expect(await asked({})).toEqual(["The budget is generous", "The budget is yearly", "The budget office is on floor 2"]);
    expect(await asked({ workspaceId: "sales" })).toContain("The budget is tight");
    expect(await asked({ scopeType: "track", scopeId: "t1" })).toEqual(["The budget is generous"]);
    expect(await asked({ scopeType: "global" })).toEqual(["The budget is yearly", "The budget office is on floor 2"]);
    expect(await asked({ reach: "user" })).not.toContain("The budget office is on floor 2");
    expect(await asked({ reach: "session" })).toEqual([]);
  });

  it("as of a time, what was valid then", async () => {
    const old = await remember("yan", "Lives in Oslo now", { validFrom: "2020-01-01T00:00:00Z" });
    await remember("yan", "Lives in Rome now", { supersedes: old.id, validFrom: "2024-01-01T00:00:00Z" });
    expect(textsOf(await ask("yan", "lives"))).toEqual(["Lives in Rome now"]);
    expect(textsOf(await ask("yan", "lives", { asOf: "2022-01-01T00:00:00Z" }))).toEqual(["Lives in Oslo now"]);
    expect(textsOf(await ask("yan", "lives", { asOf: "2019-01-01T00:00:00Z" }))).toEqual([]);
  });

  it("a group sees its own memories and no personal secrets of the asker", async () => {
    await h.fetch("PUT", "/v1/sessions/zed-group", { body: { participants: ["zed", "ann"] } });
    await remember("zed", "The picnic is on Sunday", { sessionId: "zed-group" });
    await remember("zed", "I dread the picnic", { sensitivity: "sensitive" });
    await remember("zed", "I bring cake to the picnic", { sensitivity: "public", portable: true });
    await remember("zed", "I never liked the picnic");
    expect(textsOf(await ask("ann", "picnic", { sessionId: "zed-group" }))).toEqual(["The picnic is on Sunday"]);
    expect(textsOf(await ask("zed", "picnic", { sessionId: "zed-group" })).toSorted()).toEqual([
      "I bring cake to the picnic",
      "The picnic is on Sunday",
    ]);
  });

  it("what waits for review, was rejected, or has gone, is not found", async () => {
    const waits = await remember("abe", "Maybe owns a yacht", { confidence: 0.2 });
    expect(textsOf(await ask("abe", "yacht"))).toEqual([]);
    await h.fetch("POST", `/v1/memories/${waits.id}/approve`, { body: { userId: "abe" } });
    expect(textsOf(await ask("abe", "yacht"))).toEqual(["Maybe owns a yacht"]);
    await h.fetch("DELETE", `/v1/memories/${waits.id}?userId=abe`);
    expect(textsOf(await ask("abe", "yacht"))).toEqual([]);
    await h.fetch("POST", `/v1/memories/${waits.id}/restore?userId=abe`);
    expect(textsOf(await ask("abe", "yacht"))).toEqual(["Maybe owns a yacht"]);
  });

  it("finds the new words of what was changed, and no longer the old", async () => {
    const memory = await remember("bea", "Works at the bakery");
    await h.fetch("PATCH", `/v1/memories/${memory.id}?userId=bea`, { body: { content: "Works at the brewery" } });
    expect(textsOf(await ask("bea", "bakery", { strategy: "text" }))).toEqual([]);
    expect(textsOf(await ask("bea", "brewery", { strategy: "text" }))).toEqual(["Works at the brewery"]);
  });
});

describe("the tenant's settings", () => {
  it("give the strategy and the budget that a request leaves open", async () => {
    const tenant = await createHarness();
    const body = { userId: "ann", content: "The marmot sleeps" };
    await tenant.fetch("POST", "/v1/memories", { body });
    await tenant.fetch("PATCH", "/v1/settings", { body: { strategy: "recent", maxTokens: 0 } });
    const search = async (extra: Body) =>
      (await tenant.fetch<SearchView>("POST", "/v1/search", { body: { userId: "ann", query: "marmot", ...extra } })).json;
    expect(await search({})).toMatchObject({ strategy: "recent", hits: [], tokens: { budget: 0 } });
    expect((await search({ strategy: "text", maxTokens: 50 })).hits).toHaveLength(1);
  });
});
