import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import { read, select } from "#db/client";
import { integer, nullable, row, text } from "#db/row";
import { AUDIT, AUDIT_SEAL } from "#db/schema/tenants";
import { hashedObject, shownObjectId } from "./object-ids.ts";
import type { ExportInput } from "./schemas.ts";

/** Rows held in memory at once. */
const ROWS_A_PAGE = 1_000;
/** Two queries for each page, of the 1,000 that D1 allows for one invocation. */
const PAGES_AN_EXPORT = 300;

type ExportedPage = { lines: string[]; last: number; full: boolean };

/**
 * The audit log as JSON Lines, oldest first: a line `{"kind": "row", …}` for each row with everything its hash covers, a line `{"kind":
 * "seal", …}` after each sealed row, and a last line `{"kind": "end", …}`; without it, the export is incomplete. Its `nextFrom` is where to
 * continue, null at the end. The first page is read before the response starts, so that its errors get a status.
 */
export async function exportAudit(ctx: Ctx<"db" | "log">, { from }: ExportInput): Promise<ReadableStream<Uint8Array>> {
  requirePermission(ctx.actor, "admin");
  const encoder = new TextEncoder();
  let pages = 0;
  let position = from;
  let page: ExportedPage | null = await readPage(ctx, position);
  return new ReadableStream({
    async pull(controller) {
      try {
        page ??= await readPage(ctx, position);
        pages += 1;
        position = page.last;
        const ends = !page.full || pages === PAGES_AN_EXPORT;
        const end = ends ? [JSON.stringify({ kind: "end", nextFrom: page.full ? position : null })] : [];
        controller.enqueue(encoder.encode([...page.lines, ...end, ""].join("\n")));
        page = null;
        if (ends) controller.close();
      } catch (error) {
        // The response has begun, so the error goes to the log only; the client sees that the last line is missing.
        ctx.log("audit.export_failed", { requestId: ctx.requestId, ...describeError(error) });
        throw error;
      }
    },
  });
}

const ROW = row({
  ...AUDIT.of(sql`a`, "seq", "id", "at", "actorKind", "actorId", "workspaceId", "action", "requestId"),
  objectId: shownObjectId,
  ...hashedObject,
  userId: nullable(text(sql`u.external_id`)),
  userNumber: nullable(integer(sql`a.user_id`)),
  // The text as it is stored, because it is what was hashed.
  detail: nullable(text(sql`a.detail`)),
  ...AUDIT.of(sql`a`, "salt", "contentHash", "erasedAt"),
});
const SEAL = row(AUDIT_SEAL.of(sql`s`, "seq", "hash", "sealedAt"));

/** Rows and the seals between them; on the last page also seals whose rows are missing. */
async function readPage(ctx: Ctx<"db">, after: number): Promise<ExportedPage> {
  const { rows, seals } = await read(ctx, {
    rows: select(ROW)`from audit a left join users u on u.id = a.user_id and u.tenant_id = a.tenant_id
      where a.tenant_id = ${ctx.tenantId} and a.seq > ${after} order by a.seq limit ${ROWS_A_PAGE}`,
    seals: select(SEAL)`from audit_seals s
      where s.tenant_id = ${ctx.tenantId} and s.seq > ${after} and s.seq <= coalesce((
        select seq from audit where tenant_id = ${ctx.tenantId} and seq > ${after} order by seq limit 1 offset ${ROWS_A_PAGE - 1}),
        ${Number.MAX_SAFE_INTEGER})
      order by s.seq`,
  });
  const lines = [
    ...rows.map((one) => ({ kind: "row", ...one, erasedAt: one.erasedAt === null ? null : toIso(one.erasedAt) })),
    ...seals.map((seal) => ({ kind: "seal", ...seal, sealedAt: toIso(seal.sealedAt) })),
  ];
  return {
    lines: lines.toSorted((a, b) => a.seq - b.seq).map((line) => JSON.stringify(line)),
    last: rows.at(-1)?.seq ?? after,
    full: rows.length === ROWS_A_PAGE,
  };
}
