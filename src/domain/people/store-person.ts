import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { findSecrets } from "#core/safety/find-secrets";
import { storable } from "#core/text/normalize";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts } from "#db/rows";
import { PERSON } from "#db/schema/people";
import { type AuditEntry, commitUnlessLost } from "#domain/audit";
import { type Findable, keysOf } from "./names.ts";
import type { PersonRow } from "./view.ts";

export type PersonValues = Pick<PersonRow, "name" | "aliases" | "relationship" | "notes">;

/** The fields of a person that a request names. */
type Given = {
  name?: string | undefined;
  aliases?: readonly string[] | undefined;
  relationship?: string | null | undefined;
  notes?: string | null | undefined;
};

/**
 * The same in the form in which it is stored.
 * @throws unprocessable for a secret; it names the field and the kind.
 */
export function parsePersonInput({ name, aliases, relationship, notes }: Given): Partial<PersonValues> {
  return {
    ...(name === undefined ? {} : { name: storableText("name", name) }),
    ...(aliases === undefined ? {} : { aliases: aliases.map((alias, i) => storableText(`aliases[${i}]`, alias)) }),
    ...(relationship === undefined
      ? {}
      : { relationship: relationship === null ? null : storableText("relationship", relationship) }),
    ...(notes === undefined ? {} : { notes: notes === null ? null : storableText("notes", notes) }),
  };
}

/**
 * A text of the field in the form in which it is stored.
 * @throws unprocessable for a text that holds a secret.
 */
export function storableText(field: string, text: string): string {
  const [secret] = findSecrets(text);
  if (secret !== undefined)
    throw breaksRule(field, `Secrets are never stored, and this holds one: ${secret.kind.replaceAll("_", " ")}.`);
  return storable(text);
}

export function valuesOf({ name, aliases, relationship, notes }: PersonRow): PersonValues {
  return { name, aliases, relationship, notes };
}

/** Stores the person with its audit row. `lost` if it has changed since it was read: then nothing is written. */
export async function storePerson(
  ctx: Ctx<"db" | "now" | "newId">,
  change: { person: PersonRow; next: PersonValues; audit: Pick<AuditEntry, "action" | "userId" | "detail"> },
): Promise<PersonRow | "lost"> {
  const { person, next } = change;
  const now = ctx.now();
  const stored = await commitUnlessLost(ctx, {
    statements: [
      failUnless(ctx.db, isAsRead(ctx, person)),
      ...replaceKeys(ctx, { id: person.id, before: person, after: { ...next, userId: person.userId } }),
      ctx.db.run(sql`
          update persons set ${PERSON.set({ ...next, version: sql`version + 1`, updatedAt: now })}
          where id = ${person.id} and tenant_id = ${ctx.tenantId}`),
    ],
    audit: [{ ...change.audit, objectId: person.publicId }],
  });
  if (stored === "lost") return "lost";
  return { ...person, ...next, version: person.version + 1, updatedAt: now };
}

/** Every change of a person, including a merge, gives it another version. */
export function isAsRead(ctx: Ctx, person: PersonRow): SQL {
  return sql`exists (
    select 1 from persons x where x.id = ${person.id} and x.version = ${person.version} and +x.tenant_id = ${ctx.tenantId})`;
}

/** Statements that change the names by which a person is found; null is none. */
export function replaceKeys(
  ctx: Ctx<"db">,
  { id, before, after }: { id: number; before: Findable | null; after: Findable | null },
): Statement[] {
  const keys = after === null ? [] : keysOf(after);
  const gone = before === null ? [] : keysOf(before).filter((key) => !keys.includes(key));
  return [
    ...(gone.length === 0
      ? []
      : [
          ctx.db.run(sql`
            delete from person_names where tenant_id = ${ctx.tenantId} and person_id = ${id}
              and name_key in (select value from json_each(${JSON.stringify(gone)}))`),
        ]),
    ...rowsInParts(keys.map((key) => [key])).map((part) =>
      ctx.db.run(sql`
        insert into person_names (tenant_id, name_key, person_id) select ${ctx.tenantId}, j.c0, ${id} from ${part} j
        where true on conflict do nothing`),
    ),
  ];
}
