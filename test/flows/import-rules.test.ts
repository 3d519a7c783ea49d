import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { makeRichTenant } from "#test/rich-tenant";
import { withAt } from "#test/string-fields";
import { download, importLines, type Line, sendTo } from "./export-rows.ts";

/**
 * An import of an export of Edgewise stores nothing that the API refuses: each field of a line that a request can set takes each of these
 * values, and the same value is sent in the request. Where the request is refused, the line has to be left out.
 */

const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => ({ inner }), {} as unknown);

const NAMES: readonly string[] = [
  ...["", " ", ".", "..", "a\u0000b", "a\u001b[31m", "\ud800", "a\ufffdb", "x".repeat(201), "x".repeat(5_000)],
  ...["proxy:victim", "proxy:victim/garden", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "my password: hunter2x9"],
  "4539\u00a01488\u00a00343\u00a06467",
];
const TEXTS: readonly string[] = ["", " \n", "x".repeat(70_000), "my password: hunter2x9", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"];

type Case = {
  kind: string;
  /** The place in the row, and the one in the request; `id` is the request's path. */
  field: string;
  row: (string | number)[];
  values: readonly unknown[];
  send: (value: unknown) => { method: string; path: string; body: unknown };
};

const put = (path: string, field: string) => (value: unknown) => ({
  ...{ method: "PUT", path, body: { userId: "ann", ...(field === "id" ? {} : { [field]: value }) } },
});
const post = (path: string, body: object) => (field: (string | number)[]) => (value: unknown) => ({
  ...{ method: "POST", path, body: withAt({ userId: "ann", ...body }, field, value) },
});
const idIn = (base: string) => (value: unknown) => ({
  ...{ method: "PUT", path: `${base}/${encodeURIComponent(String(value).toWellFormed())}`, body: { userId: "ann" } },
});
const message = post("/v1/sessions/refused/episodes", { messages: [{ role: "user", content: "tea" }] });
const memory = post("/v1/memories", { content: "tea" });
const person = post("/v1/people", { name: "Ros" });
const entity = post("/v1/entities", { projectId: "garden", type: "tool", name: "Spade" });
const fact = post("/v1/facts", { topic: "tea", rank: 1, value: "green" });

const CASES: Case[] = [
  {
    kind: "users",
    field: "id",
    row: ["externalId"],
    values: NAMES,
    send: (value) => ({ ...idIn("/v1/users")(value), body: {} }),
  },
  {
    ...{ kind: "users", field: "timeZone", row: ["timeZone"], values: ["Not/AZone", "x".repeat(61)] },
    send: (value) => ({ method: "PUT", path: "/v1/users/refused", body: { timeZone: value } }),
  },
  {
    kind: "projects",
    field: "ownMemories",
    row: ["ownMemories"],
    values: [7, "no"],
    send: put("/v1/projects/refused", "ownMemories"),
  },
  { kind: "projects", field: "id", row: ["externalId"], values: NAMES, send: idIn("/v1/projects") },
  { kind: "projects", field: "name", row: ["name"], values: NAMES, send: put("/v1/projects/refused", "name") },
  {
    ...{ kind: "sessions", field: "id", row: ["externalId"], send: idIn("/v1/sessions") },
    // Names of others' chats depend on who owns the session, which a dry run does not know: they are tested below.
    values: NAMES.filter((name) => !name.startsWith("proxy:")),
  },
  {
    kind: "sessions",
    field: "title",
    row: ["title"],
    values: [...NAMES, "x".repeat(501)],
    send: put("/v1/sessions/refused", "title"),
  },
  ...[
    { field: "content", row: ["text"], values: TEXTS },
    { field: "role", row: ["role"], values: ["wizard", "", "developer2"] },
    { field: "speaker", row: ["speaker"], values: ["", "x".repeat(201)] },
    { field: "messageId", row: ["messageId"], values: NAMES },
    { field: "occurredAt", row: ["occurredAt"], values: ["2126-01-01T00:00:00Z"] },
  ].map(({ field, row, values }) => ({
    ...{ kind: "episodes", field: `messages.${field}`, row: ["messages", 0, ...row], values },
    send: message(["messages", 0, field]),
  })),
  ...["name", "relationship", "notes"].map((field) => ({
    ...{ kind: "persons", field, row: [field], values: [...NAMES, ...TEXTS] },
    send: person([field]),
  })),
  { kind: "persons", field: "aliases", row: ["aliases", 0], values: NAMES, send: person(["aliases", 0]) },
  {
    ...{ kind: "persons", field: "all aliases", row: ["aliases"], values: [Array.from({ length: 21 }, (_, i) => `Alias ${i}`)] },
    send: person(["aliases"]),
  },
  ...["key", "workspaceId", "scopeType", "scopeId"].map((field) => ({
    ...{ kind: "memories", field, row: [field], values: NAMES },
    send: memory([field]),
  })),
  { kind: "memories", field: "content", row: ["content"], values: [...TEXTS, "x".repeat(4_001)], send: memory(["content"]) },
  { kind: "memories", field: "type", row: ["type"], values: ["wizardry"], send: memory(["type"]) },
  { kind: "memories", field: "confidence", row: ["confidence"], values: [-1, 2, "high"], send: memory(["confidence"]) },
  {
    ...{ kind: "memories", field: "metadata", row: ["metadata"] },
    values: [nested(21), { long: "x".repeat(9_000) }, [], "text", { password: "hunter2x9" }],
    send: memory(["metadata"]),
  },
  {
    ...{ kind: "memories", field: "subjects", row: ["subjects"] },
    values: [Array.from({ length: 21 }, (_, i) => i + 1)],
    send: (value) => memory(["subjects"])((value as number[]).map((id) => `per_${id}`)),
  },
  ...["type", "name", "notes"].map((field) => ({
    ...{ kind: "entities", field, row: [field], values: [...NAMES, "x".repeat(20_000)] },
    send: entity([field]),
  })),
  { kind: "facts", field: "topic", row: ["topic"], values: NAMES, send: fact(["topic"]) },
  { kind: "facts", field: "value", row: ["value"], values: TEXTS, send: fact(["value"]) },
  { kind: "facts", field: "rank", row: ["rank"], values: [51, -1, 1.5], send: fact(["rank"]) },
  {
    ...{ kind: "topics", field: "key", row: ["key"], values: ["Tea", "a b", "x".repeat(81), ""] },
    send: (value) => ({
      method: "PUT",
      path: `/v1/topics/${encodeURIComponent(String(value))}`,
      body: { nouns: [{ noun: "ti" }] },
    }),
  },
  {
    ...{ kind: "topics", field: "nouns", row: ["nouns", 0, "noun"], values: ["", "x".repeat(61)] },
    send: (value) => ({ method: "PUT", path: "/v1/topics/refused", body: { nouns: [{ noun: value }] } }),
  },
  { kind: "sources", field: "id", row: ["externalId"], values: NAMES, send: idIn("/v1/sources") },
  { kind: "sources", field: "name", row: ["name"], values: NAMES, send: put("/v1/sources/refused", "name") },
  {
    ...{
      kind: "files",
      field: "path",
      row: ["path"],
      values: ["../up", "/etc/passwd", "a\\b", "a\u0000", "x".repeat(501), "folder/"],
    },
    send: (value) => ({
      method: "POST",
      path: "/v1/sources/refused/files",
      body: { userId: "ann", files: [{ path: value, content: "tea" }] },
    }),
  },
];

let h: Harness;
let lines: Line[];

beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await makeRichTenant(sendTo(h));
  const ok = async (method: string, path: string, body: unknown) => {
    const { status, text } = await h.fetch(method, path, { body });
    expect(status, text).toBeLessThan(300);
  };
  await ok("PUT", "/v1/sources/docs", { userId: "ann", projectId: "garden" });
  await ok("POST", "/v1/sources/docs/files", { userId: "ann", files: [{ path: "tea.md", content: "Green tea" }] });
  await ok("PUT", "/v1/sources/refused", { userId: "ann", projectId: "garden" });
  await ok("PUT", "/v1/users/ann", { name: "Ann Müller", timeZone: "America/Los_Angeles" });
  await ok("PUT", "/v1/projects/closed", { userId: "ann", ownMemories: false });
  const west = "2026-03-10T23:30:00-08:00";
  await ok("POST", "/v1/sessions/west/episodes", {
    userId: "ann",
    messages: [
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }], occurredAt: west },
      { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "" } }] },
      { role: "user", content: "I live in Reno and I am allergic to walnuts.", occurredAt: west },
    ],
  });
  await h.settle();
  lines = (await download(h)).lines;
});

