import { z } from "zod";
import { Cursor, UserId, wholeNumber } from "#core/fields";
import { MEMORY_TYPES, MemoryPlaceInput, MemoryView, WriterPlaceInput } from "#domain/memories";

export const ForgetInput = WriterPlaceInput.extend({
  keepSource: z
    .enum(["true", "false"])
    .default("false")
    .describe("true: only the memory goes, and the words that it was learned from stay in their episode"),
});

const Redacted = z
  .object({
    sessionId: z.string(),
    episodeId: z.string(),
    message: z.number().int().describe("The index of the message in its episode"),
    start: z.number().int().describe("In UTF-16 code units"),
    end: z.number().int(),
  })
  .meta({ id: "Redacted" });

export const ForgottenView = z
  .object({
    forgettingId: z.string().nullable().describe("By which the words can be restored; null if none were redacted"),
    memories: z.number().int(),
    facts: z.number().int().describe("Values of lists that the same words stated"),
    redacted: z.array(Redacted).describe("Which words were redacted, never the words themselves"),
    undoUntil: z.iso.datetime().describe("When what was forgotten is deleted for good"),
  })
  .meta({ id: "Forgotten" });

const MAX_AGE_DAYS = 36_500;

export const ForgetMatchingInput = MemoryPlaceInput.omit({ asOf: true }).extend({
  types: z.array(z.enum(MEMORY_TYPES)).min(1).max(MEMORY_TYPES.length).optional().describe("Only memories of these types"),
  olderThanDays: z
    .number()
    .int()
    .min(0)
    .max(MAX_AGE_DAYS)
    .optional()
    .describe("Only memories stored at least so many days ago; 0 for all"),
  dryRun: z.boolean().default(true).describe("true: lists what would be forgotten, and forgets nothing"),
});

export const ForgottenManyView = z.object({
  dryRun: z.boolean(),
  matched: z.number().int().describe("How many memories match; a call forgets 20 at most"),
  forgotten: z.number().int().describe("How many are gone, with those that the same words told"),
  memories: z.array(MemoryView).describe("Those that match, the newest first, 20 at most"),
  undoUntil: z.iso.datetime().nullable().describe("When they are deleted for good"),
});

export const ForgettingListInput = z.strictObject({
  userId: UserId.optional(),
  review: z
    .enum(["true", "false"])
    .default("false")
    .describe(
      "true: only what was forgotten because of a message that is no explicit request by the rules of now, and can be undone; with an admin key that names no user, of all users. Go on until `nextCursor` is null: a page may be empty",
    ),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

export const ForgettingView = z
  .object({
    id: z.string(),
    userId: z.string().describe("Who forgot it, by the app's id"),
    askedIn: z.string().nullable().describe("The session in which the user asked for it; null for a deleted memory"),
    explicit: z
      .boolean()
      .nullable()
      .describe(
        "Whether the message that asked is an explicit request by the rules of now; false: look whether it was meant, and undo it if not. null for a deleted memory, and where that message is gone",
      ),
    memories: z.number().int(),
    facts: z.number().int(),
    passages: z.number().int().describe("How many stretches of words were redacted"),
    forgottenAt: z.iso.datetime(),
    undoUntil: z.iso.datetime(),
    undoneAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Forgetting", description: "Something that a user forgot: counts and times, never the words" });

export const UndoForgettingInput = z.strictObject({ userId: UserId.optional() });

export const UndoneView = z
  .object({
    id: z.string(),
    memories: z.number().int().describe("How many memories are there again; one that was said anew is not restored"),
    passages: z.number().int(),
    facts: z.number().int(),
  })
  .meta({ id: "UndoneForgetting" });

export type ForgetInput = z.infer<typeof ForgetInput>;
export type ForgottenView = z.infer<typeof ForgottenView>;
export type ForgetMatchingInput = z.infer<typeof ForgetMatchingInput>;
export type ForgottenManyView = z.infer<typeof ForgottenManyView>;
export type ForgettingListInput = z.infer<typeof ForgettingListInput>;
export type ForgettingView = z.infer<typeof ForgettingView>;
export type UndoneView = z.infer<typeof UndoneView>;
