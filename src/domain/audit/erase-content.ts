import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { decodeCursor, encodeCursor } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, readRows, runBatch, type Statement, select } from "#db/client";
import { nullable, type RowOf, row, text } from "#db/row";
import { AUDIT } from "#db/schema/tenants";
import { contentHashOf } from "./chain.ts";
import { commit } from "./commit.ts";
import { isAbout, MEANINGS, meaningsOf } from "./object-ids.ts";
import { ERASED_A_CALL, type ErasedView, type EraseInput, ROWS_AN_ERASURE } from "./schemas.ts";
import { ROWS_A_SEAL, sealTenant } from "./seal.ts";

/**
 * Removes user, detail and salt from the rows that the input names and keeps the hash of the content, so that the chain still verifies and
 * the content cannot be guessed. A call reads a bounded number of rows, oldest first; the cursor continues after them.
 * @throws unprocessable for a cursor of another list, and for an id without a kind that several objects have, because an erasure is final.
 */
export async function eraseAuditContent(ctx: Ctx<"db" | "now" | "newId">, input: EraseInput): Promise<ErasedView> {
  requirePermission(ctx.actor, "admin");
  const { rows, nextCursor } = await findContent(ctx, input);
  if (rows.length === 0) return { erased: 0, nextCursor };
  const erasure = eraseStatement(ctx, await sealAndHash(ctx, rows));
  const results = await commit(ctx, {
    statements: [erasure],
    audit: [
      {
        action: "audit.erased",
        objectId: "audit",
        userId: null,
        detail: { rows: rows.length, by: nameOf(input) },
        when: sql`changes() > 0`,
      },
    ],
  });
  return { erased: results.changes(erasure), nextCursor };
}

/** Seals first: otherwise erasing a row that was changed by hand before its first seal would hide the change. */
async function sealAndHash(ctx: Ctx<"db" | "now">, rows: readonly Content[]): Promise<string> {
  await sealTenant(ctx, ctx.tenantId, ROWS_A_SEAL);
  return JSON.stringify(Object.fromEntries(await Promise.all(rows.map(async (row) => [row.seq, await hashOf(row)]))));
}

/** `hashes`: those of the rows' contents, by their numbers, as JSON. */
function eraseStatement(ctx: Ctx<"db" | "now">, hashes: string): Statement {
  return ctx.db.run(sql`
    update audit set user_id = null, detail = null, salt = null, content_hash = json_extract(${hashes}, '$.' || seq),
      erased_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and seq in (select cast(key as integer) from json_each(${hashes})) and erased_at is null`);
}

/**
 * The same for the rows whose tenant and number `keys` selects, a bounded number: a part of an erasure that has an
 * audit row of its own. Returns how many were erased, and whether there are more.
 */
export async function eraseAuditRows(ctx: Ctx<"db" | "now">, keys: SQL): Promise<{ erased: number; isDone: boolean }> {
  const rows = await readRows(
    ctx,
    select(
      CONTENT,
    )`from audit a where a.tenant_id = ${ctx.tenantId} and (a.tenant_id, a.seq) in (${keys}) order by a.seq limit ${ERASED_A_CALL}`,
  );
  if (rows.length === 0) return { erased: 0, isDone: true };
  const erasure = eraseStatement(ctx, await sealAndHash(ctx, rows));
  const results = await runBatch(ctx, [erasure]);
  return { erased: results.changes(erasure), isDone: rows.length < ERASED_A_CALL };
}

const CONTENT = row({ ...AUDIT.of(sql`a`, "seq", "userId", "salt"), detail: nullable(text(sql`a.detail`)) });
const NEWEST = row(AUDIT.of(sql`a`, "seq"));

type Content = RowOf<typeof CONTENT>;

async function findContent(ctx: Ctx<"db">, input: EraseInput): Promise<{ rows: Content[]; nextCursor: string | null }> {
  const [given] = input.cursor === undefined ? [0] : decodeCursor("audit-erase", input.cursor, ["number"]);
  const after = Number(given);
  const stretch = sql`a.tenant_id = ${ctx.tenantId} and a.seq > ${after} and a.seq <= ${after + ROWS_AN_ERASURE} and a.erased_at is null`;
  const { objectId, objectKind } = input;
  const isOfAnyKind = objectId !== undefined && objectKind === undefined;
  const {
    meanings: [meanings],
    rows,
    newest: [newest],
  } = await read(ctx, {
    meanings: isOfAnyKind ? select(MEANINGS)`${meaningsOf(ctx.tenantId, objectId, stretch)}` : null,
    rows: select(CONTENT)`from audit a where ${stretch} and ${isNamed(ctx, input)} order by a.seq limit ${ERASED_A_CALL}`,
    newest: select(NEWEST)`from audit a where a.tenant_id = ${ctx.tenantId} order by a.seq desc limit 1`,
  });
  if (meanings !== undefined) refuseSeveral(meanings);
  const end = rows.length === ERASED_A_CALL ? (rows.at(-1)?.seq ?? after) : after + ROWS_AN_ERASURE;
  return { rows, nextCursor: end < (newest?.seq ?? 0) ? encodeCursor("audit-erase", [end]) : null };
}

function refuseSeveral({ named, isOwnId }: RowOf<typeof MEANINGS>): void {
  if (named + (isOwnId ? 1 : 0) < 2) return;
  const message =
    "Several objects have this objectId. Name the objectKind: session, project or user. Rows about anything else can be erased by their ids.";
  throw breaksRule("objectKind", message);
}

function isNamed(ctx: Ctx, { objectId, objectKind, userId, ids }: EraseInput): SQL {
  if (objectId !== undefined) return isAbout(ctx.tenantId, { objectId, objectKind });
  if (ids !== undefined) return sql`a.id in (select value from json_each(${JSON.stringify(ids)}))`;
  if (userId === undefined) throw new AppError("internal", "The schema lets nobody name nothing.");
  const user = (column: SQL) => sql`(select ${column} from users where tenant_id = ${ctx.tenantId} and external_id = ${userId})`;
  return sql`(a.user_id = ${user(sql`id`)} or a.object_id = ${user(sql`public_id`)} or ${namesUser(userId)})`;
}

/** A cheap text filter first: only rows whose text contains the id as a JSON string are parsed. */
function namesUser(externalId: string): SQL {
  return sql`(instr(a.detail, ${JSON.stringify(externalId)}) > 0 and exists (
    select 1 from json_tree(a.detail) j where j.atom = ${externalId} and (j.key = 'memberId' or j.path in ('$.participants', '$.joined', '$.left'))))`;
}

async function hashOf(row: Content): Promise<string> {
  const hash = await contentHashOf(row);
  // A row whose salt was removed by hand has no hash. Verifying reports it, and it may still be erased.
  return hash ?? "";
}

function nameOf({ objectId, userId }: EraseInput): "objectId" | "userId" | "ids" {
  if (objectId !== undefined) return "objectId";
  return userId !== undefined ? "userId" : "ids";
}
