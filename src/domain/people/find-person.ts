import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { type Query, readRows, select } from "#db/client";
import { actingUser, type UserRef, userIdOf } from "#domain/tenants";
import type { PersonView } from "./schemas.ts";
import { isAuthor, type PersonRow, personRow, toPerson } from "./view.ts";

/**
 * A person of the tenant, whoever created it: any user may refer to it.
 * @throws not_found
 */
export async function getPerson(ctx: Ctx<"db">, personId: string, input: { userId?: string | undefined }): Promise<PersonView> {
  requirePermission(ctx.actor, "read");
  return toPerson(await requirePerson(ctx, { personId, user: actingUser(ctx, input.userId) }));
}

/**
 * The user's own person.
 * @throws not_found for a user who does not exist.
 */
export async function getOwnPerson(ctx: Ctx<"db">, input: { userId?: string | undefined }): Promise<PersonView> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, input.userId);
  const [person] = await readRows(ctx, findPerson(ctx, sql`p.user_id = ${userIdOf(ctx.tenantId, user)}`, user));
  if (person === undefined) throw notFound("user");
  return toPerson(person);
}

/** The person of the tenant that `which` names, a condition on the row `p`, as the user sees it. */
export function findPerson(ctx: Ctx<"db">, which: SQL, user: UserRef): Query<PersonRow> {
  const PERSON_ROW = personRow(userIdOf(ctx.tenantId, user));
  // The plus keeps SQLite from choosing the tenant's index: these rows are found by their own ids.
  return select(PERSON_ROW)`from persons p where ${which} and +p.tenant_id = ${ctx.tenantId}`;
}

async function requirePerson(ctx: Ctx<"db">, asked: { personId: string; user: UserRef }): Promise<PersonRow> {
  if (!isPublicId("person", asked.personId)) throw notFound("person");
  const [person] = await readRows(ctx, findPerson(ctx, sql`p.public_id = ${asked.personId}`, asked.user));
  if (person === undefined) throw notFound("person");
  return person;
}

/**
 * The person, if the user may change it: as its creator or as the person, unless it was merged into another.
 * @throws not_found
 * @throws forbidden for anybody else.
 * @throws conflict for a person that was merged into another.
 */
export async function requireOwnPerson(ctx: Ctx<"db">, asked: { personId: string; user: UserRef }): Promise<PersonRow> {
  const person = await requirePerson(ctx, asked);
  if (!isAuthor(person)) throw new AppError("forbidden", "Only the person, or who made it, may change it.");
  requireSurvivor(person);
  return person;
}

/** @throws conflict for a person that was merged into another. */
export function requireSurvivor(person: PersonRow): void {
  if (person.mergedInto !== null) throw conflict(`${person.publicId} was merged into ${person.survivorId}, which stands for it.`);
}
