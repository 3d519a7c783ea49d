import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { type Query, type Results, select } from "#db/client";
import { type RowOf, row } from "#db/row";
import { PERSON_MERGE } from "#db/schema/people";
import type { UserRef } from "#domain/tenants";
import { findPerson } from "./find-person.ts";
import type { MergeView } from "./schemas.ts";
import { type PersonRow, toPerson } from "./view.ts";

const MERGE = row(PERSON_MERGE.of(sql`mg`, "id", "publicId", "addedNames", "mergedAt", "undoneAt"));

type MergeRow = RowOf<typeof MERGE>;

export type FoundMerge = { merge: MergeRow; from: PersonRow; into: PersonRow };

/** The statements that find a merge of the tenant, and both persons as they are now. */
export function findMerge(
  ctx: Ctx<"db">,
  mergeId: string,
  user: UserRef,
): { merge: Query<MergeRow>; from: Query<PersonRow>; into: Query<PersonRow> } {
  const ofMerge = sql`mg.public_id = ${mergeId} and +mg.tenant_id = ${ctx.tenantId}`;
  const person = (column: SQL) => findPerson(ctx, sql`p.id = (select ${column} from person_merges mg where ${ofMerge})`, user);
  return {
    merge: select(MERGE)`from person_merges mg where ${ofMerge}`,
    from: person(sql`mg.from_id`),
    into: person(sql`mg.into_id`),
  };
}

/** What a batch with the statements of `findMerge` returned. */
export function foundMerge(results: Pick<Results, "rows">, found: ReturnType<typeof findMerge>): FoundMerge | undefined {
  const [[merge], [from], [into]] = [results.rows(found.merge), results.rows(found.from), results.rows(found.into)];
  return merge === undefined || from === undefined || into === undefined ? undefined : { merge, from, into };
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
