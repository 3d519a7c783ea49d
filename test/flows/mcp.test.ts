import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { callTool, connect, ERAS } from "#test/mcp-client";
import { add } from "./memory-requests.ts";
import { append, rows, say } from "./requests.ts";

const ALICE = { "x-edgewise-user": "alice" };
/** Of the tokens of the whole list; the margin is for tokenizers that count more. */
const MAX_TOKENS = 1_900;

type Results = { results: { id: string; title: string; url: string; text: string; kind: string; speaker?: string }[] };
type Document = { id: string; title: string; text: string; url: string; metadata: Record<string, unknown> };
type Forgotten = { dryRun: boolean; matched: number; forgotten: number; memories?: { id: string; content: string }[] };
type Written = { id: string; status?: string; created?: boolean };

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

describe.each(ERAS)("in the %s era", (era) => {
  it("speaks the protocol of the era, and says who it is and how to use it", async () => {
    const client = await connect(h, { era });
    expect(client.getNegotiatedProtocolVersion()).toBe(era === "legacy" ? "2025-11-25" : "2026-07-28");
    expect(client.getServerVersion()).toMatchObject({ name: "edgewise" });
    expect(client.getInstructions()).toMatch(/call context/);
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {}, prompts: {} });
  });

  it("remembers, finds, reads, corrects and forgets", async () => {
    const client = await connect(h, { era });
    const stored = await callTool<Written>(client, "remember", { content: "I drink oolong tea.", type: "preference" });
    expect(stored).toMatchObject({ isError: false, json: { created: true, status: "approved" } });
    const { id } = stored.json;
    expect(
      (await callTool<Written>(client, "remember", { content: "I drink oolong tea.", type: "preference" })).json,
    ).toMatchObject({
      id,
      created: false,
    });
    const found = await callTool<Results>(client, "search", { query: "Which tea?" });
    expect(found.json.results).toMatchObject([{ id, text: "I drink oolong tea.", kind: "memory", type: "preference" }]);
    expect(await callTool(client, "update", { id, content: "I drink sencha tea." })).toMatchObject({ isError: false });
    expect((await callTool<Document>(client, "fetch", { id })).json).toMatchObject({ text: "I drink sencha tea." });
    const context = await callTool<{ block: string; items: { id: string }[] }>(client, "context", { query: "Which tea?" });
    expect(context.text).toBe(context.json.block);
    expect(context.json).toMatchObject({
      block: expect.stringContaining("sencha"),
      items: [{ id, citation: "[M1]", kind: "memory" }],
    });
    expect((await callTool<Forgotten>(client, "forget", { id })).json).toMatchObject({ dryRun: false, forgotten: 1 });
    expect((await callTool<Results>(client, "search", { query: "Which tea?" })).json.results).toEqual([]);
    expect(await callTool(client, "fetch", { id })).toEqual({
      isError: true,
      text: "There is no such memory, or you may not see it.",
      json: undefined,
    });
  });

  it("changes what has a key in place, and says what waits for review", async () => {
    const client = await connect(h, { era });
    const first = await callTool<Written>(client, "remember", { content: "I live in Lyon.", key: "identity:home" });
    const moved = await callTool<Written>(client, "remember", { content: "I live in Nantes.", key: "identity:home" });
    expect(moved).toMatchObject({
      json: { id: first.json.id, created: false },
      text: expect.stringContaining("existed already"),
    });
    expect((await callTool<Document>(client, "fetch", { id: first.json.id })).json.text).toBe("I live in Nantes.");
    await h.fetch("PATCH", "/v1/settings", { body: { piiReview: true } });
    const waiting = await callTool<Written>(client, "remember", { content: "My passport number is C01X00T47." });
    expect(waiting).toMatchObject({ json: { status: "pending" }, text: expect.stringContaining("waits for review") });
    expect(await callTool(client, "fetch", { id: waiting.json.id })).toMatchObject({ isError: true });
  });

  it("finds and reads what was said", async () => {
    const messages = [
      { role: "user", content: "Our boat is called Pelikan." },
      { role: "assistant", content: "A fine name." },
    ];
    await append(h, "harbour", { userId: "alice", messages });
    const client = await connect(h, { era });
    const found = await callTool<Results>(client, "search", { query: "What is the boat called?" });
    const [hit] = found.json.results;
    expect(hit).toMatchObject({ kind: "episode", text: "Our boat is called Pelikan.", speaker: "user" });
    const read = await callTool<Document>(client, "fetch", { id: hit?.id });
    expect(read.json).toMatchObject({
      text: "user: Our boat is called Pelikan.\nassistant: A fine name.",
      metadata: { kind: "episode", sessionId: "harbour", isWhole: true },
    });
  });

  it("answers from lists, and lists people", async () => {
    await say(h, "lists", "My packing list: socks, passport, charger", { userId: "alice" });
    const { json } = await h.fetch<{ id: string }>("POST", "/v1/people", {
      body: { userId: "alice", name: "Bruno", relationship: "dentist" },
    });
    const client = await connect(h, { era });
    expect((await callTool(client, "answer", { question: "What is second on my packing list?" })).json).toMatchObject({
      routed: true,
      found: true,
      text: expect.stringContaining("passport"),
    });
    expect((await callTool(client, "answer", { question: "How are you?" })).json).toMatchObject({ routed: false });
    const people = await callTool(client, "people", { name: "bruno" });
    expect(people.json).toMatchObject({ people: [{ id: json.id, name: "Bruno", relationship: "dentist" }] });
    expect(people.text).toBe(`${json.id} Bruno, dentist`);
  });

  it("has the profile as a resource, and recall as a prompt", async () => {
    await add(h, { userId: "alice", content: "My name is Alice Moreau.", type: "identity" });
    const client = await connect(h, { era });
    expect((await client.listResources()).resources).toMatchObject([{ uri: "edgewise://profile", mimeType: "text/markdown" }]);
    const { contents } = await client.readResource({ uri: "edgewise://profile" });
    expect(contents).toMatchObject([
      { text: expect.stringMatching(/^## identity\n\n- My name is Alice Moreau\. \(since \d{4}-/) },
    ]);
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: "recall", arguments: [{ name: "question", required: true }] },
    ]);
    const { messages } = await client.getPrompt({ name: "recall", arguments: { question: "What is my name?" } });
    expect(messages).toMatchObject([
      { role: "user", content: { type: "text", text: expect.stringMatching(/Alice Moreau[\s\S]*What is my name\?$/) } },
    ]);
  });

  it("says what is wrong with a call, as a result that the model reads", async () => {
    const client = await connect(h, { era });
    const wrong = async (name: string, args: Record<string, unknown>) => await callTool(client, name, args);
    expect(await wrong("forget", { olderThenDays: 3 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Did you mean `olderThanDays`?"),
    });
    expect(await wrong("search", {})).toMatchObject({ isError: true, text: expect.stringContaining("`query`") });
    expect(await wrong("search", { query: "tea", limit: 1000 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("100"),
    });
    expect(await wrong("search", { query: "tea", from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("ends before it begins"),
    });
    expect(await wrong("fetch", { id: "nothing" })).toMatchObject({ isError: true });
    expect(await wrong("remember", { content: "My card is 4111 1111 1111 1111." })).toMatchObject({
      isError: true,
      text: expect.stringContaining("card number"),
    });
    expect(await wrong("remember", { content: "It is mine.", key: "AKIAQ3EGRH7TMNPL2WXZ" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/Secrets are never stored.*key/),
    });
    expect(await wrong("remember", { content: "We meet on Monday.", forGroup: true })).toMatchObject({
      isError: true,
      text: expect.stringContaining("x-edgewise-session"),
    });
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: "edgewise://nothing" })).rejects.toMatchObject({ code: -32602 });
    expect(await rows("select id from memories where tenant_id = ?", h.tenantId)).toEqual([]);
  });

  it("needs a server key to name the user, and lists without one", async () => {
    const client = await connect(h, { era, headers: {} });
    expect((await client.listTools()).tools).toHaveLength(8);
    const unnamed = expect.stringMatching(/Name the user: `x-edgewise-user`/);
    expect(await callTool(client, "remember", { content: "I like tea." })).toMatchObject({ isError: true, text: unnamed });
    await expect(client.readResource({ uri: "edgewise://profile" })).rejects.toMatchObject({ code: -32602, message: unnamed });
    await expect(client.getPrompt({ name: "recall", arguments: { question: "Tea?" } })).rejects.toMatchObject({
      message: unnamed,
    });
    const wrong = await connect(h, { era, headers: { "x-edgewise-user": "100%" } });
    expect(await callTool(wrong, "search", { query: "tea" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("percent-encoded"),
    });
  });

  it("needs no name from a personal key, and refuses another one", async () => {
    const { json } = await h.fetch<{ key: string }>("POST", "/v1/keys", {
      body: { name: "desk", permissions: ["read", "write"], userId: "josé" },
    });
    const client = await connect(h, { era, key: json.key, headers: {} });
    await callTool(client, "remember", { content: "I like black tea." });
    const same = await connect(h, { era, headers: { "x-edgewise-user": encodeURIComponent("josé") } });
    expect((await callTool<Results>(same, "search", { query: "tea" })).json.results).toHaveLength(1);
    const other = await connect(h, { era, key: json.key, headers: ALICE });
    expect(await callTool(other, "search", { query: "tea" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("bound to one user"),
    });
  });
});