describe("an import stores nothing that the API refuses", () => {
  it.each(CASES)("$kind, $field", async ({ kind, row, values, send }) => {
    const line = lines.find((one) => one.kind === kind);
    if (line === undefined) throw new Error(`The export has no line ${kind}.`);
    const stored: unknown[] = [];
    let refused = 0;
    for (const value of values) {
      const { method, path, body } = send(value);
      const { status } = await h.fetch(method, path, { body });
      expect(status, `${path} ${JSON.stringify(value).slice(0, 60)}`).toBeLessThan(500);
      if (status < 400) continue;
      refused += 1;
      const given = typeof value === "string" && row.at(-1) === "occurredAt" ? Date.parse(value) : value;
      const { statistics } = await importLines(h, [{ ...line, row: withAt(line.row, row, given) }], { dryRun: true });
      // As an empty text, some columns say that there is nothing.
      if (statistics.leftOut !== 1 && value !== "") stored.push(value);
    }
    expect(stored.map((value) => JSON.stringify(value).slice(0, 80))).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });
});

it("takes every line that the service itself exported", async () => {
  expect(lines.some(({ kind, row }) => kind === "memories" && row.validOffset === -480)).toBe(true);
  const { statistics, problems } = await importLines(h, lines, { dryRun: true });
  expect([statistics.leftOut ?? 0, problems]).toEqual([0, []]);
});

it("takes no offset that no zone has", async () => {
  const line = lines.find(({ kind }) => kind === "memories");
  for (const validOffset of [1_441, -1_441, 1e15, 0.5]) {
    const { statistics } = await importLines(h, [{ ...line, row: { ...line?.row, validOffset } }], { dryRun: true });
    expect(statistics.leftOut).toBe(1);
  }
});

it("stores no session under the name of another user's chats, whoever imports it", async () => {
  const line = lines.find(({ kind, row }) => kind === "sessions" && row.kind === "private");
  const users = lines.filter(({ kind }) => kind === "users");
  const forged = {
    ...line,
    row: { ...line?.row, id: 90_001, publicId: "0199f000-0000-7000-8000-000000000001", externalId: "proxy:bob" },
  };
  const importId = h.tenantId * 1_000 + 77;
  await importLines(h, users, { importId });
  const { problems } = await importLines(h, [forged], { importId });
  expect(problems).toEqual([{ title: "sessions proxy:bob", reason: expect.stringContaining("another user") }]);
  const chat = { userId: "bob", messages: [{ role: "user", content: "Mine" }] };
  expect((await h.fetch("POST", "/v1/sessions/proxy%3Abob/episodes", { user: null, body: chat })).status).toBe(201);
});
