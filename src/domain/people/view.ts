import { type SQL, sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { PersonView } from "./schemas.ts";

/** A person with what names it outside, and who they are to the asking user. */
export type PersonRow = {
  id: number;
  publicId: string;
  name: string;
  /** A JSON array. */
  aliases: string;
  relationship: string | null;
  notes: string | null;
  /** The app's id of the user whose own person it is. */
  userId: string | null;
  createdBy: string;
  /** Whether the asking user made it, and whether it is their own. */
  isCreator: number;
  isSelf: number;
  /** The person that stands for it. */
  mergedInto: number | null;
  /** The same, by its public id. */
  survivorId: string | null;
  mergeId: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
};

/** The columns of `PersonRow`, from `persons p`. */
export function personColumns(user: SQL): SQL {
  return sql`
    p.id as id, p.public_id as publicId, p.name as name, p.aliases as aliases, p.relationship as relationship, p.notes as notes,
    (select pu.external_id from users pu where pu.id = p.user_id) as userId,
    (select cu.external_id from users cu where cu.id = p.created_by) as createdBy,
    coalesce(p.created_by = ${user}, 0) as isCreator, coalesce(p.user_id = ${user}, 0) as isSelf,
    p.merged_into as mergedInto, p.version as version, p.created_at as createdAt, p.updated_at as updatedAt,
    (select sp.public_id from persons sp where sp.id = p.merged_into) as survivorId,
    (select mg.public_id from person_merges mg where mg.from_id = p.id and mg.undone_at is null) as mergeId`;
}

/** The creator's words about somebody are for the creator and for that person. */
export function toPerson(row: PersonRow): PersonView {
  const isShown = isAuthor(row);
  return {
    id: row.publicId,
    name: row.name,
    aliases: namesIn(row.aliases),
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

/** Whether the asking user made the person, or is the person. */
export function isAuthor(row: Pick<PersonRow, "isCreator" | "isSelf">): boolean {
  return row.isCreator === 1 || row.isSelf === 1;
}

/** Names as a row holds them, a JSON array. */
export function namesIn(json: string): string[] {
  return PersonView.shape.aliases.parse(JSON.parse(json));
}
