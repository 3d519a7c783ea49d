import { getTableColumns } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { exportedColumns, KINDS, NOT_EXPORTED, TABLES } from "#domain/exports";
import { JSON_COLUMNS } from "#domain/imports";
import { createHarness, type Harness } from "#test/harness";
import { makeRichTenant } from "#test/rich-tenant";
import { download, type Line, sendTo } from "./export-rows.ts";
import { nth, rows } from "./requests.ts";
import { audited } from "./upkeep-rows.ts";

describe("the list of tables", () => {
  it("has every table of the database, exported or with the reason why not", async () => {
    const stored = await rows<{ name: string }>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name not like 'd1_%'
        and name not like '%_fts_%'`,
    );
    const within = KINDS.flatMap((kind) => Object.values(TABLES[kind].within).flatMap(({ tables }) => tables));
    const listed = new Set([...KINDS, ...within, ...Object.keys(NOT_EXPORTED)]);
    expect(stored.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
    const names = new Set(stored.map(({ name }) => name));
    expect([...listed].filter((name) => !names.has(name))).toEqual([]);
  });

  it("names columns that are there, and knows what every JSON column may hold", () => {
    for (const kind of KINDS) {
      const { table, ours, references, later } = TABLES[kind];
      const columns = Object.keys(getTableColumns(table));
      const named = [...ours, ...Object.keys(references), ...Object.keys(later)].filter((name) => name !== "tenantId");
      expect(named.filter((name) => !columns.includes(name))).toEqual([]);
    }
    const json = KINDS.flatMap((kind) =>
      exportedColumns(kind).flatMap(({ name, isJson }) => (isJson ? [`${kind}.${name}`] : [])),
    );
    expect(json.filter((name) => !JSON_COLUMNS.has(name))).toEqual([]);
  });

  it("has a rule for every column that names a row by its internal id", () => {
    const ids = KINDS.flatMap((kind) => {
      const { references, later, ours } = TABLES[kind];
      const known = new Set([...Object.keys(references), ...Object.keys(later), ...ours, "id"]);
      return Object.entries(getTableColumns(TABLES[kind].table)).flatMap(([name, column]) =>
        /(?:Id|By|In|Into|supersedes|contradicts|ownerId|episode)$/.test(name) && column.dataType === "number" && !known.has(name)
          ? [`${kind}.${name}`]
          : [],
      );
    });
    expect(ids).toEqual([]);
  });
});

describe("an export", () => {
  let h: Harness;
  beforeEach(async () => {
    h = await createHarness({ replace: () => ({ log: () => undefined }) });
    await makeRichTenant(sendTo(h));
    await h.settle();
  });

  const sha256 = async (lines: readonly string[]) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  it("ends with the counts and the hashes of its lines", async () => {
    const { text } = await download(h);
    const lines = text.trimEnd().split("\n");
    const end = JSON.parse(nth(lines, -1));
    expect(end.total).toEqual({ lines: lines.length - 1, sha256: await sha256(lines.slice(0, -1)) });
    for (const [kind, { lines: count, sha256: hash }] of Object.entries<{ lines: number; sha256: string }>(end.kinds)) {
      const own = lines.slice(1, -1).filter((line) => line.startsWith(`{"kind":"${kind}"`));
      expect([kind, own.length, await sha256(own)]).toEqual([kind, count, hash]);
    }
    expect(Object.keys(end.kinds)).toEqual(
      expect.arrayContaining(["users", "episodes", "memories", "links", "settings", "facts"]),
    );
  });

  it("has the same rows in parts of any length", async () => {
    const whole = (await download(h)).lines.slice(1, -1);
    const parts: Line[] = [];
    let from: string | null = null;
    do {
      const { lines } = await download(h, `?rows=3${from === null ? "" : `&from=${from}`}`);
      parts.push(...lines.slice(1, -1));
      expect(lines.length).toBeLessThanOrEqual(5);
      from = nth(lines, -1).nextFrom;
    } while (from !== null);
    expect(parts).toEqual(whole);
    expect((await h.fetch("GET", "/v1/exports?from=bm9uc2Vuc2U", { user: null })).status).toBe(422);
  });

  it("holds no secret", async () => {
    await h.fetch("PATCH", "/v1/settings", {
      body: { upstream: { url: "http://127.0.0.1:9/v1", apiKey: "sk-upstream-secret" } },
    });
    const { text } = await download(h);
    const [key] = await rows<{ hash: string }>("select hash from keys where tenant_id = ?", h.tenantId);
    for (const secret of [key?.hash ?? "none", "sk-upstream-secret", "apiKey", "upstream", h.key])
      expect(text).not.toContain(secret);
  });

  it("of a user has what is theirs and nothing of others", async () => {
    const { lines, text } = await download(h, "?userId=bob");
    expect(lines.filter(({ kind }) => kind === "users").map(({ row }) => row.externalId)).toEqual(["bob"]);
    expect(lines.filter(({ kind }) => kind === "sessions").map(({ row }) => row.externalId)).toEqual(["bobs"]);
    const owned = lines.filter(({ kind }) => kind === "memories");
    const [bob] = await rows<{ id: number }>("select id from users where tenant_id = ? and external_id = 'bob'", h.tenantId);
    expect(owned.length).toBeGreaterThan(0);
    expect(owned.every(({ row }) => row.ownerId === bob?.id && row.deletedAt === null)).toBe(true);
    // Of the group, his own words only; of Ann's project, in which he is a member, nothing.
    expect(text).toContain("The meeting about the harvest is on Friday");
    for (const others of ["marmalade", "forty bees", "roses need water", "Lathe", "green tea", "closes at six", "Garden"])
      expect(text).not.toContain(others);
    const ann = await download(h, "?userId=ann");
    for (const own of ["forty bees", "roses need water", "Lathe", "Garden"]) expect(ann.text).toContain(own);
    for (const others of ["old clocks", "trombone", "harvest is on"]) expect(ann.text).not.toContain(others);
  });

  it("of a user has nothing of places that they left, of groups, or of what has expired, and of persons of others the name", async () => {
    await h.fetch("PUT", "/v1/projects/attic", { body: { userId: "ann" } });
    await h.fetch("PUT", "/v1/projects/attic/members/bob?userId=ann");
    const said = { userId: "bob", messages: [{ role: "user", content: "Where is the bassoon?" }] };
    await h.fetch("POST", "/v1/sessions/upstairs/episodes", { body: { ...said, projectId: "attic" } });
    await h.fetch("PUT", "/v1/sessions/band", { body: { userId: "ann", participants: ["ann", "bob"] } });
    const fact = { userId: "bob", topic: "color", rank: 1 };
    await h.fetch("POST", "/v1/facts", { body: { ...fact, sessionId: "band", value: "vermilion" } });
    await h.fetch("POST", "/v1/facts", { body: { ...fact, value: "turquoise" } });
    const remember = async (content: string) =>
      (await h.fetch<{ id: string }>("POST", "/v1/memories", { body: { userId: "bob", content } })).json.id;
    const [gone, about] = [await remember("The oboe is lent out"), await remember("She tunes pianos")];
    const wanda = { userId: "ann", name: "Wanda", notes: "Owes me a harp", relationship: "cousin of a friend" };
    const person = await h.fetch<{ id: string }>("POST", "/v1/people", { body: wanda });
    await h.settle();
    await rows("update memories set expires_at = 1 where public_id = ?", gone);
    await rows(
      "insert into memory_subjects (memory_id, person_id) select m.id, p.id from memories m, persons p where m.public_id = ? and p.public_id = ?",
      about,
      person.json.id,
    );
    expect((await download(h, "?userId=bob")).text).toContain("bassoon");
    await h.fetch("DELETE", "/v1/projects/attic/members/bob?userId=ann");
    const { text } = await download(h, "?userId=bob");
    for (const own of ["turquoise", "She tunes pianos", "Wanda"]) expect(text).toContain(own);
    for (const other of ["bassoon", "vermilion", "oboe", "harp", "cousin"]) expect(text).not.toContain(other);
  });

  it("is for the user of a bound key, and for the tenant with admin alone", async () => {
    const reader = await h.as(["read"]);
    const asked = (key: string, query = "") => h.fetch("GET", `/v1/exports${query}`, { key, user: null });
    expect((await asked(reader)).status).toBe(400);
    expect((await asked(reader, "?userId=ann")).status).toBe(200);
    expect((await asked(reader, "?userId=nobody")).status).toBe(404);
    const body = { name: "bob's", permissions: ["read", "write"], userId: "bob" };
    const { json } = await h.fetch<{ key: string }>("POST", "/v1/keys", { body });
    expect((await asked(json.key)).text).toContain('"scope":"user","userId":"bob"');
    expect((await asked(json.key, "?userId=ann")).status).toBe(403);
    expect(await audited(h, "export.%")).toHaveLength(2);
  });
});

it("an export of a user has no facts of a project that they were removed from", async () => {
  const h = await createHarness();
  await h.fetch("PUT", "/v1/projects/p", { body: { userId: "ben" } });
  await h.fetch("PUT", "/v1/projects/p/members/ann?userId=ben");
  const fact = {
    userId: "ann",
    projectId: "p",
    topic: "tea",
    kind: "single",
    value: "lapsang",
    createdAt: "2026-03-01T00:00:00Z",
  };
  expect((await h.fetch("POST", "/v1/facts", { body: fact })).status).toBeLessThan(300);
  expect((await download(h, "?userId=ann")).text).toContain("lapsang");
  await h.fetch("DELETE", "/v1/projects/p/members/ann?userId=ben");
  expect((await h.fetch("GET", "/v1/facts?userId=ann&projectId=p")).status).toBe(404);
  expect((await download(h, "?userId=ann")).text).not.toContain("lapsang");
});
