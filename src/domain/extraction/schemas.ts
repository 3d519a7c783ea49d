import { z } from "zod";
import { ExternalId, Moment, UserId } from "#core/fields";
import { messageFields, REQUIRES_CONTENT, readMessage } from "#core/message-content";
import { MEMORY_TYPES } from "#domain/memories";

const MAX_MESSAGES = 50;
const MAX_MESSAGE_CHARACTERS = 64_000;

const Message = z
  .strictObject({
    ...messageFields(MAX_MESSAGE_CHARACTERS),
    userId: ExternalId.optional().describe("Who said it, by the app's id, as for an append"),
    occurredAt: Moment.optional().describe("When it was said; now when absent"),
  })
  .meta(REQUIRES_CONTENT)
  .transform(readMessage(MAX_MESSAGE_CHARACTERS));

export const ExtractInput = z
  .strictObject({
    userId: UserId.optional(),
    sessionId: ExternalId.optional().describe(
      "The session in which it would be said; a private one outside projects when absent",
    ),
    messages: z.array(Message).min(1).max(MAX_MESSAGES),
    useModel: z.boolean().default(false).describe("Asks the model too, whose tokens are counted as usage"),
  })
  .meta({ id: "ExtractInput" });

const FoundMemory = z.object({
  source: z
    .enum(["rules", "judge", "model"])
    .describe("Who found it: the rules, the learned judge of clauses, or the chat model"),
  category: z.string(),
  type: z.enum(MEMORY_TYPES),
  content: z.string(),
  key: z.string().nullable(),
  confidence: z.number(),
  sensitivity: z.enum(["public", "personal", "sensitive"]),
  portable: z.boolean(),
  ownership: z.enum(["personal", "group"]),
  scopeType: z.string().nullable(),
  scopeId: z.string().nullable(),
  userId: ExternalId.describe("The user who said it"),
  people: z.array(z.string()).describe("Names of the persons that it is about, besides the speaker"),
  message: z.number().int().describe("The index of the message that says it"),
  validFrom: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  wouldStore: z.boolean(),
  reason: z
    .enum(["off", "belowThreshold", "secrets", "expired", "refused", "known", "pending"])
    .nullable()
    .describe("Why it would not be stored; pending: it would be, and wait for review"),
});

export const ExtractView = z
  .object({
    facts: z.array(z.object({ userId: ExternalId, topic: z.string(), rank: z.number().int(), value: z.string() })),
    memories: z.array(FoundMemory),
    people: z.array(
      z.object({
        name: z.string(),
        personId: z
          .string()
          .nullable()
          .describe("The person who is meant; null for one who would be created, or where the name is ambiguous"),
        relationship: z.string().nullable(),
        aliases: z.array(z.string()),
      }),
    ),
    entities: z.array(z.object({ type: z.string(), name: z.string(), notes: z.string().nullable() })),
    model: z
      .object({
        outcome: z.enum(["taken", "unusable", "failed"]),
        reason: z.string().nullable().describe("Why its answer was not used"),
        calls: z.number().int(),
        inputTokens: z.number().int(),
        outputTokens: z.number().int(),
        dropped: z.record(z.string(), z.number().int()).describe("Parts of its answer that were not used, by reason"),
      })
      .nullable()
      .describe("The model's result; null when it was not asked"),
  })
  .meta({ id: "Extracted" });

export type ExtractInput = z.infer<typeof ExtractInput>;
export type ExtractView = z.infer<typeof ExtractView>;
