import { z } from "zod";
import { asRule, ExternalId, Moment, UserId } from "#core/fields";
import { isTimeZone } from "#core/local-time";

const Permission = z.enum(["read", "write", "admin"]);

export const KeyInput = z
  .strictObject({
    name: z.string().min(1).max(100).describe("What the key is for"),
    userId: ExternalId.optional().describe(
      "Makes it a personal key, which acts for this user only. Without it, a server key, which acts for the user that a request names",
    ),
    permissions: z
      .array(Permission)
      .min(1)
      .max(3)
      .default(["read", "write"])
      .describe("Only permissions that the calling key has; a personal key cannot have admin"),
    expiresAt: Moment.optional().describe("No later than the calling key's own expiry, if it has one"),
  })
  .meta({ id: "KeyInput" });

export const KeyView = z
  .object({
    id: z.string(),
    name: z.string(),
    userId: ExternalId.nullable().describe("The one user for whom a personal key acts; null for a server key"),
    prefix: z.string().describe("The first characters of the key, to recognise it"),
    permissions: z.array(Permission),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Key" });

export const NewKeyView = KeyView.extend({ key: z.string().describe("The key itself, shown this once") }).meta({ id: "NewKey" });

const MAX_LIFE_SECONDS = 3_600;
const MAX_SESSIONS = 20;

export const TokenInput = z
  .strictObject({
    userId: UserId.optional(),
    expiresInSeconds: z
      .number()
      .int()
      .min(1)
      .max(MAX_LIFE_SECONDS)
      .default(900)
      .describe("How long it lasts; never longer than the key that makes it"),
    sessions: z
      .array(ExternalId)
      .min(1)
      .max(MAX_SESSIONS)
      .optional()
      .describe("The only sessions in which it may act; any of the user's when absent"),
    readOnly: z.boolean().default(false).describe("Whether it may change nothing"),
  })
  .meta({ id: "TokenInput" });

export const TokenView = z
  .object({
    id: z.string().describe("Its id, tok_…, as the audit log names it"),
    token: z.string().describe("The token itself, a JWT, shown this once"),
    userId: ExternalId.describe("The one user for whom it acts"),
    permissions: z.array(z.enum(["read", "write"])),
    sessions: z.array(ExternalId).nullable().describe("The only sessions in which it may act; null for any of the user's"),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Token" });

export const RotatedView = z
  .object({
    rotatedAt: z.iso.datetime(),
    formerValidUntil: z.iso.datetime().describe("Until when tokens of the secret before are accepted"),
  })
  .meta({ id: "RotatedTokenSecret" });

export const RevokeTokensInput = z
  .strictObject({
    userId: UserId.optional(),
    everybody: z.boolean().optional().describe("Instead of a user: the tokens of all; needs the permission admin"),
  })
  .refine(
    ({ userId, everybody }) => userId === undefined || everybody !== true,
    asRule("Either a user or everybody.", "everybody"),
  )
  .meta({ id: "RevokeTokensInput" });

export const RevokedTokensView = z
  .object({
    userId: ExternalId.nullable().describe("null for everybody"),
    issuedBefore: z.iso.datetime().describe("Tokens that were issued until then are refused"),
  })
  .meta({ id: "RevokedTokens" });

export const UserInput = z
  .strictObject({
    name: z.string().min(1).max(200).nullable().optional(),
    timeZone: z
      .string()
      .max(60)
      .refine(isTimeZone, asRule("Name a zone of the IANA database, such as Europe/Vienna."))
      .nullable()
      .optional()
      .describe("Where the user is, by IANA's name, such as Europe/Vienna: their days are those of this zone. null: not known"),
  })
  .meta({ id: "UserInput" });

export const UserView = z
  .object({
    id: ExternalId,
    name: z.string().nullable(),
    timeZone: z.string().nullable().describe("By IANA's name; null where it is not known, which counts as UTC"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "User" });

export type KeyInput = z.infer<typeof KeyInput>;
export type KeyView = z.infer<typeof KeyView>;
export type NewKeyView = z.infer<typeof NewKeyView>;
export type TokenInput = z.infer<typeof TokenInput>;
export type TokenView = z.infer<typeof TokenView>;
export type RotatedView = z.infer<typeof RotatedView>;
export type RevokeTokensInput = z.infer<typeof RevokeTokensInput>;
export type RevokedTokensView = z.infer<typeof RevokedTokensView>;
export type UserInput = z.infer<typeof UserInput>;
export type UserView = z.infer<typeof UserView>;
