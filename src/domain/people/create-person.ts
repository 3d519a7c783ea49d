import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { requirePermission } from "#core/permission";
import { rowsInParts } from "#db/rows";
import { PERSON } from "#db/schema/people";
import { commit } from "#domain/audit";
import { actingUser, ensureUsers, userIdOf } from "#domain/tenants";
import { findPerson } from "./find-person.ts";
import { distinctAliases, keysOf } from "./names.ts";
import type { PersonInput, PersonView } from "./schemas.ts";
import { parsePersonInput } from "./store-person.ts";
import { toPerson } from "./view.ts";

/**
 * Creates a person that is no user. Names are not unique: two persons may have the same.
 * @throws unprocessable for a text that holds a secret.
 */
export async function createPerson(ctx: Ctx<"db" | "now" | "newId">, input: PersonInput): Promise<PersonView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, input.userId);
  const { userId: _, ...said } = input;
  const { name = input.name, aliases: others = [], relationship = null, notes = null } = parsePersonInput(said);
  const aliases = distinctAliases({ name, aliases: others });
  const publicId = ctx.newId("person");
  const now = ctx.now();
  const stored = findPerson(ctx, sql`p.public_id = ${publicId}`, user);
  const results = await commit(ctx, {
    statements: [
      ...ensureUsers(ctx, [user]),
      ctx.db.run(sql`
        insert into persons ${PERSON.insert({
          ...{ publicId, tenantId: ctx.tenantId, name, aliases, relationship, notes },
          ...{ createdBy: userIdOf(ctx.tenantId, user), createdAt: now, updatedAt: now },
        })}`),
      ...rowsInParts(keysOf({ name, aliases, userId: null }).map((key) => [key])).map((part) =>
        ctx.db.run(sql`
          insert into person_names (tenant_id, name_key, person_id)
          select ${ctx.tenantId}, j.c0, p.id from ${part} j cross join persons p on p.public_id = ${publicId}`),
      ),
      stored,
    ],
    audit: [
      {
        action: "person.created",
        objectId: publicId,
        userId: userIdOf(ctx.tenantId, user),
        detail: { fields: Object.keys(said) },
      },
    ],
  });
  const [person] = results.rows(stored);
  if (person === undefined) throw new AppError("internal", "The person was not stored.");
  return toPerson(person);
}
