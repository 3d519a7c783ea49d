import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import type { Statement, StatementResult } from "#db/client";
import type { UserRef } from "#domain/tenants";
import { asPerson, findPerson } from "./find-person.ts";
import type { MergeView } from "./schemas.ts";
import { type PersonRow, toPerson } from "./view.ts";

export type MergeRow = {
  id: number;
  publicId: string;
  /** A JSON array of the names that the survivor got by it. */
  addedNames: string;
  mergedAt: number;
  undoneAt: number | null;
};

export type FoundMerge = { merge: MergeRow; from: PersonRow; into: PersonRow };

/** Three statements that find a merge of the tenant and both persons as they are now. */
export function findMerge(ctx: Ctx<"db">, mergeId: string, user: UserRef): Statement[] {
  const ofMerge = sql`mg.public_id = ${mergeId} and +mg.tenant_id = ${ctx.tenantId}`;
  const person = (column: SQL) => findPerson(ctx, sql`p.id = (select ${column} from person_merges mg where ${ofMerge})`, user);
  return [
    ctx.db.all(sql`
      select mg.id as id, mg.public_id as publicId, mg.added_names as addedNames, mg.merged_at as mergedAt, mg.undone_at as undoneAt
      from person_merges mg where ${ofMerge}`),
    person(sql`mg.from_id`),
    person(sql`mg.into_id`),
  ];
}

/** What the statements of `findMerge` answered, which select exactly these columns. */
export function asFoundMerge([found, from, into]: readonly StatementResult[]): FoundMerge | undefined {
  const merge = found?.rows[0] as MergeRow | undefined;
  const persons = { from: asPerson(from), into: asPerson(into) };
  if (merge === undefined || persons.from === undefined || persons.into === undefined) return undefined;
  return { merge, from: persons.from, into: persons.into };
}

export function toMerge({ merge, from, into }: FoundMerge): MergeView {
  return {
    id: merge.publicId,
    from: toPerson(from),
    into: toPerson(into),
    mergedAt: toIso(merge.mergedAt),
    undoneAt: merge.undoneAt === null ? null : toIso(merge.undoneAt),
  };
}
