import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { PERSON } from "#db/schema/people";
import { isAsRead, replaceKeys } from "./store-person.ts";
import { type PersonRow, personRow } from "./view.ts";

/** What a person is called after their name was forgotten. */
const NAMELESS = "[…]";

/** Persons that the user made and of whom no memory is left but these, which are no users themselves. */
export function findPersonsOnlyIn(ctx: Ctx, userId: number, memories: readonly number[]): Query<PersonRow> {
  const going = JSON.stringify(memories);
  return select(personRow(sql`${userId}`))`from persons p
    where p.tenant_id = ${ctx.tenantId} and p.created_by = ${userId} and p.user_id is null and p.merged_into is null
      and p.id in (
        select su.person_id from json_each(${going}) j cross join memory_subjects su on su.memory_id = j.value)
      and not exists (
        select 1 from memory_subjects ot cross join memories m on m.id = ot.memory_id
        where ot.person_id = p.id and m.deleted_at is null and m.id not in (select value from json_each(${going})))`;
}

/** Takes the names and notes of persons who have not changed since they were read; the persons stay, without a name. */
export function forgetNames(ctx: Ctx<"db" | "now">, persons: readonly PersonRow[]): Statement[] {
  return persons.flatMap((person) => rename(ctx, person, { name: NAMELESS, aliases: [], relationship: null, notes: null }));
}

type Named = Pick<PersonRow, "name" | "aliases" | "relationship" | "notes">;

/** Gives a person back what they were called, unless they were named anew. */
export function putBackName(
  ctx: Ctx<"db" | "now">,
  person: PersonRow,
  { name, aliases, relationship, notes }: Named,
): Statement[] {
  return person.name === NAMELESS ? rename(ctx, person, { name, aliases, relationship, notes }) : [];
}

/** Those of these persons that the user made. */
export function findMade(ctx: Ctx, userId: number, publicIds: readonly string[]): Query<PersonRow> {
  return select(
    personRow(sql`${userId}`),
  )`from json_each(${JSON.stringify(publicIds)}) j cross join persons p on p.public_id = j.value
    where p.tenant_id = ${ctx.tenantId} and p.created_by = ${userId} and p.user_id is null`;
}

function rename(ctx: Ctx<"db" | "now">, person: PersonRow, next: Named): Statement[] {
  const { id, userId } = person;
  return [
    failUnless(ctx.db, isAsRead(ctx, person)),
    ...replaceKeys(ctx, { id, before: person, after: next.name === NAMELESS ? null : { ...next, userId } }),
    ctx.db.run(sql`
      update persons set ${PERSON.set({ ...next, version: sql`version + 1`, updatedAt: ctx.now() })}
      where id = ${id} and tenant_id = ${ctx.tenantId}`),
  ];
}
