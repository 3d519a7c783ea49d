import { z } from "zod";
import { ExternalId, UserId } from "#core/fields";

/** Tokens that stay as they are where neither the call nor the tenant's settings say how many. */
export const DEFAULT_KEEP_TOKENS = 4_000;
const MAX_KEEP_TOKENS = 200_000;

export const SummarizeInput = z
  .strictObject({
    userId: UserId.optional().describe("The acting user, who takes part in the session"),
    sessionId: ExternalId.describe("The session whose older episodes are summarized"),
    keepTokens: z
      .number()
      .int()
      .min(0)
      .max(MAX_KEEP_TOKENS)
      .optional()
      .describe(
        "Tokens of the newest episodes that stay as they are; summarizeAfterTokens of the settings when absent, else 4000",
      ),
    dryRun: z.boolean().optional().describe("Says what would be summarized, asks no model and stores nothing"),
  })
  .meta({ id: "SummarizeInput" });

const tokens = (what: string) => z.number().int().describe(`${what}, estimated`);

const Summary = z.object({
  id: z.string().nullable().describe("The memory, mem_…; null for a dry run"),
  by: z.enum(["model", "sentences"]).describe("What wrote it: the chat model, or the leading sentences of the episodes"),
  unusable: z
    .string()
    .nullable()
    .describe(
      "Why the model's answer was not used: refused, silent, cut, no_summary, too_long or not_from_the_conversation; null if it was, or none was asked",
    ),
  episodes: z.array(z.string()).describe("The episodes that it covers, in order"),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  tokensBefore: tokens("Tokens of the episodes"),
  tokensAfter: tokens("Tokens of the summary").nullable().describe("null where a dry run would ask a model"),
});

export const SummarizeView = z
  .object({
    sessionId: ExternalId,
    dryRun: z.boolean(),
    summaries: z.array(Summary).describe("In the order of the conversation"),
    withoutContent: z.number().int().describe("Episodes that say nothing worth a sentence: they count as summarized"),
    tokens: z.object({
      before: tokens("Tokens of the episodes that the summaries cover"),
      after: tokens("Tokens of the summaries"),
      saved: z.number().int(),
    }),
    remaining: z.boolean().describe("Whether there is more to summarize: another call continues there"),
  })
  .meta({ id: "Summarized" });

export type SummarizeInput = z.infer<typeof SummarizeInput>;
export type SummarizeView = z.infer<typeof SummarizeView>;
