import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import type { Statement, StatementResult } from "#db/client";
import { runBatch } from "#domain/audit";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isAuthor, type PersonRow, personColumns } from "./view.ts";

/** The person of the tenant that `which` names, a condition on the row `p`, as the user sees it. */
export function findPerson(ctx: Ctx<"db">, which: SQL, user: UserRef): Statement {
  // The plus keeps the tenant out of the plan: who asks for this finds rows by their own ids.
  return ctx.db.all(sql`
    select ${personColumns(userIdOf(ctx.tenantId, user))} from persons p where ${which} and +p.tenant_id = ${ctx.tenantId}`);
}

/** Rows of `findPerson`, which selects exactly these columns. */
export function asPerson(found: StatementResult | undefined): PersonRow | undefined {
  return found?.rows[0] as PersonRow | undefined;
}

export async function requirePerson(ctx: Ctx<"db">, asked: { personId: string; user: UserRef }): Promise<PersonRow> {
  if (!isPublicId("person", asked.personId)) throw notFound("person");
  const [found] = await runBatch(ctx, [findPerson(ctx, sql`p.public_id = ${asked.personId}`, asked.user)]);
  const person = asPerson(found);
  if (person === undefined) throw notFound("person");
  return person;
}

/** The person, if the user may change it: its creator or the person themselves, while it stands for itself. */
export async function requireOwnPerson(ctx: Ctx<"db">, asked: { personId: string; user: UserRef }): Promise<PersonRow> {
  const person = await requirePerson(ctx, asked);
  if (!isAuthor(person)) throw new AppError("forbidden", "Only the person, or who made it, may change it.");
  requireSurvivor(person);
  return person;
}

export function requireSurvivor(person: PersonRow): void {
  if (person.mergedInto !== null) throw conflict(`${person.publicId} was merged into ${person.survivorId}, which stands for it.`);
}
