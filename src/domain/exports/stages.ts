import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { mayEnter } from "#domain/visibility";
import { linkReadsOf, PER_SESSION, type Read, readsOf, type Scope } from "./reads.ts";
import { type Kind, TABLES } from "./tables.ts";

/** What one property of a line is read from; JSON is written into the line as JSON. */
export type Property = { sql: SQL; isJson: boolean };

/** A part of an export: rows of one kind, in the order of `keys`. */
export type Stage = {
  /** Stands in cursors. */
  name: string;
  kind: string;
  from: SQL;
  where: SQL;
  keys: readonly SQL[];
  properties: Readonly<Record<string, Property>>;
  aPage: number;
};

/** Rows held in memory at once. A message may have a megabyte, and so may what was forgotten with words. */
const ROWS_A_PAGE = 500;
const LARGE_ROWS_A_PAGE = 25;
const LARGE: ReadonlySet<string> = new Set(["episodes", "forgettings", "said_in_groups"]);

/** The stages of an export, in order. */
export function stagesOf(scope: Scope): readonly Stage[] {
  const rows = readsOf(scope).map((read, i) =>
    ofRead(scope, read, { name: `${read.kind}.${i}`, properties: propertiesOf(scope, read) }),
  );
  const links = linkReadsOf(scope).map((read, i) => ofLinks(scope, read, `links.${i}`));
  return scope.userId === null ? [...rows, SETTINGS(scope), ...links] : [...rows, ...links, SAID_IN_GROUPS(scope)];
}

type Named = Pick<Stage, "name" | "properties">;

function ofRead(scope: Scope, { kind, from, where, keys }: Read, named: Named): Stage {
  return { ...named, kind, from, where: where(scope), keys, aPage: LARGE.has(kind) ? LARGE_ROWS_A_PAGE : ROWS_A_PAGE };
}

/** The columns that are exported, with their properties. */
export function exportedColumns(kind: Kind): { name: string; column: string; isJson: boolean }[] {
  const { table, ours } = TABLES[kind];
  return Object.entries(getTableColumns(table))
    .filter(([name]) => !ours.includes(name))
    .map(([name, column]) => ({ name, column: column.name, isJson: column.dataType === "json" }));
}

function propertiesOf(scope: Scope, { kind, masked }: Read): Record<string, Property> {
  const mask = scope.userId === null ? {} : masked;
  const columns = exportedColumns(kind).map(({ name, column, isJson }) => [
    name,
    { sql: mask[name] ?? shown(kind, name, sql`t.${sql.identifier(column)}`), isJson },
  ]);
  const within = Object.entries(TABLES[kind].within).map(([name, part]) => [name, { sql: mask[name] ?? part.sql, isJson: true }]);
  return Object.fromEntries([...columns, ...within]);
}

/** Kinds that the app names: no answer has the ids that are made for them, so theirs are exported without the prefix. */
export const NAMED_BY_APP: ReadonlySet<Kind> = new Set(["users", "projects", "sessions"] as const);

function shown(kind: Kind, name: string, column: SQL): SQL {
  return name === "publicId" && NAMED_BY_APP.has(kind) ? sql`substr(${column}, 5)` : column;
}

/** References to rows that may come later, of the rows that have any. */
function ofLinks(scope: Scope, read: Read, name: string): Stage {
  const later = exportedColumns(read.kind).filter((column) => column.name in TABLES[read.kind].later);
  const columns = later.map(({ name: property, column }) => ({ property, of: sql`t.${sql.identifier(column)}` }));
  const stage = ofRead(scope, read, {
    name,
    properties: {
      table: { sql: sql.raw(`'${read.kind}'`), isJson: false },
      id: { sql: sql`t.id`, isJson: false },
      ...Object.fromEntries(columns.map(({ property, of }) => [property, { sql: of, isJson: false }])),
    },
  });
  const any = sql.join(
    columns.map(({ of }) => sql`${of} is not null`),
    sql` or `,
  );
  return { ...stage, kind: "links", where: sql`${stage.where} and (${any})`, aPage: ROWS_A_PAGE };
}

/** Without what decides whose tokens are accepted, and without the model server, whose key is a secret. */
const SETTINGS = ({ tenantId }: Scope): Stage => ({
  name: "settings",
  kind: "settings",
  from: sql`settings t`,
  where: sql`t.tenant_id = ${tenantId}`,
  keys: [sql`t.tenant_id`],
  properties: { data: { sql: sql`json_remove(t.data, '$.identityProvider', '$.upstream')`, isJson: true } },
  aPage: 1,
});

/**
 * What a user said in the groups they take part in: their own messages, with the app's id of the session. What others said there is not
 * theirs to carry away, and a group cannot be made of one part of its talk, so an import does not read these lines.
 */
const SAID_IN_GROUPS = ({ tenantId, userId }: Scope): Stage => ({
  name: "said_in_groups",
  kind: "said_in_groups",
  from: sql`users p cross join participants pa on pa.user_id = p.id and pa.left_at is null
    cross join sessions s on s.id = pa.session_id cross join episodes t
      on t.id >= s.id * ${PER_SESSION} and t.id < (s.id + 1) * ${PER_SESSION}`,
  where: sql`p.tenant_id = ${tenantId} and p.id = ${userId} and s.tenant_id = ${tenantId} and s.kind = 'group'
    and ${mayEnter(sql`p`, sql`s`)} and exists (select 1 from json_each(t.messages) om where ${isOwn})`,
  keys: [sql`pa.session_public_id`, sql`t.id`],
  properties: {
    sessionId: { sql: sql`s.external_id`, isJson: false },
    title: { sql: sql`s.title`, isJson: false },
    episodeId: { sql: sql`t.public_id`, isJson: false },
    messages: {
      sql: sql`(
        select json_group_array(json_object('text', om.value ->> 'text', 'occurredAt', om.value ->> 'occurredAt',
          'messageId', om.value ->> 'messageId') order by om.key)
        from json_each(t.messages) om where ${isOwn})`,
      isJson: true,
    },
  },
  aPage: LARGE_ROWS_A_PAGE,
});

/** A message that names its speaker is theirs; one that names nobody, and has no label, is its sender's. */
const isOwn = sql`(om.value ->> 'role' = 'user' and case when om.value ->> 'userId' is null
  then om.value ->> 'speaker' is null and t.sent_by is p.id else om.value ->> 'userId' = p.id end)`;