describe("the list of tools", () => {
  it("is short, in a fixed order, and costs a model fewer tokens than the limit", async () => {
    const lists = await Promise.all(ERAS.map(async (era) => (await (await connect(h, { era })).listTools()).tools));
    const [tools = [], modern] = lists;
    expect(tools.map(({ name }) => name)).toEqual([
      ...["search", "fetch", "context", "answer", "people", "remember", "update", "forget"],
    ]);
    expect(modern).toEqual(tools);
    expect(encode(JSON.stringify(tools)).length).toBeLessThan(MAX_TOKENS);
  });

  it("bounds every number and every text of the arguments, and closes no object", async () => {
    const { tools } = await (await connect(h)).listTools();
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of schemasIn(inputSchema)) {
        if (isNumber(schema)) expect(schema, name).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
        if (isText(schema)) expect("maxLength" in schema || "enum" in schema || "format" in schema, name).toBe(true);
      }
      expect(outputSchema, name).toMatchObject({ type: "object" });
      expect(JSON.stringify([inputSchema, outputSchema]), name).not.toContain("additionalProperties");
    }
  });

  it("says which tools change and which destroy", async () => {
    const { tools } = await (await connect(h)).listTools();
    for (const { name, annotations, description } of tools) {
      expect(description, name).toMatch(/\.$/);
      expect(annotations, name).toMatchObject({ title: expect.any(String), openWorldHint: false });
      expect(annotations?.readOnlyHint, name).toBe(!["remember", "update", "forget"].includes(name));
      expect(annotations?.destructiveHint, name).toBe(["update", "forget"].includes(name));
    }
  });
});

