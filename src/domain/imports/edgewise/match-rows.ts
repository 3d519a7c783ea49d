import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, type Statement, select } from "#db/client";
import { integer, row, text } from "#db/row";
import type { Kind } from "#domain/exports";
import { documentsOf, of, type Row } from "./insert-rows.ts";

/** Whose rows an import may store: one user's, by internal id, or the tenant's. */
export type Importer = { importId: number; userId: number | null };

/** How a row `t` of this service is recognised as the one of the line `j`, and whether it is the user's. */
type Match = { on: SQL; ofUser: (userId: number) => SQL };

const always = () => sql`true`;
const byPublicId = sql`t.public_id = ${of("publicId")}`;
const byExternalId = sql`t.external_id = ${of("externalId")}`;

/** Kinds whose rows others refer to. A row in a session, project, source or file that is the user's is the user's. */
const MATCHES: Partial<Record<Kind, Match>> = {
  users: { on: byExternalId, ofUser: (userId) => sql`t.id = ${userId}` },
  projects: { on: byExternalId, ofUser: (userId) => sql`t.owner_id = ${userId}` },
  sessions: {
    on: sql`${byExternalId} and t.kind = ${of("kind")}`,
    ofUser: (userId) => sql`t.owner_id = ${userId} and t.kind = 'private'`,
  },
  episodes: { on: sql`${byPublicId} and t.session_id = ${of("sessionId")}`, ofUser: always },
  // Anybody of the tenant may say whom a memory is about, whoever made the person.
  persons: { on: byPublicId, ofUser: always },
  memories: { on: byPublicId, ofUser: (userId) => sql`t.owner_id = ${userId}` },
  person_merges: { on: byPublicId, ofUser: (userId) => sql`t.merged_by = ${userId}` },
  entities: {
    on: sql`t.project_id = ${of("projectId")} and t.type = ${of("type")} and t.name_key = ${of("nameKey")}`,
    ofUser: always,
  },
  sources: { on: sql`${byExternalId} and t.project_id is ${of("projectId")}`, ofUser: () => sql`t.project_id is not null` },
  files: { on: sql`${byPublicId} and t.source_id = ${of("sourceId")}`, ofUser: always },
  chunks: { on: sql`${byPublicId} and t.file_id = ${of("fileId")}`, ofUser: always },
  forgettings: { on: byPublicId, ofUser: (userId) => sql`t.user_id = ${userId}` },
};

/** What a line is recognised by, without what it says. */
const KEYS = ["id", "publicId", "externalId", "kind", "sessionId", "projectId", "type", "nameKey", "sourceId", "fileId"] as const;

/** Statements that record which rows of this service the lines stand for, stored now or found. */
export function recordIds(
  ctx: Ctx<"db">,
  { importId, userId }: Importer,
  { kind, rows }: { kind: Kind; rows: readonly Row[] },
): Statement[] {
  const match = MATCHES[kind];
  if (match === undefined) return [];
  const own = userId === null ? sql`true` : match.ofUser(userId);
  return keysOf(rows).map((document) =>
    ctx.db.run(sql`
      insert into imported_ids (import_id, table_name, old_id, new_id)
      select ${importId}, ${kind}, ${of("id")}, t.id from json_each(${document}) j
        cross join ${sql.identifier(kind)} t on ${match.on}
      where t.tenant_id = ${ctx.tenantId} and ${own} on conflict do nothing`),
  );
}

/** The same for users' own persons, which stand in the lines of their users. */
export function recordOwnPersons(ctx: Ctx<"db">, { importId, userId }: Importer, rows: readonly Row[]): Statement[] {
  const named = rows.flatMap(({ externalId, person }) =>
    typeof person === "object" && person !== null && "id" in person ? [{ id: person.id, externalId }] : [],
  );
  return documentsOf(named).map((document) =>
    ctx.db.run(sql`
      insert into imported_ids (import_id, table_name, old_id, new_id)
      select ${importId}, 'persons', ${of("id")}, pe.id from json_each(${document}) j
        cross join users t on t.tenant_id = ${ctx.tenantId} and ${byExternalId} cross join persons pe on pe.user_id = t.id
      where ${userId === null ? sql`true` : sql`t.id = ${userId}`} on conflict do nothing`),
  );
}

/** Under these names in place of a table: memories that the import itself stored, and episodes that were there without what was erased of them. */
const MARKS = { memories: "memories.added", episodes: "episodes.redacted" } as const;

/** Statements that record which of these memories, none of which was there before, the import has stored, or which episodes are redacted. */
export function recordMarked(
  ctx: Ctx<"db">,
  { importId }: Importer,
  kind: keyof typeof MARKS,
  rows: readonly Row[],
): Statement[] {
  return keysOf(rows).map((document) =>
    ctx.db.run(sql`
      insert into imported_ids (import_id, table_name, old_id, new_id)
      select ${importId}, ${MARKS[kind]}, ${of("id")}, t.id from json_each(${document}) j
        cross join ${sql.identifier(kind)} t on ${byPublicId}
      where t.tenant_id = ${ctx.tenantId} on conflict do nothing`),
  );
}

const MARKED_ID = row({ oldId: integer(sql`i.old_id`) });

/** Those of the rows, by their ids in the export, that `recordMarked` has recorded. */
export async function findMarked(
  ctx: Ctx<"db">,
  importId: number,
  { kind, oldIds }: { kind: keyof typeof MARKS; oldIds: readonly number[] },
): Promise<Set<unknown>> {
  const found = await readRows(
    ctx,
    select(MARKED_ID)`from json_each(${JSON.stringify([...new Set(oldIds)])}) j cross join imported_ids i
      on i.import_id = ${importId} and i.table_name = ${MARKS[kind]} and i.old_id = j.value`,
  );
  return new Set(found.map(({ oldId }) => oldId));
}

function keysOf(rows: readonly Row[]): string[] {
  return documentsOf(rows.map((row) => Object.fromEntries(KEYS.flatMap((key) => (key in row ? [[key, row[key]]] : [])))));
}

const OTHERS_PERSON = row({ id: integer(sql`pe.id`) });

/**
 * Those of the persons, by internal ids, who are other users: an export that a user may have edited puts no words into their mouths, as a key
 * that is bound to one user may not.
 */
export async function findOthersPersons(ctx: Ctx<"db">, userId: number, ids: readonly unknown[]): Promise<Set<unknown>> {
  const found = await readRows(
    ctx,
    select(OTHERS_PERSON)`from json_each(${JSON.stringify([...new Set(ids)])}) j
      cross join persons pe on pe.id = j.value left join persons su on su.id = pe.merged_into
      where pe.tenant_id = ${ctx.tenantId} and coalesce(su.user_id, pe.user_id, ${userId}) <> ${userId}`,
  );
  return new Set(found.map(({ id }) => id));
}

const THERE = row({ publicId: text(sql`t.public_id`) });

/** Which of these public ids are in use, by whomever. */
export async function findThere(ctx: Ctx<"db">, kind: "persons" | "memories", rows: readonly Row[]): Promise<Set<unknown>> {
  const ids = JSON.stringify(rows.map(({ publicId }) => publicId));
  const found = await readRows(
    ctx,
    select(THERE)`from json_each(${ids}) j cross join ${sql.identifier(kind)} t on t.public_id = j.value`,
  );
  return new Set(found.map(({ publicId }) => publicId));
}
