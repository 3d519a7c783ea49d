import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { sha256 } from "#core/ids";
import { getSettings } from "#domain/settings";
import { asProgress, type Progress } from "./progress.ts";
import type { ReceiptView, StoreView } from "./schemas.ts";
import type { ErasureRow } from "./view.ts";

/** What the platform keeps whatever a Worker does (Cloudflare's documentation of D1, Durable Objects, Queues and Workers Logs). */
const BACKUPS: ReceiptView["backups"] = [
  {
    what: "D1 Time Travel",
    until: "30 days (7 days on the free plan)",
    how: "the database as it was at any minute; Cloudflare deletes it by itself, and restoring it brings back what was erased: erase again then",
  },
  {
    what: "Durable Object point-in-time recovery",
    until: "30 days",
    how: "the vectors as they were, without texts, where VECTOR_INDEX=object",
  },
  {
    what: "gaps inside pages of the database file",
    until: "until the page is written anew",
    how: "free pages and the write-ahead log were overwritten with zeros (256 MB at most); where rows of others are on the same page, SQLite leaves the bytes of a deleted row in the gap, and D1 permits neither VACUUM nor secure_delete. No query returns them",
  },
  { what: "exports and backups of your own", until: "as you decide", how: "Edgewise knows nothing of them" },
  { what: "Workers Logs", until: "7 days (3 on the free plan)", how: "hold no words, names or ids of the app" },
];

export async function makeReceipt(
  ctx: Ctx<"db" | "now" | "caches" | "embedder" | "chatModel">,
  erasure: ErasureRow,
  { progress, stores, finishedAt }: { progress: Progress; stores: StoreView[]; finishedAt: number },
): Promise<ReceiptView> {
  const isLeft = stores.some(({ verdict, until }) => verdict === "residual" || (verdict === "pending" && until === null));
  return {
    version: 2,
    erasureId: erasure.publicId,
    kind: erasure.kind,
    subject: erasure.subjectHash,
    status: isLeft ? "partial_success" : "finished",
    basis: erasure.basis,
    requestRef: erasure.requestRef,
    requestedBy: erasure.requestedBy,
    createdAt: toIso(erasure.createdAt),
    finishedAt: toIso(finishedAt),
    scope: await scopeHash(progress),
    rounds: progress.round + 1,
    pagesMerged: progress.pages,
    aboutOthers:
      erasure.kind === "user"
        ? { choice: progress.aboutOthers, count: progress.aboutOthersCount, memories: progress.review }
        : null,
    stores,
    backups: BACKUPS,
    recipients: await recipientsOf(ctx, progress),
  };
}

/** Nobody records which request went to which server, so the upstream may have seen anything that went through the proxy. */
async function recipientsOf(
  ctx: Ctx<"db" | "now" | "caches" | "embedder" | "chatModel">,
  progress: Progress,
): Promise<ReceiptView["recipients"]> {
  const { upstream } = await getSettings(ctx);
  const { embedder, chatModel } = ctx;
  const wasEmbedded = (progress.deleted.vectors ?? 0) > 0;
  return [
    {
      role: "embedder",
      model: embedder.model,
      host: embedder.host ?? null,
      sawData: embedder.host === undefined ? "no" : wasEmbedded ? "yes" : "possibly",
    },
    ...(chatModel === null
      ? []
      : [
          {
            role: "chatModel" as const,
            model: chatModel.model,
            host: chatModel.host ?? null,
            sawData: progress.readByModel ? ("yes" as const) : ("possibly" as const),
          },
        ]),
    ...(upstream === null
      ? []
      : [{ role: "upstream" as const, model: null, host: new URL(upstream.url).host, sawData: "possibly" as const }]),
  ];
}

/** What a receipt signs of where to look for what is left and how much went, all that `checkStores` reads. */
export async function scopeHash({ scope, before, deleted, segments, vectors }: Progress): Promise<string> {
  return await sha256(canonicalJson({ scope, before, deleted, segments, vectors }));
}

/** What the row of an erasure says otherwise than its receipt, by names of the receipt. One of version 1 does not have the scope. */
export async function differences(erasure: ErasureRow, receipt: ReceiptView): Promise<string[]> {
  const { kind, status, basis, requestRef, requestedBy, createdAt, finishedAt } = erasure;
  const stored: Record<string, unknown> = {
    ...{ erasureId: erasure.publicId, kind, subject: erasure.subjectHash, status, basis, requestRef, requestedBy },
    ...{ createdAt: toIso(createdAt), finishedAt: finishedAt === null ? null : toIso(finishedAt) },
    aboutOthers: kind === "user" ? erasure.aboutOthers : null,
    scope: await scopeHash(asProgress(erasure.progress)),
  };
  const signed: Record<string, unknown> = { ...receipt, aboutOthers: receipt.aboutOthers?.choice ?? null };
  const names = Object.keys(stored).filter((name) => name !== "scope" || receipt.version !== 1);
  return names.filter((name) => stored[name] !== signed[name]);
}

/** JSON with sorted keys and without blanks (RFC 8785, for values that have no fractions): equal receipts are equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join(",")}}`;
}

/** What the signature of a receipt is bound to. */
export function signedAs(tenantId: number): string {
  return `erasure receipt ${tenantId}`;
}
