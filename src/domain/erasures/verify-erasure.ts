import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict } from "#core/errors";
import { sha256 } from "#core/ids";
import { read, select } from "#db/client";
import { integer, nullable, row, text } from "#db/row";
import { verifyAudit } from "#domain/audit";
import { checkStores } from "./check-stores.ts";
import { loadErasure } from "./list-erasures.ts";
import { asProgress } from "./progress.ts";
import { differences, signedAs } from "./receipt.ts";
import type { VerifiedView } from "./schemas.ts";
import { asReceipt, type ErasureRow } from "./view.ts";

type VerifyCtx = Ctx<"db" | "now" | "vectors" | "files" | "secretBox">;

/**
 * Whether a receipt still holds: its signature, what the record of the erasure says besides it, its hash in the audit log with the chain around it, and what the stores have now.
 * @throws not_found as `getErasure` does.
 * @throws conflict for an erasure that has not ended.
 */
export async function verifyErasure(ctx: VerifyCtx, erasureId: string): Promise<VerifiedView> {
  const erasure = await loadErasure(ctx, erasureId);
  const { receipt, signature } = erasure;
  if (receipt === null) throw conflict("This erasure has not ended, so it has no receipt yet.");
  const audit = await checkAudit(ctx, erasure, await sha256(receipt));
  const { version, changed } = await compare(erasure, receipt);
  const record = changed.length > 0 ? "changed" : version === 1 ? "unsigned" : "as_signed";
  const stores = await checkStores(ctx, asProgress(erasure.progress));
  const signed = await checkSignature(ctx, receipt, signature);
  const isClean = stores.every(({ verdict, until }) => verdict !== "residual" && (verdict !== "pending" || until !== null));
  const isSigned = signed === "valid" && record === "as_signed";
  return {
    verified: isSigned && audit.recorded && audit.chainIntact && isClean,
    ...{ signature: signed, record, changed, audit, stores },
  };
}

async function compare(erasure: ErasureRow, receipt: string): Promise<{ version: number; changed: string[] }> {
  const signed = asReceipt(receipt);
  return { version: signed.version, changed: await differences(erasure, signed) };
}

async function checkSignature(ctx: VerifyCtx, receipt: string, signature: string | null): Promise<VerifiedView["signature"]> {
  if (signature === null || ctx.secretBox === null) return "missing";
  return (await ctx.secretBox.sign(receipt, signedAs(ctx.tenantId))) === signature ? "valid" : "invalid";
}

const RECORDED = row({
  seq: integer(sql`a.seq`),
  hash: nullable(text(sql`a.detail ->> 'receipt'`)),
  sealBefore: nullable(
    integer(sql`(select s.seq from audit_seals s where s.tenant_id = a.tenant_id and s.seq < a.seq order by s.seq desc limit 1)`),
  ),
});

/** The newest row about the erasure's end, and the chain from the last seal before it on. */
async function checkAudit(ctx: VerifyCtx, { publicId, finishedAt }: ErasureRow, hash: string): Promise<VerifiedView["audit"]> {
  const {
    recorded: [recorded],
  } = await read(ctx, {
    recorded: select(RECORDED)`from audit a where a.tenant_id = ${ctx.tenantId} and a.object_id = ${publicId}
      and a.action = 'erasure.finished' and a.at >= ${finishedAt ?? 0} order by a.seq desc limit 1`,
  });
  if (recorded === undefined) return { recorded: false, chainIntact: false, seq: null };
  const asSystem = { ...ctx, actor: { kind: "system" as const, id: "erasures" } };
  const chain = await verifyAudit(asSystem, { from: recorded.sealBefore ?? 0 });
  return { recorded: recorded.hash === hash, chainIntact: chain.intact, seq: recorded.seq };
}
