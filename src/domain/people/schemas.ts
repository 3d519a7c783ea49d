import { z } from "zod";
import { asRule, Cursor, ExternalId, HAS_TEXT, named, UserId, wholeNumber } from "#core/fields";
import { nameKey } from "#core/text/normalize";

export const MAX_ALIASES = 20;

const PersonId = z.string().max(80);

/** A name or alias needs a letter or digit, because it is looked up by those. */
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
  .describe("The person's relation to the user, such as friend or dentist");
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
    aliases: Aliases.optional().describe("All aliases: those that are left out are removed"),
    relationship: Relationship.optional().describe("null removes it"),
    notes: Notes.optional().describe("null removes them"),
  })
  .meta({ id: "PersonChange" });

export const PersonView = z
  .object({
    id: z.string(),
    name: z.string(),
    aliases: z.array(z.string()),
    userId: ExternalId.nullable().describe("The user that the person is, by the app's id; null for a person who is no user"),
    relationship: z.string().nullable().describe("Written by the creator: null for everybody except the creator and the person"),
    notes: z.string().nullable().describe("Written by the creator: null for everybody except the creator and the person"),
    createdBy: ExternalId.nullable().describe(
      "The user who created it, by the app's id: null for everybody except the creator and the person",
    ),
    mergedInto: z.string().nullable().describe("The person that this one was merged into"),
    mergeId: z.string().nullable().describe("The merge that can be undone to restore this person"),
    version: z.number().int().describe("The version for If-Match"),
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
