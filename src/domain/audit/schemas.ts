import { z } from "zod";
import { asRule, Cursor, ExternalId, exactlyOneOf, Moment, SPAN, wholeNumber } from "#core/fields";

/** The most rows that a page of the list reads. */
export const ROWS_A_PAGE = 2_000;
/** The most rows that one erasure reads, and how many of them it erases. */
export const ROWS_AN_ERASURE = 10_000;
export const ERASED_A_CALL = 500;

const ActorKind = z
  .enum(["key", "token", "mcp", "job", "system"])
  .describe("mcp: a key or a user token that was used over MCP; actor.id is its id");
const Seq = wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER });
const Hash = z.string().regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits in lower case.");
const SomeId = z.string().min(1).max(200);
const cursor = Cursor.optional();

/** Kinds of objects whose ids the app gives, so that one of each may have the same. */
const ObjectKind = z.enum(["session", "project", "user"]);

const KIND_OF_ID = [
  ({ objectId, objectKind }: { objectId?: string | undefined; objectKind?: ObjectKind | undefined }) =>
    objectId !== undefined || objectKind === undefined,
  asRule("objectKind goes with objectId.", "objectKind"),
] as const;

export const AuditListInput = z
  .strictObject({
    action: z.string().min(1).max(100).optional().describe("Such as session.moved"),
    actorKind: ActorKind.optional(),
    actorId: SomeId.optional().describe("Such as a key's id"),
    userId: ExternalId.optional(),
    objectId: SomeId.optional().describe("The id that the rows show"),
    objectKind: ObjectKind.optional().describe("With objectId: only the object of this kind that has this id in the app"),
    workspaceId: SomeId.optional(),
    requestId: SomeId.optional(),
    from: Moment.optional(),
    to: Moment.optional().describe("Up to but not including"),
    cursor,
    limit: wholeNumber({ min: 1, max: 100 }).default(50),
  })
  .refine(...SPAN)
  .refine(...KIND_OF_ID);

export const AuditView = z
  .object({
    id: z.string(),
    seq: z.number().int().describe("1, 2, 3, … without a gap: the order in which the tenant's changes were committed"),
    at: z.iso.datetime(),
    actor: z.object({ kind: ActorKind, id: z.string() }),
    userId: z
      .string()
      .nullable()
      .describe("The app's own id of the user on whose behalf it was done; null for none, and once erased"),
    workspaceId: z.string().nullable(),
    action: z.string(),
    objectId: z
      .string()
      .nullable()
      .describe(
        "The changed object: a session, a project or a user by the app's id, which is null once erased; others by their own id",
      ),
    detail: z.record(z.string(), z.unknown()).nullable().describe("Ids, counts and names; null once erased"),
    requestId: z.string(),
    erased: z.boolean(),
  })
  .meta({ id: "AuditRow" });

export const AuditPage = z.object({ items: z.array(AuditView), nextCursor: z.string().nullable() }).meta({
  id: "AuditPage",
  description: `A page looks at ${ROWS_A_PAGE} rows at most and takes those that pass the filters, so it may hold fewer than limit, or none, while nextCursor says that there is more to look at.`,
});

export const VerifyInput = z
  .strictObject({
    from: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })
      .default(0)
      .describe("0, or the nextFrom of an earlier answer: the rows up to it are taken as checked"),
    seq: Seq.optional().describe("With hash: a head that was noted earlier, outside Edgewise"),
    hash: Hash.optional(),
  })
  .refine(({ seq, hash }) => (seq === undefined) === (hash === undefined), asRule("seq and hash go together.", "seq"));

const Head = z.object({ seq: z.number().int(), hash: z.string() });

export const VerificationView = z
  .object({
    intact: z.boolean().describe("Whether the rows that this answer covers have no problem"),
    checked: z.number().int().describe("Rows that agree with a seal"),
    from: z.number().int(),
    to: z.number().int().describe("The last seal that the rows agree with"),
    nextFrom: z.number().int().nullable().describe("Where to continue; null when the head is reached"),
    head: Head.describe(
      "The last seal. Note it outside Edgewise: only a noted head reveals that the end was cut off or everything was rewritten",
    ),
    unsealed: z.number().int().describe("Rows after the head; changes of them show only once they are sealed"),
    noted: z
      .object({ seq: z.number().int(), onChain: z.boolean() })
      .optional()
      .describe("Whether the chain still goes through the noted head"),
    problem: z
      .object({
        kind: z
          .enum(["missing_row", "changed_row", "changed_seal", "changed_row_or_seal", "missing_seal", "cut_off", "rewritten"])
          .describe(
            "missing_row, changed_row (one from since to seq), changed_seal, changed_row_or_seal (without a later seal it is unknown which), " +
              "missing_seal (since to seq should have one); of a noted head: cut_off (the chain ends before it), rewritten (it has another hash)",
          ),
        since: z.number().int(),
        seq: z.number().int(),
      })
      .optional()
      .describe("The first problem that was found"),
  })
  .meta({ id: "AuditVerification" });

export const ExportInput = z.strictObject({
  from: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .default(0)
    .describe("0, or the nextFrom of the last line of an earlier export: rows after it"),
});

export const EraseInput = z
  .strictObject({
    objectId: SomeId.optional().describe("Rows about this object"),
    objectKind: ObjectKind.optional().describe(
      "With objectId: only the object of this kind that the app named so. An objectId that several objects have is refused without it",
    ),
    userId: ExternalId.optional().describe("Rows done on behalf of this user, about them, or naming them"),
    ids: z.array(z.string().max(80)).min(1).max(100).optional().describe("These rows"),
    cursor: cursor.describe("The nextCursor of an earlier answer to the same body"),
  })
  .refine(({ objectId, userId, ids }) => [objectId, userId, ids].filter((name) => name !== undefined).length === 1, {
    message: "Name one of objectId, userId and ids.",
  })
  .refine(...KIND_OF_ID)
  .meta({ id: "AuditErasure", ...exactlyOneOf("objectId", "userId", "ids") });

export const ErasedView = z
  .object({
    erased: z.number().int().describe("Rows whose content was erased by this call"),
    nextCursor: z
      .string()
      .nullable()
      .describe(
        `A call looks at ${ROWS_AN_ERASURE} rows and erases ${ERASED_A_CALL} at most. Send the same body with this cursor until it is null`,
      ),
  })
  .meta({ id: "AuditErased" });

export type ObjectKind = z.infer<typeof ObjectKind>;
export type AuditListInput = z.infer<typeof AuditListInput>;
export type AuditView = z.infer<typeof AuditView>;
export type VerifyInput = z.infer<typeof VerifyInput>;
export type VerificationView = z.infer<typeof VerificationView>;
export type ExportInput = z.infer<typeof ExportInput>;
export type EraseInput = z.infer<typeof EraseInput>;
export type ErasedView = z.infer<typeof ErasedView>;
