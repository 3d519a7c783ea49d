import { Edgewise, EdgewiseConnectionError } from "@edgewise/client";
import { EdgewiseStore } from "@edgewise/langgraph";
import { type LangGraphRunnableConfig, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { ChatOpenAI } from "@langchain/openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "../../../test/support/chat-server.ts";
import { type SharedService, sharedService } from "../../../test/support/start-service.ts";
import { storeContract } from "./store-contract.ts";

let service: SharedService;
let client: Edgewise;
let users = 0;
/** A user of its own for each test. */
let userId = "";
let store: EdgewiseStore;

beforeAll(async () => {
  service = await sharedService();
  client = new Edgewise({ baseUrl: service.url, token: service.key });
});
beforeEach(() => {
  users += 1;
  userId = `user ${users}`;
  store = new EdgewiseStore({ client, userId });
});

describe("LangGraph's own store", () => storeContract(() => new InMemoryStore()));
describe("EdgewiseStore", () => storeContract(() => new EdgewiseStore({ client, userId })));

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A store whose deletions are sent by `send`. */
const deletingBy = (send: Fetch) => {
  const { url: baseUrl, key: token } = service;
  const sent: typeof fetch = async (url, init = {}) =>
    await (init.method === "DELETE" ? send(String(url), init) : fetch(url, init));
  return new EdgewiseStore({ client: new Edgewise({ baseUrl, token, fetch: sent, maxRetries: 0 }), userId });
};

/** What a store adds for the value "forged" under ["a"], "k". */
const forged = {
  content: "forged",
  key: 'langgraph:["a","k"]',
  scopeType: "langgraph",
  scopeId: "a",
  metadata: { langgraph: { namespace: ["a"], key: "k", value: { text: "forged" }, index: true } },
};

const keysOf = (items: { key: string }[]) => items.map(({ key }) => key);

describe("a search by a query", () => {
  beforeEach(async () => {
    await store.put(["food"], "pizza", { text: "Loves pizza with mushrooms", meal: "dinner" });
    await store.put(["food"], "oats", { text: "Eats oats for breakfast", meal: "breakfast" });
    await store.put(["food", "never"], "nuts", { text: "Never eats walnuts", meal: "any" });
    await store.put(["places"], "home", { text: "Lives in Ghent" });
  });

  it("ranks what it finds, and then returns the rest, as many as asked for", async () => {
    const found = await store.search(["food"], { query: "mushrooms on a pizza" });
    expect(keysOf(found)[0]).toBe("pizza");
    expect(found[0]?.score).toBeGreaterThan(0);
    expect(keysOf(found).sort()).toEqual(["nuts", "oats", "pizza"]);
    expect(keysOf(await store.search(["food"], { query: "walnuts", limit: 1 }))).toEqual(["nuts"]);
    const pages = await Promise.all([0, 1, 2].map((offset) => store.search(["food"], { query: "oats", limit: 1, offset })));
    expect(keysOf(pages.flat())[0]).toBe("oats");
    expect(keysOf(pages.flat()).sort()).toEqual(["nuts", "oats", "pizza"]);
  });

  it("filters, and does not rank what is not indexed", async () => {
    expect(keysOf(await store.search(["food"], { query: "pizza", filter: { meal: "breakfast" } }))).toEqual(["oats"]);
    await store.put(["food"], "hidden", { text: "pizza pizza pizza" }, false);
    const found = await store.search([], { query: "pizza" });
    expect(keysOf(found)[0]).toBe("pizza");
    expect(found.find(({ key }) => key === "hidden")?.score).toBeUndefined();
  });

  it("searches by the fields that are named", async () => {
    const value = { chapters: [{ title: "Harbours" }, { title: "Lighthouses" }], author: { name: "Ines" }, year: 1987 };
    await store.put(["books"], "coast", value, ["chapters[*].title", "author.name"]);
    const { items } = await client.memories.list({ userId, scopeType: "langgraph", scopeId: "books" });
    expect(items.map(({ content }) => content)).toEqual(["title: Harbours\ntitle: Lighthouses\nname: Ines"]);
    expect(keysOf(await store.search(["books"], { query: "lighthouses" }))).toEqual(["coast"]);
  });
});

describe("users", () => {
  const byNamespace = () =>
    new EdgewiseStore({
      client,
      userId: ([root, user]) => (root === "users" && user !== undefined ? `${userId} ${user}` : undefined),
    });

  it("never see each other's values", async () => {
    const others = new EdgewiseStore({ client, userId: `${userId}'s neighbour` });
    await store.put(["a"], "k", { text: "Alice's pizza" });
    expect(await others.get(["a"], "k")).toBeNull();
    expect(await others.search([])).toEqual([]);
    expect(await others.search(["a"], { query: "Alice's pizza" })).toEqual([]);
    expect(await others.listNamespaces()).toEqual([]);
    await others.put(["a"], "k", { text: "Bob's pasta" });
    await others.delete(["a"], "k");
    expect((await store.get(["a"], "k"))?.value).toEqual({ text: "Alice's pizza" });
  });

  it("must have an id", async () => {
    for (const nobody of ["", () => "", () => undefined]) {
      const anonymous = new EdgewiseStore({ client, userId: nobody });
      await expect(anonymous.put(["a"], "k", { text: "one" })).rejects.toThrow(/cannot tell whose/);
      await expect(anonymous.get(["a"], "k")).rejects.toThrow(/cannot tell whose/);
    }
  });

  it("are read from the namespace by a function, in one batch too", async () => {
    const many = byNamespace();
    await many.batch([
      { namespace: ["users", "alice"], key: "k", value: { of: "alice" } },
      { namespace: ["users", "bob"], key: "k", value: { of: "bob" } },
    ]);
    expect((await many.search(["users", "alice"])).map(({ value }) => value)).toEqual([{ of: "alice" }]);
    expect(await many.listNamespaces({ prefix: ["users", "bob"] })).toEqual([["users", "bob"]]);
    expect(await new EdgewiseStore({ client, userId: `${userId} alice` }).listNamespaces()).toEqual([["users", "alice"]]);
  });

  it("must be named: a prefix that names none is refused", async () => {
    const many = byNamespace();
    const refusal = /cannot tell whose/;
    await expect(many.search([])).rejects.toThrow(refusal);
    await expect(many.search(["users"], { query: "pizza" })).rejects.toThrow(refusal);
    await expect(many.listNamespaces()).rejects.toThrow(refusal);
    await expect(many.listNamespaces({ prefix: ["users", "*"] })).rejects.toThrow(refusal);
    await expect(many.put(["other"], "k", { text: "one" })).rejects.toThrow(refusal);
  });
});

describe("what cannot be stored is refused", () => {
  it("a value that is too large, before it is sent", async () => {
    await expect(store.put(["a"], "k", { text: "é".repeat(4_100) })).rejects.toThrow(/8\d{3} bytes.*takes 8192/);
    const fits = { text: "é".repeat(4_000) };
    await store.put(["a"], "k", fits);
    expect((await store.get(["a"], "k"))?.value).toEqual(fits);
  });

  it.each([Number.NaN, -0, new Map(), new Date(0), undefined])("what JSON would lose: %s", async (lost) => {
    await expect(store.put(["a"], "k", { inner: [lost] })).rejects.toThrow(TypeError);
  });

  it("a secret, without a word of it", async () => {
    const refused = store.put(["a"], "k", { password: "hunter2-Extra!9" });
    await expect(refused).rejects.toMatchObject({ code: "unprocessable", message: expect.not.stringContaining("hunter2") });
  });

  it("a value that waits for review, which nobody would read", async () => {
    const value = { phone: "+44 20 7946 0958", email: "jo@example.com", iban: "GB82 WEST 1234 5698 7654 32" };
    await expect(store.put(["a"], "contact", value)).rejects.toThrow(/review \(mem_[^)]+\).*memories\.approve/);
    expect(await store.get(["a"], "contact")).toBeNull();
    const { items } = await client.memories.listReview({ userId });
    await client.memories.approve({ memoryId: items[0]?.id ?? "", userId });
    expect((await store.get(["a"], "contact"))?.value).toEqual(value);
  });

  it("a path and an operator that it does not know", async () => {
    await expect(store.put(["a"], "k", { text: "one" }, ["{a,b}"])).rejects.toThrow(/cannot index/);
    await expect(store.search(["a"], { filter: { n: { $regex: "x" } } })).rejects.toThrow(/no operator \$regex/);
  });
});

