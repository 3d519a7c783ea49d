import { sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { flag, integer, json, nullable, row, text } from "./row.ts";
import { MEMORY } from "./schema/memories.ts";

const textOf = (query: ReturnType<typeof sql>) => new SQLiteAsyncDialect().sqlToQuery(query);

it("names each column in SQL and decodes it", () => {
  const shape = row({
    id: integer(sql`s.id`),
    kind: text<"private" | "group">(sql`s.kind`),
    title: nullable(text(sql`s.title`)),
    isOwn: flag(sql`s.owner_id = u.id`),
    names: json<string[]>(sql`s.names`),
  });
  expect(textOf(shape.columns).sql).toBe(
    's.id as "id", s.kind as "kind", s.title as "title", s.owner_id = u.id as "isOwn", s.names as "names"',
  );
  const raw = { id: 1, kind: "group", title: null, isOwn: null, names: '["Ana"]' };
  expect(shape.decode(raw)).toEqual({ id: 1, kind: "group", title: null, isOwn: false, names: ["Ana"] });
});

it("converts booleans, empty texts, the public and JSON both ways", () => {
  const values = {
    key: null,
    workspaceId: "w",
    sensitivity: "public",
    portable: true,
    pinned: false,
    metadata: { a: 1 },
  } as const;
  const stored = { key: "", workspaceId: "w", sensitivity: null, portable: 1, pinned: 0, metadata: '{"a":1}' };
  expect(MEMORY.encode(values)).toEqual(stored);
  const shape = row(MEMORY.of(sql`m`, "key", "workspaceId", "sensitivity", "portable", "pinned", "metadata"));
  expect(shape.decode(stored)).toEqual(values);
});

it("writes updates and inserts with the names of the columns", () => {
  expect(textOf(MEMORY.set({ key: null, statedBy: 4 }))).toMatchObject({ sql: '"key" = ?, "stated_by" = ?', params: ["", 4] });
  const { columns, values } = MEMORY.insertFrom(sql`j.c0`, ["publicId", "portable"]);
  expect(textOf(sql`${columns} / ${values}`).sql).toBe(`"public_id", "portable" / j.c0 ->> 'publicId', j.c0 ->> 'portable'`);
});

it("knows only the columns of its table", () => {
  const misspelt = "contents" as "content";
  expect(() => MEMORY.set({ [misspelt]: "x" })).toThrow("The table has no column contents.");
});
