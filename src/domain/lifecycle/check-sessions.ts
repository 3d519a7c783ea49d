import { sql } from "drizzle-orm";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { rowOfCursor } from "./cursor.ts";
import type { CheckResult, Finding, Invariant, Repair } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";

const ROWS_A_STEP = 300;

type Row = { id: number; externalId: string; fitsSpace: number; isBehind: number; hasTwice: number; hasStrangers: number };

/** The tenant's sessions, in the order in which they were made. */
export async function checkSessions(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const rows = await ctx.db.all<Row>(sql`
    select s.id as id, s.external_id as externalId,
      exists (
        select 1 from users u cross join spaces sp on sp.id = s.space_id
        where u.id = s.owner_id and u.tenant_id = s.tenant_id and sp.tenant_id = s.tenant_id
          and iif(s.kind = 'private', u.space_id = s.space_id, sp.kind = 'session'))
        and (s.project_id is null or exists (
          select 1 from projects pr where pr.id = s.project_id and pr.tenant_id = s.tenant_id)) as fitsSpace,
      coalesce((
        select e.id + e.chunk_count from episodes e where e.id >= s.id * ${per} and e.id < (s.id + 1) * ${per}
        order by e.id desc limit 1) > s.id * ${per} + s.next_seq, 0) as isBehind,
      exists (
        select 1 from participants pa where pa.session_id = s.id and pa.left_at is null group by pa.user_id having count(*) > 1) as hasTwice,
      exists (
        select 1 from participants pa left join users u on u.id = pa.user_id
        where pa.session_id = s.id and u.tenant_id is not s.tenant_id) as hasStrangers
    from sessions s where s.tenant_id = ${ctx.tenantId} and s.id > ${rowOfCursor(cursor)} order by s.id limit ${ROWS_A_STEP}`);
  const hits = rows.filter((row) => row.fitsSpace === 0 || row.isBehind + row.hasTwice + row.hasStrangers > 0);
  const last = hits.length > limit ? hits[limit - 1] : rows.length < ROWS_A_STEP ? undefined : rows.at(-1);
  return {
    checked: { "session.space": rows.length, "session.positions": rows.length, "session.participants": rows.length },
    findings: hits.slice(0, limit).flatMap(findingsOf),
    next: last === undefined ? null : String(last.id),
  };
}

function findingsOf({ id, externalId, fitsSpace, isBehind, hasTwice, hasStrangers }: Row): Finding[] {
  const found = (is: boolean, invariant: Invariant, repair: Repair | null): Finding[] =>
    is ? [{ invariant, example: externalId, repair }] : [];
  return [
    ...found(fitsSpace === 0, "session.space", null),
    ...found(isBehind === 1, "session.positions", { kind: "session.positions", id }),
    ...found(hasTwice === 1, "session.participants", { kind: "session.participants", id }),
    ...found(hasStrangers === 1, "session.participants", null),
  ];
}