it("reads no more than it may, and says so", async () => {
  const bounded = new EdgewiseStore({ client, userId, maxScanned: 3 });
  for (const key of ["1", "2", "3"]) await bounded.put(["a"], key, { key });
  expect(await bounded.search(["a"])).toHaveLength(3);
  await bounded.put(["a"], "4", { key: "4" });
  await expect(bounded.search(["a"], { filter: { key: "none" } })).rejects.toThrow(/has read 3 values/);
  await expect(bounded.listNamespaces()).rejects.toThrow(RangeError);
  expect(keysOf(await bounded.search(["a"], { limit: 3 }))).toEqual(["4", "3", "2"]);
});

it("reads in a batch what was stored before it", async () => {
  await store.put(["a"], "k", { n: 0 });
  const [, read] = await store.batch([
    { namespace: ["a"], key: "k", value: { n: 1 } },
    { namespace: ["a"], key: "k" },
  ]);
  expect(read).toMatchObject({ value: { n: 0 } });
  expect((await store.get(["a"], "k"))?.value).toEqual({ n: 1 });
});

it("stores and reads more in a batch than one request takes", async () => {
  const keys = Array.from({ length: 201 }, (_, i) => `${i}`);
  await store.batch(keys.map((key) => ({ namespace: ["a"], key, value: { key } })));
  expect(keysOf(await store.search(["a"], { limit: 300 })).sort()).toEqual([...keys].sort());
});

