import { type SQL, sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { flag, nullable, type RowOf, row, text } from "#db/row";
import { PERSON } from "#db/schema/people";
import type { PersonView } from "./schemas.ts";

/** A person, from `persons p`, with the app's ids of users and its relation to the acting user, by internal id. */
export const personRow = (user: SQL) =>
  row({
    ...PERSON.of(
      sql`p`,
      "id",
      "publicId",
      "name",
      "aliases",
      "relationship",
      "notes",
      "mergedInto",
      "version",
      "createdAt",
      "updatedAt",
    ),
    /** The user whose own person it is. */
    userId: nullable(text(sql`(select pu.external_id from users pu where pu.id = p.user_id)`)),
    createdBy: text(sql`(select cu.external_id from users cu where cu.id = p.created_by)`),
    /** Whether the acting user created it, and whether it is their own. */
    isCreator: flag(sql`p.created_by = ${user}`),
    isSelf: flag(sql`p.user_id = ${user}`),
    /** The survivor that it was merged into. */
    survivorId: nullable(text(sql`(select sp.public_id from persons sp where sp.id = p.merged_into)`)),
    mergeId: nullable(text(sql`(select mg.public_id from person_merges mg where mg.from_id = p.id and mg.undone_at is null)`)),
  });

export type PersonRow = RowOf<ReturnType<typeof personRow>>;

/** Notes by the creator are visible to the creator and to the person only. */
export function toPerson(row: PersonRow): PersonView {
  const isShown = isAuthor(row);
  return {
    id: row.publicId,
    name: row.name,
    aliases: row.aliases,
    userId: row.userId,
    relationship: isShown ? row.relationship : null,
    notes: isShown ? row.notes : null,
    createdBy: isShown ? row.createdBy : null,
    mergedInto: row.survivorId,
    mergeId: row.mergeId,
    version: row.version,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  };
}

/** Whether the acting user created the person, or is the person. */
export function isAuthor(row: Pick<PersonRow, "isCreator" | "isSelf">): boolean {
  return row.isCreator || row.isSelf;
}
