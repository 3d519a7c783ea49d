import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { requirePermission } from "#core/permission";
import { type Query, read, select } from "#db/client";
import { row } from "#db/row";
import { AUDIT, AUDIT_SEAL } from "#db/schema/tenants";
import { type ChainRow, GENESIS, selectChainRows, walk } from "./chain.ts";
import { type Checked, checkChain, type Seal } from "./check-chain.ts";
import type { VerificationView, VerifyInput } from "./schemas.ts";
import { ROWS_A_SEAL, type Sealing, sealTenant } from "./seal.ts";

/** Rows that one call recomputes: more than a seal covers, so that a call always reaches a seal to continue from. */
const ROWS_A_CALL = 5_000;

type Problem = NonNullable<VerificationView["problem"]>;

/**
 * Seals what is not sealed, then recomputes the chain over a bounded number of rows. Detects every change to a row after it was sealed,
 * including removal and reordering, unless the chain after it was recomputed: the hash has no secret, so anybody who can write to the
 * database can do that, or cut off the end with its seals. Both are detected by comparing with a head that was noted outside. Not detected:
 * changes before a row's first seal, other than a gap, and a changed time of an erasure.
 * @throws unprocessable for a start that has no seal.
 */
export async function verifyAudit(ctx: Ctx<"db" | "now">, input: VerifyInput): Promise<VerificationView> {
  requirePermission(ctx.actor, "admin");
  const sealing = await sealTenant(ctx, ctx.tenantId, ROWS_A_SEAL);
  const stretch = await readStretch(ctx, input.from);
  const { start, rows, seals, head, newest } = stretch;
  const checked = await checkChain({ start, rows, seals, span: ROWS_A_SEAL });
  const noted = await checkNoted(ctx, input, newest);
  const problem = checked.problem ?? noted?.problem ?? stopOf(sealing);
  return {
    intact: problem === null,
    checked: checked.to - start.seq,
    from: start.seq,
    to: checked.to,
    nextFrom: nextStart(checked, seals, head),
    head,
    unsealed: Math.max(newest - head.seq, 0),
    ...(noted === null ? {} : { noted: { seq: noted.seq, onChain: noted.problem === null } }),
    ...(problem === null ? {} : { problem }),
  };
}

type Stretch = { start: Seal; rows: ChainRow[]; seals: Seal[]; head: Seal; newest: number };

async function readStretch(ctx: Ctx<"db">, from: number): Promise<Stretch> {
  const {
    begin: [begin],
    rows,
    seals,
    last: [last],
    newest: [newest],
  } = await read(ctx, {
    begin: findSeals(ctx, sql`s.seq = ${from}`),
    rows: selectChainRows(ctx.tenantId, { after: from, limit: ROWS_A_CALL }),
    seals: findSeals(
      ctx,
      sql`s.seq > ${from} and s.seq <= max(${from + ROWS_A_CALL},
        coalesce((select min(seq) from audit_seals where tenant_id = ${ctx.tenantId} and seq > ${from}), 0)) order by s.seq`,
    ),
    last: findSeals(ctx, LAST),
    newest: findNewest(ctx),
  });
  const start = from === 0 ? { seq: 0, hash: GENESIS } : begin;
  if (start === undefined) throw breaksRule("from", "No seal is at this row. Start from 0, or from the nextFrom of an answer.");
  return {
    ...{ start, rows, seals },
    head: last ?? { seq: 0, hash: GENESIS },
    newest: newest?.seq ?? 0,
  };
}

const SEAL = row(AUDIT_SEAL.of(sql`s`, "seq", "hash"));
const NEWEST = row(AUDIT.of(sql`a`, "seq"));
const LAST = sql`true order by s.seq desc limit 1`;

/** The tenant's seals that match `where`, which may end with an order and a limit. */
function findSeals(ctx: Ctx<"db">, where: SQL): Query<Seal> {
  return select(SEAL)`from audit_seals s where s.tenant_id = ${ctx.tenantId} and ${where}`;
}

function findNewest(ctx: Ctx<"db">): Query<{ seq: number }> {
  return select(NEWEST)`from audit a where a.tenant_id = ${ctx.tenantId} order by a.seq desc limit 1`;
}

/** Problems in the rows that have no seal yet. */
function stopOf({ stopped }: Sealing): Problem | null {
  return stopped === null ? null : { kind: stopped.kind, since: stopped.brokenAt, seq: stopped.brokenAt };
}

/** After a problem, the next seal behind it, so that later rows can be checked too. */
function nextStart({ to, problem }: Checked, seals: readonly Seal[], head: Seal): number | null {
  const next = problem === null ? to : seals.find(({ seq }) => seq >= problem.seq)?.seq;
  return next === undefined || next >= head.seq ? null : next;
}

/** Recomputes the hash at a noted head from the seal before it, and compares. */
async function checkNoted(
  ctx: Ctx<"db">,
  { seq, hash }: VerifyInput,
  newest: number,
): Promise<{ seq: number; problem: Problem | null } | null> {
  if (seq === undefined || hash === undefined) return null;
  if (seq > newest) return { seq, problem: { kind: "cut_off", since: newest + 1, seq } };
  const before = sql`select seq from audit_seals where tenant_id = ${ctx.tenantId} and seq < ${seq} order by seq desc limit 1`;
  const {
    seal: [seal],
    found,
  } = await read(ctx, {
    seal: findSeals(ctx, sql`s.seq < ${seq} order by s.seq desc limit 1`),
    found: selectChainRows(ctx.tenantId, { after: sql`coalesce((${before}), 0)`, limit: ROWS_A_SEAL }),
  });
  const start = seal ?? { seq: 0, hash: GENESIS };
  const since = start.seq + 1;
  if (seq - start.seq > ROWS_A_SEAL) return { seq, problem: { kind: "missing_seal", since, seq } };
  const rows = found.filter((one) => one.seq <= seq);
  const walked = await walk(start, rows);
  if ("brokenAt" in walked) return { seq, problem: { kind: walked.kind, since: walked.brokenAt, seq: walked.brokenAt } };
  return { seq, problem: walked.hash === hash ? null : { kind: "rewritten", since, seq } };
}