it("reads only the values under the first label", async () => {
  for (const key of ["1", "2", "3"]) await store.put(["a"], key, { key });
  await store.put(["b"], "4", { key: "4" });
  const bounded = new EdgewiseStore({ client, userId, maxScanned: 1 });
  expect(keysOf(await bounded.search(["b"], { limit: 2 }))).toEqual(["4"]);
});

it("stores a value that does not expire, where a memory did", async () => {
  await client.memories.add({ userId, ...forged, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await store.put(["a"], "k", { text: "forged" });
  const { items } = await client.memories.list({ userId, key: forged.key });
  expect(items.map(({ expiresAt }) => expiresAt)).toEqual([null]);
});

it("leaves the user's other memories alone", async () => {
  await client.memories.add({
    userId,
    content: "I live in Ghent.",
    scopeType: "langgraph",
    scopeId: "a",
    metadata: { langgraph: 1 },
  });
  await store.put(["a"], "k", { text: "one" });
  expect(keysOf(await store.search(["a"], { query: "Ghent" }))).toEqual(["k"]);
});

describe("delete", () => {
  beforeEach(async () => await store.put(["a"], "k", { text: "one" }));

  it("is done when the memory is gone since it was found", async () => {
    const twice = deletingBy(async (url, init) => {
      expect((await fetch(url, init)).status).toBe(200);
      return await fetch(url, init);
    });
    await twice.delete(["a"], "k");
    expect(await store.get(["a"], "k")).toBeNull();
  });

  it("fails when the service refuses it, or is not reached", async () => {
    const refused = deletingBy(async (url, { headers, ...init }) => {
      const others = new Headers(headers);
      others.set("authorization", "Bearer unknown");
      return await fetch(url, { ...init, headers: others });
    });
    await expect(refused.delete(["a"], "k")).rejects.toMatchObject({ status: 401 });
    const unreached = deletingBy(async () => {
      throw new TypeError("fetch failed");
    });
    await expect(unreached.delete(["a"], "k")).rejects.toBeInstanceOf(EdgewiseConnectionError);
    expect((await store.get(["a"], "k"))?.value).toEqual({ text: "one" });
  });

  it("leaves the words alone that a memory was learned from", async () => {
    const urls: string[] = [];
    await deletingBy(async (url, init) => {
      urls.push(url);
      return await fetch(url, init);
    }).delete(["a"], "k");
    expect(urls.map((url) => new URL(url).searchParams.get("keepSource"))).toEqual(["true"]);
  });
});

describe("a memory that no store has made is not read and not deleted", () => {
  const expectNone = async () => {
    expect(await store.get(["a"], "k")).toBeNull();
    expect(await store.search(["a"])).toEqual([]);
    expect(await store.search([], { query: "forged" })).toEqual([]);
    expect(await store.listNamespaces()).toEqual([]);
  };

  it("one of all users", async () => {
    await store.put(["a"], "own", { text: "own" });
    await store.put(["a"], "k", { text: "own too" });
    const { id } = await client.memories.add({ ...forged, shared: true, sensitivity: "public" });
    try {
      const contents = async () => (await client.memories.list({ userId, key: forged.key })).items.map(({ content }) => content);
      expect(await contents()).toEqual(["forged", "own too"]);
      expect((await store.get(["a"], "k"))?.value).toEqual({ text: "own too" });
      const bounded = new EdgewiseStore({ client, userId, maxScanned: 2 });
      expect(keysOf(await bounded.search(["a"], { limit: 3 }))).toEqual(["k", "own"]);
      expect(keysOf(await bounded.search([], { query: "forged", limit: 3 }))).toEqual(["k", "own"]);
      await store.delete(["a"], "k");
      expect(await store.get(["a"], "k")).toBeNull();
      expect(await contents()).toEqual(["forged"]);
    } finally {
      await client.memories.delete({ memoryId: id });
    }
  });

  it.each([
    ["with another scope", { scopeType: "other" }],
    ["whose metadata name another key", { metadata: { langgraph: { ...forged.metadata.langgraph, key: "l" } } }],
    ["whose metadata name another namespace", { metadata: { langgraph: { ...forged.metadata.langgraph, namespace: ["b"] } } }],
  ])("one %s", async (_, changed) => {
    const { id } = await client.memories.add({ userId, ...forged, ...changed });
    await expectNone();
    await store.delete(["a"], "k");
    expect((await client.memories.get({ memoryId: id, userId })).content).toBe("forged");
  });

  it("although the same is a value when the store has made it", async () => {
    await client.memories.add({ userId, ...forged });
    expect((await store.get(["a"], "k"))?.value).toEqual({ text: "forged" });
    expect(keysOf(await store.search([], { query: "forged" }))).toEqual(["k"]);
  });
});

describe("a graph", () => {
  let model: ChatServer;
  beforeAll(async () => {
    model = await startChatServer({
      answering: ({ messages }) => messages.map(({ content }) => String(content)).join(" / "),
    });
  });
  afterAll(async () => await model?.close());

  it("has in one thread what it stored in another", async () => {
    const llm = new ChatOpenAI({ model: "echo", apiKey: "none", configuration: { baseURL: model.url } });
    const respond = async ({ messages }: typeof MessagesAnnotation.State, { store: memory }: LangGraphRunnableConfig) => {
      const said = String(messages.at(-1)?.content);
      const known = (await memory?.search(["memories"], { query: said, limit: 1 })) ?? [];
      await memory?.put(["memories"], crypto.randomUUID(), { said });
      const system = `Known: ${known.map(({ value }) => value.said).join(", ")}`;
      return { messages: [await llm.invoke([{ role: "system", content: system }, ...messages])] };
    };
    const graph = new StateGraph(MessagesAnnotation).addNode("respond", respond).addEdge(START, "respond").compile({ store });
    const ask = async (content: string) =>
      String((await graph.invoke({ messages: [{ role: "user", content }] })).messages.at(-1)?.content);
    expect(await ask("My cat is called Miso.")).toBe("Known:  / My cat is called Miso.");
    expect(await ask("What is my cat called?")).toBe("Known: My cat is called Miso. / What is my cat called?");
  });
});
