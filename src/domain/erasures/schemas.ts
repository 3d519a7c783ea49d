import { z } from "zod";
import { Cursor, ExternalId, queryFlag, UserId, wholeNumber } from "#core/fields";

const AboutOthers = z
  .enum(["unlink", "erase", "review"])
  .describe(
    "What becomes of memories of others that are about the person. unlink: the text stays, whom it is about does not. erase: they are erased. review: they stay as they are, and the receipt lists them. Of a user only",
  );
const Basis = z.string().min(1).max(200).describe("Why, such as `GDPR Art. 17 (1) b`; kept in the record, so no personal data");
const RequestRef = z.string().min(1).max(200).describe("Your own number of the request; kept in the record, so no personal data");

export const ErasureKind = z.enum(["user", "session", "project", "source"]);

const Choices = { aboutOthers: AboutOthers.optional(), basis: Basis.optional(), requestRef: RequestRef.optional() };

export const ErasureInput = z
  .strictObject({
    kind: ErasureKind,
    id: ExternalId,
    userId: UserId.optional().describe("The user who asks; none is needed with a key that has the permission admin"),
    dryRun: z.boolean().optional().describe("Only count what would be erased"),
    ...Choices,
  })
  .meta({ id: "ErasureInput" });

/** The same in the query of a DELETE. */
export const ErasureOptions = z.strictObject({ userId: UserId.optional(), dryRun: queryFlag().optional(), ...Choices });

export const ErasureListInput = z.strictObject({
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

const Verdict = z
  .enum(["erased", "residual", "pending", "not_applicable"])
  .describe(
    "erased: nothing of the subject is left in it. residual: something is left. pending: it goes by itself, `until` says when. not_applicable: it holds nothing of the subject, or `how` says why it stays",
  );

export const StoreView = z
  .object({
    store: z.string(),
    kind: z.enum(["table", "text index", "vectors", "files", "cache", "queue", "log", "object"]),
    method: z.enum(["delete", "redact", "merge", "expire", "keep"]),
    before: z.number().int().nullable(),
    deleted: z.number().int().nullable(),
    remaining: z.number().int().nullable().describe("Counted again at `checkedAt`; null where it cannot be counted"),
    verdict: Verdict,
    checkedAt: z.iso.datetime(),
    until: z.string().nullable().describe("For what goes by itself: the longest time, such as `15 seconds`"),
    how: z.string().describe("What was done, how it was checked, and what stays"),
  })
  .meta({ id: "ErasedStore" });

const Kept = z.object({ what: z.string(), until: z.string(), how: z.string() });
const Recipient = z.object({
  role: z.enum(["embedder", "chatModel", "upstream"]),
  model: z.string().nullable(),
  host: z.string().nullable(),
  sawData: z.enum(["yes", "no", "possibly"]),
});

export const ReceiptView = z
  .object({
    version: z.union([z.literal(1), z.literal(2)]),
    erasureId: z.string(),
    kind: ErasureKind,
    subject: z
      .string()
      .describe("A keyed hash of the tenant, the kind and the app's id, by which a repeated import is recognised"),
    status: z.enum(["finished", "partial_success"]),
    basis: z.string().nullable(),
    requestRef: z.string().nullable(),
    requestedBy: z.string().describe("The id of the key or token"),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
    scope: z
      .string()
      .optional()
      .describe(
        "SHA-256 of where `verify` looks, in internal numbers, and of how much went. Receipts of version 1 do not have it",
      ),
    rounds: z.number().int().describe("How often it looked for what was written meanwhile"),
    pagesMerged: z.number().int().describe("Pages of the text indexes that may have been written anew, of 4 kB"),
    aboutOthers: z
      .object({
        choice: AboutOthers,
        count: z.number().int().describe("Memories of others that were about the person"),
        memories: z.array(z.string()).describe("With review: their ids, the first 1,000"),
      })
      .nullable(),
    stores: z.array(StoreView),
    backups: z.array(Kept).describe("What the platform keeps for a while, which no Worker can delete"),
    recipients: z.array(Recipient).describe("Model servers, as they are configured now"),
  })
  .meta({ id: "ErasureReceipt" });

export const ErasureStatus = z.enum(["initialized", "running", "finished", "partial_success", "failed"]);

export const ErasureView = z
  .object({
    id: z.string().nullable().describe("Null for a dry run, which stores nothing"),
    kind: ErasureKind,
    status: ErasureStatus.describe(
      "partial_success: it ended, but not every store is free of the subject; the receipt says which",
    ),
    dryRun: z.boolean(),
    aboutOthers: AboutOthers.nullable(),
    basis: z.string().nullable(),
    requestRef: z.string().nullable(),
    progress: z.object({
      step: z.number().int(),
      steps: z.number().int(),
      round: z.number().int(),
      deleted: z.number().int().describe("Rows and vectors so far"),
    }),
    stores: z.array(StoreView).describe("Of a dry run: what would be erased. Else those of the receipt"),
    receipt: ReceiptView.nullable().describe("Null until it has ended, and of a dry run"),
    signature: z.string().nullable().describe("HMAC-SHA-256 of the receipt in canonical JSON (RFC 8785), in hex"),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Erasure" });

export const ErasureSummary = ErasureView.omit({ stores: true, receipt: true, signature: true, progress: true }).meta({
  id: "ErasureSummary",
});

export const VerifiedView = z
  .object({
    verified: z.boolean().describe("Whether all of it holds"),
    signature: z.enum(["valid", "invalid", "missing"]),
    record: z
      .enum(["as_signed", "changed", "unsigned"])
      .describe(
        "Whether the record of the erasure is as the receipt says. unsigned: the receipt is of version 1, which does not sign where to look, so that what `stores` says proves nothing",
      ),
    changed: z
      .array(z.string())
      .describe("What is not, by names of the receipt, such as `status`, or `scope` for where to look and how much went"),
    audit: z.object({
      recorded: z.boolean().describe("Whether the audit log has the hash of this receipt"),
      chainIntact: z.boolean().describe("Whether the chain around that row is unbroken"),
      seq: z.number().int().nullable(),
    }),
    stores: z.array(StoreView).describe("Counted again now"),
  })
  .meta({ id: "ErasureVerification" });

export type ErasureInput = z.infer<typeof ErasureInput>;
export type ErasureListInput = z.infer<typeof ErasureListInput>;
export type ErasureView = z.infer<typeof ErasureView>;
export type ErasureSummary = z.infer<typeof ErasureSummary>;
export type StoreView = z.infer<typeof StoreView>;
export type ReceiptView = z.infer<typeof ReceiptView>;
export type VerifiedView = z.infer<typeof VerifiedView>;
