import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { failUnless, isLostRace } from "#db/guard";
import { rowsInParts } from "#db/rows";
import { type AuditEntry, commit } from "#domain/audit";
import { type Findable, keysOf } from "./names.ts";
import { namesIn, type PersonRow } from "./view.ts";

export type PersonValues = { name: string; aliases: readonly string[]; relationship: string | null; notes: string | null };

export function valuesOf(person: PersonRow): PersonValues {
  return { name: person.name, aliases: namesIn(person.aliases), relationship: person.relationship, notes: person.notes };
}

/** Stores the person as it shall be, with its audit row. `lost` if somebody changed it since it was read: then nothing is written. */
export async function storePerson(
  ctx: Ctx<"db" | "now" | "newId">,
  change: { person: PersonRow; next: PersonValues; audit: Pick<AuditEntry, "action" | "userId" | "detail"> },
): Promise<PersonRow | "lost"> {
  const { person, next } = change;
  const now = ctx.now();
  const aliases = JSON.stringify(next.aliases);
  try {
    await commit(ctx, {
      statements: [
        failUnless(ctx.db, isAsRead(ctx, person)),
        ...replaceKeys(ctx, { id: person.id, before: findable(person), after: { ...next, userId: person.userId } }),
        ctx.db.run(sql`
          update persons set name = ${next.name}, aliases = ${aliases}, relationship = ${next.relationship}, notes = ${next.notes},
            version = version + 1, updated_at = ${now}
          where id = ${person.id} and tenant_id = ${ctx.tenantId}`),
      ],
      audit: [{ ...change.audit, objectId: person.publicId }],
    });
  } catch (error) {
    if (isLostRace(error)) return "lost";
    throw error;
  }
  return { ...person, ...next, aliases, version: person.version + 1, updatedAt: now };
}

/** Whatever changes a person, a merge included, gives it another version. */
export function isAsRead(ctx: Ctx, person: PersonRow): SQL {
  return sql`exists (
    select 1 from persons x where x.id = ${person.id} and x.version = ${person.version} and +x.tenant_id = ${ctx.tenantId})`;
}

export function findable(person: PersonRow): Findable {
  return { name: person.name, aliases: namesIn(person.aliases), userId: person.userId };
}

/** Statements that have a person found by other names than before; null is by none. */
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
