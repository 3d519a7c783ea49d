import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { nameKey } from "#core/text/normalize";
import { readRows, statement } from "#db/client";
import { actingUser, userIdOf } from "#domain/tenants";
import type { PersonListInput, PersonView } from "./schemas.ts";
import { personRow, toPerson } from "./view.ts";

/**
 * All persons of the tenant with the name; without a name, those that the user created, and their own. Newest first, without merged ones.
 */
export async function listPeople(ctx: Ctx<"db">, input: PersonListInput): Promise<Page<PersonView>> {
  requirePermission(ctx.actor, "read");
  const user = userIdOf(ctx.tenantId, actingUser(ctx, input.userId));
  const [position] = input.cursor === undefined ? [] : decodeCursor("people", input.cursor, ["string"]);
  const before = position === undefined ? null : String(position);
  const last = input.limit + 1;
  const PERSON_ROW = personRow(user);
  // Each branch reads an index in the order of the list and stops.
  const people = statement(
    PERSON_ROW,
    input.name === undefined
      ? sql`
        select ${PERSON_ROW.columns} from persons p
        where p.created_by = ${user} and ${before === null ? sql`true` : sql`p.public_id < ${before}`}
          and +p.tenant_id = ${ctx.tenantId} and +p.merged_into is null
        order by p.public_id desc limit ${last}`
      : sql`
        select ${PERSON_ROW.columns} from person_names n cross join persons p on p.id = n.person_id
        where n.tenant_id = ${ctx.tenantId} and n.name_key = ${nameKey(input.name)}
          and ${
            before === null
              ? sql`true`
              : sql`n.person_id < (select b.id from persons b where b.public_id = ${before} and +b.tenant_id = ${ctx.tenantId})`
          }
          and +p.tenant_id = ${ctx.tenantId} and +p.merged_into is null
        order by n.person_id desc limit ${last}`,
  );
  const rows = await readRows(ctx, people);
  return toPage(rows, input.limit, { list: "people", item: toPerson, position: (row) => [row.publicId] });
}
