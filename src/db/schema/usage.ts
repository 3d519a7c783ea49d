import { integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";
import { codec } from "#db/row";

/** What a tenant used on a day (days since 1970, UTC). Counts only. */
export const usage = sqliteTable(
  "usage",
  {
    tenantId: integer("tenant_id").notNull(),
    day: integer("day").notNull(),
    /** Contexts that were built, and how many of them had content. */
    contexts: integer("contexts").notNull().default(0),
    contextsWithItems: integer("contexts_with_items").notNull().default(0),
    /** Estimated tokens of memory that were put before a model. */
    tokensInjected: integer("tokens_injected").notNull().default(0),
    /** Questions answered from facts, and how many of them had an answer. */
    answers: integer("answers").notNull().default(0),
    answersFound: integer("answers_found").notNull().default(0),
    /** Chat completions that went through the proxy. */
    completions: integer("completions").notNull().default(0),
    /** The tokens of extraction by a model, as the model counted them. */
    extractionCalls: integer("extraction_calls").notNull().default(0),
    extractionInputTokens: integer("extraction_input_tokens").notNull().default(0),
    extractionOutputTokens: integer("extraction_output_tokens").notNull().default(0),
    memoriesExtracted: integer("memories_extracted").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day] })],
);

export const USAGE = codec(usage);
