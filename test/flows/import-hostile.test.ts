import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { makeRichTenant } from "#test/rich-tenant";
import { download, emptyDatabase, importLines, type Line, sendTo } from "./export-rows.ts";
import { nth, rows } from "./requests.ts";
import { broken, diagnose } from "./upkeep-rows.ts";

let h: Harness;
let lines: Line[];
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await makeRichTenant(sendTo(h));
  await h.settle();
  lines = (await download(h)).lines;
});

const first = (kind: string) =>
  nth(
    lines.filter((line) => line.kind === kind),
    0,
  );
const changed = (line: Line, row: object): Line => ({ ...line, row: { ...line.row, ...row } });
const countOf = async (table: string) => nth(await rows<{ n: number }>(`select count(*) as n from ${table}`), 0).n;

describe("lines that no export has", () => {
  it.each([
    ["no JSON", () => "{not json"],
    ["no line", () => 7],
    ["an unknown table", () => ({ kind: "keys", row: { hash: "x" } })],
    ["a table of secrets", () => ({ kind: "token_secrets", row: {} })],
    ["a text for a number", () => changed(first("memories"), { confidence: "high" })],
    ["a time that no date can show", () => changed(first("memories"), { createdAt: 1e18 })],
    ["an id of another kind", () => changed(first("memories"), { publicId: first("episodes").row.publicId })],
    ["an ownership that does not fit", () => changed(first("memories"), { ownership: "shared" })],
    ["a value that is none of the column's", () => changed(first("memories"), { status: "root" })],
    ["passages outside of the messages", () => changed(first("episodes"), { chunks: [{ m: 9, s: 0, e: 1, p: 0, n: 1 }] })],
    ["an episode beyond its session", () => changed(first("episodes"), { sessionId: 999 })],
    ["a huge line", () => changed(first("memories"), { content: "x".repeat(2_000_000) })],
    ["a secret", () => changed(first("memories"), { content: "my password is hunter2-Xy7!" })],
    ["metadata that is no object", () => changed(first("memories"), { metadata: "[]" })],
  ])("are left out with a reason: %s", async (_, make) => {
    await emptyDatabase();
    const target = await createHarness({ replace: () => ({ log: () => undefined }) });
    const users = lines.filter(({ kind }) => kind === "users" || kind === "sessions" || kind === "persons");
    await importLines(target, users);
    const report = await importLines(target, [make()]);
    expect(report).toEqual({ statistics: { leftOut: 1 }, problems: [{ title: expect.any(String), reason: expect.any(String) }] });
    expect(JSON.stringify(report.problems)).not.toContain("hunter2");
    expect(await countOf("memories")).toBe(0);
    expect(await countOf("episodes")).toBe(0);
    expect(broken(await diagnose(target))).toEqual([]);
  });
});

it("rows whose references are not in the export are left out, and what is stored is sound", async () => {
  await emptyDatabase();
  const target = await createHarness({ replace: () => ({ log: () => undefined }) });
  const report = await importLines(
    target,
    lines.filter(({ kind }) => kind !== "sessions" && kind !== "persons"),
  );
  expect(report.problems.some(({ reason }) => reason.includes("(sessions)"))).toBe(true);
  expect(await countOf("episodes")).toBe(0);
  // About Rosa, who is not there: nobody may see it as if it were about nobody.
  expect(await rows("select 1 from memories where content like 'Rosa%'")).toEqual([]);
  await target.settle();
  expect(broken(await diagnose(target))).toEqual([]);
});

it("lines that come twice, in another order or in parts of one add nothing more", async () => {
  await emptyDatabase();
  const target = await createHarness({ replace: () => ({ log: () => undefined }) });
  for (const line of lines) {
    await importLines(target, [line, line]);
  }
  const before = await Promise.all(["users", "episodes", "memories", "memory_subjects", "persons", "facts"].map(countOf));
  await importLines(target, lines.toReversed());
  expect(await Promise.all(["users", "episodes", "memories", "memory_subjects", "persons", "facts"].map(countOf))).toEqual(
    before,
  );
  await target.settle();
  expect(broken(await diagnose(target))).toEqual([]);
});

it("of episodes that claim one place, the first is stored", async () => {
  await emptyDatabase();
  const target = await createHarness({ replace: () => ({ log: () => undefined }) });
  const episode = first("episodes");
  const wide = changed(episode, {
    chunkCount: 2,
    chunks: [...(episode.row.chunks as object[]), ...(episode.row.chunks as object[])].slice(0, 2),
  });
  const beside = changed(episode, { id: Number(episode.row.id) + 1, publicId: `${String(episode.row.publicId).slice(0, -1)}x` });
  await importLines(
    target,
    lines.filter(({ kind }) => kind === "users" || kind === "sessions"),
  );
  const report = await importLines(target, [wide, beside]);
  expect(report.statistics).toMatchObject({ episodes: 1, leftOut: 1 });
  await target.settle();
  expect(broken(await diagnose(target))).toEqual([]);
});

