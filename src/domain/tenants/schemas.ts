import { z } from "zod";
import { ExternalId, Moment } from "#core/fields";

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

export const UserInput = z.strictObject({ name: z.string().min(1).max(200).nullable().optional() }).meta({ id: "UserInput" });

export const UserView = z
  .object({ id: ExternalId, name: z.string().nullable(), createdAt: z.iso.datetime() })
  .meta({ id: "User" });

export type KeyInput = z.infer<typeof KeyInput>;
export type KeyView = z.infer<typeof KeyView>;
export type NewKeyView = z.infer<typeof NewKeyView>;
export type UserInput = z.infer<typeof UserInput>;
export type UserView = z.infer<typeof UserView>;