type Schema = Record<string, unknown>;

function schemasIn(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(schemasIn);
  return [{ ...value }, ...inner];
}

const isNumber = ({ type }: Schema) => type === "integer" || type === "number";
const isText = ({ type }: Schema) => type === "string" || (Array.isArray(type) && type.includes("string"));

describe("search and fetch", () => {
  it("have the form that ChatGPT's connectors read: one text of JSON", async () => {
    const client = await connect(h);
    const { json } = await callTool<Written>(client, "remember", { content: `I ${"really ".repeat(30)}like tea.` });
    const found = await client.callTool({ name: "search", arguments: { query: "tea" } });
    const url = `https://edgewise.test/v1/memories/${json.id}`;
    expect(contentOf(found)).toEqual(found.structuredContent);
    expect(contentOf(found)).toMatchObject({
      results: [{ id: json.id, title: expect.stringMatching(/^I really .{80,91}…$/), url }],
    });
    const read = await client.callTool({ name: "fetch", arguments: { id: json.id } });
    expect(contentOf(read)).toEqual(read.structuredContent);
    expect(contentOf(read)).toMatchObject({
      id: json.id,
      text: `I ${"really ".repeat(30)}like tea.`,
      url,
      metadata: { kind: "memory" },
    });
    expect((await h.fetch("GET", new URL(url).pathname, { user: "alice" })).status).toBe(200);
  });

  it("name an address of a passage at which the API has it", async () => {
    await say(h, "a session/with a slash", "The harbour is in Kiel.", { userId: "alice" });
    const { json } = await callTool<Results>(await connect(h), "search", { query: "harbour" });
    const url = new URL(json.results[0]?.url ?? "");
    expect((await h.fetch("GET", `${url.pathname}?userId=alice`)).status).toBe(200);
  });

  it("cut a long text, and say so", async () => {
    await say(h, "long", `Begin ${"words and words ".repeat(3_500)}`, { userId: "alice" });
    const client = await connect(h);
    const { json } = await callTool<Results>(client, "search", { query: "words" });
    const read = await callTool<Document>(client, "fetch", { id: json.results[0]?.id });
    expect(read.json.text).toHaveLength(48_000);
    expect(read.json.metadata).toMatchObject({ isWhole: false });
  });
});

/** The only item of a result, which is a text of JSON. */
function contentOf({ content }: { content: unknown }): unknown {
  const [only, ...others] = Array.isArray(content) ? content : [];
  expect(others).toEqual([]);
  expect(only).toMatchObject({ type: "text" });
  return JSON.parse(only.text);
}