it("a version of the format that this release does not read is refused", async () => {
  const header = { ...nth(lines, 0), version: 99 };
  await expect(importLines(h, [header])).rejects.toThrow("this version of the format");
});

it("another tenant's rows stay as they are, whatever ids the lines have", async () => {
  const state = async () => JSON.stringify(await rows("select * from memories where tenant_id = ? order by id", h.tenantId));
  const before = await state();
  const target = await createHarness({ replace: () => ({ log: () => undefined }) });
  const report = await importLines(target, lines);
  expect(report.problems.some(({ reason }) => reason.includes("in use"))).toBe(true);
  expect(await state()).toBe(before);
  expect(await rows("select 1 from episodes e join sessions s on s.id = e.session_id where e.tenant_id <> s.tenant_id")).toEqual(
    [],
  );
  expect(
    await rows(
      "select 1 from memory_subjects su join memories m on m.id = su.memory_id join persons p on p.id = su.person_id where m.tenant_id <> p.tenant_id",
    ),
  ).toEqual([]);
  await target.settle();
  expect(broken(await diagnose(target))).toEqual([]);
  expect(broken(await diagnose(h))).toEqual([]);
});

describe("an import for one user", () => {
  const take = async (given: readonly unknown[], user = "bob") => {
    await emptyDatabase();
    const target = await createHarness({ replace: () => ({ log: () => undefined }) });
    for (const name of ["ann", "bob"]) await target.fetch("PUT", `/v1/users/${name}`, { body: {} });
    const report = await importLines(target, given, { user });
    return { target, report };
  };

  it("stores nothing for others, of the tenant or in groups, whatever the lines say", async () => {
    const bob = nth(
      lines.filter(({ row }) => row?.externalId === "bob"),
      0,
    ).row.id;
    const group = nth(
      lines.filter(({ kind, row }) => kind === "sessions" && row.kind === "group"),
      0,
    );
    const shared = nth(
      lines.filter(({ kind, row }) => kind === "memories" && row.ownership === "shared"),
      0,
    );
    // As if Bob had made them.
    const claimed = [changed(group, { id: 999, ownerId: bob }), changed(shared, { id: 999, statedBy: null })];
    const { target, report } = await take([...lines.slice(1), ...claimed]);
    const owners = await rows<{ owner: string | null }>(
      "select distinct u.external_id as owner from memories m left join users u on u.id = m.owner_id",
    );
    expect(owners).toEqual([{ owner: "bob" }]);
    expect(await rows("select external_id, kind from sessions")).toEqual([{ external_id: "bobs", kind: "private" }]);
    for (const table of ["projects", "participants", "project_members", "topics", "settings", "person_merges"])
      expect([table, await countOf(table)]).toEqual([table, 0]);
    expect(report.statistics.leftOut).toBeGreaterThan(10);
    await target.settle();
    expect(broken(await diagnose(target))).toEqual([]);
  });

  it("attributes no words to another user, which a key of theirs could not do either", async () => {
    const { target } = await take([]);
    await target.fetch("POST", "/v1/memories", { body: { userId: "bob", content: "Tea is fine" } });
    const [header, user, own] = (await download(target, "?userId=bob")).lines as [Line, Line, Line, Line];
    const [anns] = await rows<{ publicId: string }>(
      "select pe.public_id as publicId from persons pe join users u on u.id = pe.user_id where u.external_id = 'ann'",
    );
    const person = { ...first("persons").row, id: 99, publicId: anns?.publicId, createdBy: user.row.id, mergedInto: null };
    const forged = changed(own, { id: 98, publicId: first("memories").row.publicId, content: "Coffee is a drug", statedBy: 99 });
    const { problems } = await importLines(target, [header, user, { ...own, kind: "persons", row: person }, own, forged], {
      user: "bob",
    });
    expect(problems).toEqual([{ title: expect.any(String), reason: "Another user said it." }]);
    expect(await rows("select content from memories")).toEqual([{ content: "Tea is fine" }]);
  });

  it("refuses the export of somebody else", async () => {
    await expect(take(lines)).rejects.toThrow("of the user for whom it is imported");
  });

  it("brings back what the user had", async () => {
    const own = (await download(h, "?userId=ann")).lines;
    const { target, report } = await take(own, "ann");
    expect(report.problems).toEqual([]);
    await target.settle();
    const found = await target.fetch<{ hits: { content: string }[] }>("POST", "/v1/search", {
      body: { userId: "ann", query: "bees" },
    });
    expect(nth(found.json.hits, 0).content).toContain("forty bees");
    expect(broken(await diagnose(target))).toEqual([]);
    expect((await importLines(target, own, { user: "ann", importId: 2 })).statistics).toEqual({
      alreadyThere: expect.any(Number),
      notImported: 1,
    });
  });
});
