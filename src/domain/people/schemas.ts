import { z } from "zod";
import { asRule, Cursor, ExternalId, HAS_TEXT, named, UserId, wholeNumber } from "#core/fields";
import { nameKey } from "#core/text/normalize";

export const MAX_ALIASES = 20;

const PersonId = z.string().max(80);

/** A name or alias: what it is looked up by is made of its letters and digits, so it needs one. */
export const PersonName = named(z.string().trim().min(1).max(200), "A name needs a letter or a digit.").refine(
  (name) => nameKey(name) !== "",
  asRule("A name needs a letter or a digit."),
);

const Aliases = z.array(PersonName).max(MAX_ALIASES);
const Relationship = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(HAS_TEXT)
  .nullable()
  .describe("Whom the person is to the user, as friend or dentist");
const Notes = z.string().trim().min(1).max(2_000).regex(HAS_TEXT).nullable();

export const PersonInput = z
  .strictObject({
    userId: UserId.optional(),
    name: PersonName,
    aliases: Aliases.optional(),
    relationship: Relationship.optional(),
    notes: Notes.optional(),
  })
  .meta({ id: "PersonInput" });

export const PersonChange = z
  .strictObject({
    userId: UserId.optional(),
    name: PersonName.optional(),
    aliases: Aliases.optional().describe("All of them: whoever is left out is no alias any more"),
    relationship: Relationship.optional().describe("null takes it away"),
    notes: Notes.optional().describe("null takes them away"),
  })
  .meta({ id: "PersonChange" });

export const PersonView = z
  .object({
    id: z.string(),
    name: z.string(),
    aliases: z.array(z.string()),
    userId: ExternalId.nullable().describe("The user whose own person it is, by the app's id; null for who is no user"),
    relationship: z.string().nullable().describe("The creator's words: null for everybody but the creator and the person"),
    notes: z.string().nullable().describe("The creator's words: null for everybody but the creator and the person"),
    createdBy: ExternalId.nullable().describe(
      "The user who made it, by the app's id: null for everybody but the creator and the person",
    ),
    mergedInto: z.string().nullable().describe("The person that stands for this one since they were merged"),
    mergeId: z.string().nullable().describe("The merge that can be undone to have this person back"),
    version: z.number().int().describe("What If-Match names"),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Person" });

export const PersonListInput = z.strictObject({
  userId: UserId.optional(),
  name: PersonName.optional().describe("Everybody of the tenant with this name or alias; case, width and accents do not matter"),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

export const MergeInput = z
  .strictObject({ userId: UserId.optional(), from: PersonId.describe("The person that is merged into the one of the path") })
  .meta({ id: "MergeInput" });

export const UndoInput = z.strictObject({ userId: UserId.optional() }).meta({ id: "UndoInput" });

export const MergeView = z
  .object({
    id: z.string(),
    from: PersonView,
    into: PersonView,
    mergedAt: z.iso.datetime(),
    undoneAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Merge" });

export type PersonInput = z.infer<typeof PersonInput>;
export type PersonChange = z.infer<typeof PersonChange>;
export type PersonView = z.infer<typeof PersonView>;
export type PersonListInput = z.infer<typeof PersonListInput>;
export type MergeInput = z.infer<typeof MergeInput>;
export type UndoInput = z.infer<typeof UndoInput>;
export type MergeView = z.infer<typeof MergeView>;
